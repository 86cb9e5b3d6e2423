package version

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestLine(t *testing.T) {
	if got, want := Line("fmcp-probe", "1.2.3"), "fmcp-probe 1.2.3 (spec 4.2.0, "+runtime.Version()+")"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestWanted(t *testing.T) {
	for args, want := range map[string]bool{"--version": true, "a -f text --version": true, "": false, "a --versio": false, "-- --version": false} {
		if got := Wanted(strings.Fields(args)); got != want {
			t.Errorf("%q: %v", args, got)
		}
	}
}

func TestCommandName(t *testing.T) {
	for path, want := range map[string]string{
		"fmcp-scan": "fmcp-scan", "bin/fmcp-scan": "fmcp-scan", "/a/fmcp-b/fmcp-scan": "fmcp-scan", `C:\bin\fmcp-scan.exe`: "fmcp-scan",
		"": "", "fmcp-": "", "scan": "", "bin/": "", "/fmcp-x/other": "", "version.test": "", ".exe": "", "xfmcp-scan": "",
	} {
		if got := commandName(path); got != want {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
}

// The init of a command whose build set a version answers, and that of no
// other program.
func TestInit(t *testing.T) {
	dir := t.TempDir()
	source := "package main\n\nimport _ \"github.com/flowmcp/fmcp/pkg/cli/version\"\n\nfunc main() { println(\"main ran\") }\n"
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	exe := filepath.Join(dir, "fmcp-probe.exe")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", exe, "-ldflags", "-X github.com/flowmcp/fmcp/pkg/cli/version.Version=1.2.3", filepath.Join(dir, "main.go"))
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	line := Line("fmcp-probe", "1.2.3") + "\n"
	tests := []struct {
		name, args string
		want       string
	}{
		{"fmcp-probe", "--version", line},
		{"fmcp-probe.exe", "a --version", line},
		{"fmcp-probe", "-- --version", "main ran\n"},
		{"fmcp-probe", "", "main ran\n"},
		{"other", "--version", "main ran\n"},
	}
	for _, tt := range tests {
		cmd := exec.CommandContext(t.Context(), exe, strings.Fields(tt.args)...)
		cmd.Args[0] = filepath.Join("bin", tt.name)
		if out, err := cmd.CombinedOutput(); err != nil || string(out) != tt.want {
			t.Errorf("%s %s: %q, %v; want %q", tt.name, tt.args, out, err, tt.want)
		}
	}
}

// One more import can move the init behind those that it must precede.
func TestImports(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-f", `{{join .Imports " "}}`, ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Fields(string(out)); !slices.Equal(got, []string{"os", "runtime"}) {
		t.Errorf("imports %v, want os and runtime alone", got)
	}
}
