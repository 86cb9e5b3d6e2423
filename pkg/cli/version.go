package cli

import (
	"runtime"
	"runtime/debug"
	"strings"
)

// version is set by the build: -ldflags "-X github.com/flowmcp/fmcp/pkg/cli.version=0.1.0".
var version string

// specVersion is the version of the FlowMCP specification that is implemented.
const specVersion = "4.2.0"

// Version is the version of the commands: what the build set, or what the
// module system knows.
func Version() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return strings.TrimPrefix(info.Main.Version, "v")
	}
	return "devel"
}

// sourceDate is the day of the commit that was built, "" where the build does not know it.
func sourceDate() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.time" {
				day, _, _ := strings.Cut(s.Value, "T")
				return day
			}
		}
	}
	return ""
}

// versionLine is what --version prints: "fmcp-scan 0.1.0 (spec 4.2.0, go1.26.0)".
func versionLine(name, version string) string {
	return name + " " + version + " (spec " + specVersion + ", " + runtime.Version() + ")"
}

// versionWanted reports whether --version is among the flags.
func versionWanted(args []string) bool {
	for _, a := range args {
		switch a {
		case "--version":
			return true
		case "--", completeWords:
			return false
		}
	}
	return false
}
