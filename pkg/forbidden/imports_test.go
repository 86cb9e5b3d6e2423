package forbidden_test

import (
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/forbidden"
)

// An import says which module it loads, where that is written out.
func TestImportedModules(t *testing.T) {
	for src, want := range map[string]string{
		"import 'a'":                     `forbidden "import" of "a"`,
		"import a from 'b'":              `forbidden "import" of "b"`,
		"import { a as b } from \"c\"":   `forbidden "import {" of "c"`,
		"import a, { b } from 'c'":       `forbidden "import" of "c"`,
		"import a, * as b from 'c'":      `forbidden "import" of "c"`,
		"import * as a from './a.mjs'":   `forbidden "import" of "./a.mjs"`,
		"await import( 'canvas' )":       `forbidden "import(" of "canvas"`,
		"await import(`canvas`)":         `forbidden "import(" of "canvas"`,
		"await import( name, 'x' )":      `forbidden "import("`,
		"await import('a' + b)":          `forbidden "import("`,
		"await import('a', { with: b })": `forbidden "import(" of "a"`,
		"import.meta.url":                `forbidden "import."`,
		"export * from 'a'":              `forbidden "export" of "a"`,
		"export { a } from 'b'":          `forbidden "export" of "b"`,
		"import a b c d e f g 'h'":       `forbidden "import"`,
		"import {":                       `forbidden "import {"`,
	} {
		found := scan(src, forbidden.Options{})
		if len(found) == 0 || found[0].Msg != want {
			t.Errorf("%s: %+v, want %s", src, found, want)
		}
	}
	long := scan("import '"+strings.Repeat("x", 1e6)+"'", forbidden.Options{})
	if len(long) != 1 || len(long[0].Msg) > 1000 {
		t.Errorf("a long name: %d findings", len(long))
	}
}
