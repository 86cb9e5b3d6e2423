//go:build unix

package worker

import (
	"os"
	"syscall"
)

// input is where a worker reads. Whoever waits there waits in the poller and
// not in a system call: a handler then runs on without another thread that has
// to be woken for it.
func input() *os.File {
	if syscall.SetNonblock(int(os.Stdin.Fd()), true) != nil {
		return os.Stdin
	}
	return os.NewFile(0, os.Stdin.Name())
}
