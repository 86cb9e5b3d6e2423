//go:build unix

package script

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// readFile reads a file of the repository.
func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repo, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A new command is not forgotten in a release.
func TestReleaseHasAllCommands(t *testing.T) {
	dirs, err := filepath.Glob(filepath.Join(repo, "cmd", "fmcp-*"))
	if err != nil || len(dirs) < 7 {
		t.Fatalf("%d commands: %v", len(dirs), err)
	}
	release, install := readFile(t, ".goreleaser.yaml"), readFile(t, "scripts/install.sh")
	for _, dir := range dirs {
		name := filepath.Base(dir)
		for _, line := range []string{"id: " + name, "main: ./cmd/" + name, "binary: " + name} {
			if !strings.Contains(release, line+"\n") {
				t.Errorf(".goreleaser.yaml lacks %q", line)
			}
		}
		if list, _, _ := strings.Cut(install[strings.Index(install, "commands='")+10:], "'"); !slices.Contains(
			strings.Fields(list), name) {
			t.Errorf("scripts/install.sh does not install %s", name)
		}
	}
}

// What the image is built of is all in the context that .dockerignore leaves.
func TestImageHasItsSources(t *testing.T) {
	cmd := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if .Main}}{{$.ImportPath}}{{end}}{{end}}",
		"./cmd/...")
	cmd.Dir = repo
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var taken []string
	for line := range strings.Lines(readFile(t, ".dockerignore")) {
		if path, ok := strings.CutPrefix(strings.TrimSpace(line), "!"); ok {
			taken = append(taken, path+"/")
		}
	}
	packages := strings.Fields(string(out))
	if len(packages) < 20 {
		t.Fatalf("only %d packages: %s", len(packages), out)
	}
	for _, pkg := range packages {
		path := strings.TrimPrefix(pkg, "github.com/flowmcp/fmcp/") + "/"
		if !slices.ContainsFunc(taken, func(dir string) bool { return strings.HasPrefix(path, dir) }) {
			t.Errorf("the commands are made of %s too, which .dockerignore leaves out", pkg)
		}
	}
}
