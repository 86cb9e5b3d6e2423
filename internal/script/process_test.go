//go:build unix

package script

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// patience is how long a test waits for what should come at once.
const patience = slower * 20 * time.Second

// process is a running command whose input and output are pipes.
type process struct {
	t      *testing.T
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout *bufio.Reader
	stderr written
	pipe   io.ReadCloser
	seen   bytes.Buffer // what was read of stdout
}

// written is what a process has written so far.
type written struct {
	mu sync.Mutex
	b  strings.Builder
}

func (w *written) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.b.Write(p)
}

func (w *written) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.b.String()
}

// start starts a command in dir with the server parameter of all scripts. It
// is killed when it takes longer than patience.
func start(t *testing.T, dir string, args ...string) *process {
	t.Helper()
	return startWith(t, dir, nil, args...)
}

func startWith(t *testing.T, dir string, attr *syscall.SysProcAttr, args ...string) *process {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	p := &process{t: t, cmd: exec.CommandContext(ctx, filepath.Join(bin, args[0]), args[1:]...)}
	if args[0] == "sh" {
		p.cmd = exec.CommandContext(ctx, "sh", args[1:]...)
	}
	p.cmd.Dir, p.cmd.SysProcAttr = dir, attr
	p.cmd.Env = append(os.Environ(), "PARCELBIRD_TOKEN="+envCanary, "FMCP_ENV=PARCELBIRD_TOKEN")
	p.cmd.Stderr = &p.stderr
	var err error
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if p.pipe, err = p.cmd.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	p.stdout = bufio.NewReaderSize(io.TeeReader(p.pipe, &p.seen), 4096)
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *process) write(text string) {
	p.t.Helper()
	if _, err := io.WriteString(p.stdin, text); err != nil {
		p.t.Fatal(err)
	}
}

func (p *process) line() string {
	p.t.Helper()
	line, err := p.stdout.ReadString('\n')
	if err != nil {
		p.t.Fatalf("%q, %v; stderr %s", line, err, p.stderr.String())
	}
	return strings.TrimSuffix(line, "\n")
}

func (p *process) signal(sig syscall.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(sig); err != nil {
		p.t.Fatal(err)
	}
}

// end closes the input, reads the rest of the output and returns it with the
// exit status, which is 128 and the signal's number where a signal ended the
// command, as a shell reports it. What was printed holds no server parameter.
func (p *process) end() (string, int) {
	p.t.Helper()
	if err := p.stdin.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
		p.t.Error(err)
	}
	out, err := io.ReadAll(p.stdout)
	if err != nil {
		p.t.Error(err)
	}
	return string(out), p.wait()
}

func (p *process) wait() int {
	p.t.Helper()
	err := p.cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		p.t.Fatal(err)
	}
	if form := secrets.In(append(p.seen.Bytes(), p.stderr.String()...)); form != "" {
		p.t.Errorf("a server parameter was printed, as %s", form)
	}
	checkFiles(p.t, p.cmd.Dir)
	if status := p.cmd.ProcessState.Sys().(syscall.WaitStatus); status.Signaled() {
		return 128 + int(status.Signal())
	}
	return p.cmd.ProcessState.ExitCode()
}

// apiFolder is a folder with the catalog of the API in api/, resolved in
// api.ndjson, an upstream that answers it, and the flags to call it.
func apiFolder(t *testing.T) (dir string, u *upstream, flags []string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "api"), os.DirFS(filepath.Join(repo, "testdata/script/api"))); err != nil {
		t.Fatal(err)
	}
	u, err := newUpstream("")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(u.server.Close)
	if err := u.install(dir); err != nil {
		t.Fatal(err)
	}
	out, status := start(t, dir, "fmcp-resolve", "api").end()
	if status != 0 {
		t.Fatalf("fmcp-resolve: status %d", status)
	}
	if err := os.WriteFile(filepath.Join(dir, "api.ndjson"), []byte(out), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir, u, []string{"--ca-file", "ca.pem", "--allow-host", u.host()}
}

// startAsNobody is start for a command that must not have root's rights.
func startAsNobody(t *testing.T, dir string, args ...string) *process {
	t.Helper()
	if os.Geteuid() != 0 {
		return start(t, dir, args...)
	}
	const nobody = 65534
	return startWith(t, dir, &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}, args...)
}
