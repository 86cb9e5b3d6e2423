// Package version answers --version before anything else happens.
//
// Packages are initialised in the order of their paths, each as soon as what
// it imports is. This one imports os and runtime and nothing else, so that its
// init runs before those of the JavaScript engine and the flag library, which
// together take longer than the start of a Go program that only prints. That
// is also why it cuts strings by hand.
package version

import (
	"os"
	"runtime"
)

// Version is the version of the commands; the build sets it with
// -ldflags "-X github.com/flowmcp/fmcp/pkg/cli/version.Version=0.1.0". Where it
// is not set, package cli asks the module system when --version is wanted.
var Version string

// Spec is the version of the FlowMCP specification that is implemented.
const Spec = "4.2.0"

func init() {
	if Version == "" {
		return
	}
	if name := commandName(os.Args[0]); name != "" && Wanted(os.Args[1:]) {
		_, _ = os.Stdout.WriteString(Line(name, Version) + "\n")
		os.Exit(0)
	}
}

// commandName is the name of one of our commands in a path, or "".
func commandName(path string) string {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '/' || path[i] == '\\' {
			path = path[i+1:]
			break
		}
	}
	if n := len(path) - len(".exe"); n > 0 && path[n:] == ".exe" {
		path = path[:n]
	}
	const prefix = "fmcp-"
	if len(path) <= len(prefix) || path[:len(prefix)] != prefix {
		return ""
	}
	return path
}

// Line is what --version prints: "fmcp-scan 0.1.0 (spec 4.2.0, go1.26.0)".
func Line(name, version string) string {
	return name + " " + version + " (spec " + Spec + ", " + runtime.Version() + ")"
}

// Wanted reports whether --version is among the flags.
func Wanted(args []string) bool {
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
