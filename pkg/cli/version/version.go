// Package version knows the version of the commands, and answers --version
// before anything else happens.
//
// Packages are initialised in the order of their paths as soon as what they
// import is. This one imports next to nothing, so that its init runs before
// those of the JavaScript engine and of all that start with a later letter,
// which together take longer than the start of a Go program that only prints.
package version

import (
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
)

// Version is the version of the commands; the build sets it with
// -ldflags "-X github.com/flowmcp/fmcp/pkg/cli/version.Version=0.1.0".
var Version string

// Spec is the version of the FlowMCP specification that is implemented.
const Spec = "4.2.0"

func init() {
	name := os.Args[0][strings.LastIndexAny(os.Args[0], `/\`)+1:]
	name = strings.TrimSuffix(name, ".exe")
	if strings.HasPrefix(name, "fmcp-") && Answer(os.Stdout, name, os.Args[1:]) {
		os.Exit(0)
	}
}

// Answer prints the version of the command, "fmcp-scan 0.1.0 (spec 4.2.0,
// go1.26.0)", where --version is among the flags, and reports whether it is.
func Answer(w io.Writer, name string, args []string) bool {
	for _, a := range args {
		switch a {
		case "--version":
			_, _ = io.WriteString(w, name+" "+Current()+" (spec "+Spec+", "+runtime.Version()+")\n")
			return true
		case "--":
			return false
		}
	}
	return false
}

// Current is Version, or what the module system knows.
func Current() string {
	if Version != "" {
		return Version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return strings.TrimPrefix(info.Main.Version, "v")
	}
	return "devel"
}
