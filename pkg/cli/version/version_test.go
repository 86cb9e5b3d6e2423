package version

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestMain(m *testing.M) {
	if os.Getenv("FMCP_TEST_MAIN") != "" {
		os.Stdout.WriteString("main ran\n")
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestAnswer(t *testing.T) {
	defer func(v string) { Version = v }(Version)
	Version = "1.2.3"
	line := "fmcp-probe 1.2.3 (spec 4.2.0, " + runtime.Version() + ")\n"
	for args, want := range map[string]string{"--version": line, "a -f text --version": line, "": "", "a --versio": "", "-- --version": ""} {
		var out bytes.Buffer
		if got := Answer(&out, "fmcp-probe", strings.Fields(args)); got != (want != "") || out.String() != want {
			t.Errorf("%q: %v, %q; want %q", args, got, out.String(), want)
		}
	}
	Version = ""
	if Current() == "" {
		t.Error("no version without -ldflags")
	}
}

// The init answers for a command, and for no other program.
func TestInit(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"fmcp-probe": "fmcp-probe " + Current() + " (spec", "fmcp-probe.exe": "fmcp-probe " + Current() + " (spec", "other": "main ran\n"} {
		cmd := exec.CommandContext(t.Context(), exe, "--version")
		cmd.Args[0] = filepath.Join("bin", name)
		cmd.Env = append(os.Environ(), "FMCP_TEST_MAIN=1")
		if out, err := cmd.Output(); err != nil || !strings.HasPrefix(string(out), want) {
			t.Errorf("%s: %q, %v; want %q", name, out, err, want)
		}
	}
}
