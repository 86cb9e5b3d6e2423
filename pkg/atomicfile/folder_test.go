package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestFolder: a folder is there as a whole once it is done, and replaces another only
// where that is asked for.
func TestFolder(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a", "b")
	fill := func(replace bool, name, text string) error {
		f, err := CreateFolder(path, replace)
		if err != nil {
			return err
		}
		defer f.Abort()
		if err := f.Write(name, []byte(text), 0o644); err != nil {
			return err
		}
		if _, err := os.Stat(filepath.Join(path, name)); err == nil {
			t.Errorf("%s is there before it is done", name)
		}
		return f.Commit()
	}
	if err := fill(false, "x/one.txt", "1"); err != nil {
		t.Fatal(err)
	}
	if err := fill(false, "two.txt", "2"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a folder that is there: %v", err)
	}
	if b, err := os.ReadFile(filepath.Join(path, "x/one.txt")); string(b) != "1" {
		t.Errorf("%q, %v", b, err)
	}
	if err := fill(true, "two.txt", "2"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(path, "x")); err == nil {
		t.Error("what was there is still there")
	}
	for _, name := range []string{"../out", "/out", "x/../../out"} {
		if err := fill(true, name, "3"); err == nil {
			t.Errorf("%s was written", name)
		}
	}
	entries, err := os.ReadDir(filepath.Join(dir, "a"))
	if err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}
