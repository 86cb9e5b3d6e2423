package cli

import (
	"runtime"
	"runtime/debug"
	"strings"
)

// Version is the version of the commands; the build sets it with
// -ldflags "-X github.com/flowmcp/fmcp/pkg/cli.Version=0.1.0".
var Version string

// SpecVersion is the version of the FlowMCP specification that is implemented.
const SpecVersion = "4.2.0"

// CurrentVersion is Version, or what the module system knows.
func CurrentVersion() string {
	if Version != "" {
		return Version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return strings.TrimPrefix(info.Main.Version, "v")
	}
	return "devel"
}

// VersionLine is what --version prints: "fmcp-scan 0.1.0 (spec 4.2.0, go1.26.0)".
func VersionLine(name string) string {
	return name + " " + CurrentVersion() + " (spec " + SpecVersion + ", " + runtime.Version() + ")"
}

// wantsVersion looks for --version among the flags.
func wantsVersion(args []string) bool {
	for _, a := range args {
		switch a {
		case "--version":
			return true
		case "--":
			return false
		}
	}
	return false
}
