package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// entries are the names in a folder: a temporary file that was left shows.
func entries(t *testing.T, dir string) string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

func TestOutputs(t *testing.T) {
	for _, commit := range []bool{true, false} {
		dir := t.TempDir()
		old, fresh := filepath.Join(dir, "old"), filepath.Join(dir, "fresh")
		if err := os.WriteFile(old, []byte("before"), 0o640); err != nil {
			t.Fatal(err)
		}
		p := &probe{}
		p.run = func(_ context.Context, app *App) (int, error) {
			outs, err := p.OutputFlags.Open(app)
			if err != nil {
				return ExitFailure, err
			}
			defer outs.Abort()
			for _, o := range outs.All {
				if _, err := o.Write([]byte(o.Palette.Bold(o.Format))); err != nil {
					return ExitFailure, err
				}
			}
			if got := read(t, old); got != "before" {
				t.Errorf("changed before Commit: %q", got)
			}
			if !commit {
				return ExitFailure, errors.New("stopped")
			}
			return ExitOK, outs.Commit()
		}
		r := run(p, environment{}, "--color=always", "-f", "text", "-o", "ndjson="+old, "-o", "text="+fresh)
		if r.out != "\x1b[1mtext\x1b[0m" {
			t.Errorf("stdout %q", r.out)
		}
		if !commit {
			if read(t, old) != "before" || entries(t, dir) != "old" {
				t.Errorf("after a failure: %q, files %s", read(t, old), entries(t, dir))
			}
			continue
		}
		if r.code != ExitOK || read(t, old) != "ndjson" || read(t, fresh) != "text" || entries(t, dir) != "fresh old" {
			t.Errorf("%+v, files %s", r, entries(t, dir))
		}
		if info, err := os.Stat(old); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
			t.Errorf("permissions %v, %v; want those of before", info.Mode(), err)
		}
	}
}

func TestOutputsThatCannotBe(t *testing.T) {
	dir := t.TempDir()
	for name, file := range map[string]string{"folder": dir, "no such folder": filepath.Join(dir, "no", "file")} {
		p := &probe{}
		p.run = func(_ context.Context, app *App) (int, error) {
			_, err := p.OutputFlags.Open(app)
			return ExitOK, err
		}
		r := run(p, environment{}, "-o", "ndjson="+filepath.Join(dir, "good"), "-o", "text="+file)
		if r.code != ExitFailure || !strings.Contains(r.stderr, "--output text="+file) {
			t.Errorf("%s: %+v", name, r)
		}
		if entries(t, dir) != "" {
			t.Errorf("%s: left behind %s", name, entries(t, dir))
		}
	}
}
