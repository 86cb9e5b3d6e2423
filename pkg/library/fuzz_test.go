package library

import (
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// FuzzExported: whatever is in an exports field, a target is found or not, and
// one that is found is there, up to the star.
func FuzzExported(f *testing.F) {
	f.Add(`{".":{"import":"./i.mjs","default":["./d.js",null]}}`, ".")
	f.Add(`{"./a/*":"./b/*.js","./a/x*y":{"browser":"./c/*/*"},"./dir/":"./d/"}`, "./a/x1y")
	f.Add(`"./x.js"`, ".")
	f.Add(`{"*":"*"}`, "./*")
	f.Fuzz(func(t *testing.T, text, subpath string) {
		v, err := ordjson.Parse(text)
		if err != nil {
			return
		}
		for _, require := range []bool{true, false} {
			if to := exported(v, subpath, require); to != "" && !stands(v, to) {
				t.Errorf("%s of %s is %s", subpath, text, to)
			}
		}
	})
}

// stands reports whether a text of v begins as to does.
func stands(v ordjson.Value, to string) bool {
	for _, e := range v.Elems() {
		if stands(e, to) {
			return true
		}
	}
	for _, m := range v.Members() {
		if stands(m.Value, to) {
			return true
		}
	}
	before, _, _ := strings.Cut(v.Str(), "*")
	return v.Is(ordjson.String) && strings.HasPrefix(to, before)
}
