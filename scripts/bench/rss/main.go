//go:build unix

// Command rss runs a command and writes the peak of its resident memory, in
// bytes, to a file:
//
//	rss FILE COMMAND [ARG…]
//
// A process inherits the peak of the one that starts it, so the benchmark
// itself, which is larger than what it measures, cannot ask.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

func main() {
	c := exec.Command(os.Args[2], os.Args[3:]...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		fmt.Fprintln(os.Stderr, "rss:", err)
		os.Exit(127)
	}
	peak := c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10
	if err := os.WriteFile(os.Args[1], []byte(strconv.FormatInt(peak, 10)), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, "rss:", err)
		os.Exit(127)
	}
	os.Exit(c.ProcessState.ExitCode())
}
