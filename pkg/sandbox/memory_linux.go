package sandbox

import (
	"os"
	"strconv"
	"strings"
)

// resident returns the bytes of memory that a process holds, 0 where it cannot
// be told.
func resident(pid int) int64 {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/statm")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(b), " ")
	pages, _, _ := strings.Cut(rest, " ")
	n, _ := strconv.ParseInt(pages, 10, 64)
	return n * int64(os.Getpagesize())
}

// watchMemory is not needed here: the parent looks from outside.
func watchMemory(int64) {}
