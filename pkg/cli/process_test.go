package cli

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// process starts this test binary as a command that calls Main.
func process(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe, args...)
	cmd.Env = append(os.Environ(), "FMCP_TEST_MAIN=1")
	return cmd
}

func exitCode(t *testing.T, err error) int {
	t.Helper()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if exit == nil {
		return 0
	}
	return exit.ExitCode()
}

func TestMainExits(t *testing.T) {
	tests := []struct {
		args []string
		code int
		out  string
	}{
		{nil, ExitFindings, "ready\n"},
		{[]string{"--version"}, ExitOK, "fmcp-probe "},
		{[]string{"--help"}, ExitOK, "fmcp-probe looks at"},
		{[]string{"--nope"}, ExitUsage, ""},
	}
	for _, tt := range tests {
		out, err := process(t, tt.args...).Output()
		if code := exitCode(t, err); code != tt.code || !strings.HasPrefix(string(out), tt.out) {
			t.Errorf("%q: status %d, %q; want %d, %q", tt.args, code, out, tt.code, tt.out)
		}
	}
}

// A signal ends a command that waits for its context, and one that is stuck
// reading stdin, with the status that a shell reports.
func TestMainSignals(t *testing.T) {
	for name, closeStdin := range map[string]bool{"waits for the context": true, "stuck in a read": false} {
		for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
			t.Run(name+"/"+sig.String(), func(t *testing.T) {
				t.Parallel()
				cmd := process(t, "--color=never")
				stdin, err := cmd.StdinPipe()
				if err != nil {
					t.Fatal(err)
				}
				defer stdin.Close()
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
				if closeStdin {
					stdin.Close()
				}
				if err := cmd.Process.Signal(sig); err != nil {
					t.Fatal(err)
				}
				if code := exitCode(t, cmd.Wait()); code != 128+int(sig) {
					t.Errorf("status %d, want %d", code, 128+int(sig))
				}
			})
		}
	}
}

// Who starts a command by nohup wants it to outlive the terminal.
func TestMainKeepsIgnoringHangup(t *testing.T) {
	cmd := process(t, "--color=never")
	cmd.Args = append([]string{"sh", "-c", `trap "" HUP; exec "$0" "$@"`, cmd.Path}, cmd.Args[1:]...)
	cmd.Path = "/bin/sh"
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
	for _, sig := range []syscall.Signal{syscall.SIGHUP, syscall.SIGTERM} {
		if err := cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
	}
	if code := exitCode(t, cmd.Wait()); code != 128+int(syscall.SIGTERM) {
		t.Errorf("status %d, want that of SIGTERM", code)
	}
}
