package cli

import (
	"runtime/debug"
	"strings"

	"github.com/flowmcp/fmcp/pkg/cli/version"
)

// Version is the version of the commands: what the build set, or what the
// module system knows.
func Version() string {
	if version.Version != "" {
		return version.Version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return strings.TrimPrefix(info.Main.Version, "v")
	}
	return "devel"
}
