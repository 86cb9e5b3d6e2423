//go:build unix

package sandbox

import (
	"os"
	"strconv"
	"sync"
	"syscall"
)

// keepFiles sees to it that workers get none of our files. Those that we open
// are kept from them anyway; those that we were started with, as a shell does
// with 3<file, are not.
var keepFiles = sync.OnceFunc(closeOthers)

func closeOthers() {
	entries, err := os.ReadDir("/dev/fd")
	if err != nil {
		return
	}
	for _, e := range entries {
		if fd, err := strconv.Atoi(e.Name()); err == nil && fd > 2 {
			syscall.CloseOnExec(fd)
		}
	}
}
