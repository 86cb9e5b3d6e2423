package filelock

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

const (
	childEnv = "FMCP_TEST_LOCK_CHILD" // the folder of a child process
	holdEnv  = "FMCP_TEST_LOCK_HOLD"  // … which is to hold the lock until it is killed
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(childEnv); dir != "" {
		child(dir)
		return
	}
	os.Exit(m.Run())
}

// child adds 1 to a number in a file 50 times, which loses some without a lock.
func child(dir string) {
	for range 50 {
		unlock, err := Lock(context.Background(), filepath.Join(dir, "lock"))
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		if os.Getenv(holdEnv) != "" {
			fmt.Println("held")
			_, _ = io.Copy(io.Discard, os.Stdin) // until it is killed
		}
		name := filepath.Join(dir, "number")
		b, _ := os.ReadFile(name)
		n, _ := strconv.Atoi(string(b))
		if err := os.WriteFile(name, []byte(strconv.Itoa(n+1)), 0o600); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		unlock()
	}
}

func start(t *testing.T, dir string, env ...string) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(append(os.Environ(), childEnv+"="+dir), env...)
	return cmd
}

func TestProcesses(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if out, err := start(t, dir).CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	wg.Wait()
	if b, err := os.ReadFile(filepath.Join(dir, "number")); err != nil || string(b) != "400" {
		t.Errorf("8 processes that add 50 make %s, %v", b, err)
	}
}

// A process that is killed while it holds the lock holds up nobody.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	cmd := start(t, dir, holdEnv+"=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || strings.TrimSpace(line) != "held" {
		t.Fatalf("%q %v", line, err)
	}
	name := filepath.Join(dir, "lock")
	short, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	if _, err := Lock(short, name); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("while another process holds it: %v", err)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	unlock, err := Lock(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	unlock()
}

// Within a process it excludes as well.
func TestGoroutines(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	var inside, done atomic.Int32
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			unlock, err := Lock(t.Context(), name)
			if err != nil {
				t.Error(err)
				return
			}
			defer unlock()
			if n := inside.Add(1); n != 1 {
				t.Errorf("%d hold the lock", n)
			}
			runtime.Gosched()
			inside.Add(-1)
			done.Add(1)
		})
	}
	wg.Wait()
	if n := done.Load(); n != 16 {
		t.Errorf("%d of 16", n)
	}
	if _, err := Lock(t.Context(), filepath.Join(t.TempDir(), "none", "lock")); err == nil {
		t.Error("a lock in no folder")
	}
}

// A link may lead to a file of somebody, which must not be made or held.
func TestLink(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "lock")
	if err := os.Symlink("victim", link); err != nil {
		t.Fatal(err)
	}
	if _, err := Lock(t.Context(), link); err == nil {
		t.Error("locked through a link")
	}
	if _, err := os.Lstat(filepath.Join(dir, "victim")); err == nil {
		t.Error("the target was made")
	}
}
