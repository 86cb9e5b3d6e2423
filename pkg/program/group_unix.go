//go:build unix

package program

import (
	"os/exec"
	"syscall"
)

// endGroup has all processes of the command ended with it: the shell's child would
// go on alone.
func endGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
