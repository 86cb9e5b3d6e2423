package remote

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/pkg/resource/origin"
	"github.com/flowmcp/fmcp/pkg/words"
)

// What a child process does, in the folder dirEnv.
const (
	dirEnv  = "FMCP_TEST_REMOTE_DIR"
	roleEnv = "FMCP_TEST_REMOTE_ROLE" // get, fail, hang
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(dirEnv); dir != "" {
		child(dir, os.Getenv(roleEnv))
		return
	}
	os.Exit(m.Run())
}

// counted is an upstream of many processes: it notes each request in a file.
type counted struct{ dir, role string }

const large = 1 << 20

func (u counted) Download(_ context.Context, r Request) (*Answer, error) {
	f, err := os.OpenFile(filepath.Join(u.dir, "requests"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	fmt.Fprintln(f, os.Getpid())
	_ = f.Close()
	w, err := r.Begin()
	if err != nil {
		return nil, err
	}
	if _, err := io.WriteString(w, strings.Repeat("x", large/2)); err != nil {
		return nil, err
	}
	switch u.role {
	case "hang":
		fmt.Println("begun")
		_, _ = io.Copy(io.Discard, os.Stdin) // until it is killed
	case "fail":
		// Until all have come, so that all of them wait for this one.
		for {
			if list, _ := filepath.Glob(filepath.Join(u.dir, "here-*")); len(list) == processes {
				return nil, &words.Problem{Code: "EXE035", Message: "no answer"}
			}
			time.Sleep(time.Millisecond)
		}
	}
	_, err = io.WriteString(w, strings.Repeat("x", large/2))
	return &Answer{}, err
}

const processes = 16

func child(dir, role string) {
	// The clock is looked at when it is known what there was to begin with.
	here := func() time.Time {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint("here-", os.Getpid())), nil, 0o600); err != nil {
			fmt.Println(err)
		}
		return time.Now()
	}
	c := &Copies{Places: &origin.Places{Project: dir}, Fetch: counted{dir, role}, Now: here}
	got, err := c.Get(context.Background(), Source{URL: fileURL, TTL: time.Hour})
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := os.ReadFile(got.Path)
	fmt.Println(got.Cached.State, len(b), err)
}

func command(t *testing.T, dir, role string) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), dirEnv+"="+dir, roleEnv+"="+role)
	return cmd
}

// together runs processes at the same time and counts what they print.
func together(t *testing.T, dir, role string) map[string]int {
	var mu sync.Mutex
	said := map[string]int{}
	var wg sync.WaitGroup
	for range processes {
		wg.Go(func() {
			out, err := command(t, dir, role).CombinedOutput()
			if err != nil {
				t.Errorf("%v: %s", err, out)
			}
			mu.Lock()
			defer mu.Unlock()
			said[strings.TrimSpace(string(out))]++
		})
	}
	wg.Wait()
	return said
}

func requests(t *testing.T, dir string) int {
	b, err := os.ReadFile(filepath.Join(dir, "requests"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Count(string(b), "\n")
}

// Sixteen processes that want a file at the same time fetch it once.
func TestProcesses(t *testing.T) {
	dir := t.TempDir()
	said := together(t, dir, "get")
	if n := requests(t, dir); n != 1 || said["miss 1048576 <nil>"] != 1 || said["hit 1048576 <nil>"] != processes-1 {
		t.Errorf("%d requests, %v", n, said)
	}
}

// Of sixteen that wait for a fetch that fails, none asks again.
func TestProcessesFail(t *testing.T) {
	dir := t.TempDir()
	said := together(t, dir, "fail")
	if n := requests(t, dir); n != 1 || said["EXE035 no answer"] != processes {
		t.Errorf("%d requests, %v", n, said)
	}
}

// A process that is killed while it downloads blocks no other, and the next one
// cleans up after it.
func TestProcessKilled(t *testing.T) {
	dir := t.TempDir()
	cmd := command(t, dir, "hang")
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
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "begun\n" {
		t.Fatalf("%q %v", line, err)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	temps := func() int {
		list, _ := filepath.Glob(filepath.Join(dir, ".flowmcp/cache/resources/.*.tmp"))
		return len(list)
	}
	if temps() != 1 {
		t.Fatalf("%d files of the killed process", temps())
	}
	if got, err := command(t, dir, "get").CombinedOutput(); err != nil || string(got) != "miss 1048576 <nil>\n" {
		t.Errorf("%s %v", got, err)
	}
	if temps() != 0 {
		t.Errorf("%d files stay", temps())
	}
}
