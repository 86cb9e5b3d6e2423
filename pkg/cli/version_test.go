package cli

import (
	"runtime"
	"strings"
	"testing"
)

func TestVersionLine(t *testing.T) {
	if got, want := versionLine("fmcp-probe", "1.2.3"),
		"fmcp-probe 1.2.3 (spec 4.2.0, "+runtime.Version()+")"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestVersionWanted(t *testing.T) {
	for args, want := range map[string]bool{"--version": true, "a -f text --version": true, "": false,
		"a --versio": false, "-- --version": false} {
		if got := versionWanted(strings.Fields(args)); got != want {
			t.Errorf("%q: %v", args, got)
		}
	}
}
