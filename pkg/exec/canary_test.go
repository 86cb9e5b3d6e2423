package exec

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/flowmcp/fmcp/internal/canary"
)

// planted are the server parameters of the tests, which env makes. None may
// come out anywhere: not in an envelope (expect), not in a file of a test
// (upstream), and not in what the whole run prints (TestMain).
var planted struct {
	mu      sync.Mutex
	secrets []string
	search  *canary.Search
}

func plant(vars map[string]string) {
	planted.mu.Lock()
	defer planted.mu.Unlock()
	for _, v := range vars {
		if strings.Trim(v, "0123456789") == "" {
			continue // it may be anywhere by chance
		}
		if !slices.Contains(planted.secrets, v) {
			planted.secrets = append(planted.secrets, v)
			planted.search = nil
		}
	}
}

// leaks looks for all of them.
func leaks() *canary.Search {
	planted.mu.Lock()
	defer planted.mu.Unlock()
	if planted.search == nil {
		planted.search = canary.For(planted.secrets...)
	}
	return planted.search
}

// checkFiles looks through all files that tests have written by now.
func checkFiles(t testing.TB) {
	found, err := leaks().Below(os.TempDir())
	if err != nil {
		t.Error(err)
	}
	for _, f := range found {
		t.Error(f)
	}
}

// TestMain gives the tests a folder of their own for what they write, and reads
// along what they print.
func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "fmcp-exec-")
	if err == nil {
		err = os.Setenv("TMPDIR", dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	status, printed := readAlong(m.Run)
	if err := os.RemoveAll(dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		status = 1
	}
	if form := leaks().In(printed); form != "" {
		fmt.Fprintf(os.Stderr, "a server parameter was printed, as %s\n", form)
		status = 1
	}
	os.Exit(status)
}

// readAlong runs f, and returns what it has printed meanwhile.
func readAlong(f func() int) (status int, printed []byte) {
	var all struct {
		sync.Mutex
		bytes.Buffer
	}
	var wait sync.WaitGroup
	var ends []func()
	for _, stream := range []**os.File{&os.Stdout, &os.Stderr} {
		real := *stream
		r, w, err := os.Pipe()
		if err != nil {
			continue
		}
		*stream = w
		wait.Go(func() {
			_, _ = io.Copy(writerFunc(func(p []byte) (int, error) {
				all.Lock()
				defer all.Unlock()
				all.Write(p)
				return real.Write(p)
			}), r)
		})
		ends = append(ends, func() { _ = w.Close(); *stream = real })
	}
	status = f()
	for _, end := range ends {
		end()
	}
	wait.Wait()
	return status, all.Bytes()
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// TestReadAlong: what is printed is seen, and a secret in it found; so is one
// in a file.
func TestReadAlong(t *testing.T) {
	out, errs := os.Stdout, os.Stderr
	status, printed := readAlong(func() int {
		fmt.Fprintln(os.Stdout, "one")
		fmt.Fprintln(os.Stderr, "two")
		return 7
	})
	if status != 7 || !bytes.Contains(printed, []byte("one")) || !bytes.Contains(printed, []byte("two")) ||
		os.Stdout != out || os.Stderr != errs {
		t.Errorf("%d %q", status, printed)
	}
	env(map[string]string{"K": "planted-secret"})
	if leaks().In([]byte("x planted-secret x")) == "" || leaks().In(printed) != "" {
		t.Error("the search does not find what was planted")
	}
}
