package sandbox

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/internal/await"
)

// TestWorkerInheritsNothing: no environment, no folder, no file.
func TestWorkerInheritsNothing(t *testing.T) {
	t.Setenv("FMCP_CANARY", "canary-value")
	name := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(name, []byte("canary-value"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	fd, err := syscall.Dup(int(f.Fd())) // as a shell hands it on, to be inherited
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(fd)
	closeOthers() // what the first worker of a process does
	p := newPool(t, Limits{Workers: 1})
	if _, failure := handled(t, p, post("1"), PostRequest, "{}", nil); failure != nil {
		t.Fatal(failure)
	}
	proc := "/proc/" + strconv.Itoa(p.idle[0].cmd.Process.Pid)
	if env, err := os.ReadFile(proc + "/environ"); err != nil || len(env) > 0 {
		t.Errorf("environment %q, %v", env, err)
	}
	if dir, err := os.Readlink(proc + "/cwd"); err != nil || dir != "/" {
		t.Errorf("folder %s, %v", dir, err)
	}
	files, err := os.ReadDir(proc + "/fd")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		target, _ := os.Readlink(proc + "/fd/" + file.Name())
		kind, _, _ := strings.Cut(target, ":")
		// The runtime of Go opens files of /sys for itself.
		if !slices.Contains([]string{"pipe", "/dev/null", "anon_inode"}, kind) && !strings.HasPrefix(target, "/sys/") {
			t.Errorf("file %s is %s", file.Name(), target)
		}
	}
}

// TestMain makes the test binary a parent that is killed in the middle of a
// call, or one whose file is gone, where it is to be one.
func TestMain(m *testing.M) {
	if os.Getenv("FMCP_TEST_PARENT") == "" {
		os.Exit(m.Run())
	}
	p := NewPool(Limits{Workers: 1, Time: time.Hour})
	if os.Getenv("FMCP_TEST_PARENT") == "replaced" {
		_ = os.Remove(os.Args[0])
		out, err := p.Call(context.Background(), Script{Key: "k", Source: post("1")},
			Call{Name: "t", Stage: PostRequest, Input: json.RawMessage("{}")})
		fmt.Print(string(out), err)
		return
	}
	source := "export const handlers = () => ({ t: { postRequest: () => { for (;;); } } })"
	_, _ = p.Call(context.Background(), Script{Key: "k", Source: source},
		Call{Name: "t", Stage: PostRequest, Input: json.RawMessage("{}")})
}

// TestWorkerDiesWithItsParent, even in an endless loop and where the parent had
// no time to say goodbye.
func TestWorkerDiesWithItsParent(t *testing.T) {
	parent := exec.Command(os.Args[0])
	parent.Env = append(os.Environ(), "FMCP_TEST_PARENT=1")
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	var workers []int
	await.Until(t, "the worker is in its loop", func() bool {
		workers = children(t, parent.Process.Pid)
		return len(workers) == 1 && busy(t, workers[0]) > 300*time.Millisecond
	})
	_ = parent.Process.Kill()
	_ = parent.Wait()
	t.Cleanup(func() {
		if t.Failed() {
			_ = syscall.Kill(workers[0], syscall.SIGKILL)
		}
	})
	await.Until(t, "the worker ends with its parent", func() bool { return !alive(workers[0]) })
}

// busy is how long a process has computed: the fields utime and stime of
// proc(5), in hundredths of a second.
func busy(t *testing.T, pid int) time.Duration {
	t.Helper()
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0 // it was a child for a moment only
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(rest)
	var sum time.Duration
	for _, f := range fields[11:13] {
		n, err := strconv.Atoi(f)
		if err != nil {
			t.Fatal(err)
		}
		sum += time.Duration(n) * 10 * time.Millisecond
	}
	return sum
}

// TestKilledWorker: a worker that somebody kills is not called out of memory.
func TestKilledWorker(t *testing.T) {
	p := newPool(t, Limits{Workers: 1})
	if _, failure := handled(t, p, post("1"), PostRequest, "{}", nil); failure != nil {
		t.Fatal(failure)
	}
	pid := p.idle[0].cmd.Process.Pid
	shot := func(context.Context, FetchRequest) FetchAnswer {
		_ = syscall.Kill(pid, syscall.SIGKILL)
		return FetchAnswer{Status: 200}
	}
	_, failure := handled(t, p, executing("await fetch('https://a.com'); for (;;);"), ExecuteRequest, "{}", shot)
	if failure == nil || failure.Code != CodeKilled ||
		!strings.Contains(failure.Msg, "ended from outside, by signal 9 (killed)") {
		t.Errorf("%v", failure)
	}
	_, failure = handled(t, p, post("(function f() { return [1, 2].sort(() => f()) })()"), PostRequest, "{}", nil)
	if failure == nil || failure.Code == CodeKilled {
		t.Errorf("%v", failure)
	}
}

// TestEnd: all workers are gone when it returns, those in a call too.
func TestEnd(t *testing.T) {
	p := newPool(t, Limits{Workers: 2})
	if _, failure := handled(t, p, post("1"), PostRequest, "{}", nil); failure != nil {
		t.Fatal(failure)
	}
	pids := []int{p.idle[0].cmd.Process.Pid}
	busy := make(chan bool)
	done := make(chan *HandlerError)
	go func() {
		_, failure := handled(t, p, executing("await fetch('https://a.com'); for (;;);"), ExecuteRequest, "{}",
			func(context.Context, FetchRequest) FetchAnswer {
				close(busy)
				return FetchAnswer{Status: 200}
			})
		done <- failure
	}()
	<-busy
	pids = append(pids, children(t, os.Getpid())...)
	for _, other := range []*Pool{p, exports()} { // an ended one must not be found
		other.mu.Lock()
		for other.spare(nil) {
		}
		other.mu.Unlock()
	}
	End()
	for _, pid := range pids { // some were ending before
		await.Until(t, "process "+strconv.Itoa(pid)+" has gone", func() bool {
			_, err := os.Stat("/proc/" + strconv.Itoa(pid))
			return err != nil
		})
	}
	if failure := <-done; failure == nil || failure.Code != CodeKilled {
		t.Errorf("%v", failure)
	}
}

// TestWorkerIsTheSameProgram, even where its file was replaced by a new version.
func TestWorkerIsTheSameProgram(t *testing.T) {
	program, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(path, program, 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path)
	cmd.Env = append(os.Environ(), "FMCP_TEST_PARENT=replaced")
	if out, err := cmd.CombinedOutput(); err != nil || string(out) != `{"response":1}<nil>` {
		t.Errorf("%s, %v", out, err)
	}
}

// alive reports whether a process runs; one that has not been waited for does not.
func alive(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && !strings.Contains(string(stat), ") Z ")
}

func children(t *testing.T, pid int) []int {
	t.Helper()
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	var found []int
	for _, e := range entries {
		child, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		stat, _ := os.ReadFile("/proc/" + e.Name() + "/stat")
		if _, rest, ok := strings.Cut(string(stat), ") "); ok && strings.Fields(rest)[1] == strconv.Itoa(pid) {
			found = append(found, child)
		}
	}
	return found
}
