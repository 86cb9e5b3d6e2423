//go:build unix

package script

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// installer runs scripts/install.sh.
func installer(t *testing.T, dest string, args ...string) {
	t.Helper()
	cmd := exec.Command("sh", append([]string{"scripts/install.sh"}, args...)...)
	cmd.Dir = repo
	cmd.Env = append(os.Environ(), "DESTDIR="+dest)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
}

// filesBelow lists the files below a folder.
func filesBelow(t *testing.T, dir string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			name, _ := filepath.Rel(dir, path)
			files = append(files, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestInstall(t *testing.T) {
	dest := t.TempDir()
	prefix := filepath.Join(dest, "usr")
	other := []string{"bin/fmcp-other", "share/man/man1/fmcp.1", "share/doc/other"}
	for _, name := range other {
		if err := os.MkdirAll(filepath.Join(prefix, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(prefix, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	installer(t, dest, "install", bin, "/usr")
	have := filesBelow(t, prefix)
	for _, want := range []string{"bin/fmcp-scan", "bin/fmcp-serve",
		"share/bash-completion/completions/fmcp-load", "share/zsh/site-functions/_fmcp-grade",
		"share/fish/vendor_completions.d/fmcp-resolve.fish", "share/man/man1/fmcp-exec.1",
		"share/man/man1/fmcp-exec-resource-import-gtfs.1", "share/doc/fmcp/THIRD_PARTY_NOTICES",
		"share/doc/fmcp/types/flowmcp.d.ts", "share/doc/fmcp/types/main.schema.json",
		"share/doc/fmcp/deploy/systemd/fmcp-serve.service", "share/doc/fmcp/deploy/haproxy/haproxy.cfg"} {
		if !slices.Contains(have, want) {
			t.Errorf("%s is not installed", want)
		}
	}
	out, err := exec.Command(filepath.Join(prefix, "bin", "fmcp-scan"), "--version").Output()
	if err != nil || !bytes.HasPrefix(out, []byte("fmcp-scan ")) {
		t.Errorf("installed fmcp-scan: %v %s", err, out)
	}
	installer(t, dest, "install", bin, "/usr") // over itself
	if again := filesBelow(t, prefix); !slices.Equal(again, have) {
		t.Errorf("installed twice: %q, want %q", again, have)
	}
	installer(t, dest, "uninstall", "/usr")
	if left := filesBelow(t, prefix); !slices.Equal(left, slices.Sorted(slices.Values(other))) {
		t.Errorf("left behind: %q", left)
	}
}

// Each page is what man(1) can show, as mandoc and groff see it where they are.
func TestManPages(t *testing.T) {
	dir := t.TempDir()
	installer(t, "", "share", bin, dir)
	pages, err := filepath.Glob(filepath.Join(dir, "man", "man1", "*.1"))
	if err != nil || len(pages) < 20 {
		t.Fatalf("%d pages: %v", len(pages), err)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, "'") || strings.HasPrefix(line, ".") && line != ".br\n" &&
				(line[1] < 'A' || line[1] > 'Z') {
				t.Errorf("%s: text is taken for a macro: %q", filepath.Base(page), line)
			}
			if i := strings.IndexFunc(line, func(r rune) bool { return r > '~' }); i >= 0 {
				t.Errorf("%s: not all systems show %q: escape it in pkg/usage", filepath.Base(page), line[i:])
			}
		}
	}
	lint(t, pages, "mandoc", "-T", "lint", "-W", "warning")
	for _, page := range pages {
		lint(t, []string{page}, "groff", "-man", "-Tascii", "-ww", "-b", "-z")
	}
}

// lint runs a program on pages, which must have nothing to say but that a build
// without a commit has no date.
func lint(t *testing.T, pages []string, words ...string) {
	t.Helper()
	if _, err := exec.LookPath(words[0]); err != nil {
		t.Logf("%s is not installed", words[0])
		return
	}
	out, _ := exec.Command(words[0], append(words[1:], pages...)...).CombinedOutput()
	for line := range strings.Lines(string(out)) {
		if !strings.Contains(line, "missing date") {
			t.Error(line)
		}
	}
}
