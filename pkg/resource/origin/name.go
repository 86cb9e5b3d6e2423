package origin

import (
	"fmt"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/flowmcp/fmcp/pkg/words"
)

func refuse(format string, args ...any) *words.Problem {
	return words.Problemf(CodeRefused, format, args...)
}

// maxName is how long the name of a file may be on all file systems, in bytes.
const maxName = 255

// badName returns why a name is not that of a file in a folder, or "". What any
// system reads in another way is refused on all: a catalog that works on one
// machine must not open something else on the next.
func badName(name string) string {
	switch {
	case name == "":
		return "is empty"
	case name == "." || name == "..":
		return "is not a name of a file"
	case strings.ContainsAny(name, `/\`):
		return "has folders in it"
	case strings.Contains(name, ":"):
		return "has a colon, which names a drive or a stream on Windows"
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unprintable):
		return "has characters that no name of a file may have"
	case strings.HasSuffix(name, ".") || strings.Trim(name, " ") != name:
		return "begins with a space, or ends with a space or a dot, which Windows drops"
	case isDevice(name):
		return "is a device on Windows"
	case len(name) > maxName:
		return fmt.Sprintf("has %d bytes, at most %d are allowed", len(name), maxName)
	}
	return ""
}

// unprintable finds control characters, NUL among them, and those that turn the
// direction of a text and so make a name look like another.
func unprintable(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }

// badPath is badName for each name of a relative path with slashes.
func badPath(text string) string {
	for _, name := range strings.Split(text, "/") {
		switch {
		case name == "..":
			return "leads out of its folder by .."
		case name == "":
			return "has an empty name in it"
		case strings.Contains(name, `\`):
			return `has a \ in it`
		}
		if why := badName(name); why != "" {
			return why
		}
	}
	return ""
}

// isDevice reports whether Windows takes a name for a device, as it does
// whatever the case, the extension and the spaces before that.
func isDevice(name string) bool {
	base, _, _ := strings.Cut(strings.ToLower(name), ".")
	base = strings.TrimRight(base, " ")
	switch base {
	case "con", "prn", "aux", "nul", "conin$", "conout$", "clock$":
		return true
	}
	for _, port := range []string{"com", "lpt"} {
		if number, ok := strings.CutPrefix(base, port); ok {
			return utf8.RuneCountInString(number) == 1 && strings.Contains("0123456789¹²³", number)
		}
	}
	return false
}

// otherExtension reports whether two names differ in their extension alone.
func otherExtension(a, b string) bool {
	return a != b && strings.EqualFold(strings.TrimSuffix(a, path.Ext(a)), strings.TrimSuffix(b, path.Ext(b)))
}
