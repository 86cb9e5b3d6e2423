package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
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

// entries are the names in a folder.
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

// What is written is not there before Commit, and never readable by more than
// perm allows.
func TestCreate(t *testing.T) {
	dir := t.TempDir()
	f, err := Create(filepath.Join(dir, "file"), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if name := entries(t, dir); !IsTemp(name) || IsTemp("file") || IsTemp(".file") {
		t.Errorf("while it is written: %s", name)
	}
	if _, err := f.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(dir, "file"))
	if err != nil || info.Mode().Perm() != fs.FileMode(0o600) || entries(t, dir) != "file" {
		t.Errorf("%v, %v; folder %s", info, err, entries(t, dir))
	}
}

func TestFollowsLink(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	if err := os.WriteFile(target, []byte("before"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("target", link); err != nil {
		t.Fatal(err)
	}
	f, err := Create(link, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte("after")); err != nil {
		t.Fatal(err)
	}
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	f.Abort() // does nothing any more
	if err := f.Commit(); err != nil {
		t.Errorf("a second Commit: %v", err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 || read(t, target) != "after" {
		t.Errorf("link %v, %v; target %q", info, err, read(t, target))
	}
}

func TestDevice(t *testing.T) {
	f, err := Create(os.DevNull, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("the device was replaced: %v, %v", info, err)
	}
}

// If the move fails no file is left.
func TestCommitFails(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	f, err := Create(path, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path, 0o777); err != nil { // in the way
		t.Fatal(err)
	}
	if err := f.Commit(); err == nil {
		t.Error("a folder was replaced by a file")
	}
	if entries(t, dir) != "file" {
		t.Errorf("left behind: %s", entries(t, dir))
	}
}

// What writes by name writes into the file that Commit moves to its place.
func TestTemp(t *testing.T) {
	dir := t.TempDir()
	f, err := Create(filepath.Join(dir, "file"), 0o666)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(f.Temp(), []byte("by name"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := f.Commit(); err != nil || read(t, filepath.Join(dir, "file")) != "by name" {
		t.Errorf("%v; %s", err, entries(t, dir))
	}
	if f, err = Create(os.DevNull, 0o666); err != nil || f.Temp() != "" {
		t.Errorf("a device is written directly: %v", err)
	}
	f.Abort()
}

// Write makes folders, replaces what is there, and leaves nothing if it fails.
func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made")
	name := filepath.Join("a", "b", "file")
	for _, text := range []string{"one", "two"} {
		if err := Write(dir, name, []byte(text)); err != nil || read(t, filepath.Join(dir, name)) != text {
			t.Errorf("%v: %s", err, read(t, filepath.Join(dir, name)))
		}
	}
	if err := Write(dir, filepath.Join(name, "below"), nil); err == nil {
		t.Error("a file has files below it")
	}
	if err := Write(dir, filepath.Join("a", "b"), nil); err == nil || entries(t, filepath.Join(dir, "a")) != "b" {
		t.Errorf("a folder is replaced: %v", err)
	}
	if err := Write(dir, filepath.Join("..", "out"), nil); err == nil {
		t.Error("written outside")
	}
}

// Of several that write a new file at the same time one does; what it wrote stays, and
// nothing is left of the others.
func TestWriteNew(t *testing.T) {
	dir := t.TempDir()
	errs := make(chan error)
	for i := range 8 {
		go func() { errs <- WriteNew(dir, "file", []byte{byte('0' + i)}) }()
	}
	written := 0
	for range 8 {
		switch err := <-errs; {
		case err == nil:
			written++
		case !errors.Is(err, fs.ErrExist):
			t.Error(err)
		}
	}
	if text := read(t, filepath.Join(dir, "file")); written != 1 || len(text) != 1 || entries(t, dir) != "file" {
		t.Errorf("%d have written %q, and there is %s", written, text, entries(t, dir))
	}
}

// A file whose name the command chooses is never written through what others
// have put in its place.
func TestFollowsNothing(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	victim := filepath.Join(outside, "victim")
	if err := os.WriteFile(victim, []byte("before"), 0o644); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{"file": victim, "dangling": filepath.Join(outside, "new"),
		"folder": outside, "inside": "."} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"file", "dangling"} {
		path := filepath.Join(dir, name)
		if err := Write(dir, name, []byte("ours")); err != nil || read(t, path) != "ours" {
			t.Errorf("%s: %v", name, err)
		}
		if info, err := os.Lstat(path); err != nil || info.Mode() != 0o600 {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	for _, name := range []string{"folder", "inside"} {
		if err := Write(dir, filepath.Join(name, "file"), []byte("ours")); err == nil {
			t.Errorf("%s: written through a link", name)
		}
	}
	if read(t, victim) != "before" || entries(t, outside) != "victim" {
		t.Errorf("%s; %s", read(t, victim), entries(t, outside))
	}
}
