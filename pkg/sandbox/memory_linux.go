package sandbox

import (
	"os"
	"strconv"
	"strings"
	"time"
)

// meter tells how much memory a process holds, and how long it ran on a
// processor. Its files stay open, since they are looked at again and again.
type meter struct{ memory, times *os.File }

func newMeter(pid int) meter {
	open := func(name string) *os.File {
		file, _ := os.Open("/proc/" + strconv.Itoa(pid) + "/" + name)
		return file // nil reads as nothing, and closes with an error
	}
	return meter{open("statm"), open("stat")}
}

func (m meter) close() {
	_ = m.memory.Close()
	_ = m.times.Close()
}

// resident returns the bytes of memory that the process holds, 0 where it
// is not known.
func (m meter) resident() int64 {
	var b [128]byte
	length, _ := m.memory.ReadAt(b[:], 0) // seven numbers, and then the end
	_, rest, _ := strings.Cut(string(b[:length]), " ")
	pages, _, _ := strings.Cut(rest, " ")
	n, _ := strconv.ParseInt(pages, 10, 64)
	return n * int64(os.Getpagesize())
}

// clockTick is the unit of times in /proc, on every architecture that Go knows.
const clockTick = 10 * time.Millisecond

// processor returns how long the process ran on a processor; ok is false where
// that is not known.
func (m meter) processor() (d time.Duration, ok bool) {
	var b [1024]byte
	length, _ := m.times.ReadAt(b[:], 0)
	text := string(b[:length])
	// The name of the program, in parentheses, may hold anything.
	fields := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
	if len(fields) < 13 {
		return 0, false
	}
	user, err1 := strconv.ParseInt(fields[11], 10, 64)
	system, err2 := strconv.ParseInt(fields[12], 10, 64)
	return time.Duration(user+system) * clockTick, err1 == nil && err2 == nil
}
