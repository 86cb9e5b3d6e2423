package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The database of the demo catalog is what this command makes, byte for byte;
// where SQLite is a new version, run the command and commit its file.
func TestDatabaseIsUpToDate(t *testing.T) {
	made := filepath.Join(t.TempDir(), "made.db")
	if err := build(made); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(made)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join("../../..", filepath.FromSlash(path)))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s has other bytes (%v): run go run ./scripts/demo/database", path, err)
	}
}
