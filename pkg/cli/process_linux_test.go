package cli

import (
	"bufio"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// TestMainEndsWorkers: the workers of a command are gone before it is, whether
// it ends on its own or by a signal.
func TestMainEndsWorkers(t *testing.T) {
	for _, sig := range []syscall.Signal{0, syscall.SIGINT, syscall.SIGTERM} {
		cmd := process(t)
		cmd.Env = append(cmd.Env, "FMCP_TEST_MAIN=worker")
		stdin, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		stdout, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(stdout).ReadString('\n'); line != "ready\n" {
			t.Fatalf("%q, %v", line, err)
		}
		workers := childrenOf(t, cmd.Process.Pid)
		if len(workers) != 1 {
			t.Fatalf("workers %v", workers)
		}
		if sig == 0 {
			stdin.Close()
		} else if err := cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		if _, err := os.Stat(workers[0]); err == nil {
			t.Errorf("%v: the worker is still there", sig)
		}
	}
}

// childrenOf are the folders in /proc of the children of a process.
func childrenOf(t *testing.T, pid int) (found []string) {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range all {
		stat, _ := os.ReadFile(dir + "/stat")
		if _, rest, ok := strings.Cut(string(stat), ") "); ok && strings.Fields(rest)[1] == strconv.Itoa(pid) {
			found = append(found, dir)
		}
	}
	return found
}
