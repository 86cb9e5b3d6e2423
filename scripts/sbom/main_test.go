package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The test itself is a command that links modules.
func TestRun(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	binary, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	files := map[string][]byte{"fmcp_1.2.3/fmcp-scan": binary, "fmcp_1.2.3/fmcp-load.exe": binary,
		"fmcp_1.2.3/share/man/man1/fmcp-scan.1":                  []byte("no command"),
		"fmcp_1.2.3/share/bash-completion/completions/fmcp-scan": []byte("no command"), "fmcp_1.2.3/README.md": nil}
	for name, pack := range map[string]func(*testing.T, map[string][]byte) []byte{"a.zip": zipOf, "a.tar.gz": tarOf} {
		archive, to := filepath.Join(dir, name), filepath.Join(dir, name+".json")
		if err := os.WriteFile(archive, pack(t, files), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := run("v1.2.3", archive, to); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(to)
		if err != nil {
			t.Fatal(err)
		}
		var b bill
		if err := json.Unmarshal(text, &b); err != nil {
			t.Fatal(err)
		}
		if b.Metadata.Component.URL != "pkg:golang/github.com/flowmcp/fmcp@v1.2.3" || len(b.Components) == 0 ||
			b.Components[0].Name != "std" && b.Components[len(b.Components)-1].Name != "std" {
			t.Errorf("%s:\n%s", name, text)
		}
		if n := strings.Count(string(text), `"name": "std"`); n != 1 {
			t.Errorf("%s: Go's own library is there %d times:\n%s", name, n, text)
		}
	}
	empty := filepath.Join(dir, "empty.zip")
	if err := os.WriteFile(empty, zipOf(t, map[string][]byte{"x": nil}), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run("v1.2.3", empty, empty+".json"); err == nil || !strings.Contains(err.Error(), "found no command") {
		t.Errorf("an archive without commands: %v", err)
	}
}

func zipOf(t *testing.T, files map[string][]byte) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range files {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write(text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func tarOf(t *testing.T, files map[string][]byte) []byte {
	var b bytes.Buffer
	g := gzip.NewWriter(&b)
	w := tar.NewWriter(g)
	for name, text := range files {
		err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Size: int64(len(text))})
		if err == nil {
			_, err = w.Write(text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
