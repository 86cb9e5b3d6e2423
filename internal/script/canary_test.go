//go:build unix

package script

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// caught notes what a check reports, in the place of failing.
type caught struct {
	testing.TB
	errors int
}

func (c *caught) Error(...any)          { c.errors++ }
func (c *caught) Errorf(string, ...any) { c.errors++ }
func (c *caught) Helper()               {}

// TestCanariesAreFound: the check after every script can fail: for what a
// command prints, for a file, and for its name; not for the file of keys.
func TestCanariesAreFound(t *testing.T) {
	for name, s := range map[string]struct {
		printed, file, text string
		want                int
	}{
		"clean":        {"[REDACTED:PARCELBIRD_TOKEN] canary", "a", "canary", 0},
		"printed":      {"x" + envCanary + "x", "a", "", 1},
		"in a file":    {"", "cache/a.json", "{\"x\":\"" + strings.ToUpper(fileCanary) + "\"}", 1},
		"in a name":    {"", "tape/canary%2FENV%2B7f3a9e51c2&d8==.json", "", 1},
		"in keys.env":  {"", "keys.env", fileCanary, 0},
		"all of those": {envCanary, "canary%2FENV%2B7f3a9e51c2&d8==", fileCanary, 3},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, filepath.FromSlash(s.file))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(s.text), 0o600); err != nil {
			t.Fatal(err)
		}
		c := &caught{TB: t}
		(&state{t: c, work: dir, printed: []byte(s.printed)}).checkCanaries()
		if c.errors != s.want {
			t.Errorf("%s: %d errors, want %d", name, c.errors, s.want)
		}
	}
}
