package sandbox

import (
	"os"
	"strconv"
	"strings"
)

// meter tells how much memory a process holds. Its file stays open, since it is
// looked at again and again.
type meter struct{ file *os.File }

func newMeter(pid int) meter {
	file, err := os.Open("/proc/" + strconv.Itoa(pid) + "/statm")
	if err != nil {
		return meter{}
	}
	return meter{file}
}

func (m meter) close() { _ = m.file.Close() } // nil closes with an error

// resident returns the bytes of memory that the process holds, 0 where it
// cannot be told.
func (m meter) resident() int64 {
	var b [128]byte
	length, _ := m.file.ReadAt(b[:], 0) // seven numbers, and then the end
	_, rest, _ := strings.Cut(string(b[:length]), " ")
	pages, _, _ := strings.Cut(rest, " ")
	n, _ := strconv.ParseInt(pages, 10, 64)
	return n * int64(os.Getpagesize())
}

// watchMemory is not needed here: the parent looks from outside.
func watchMemory(int64) {}
