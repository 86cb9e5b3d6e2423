package module

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// Find knows the same places as Read does.
func TestFind(t *testing.T) {
	const src = `// export const main = 1
const shared = { deep: [ 1, { x: 'y' } ] };
export const main = {
	a: '}{', "b": [ { c: 1 }, /* ] */ { c: -2, d: ` + "`" + `,]` + "`" + ` } ],
	'e/f': { g: shared, h: [ , 'x' + 'y' ] }, a: 'again', 7: null,
}; this is (no module any more`
	whole, err := Read(src[:len(src)-len("; this is (no module any more")])
	if err != nil {
		t.Fatal(err)
	}
	want, err := whole.Value("main")
	if err != nil {
		t.Fatal(err)
	}
	pointers := []string{"", "/a", "/b", "/b/0/c", "/b/1/d", "/b/1/missing", "/b/9", "/e~1f/g/deep/1/x", "/e~1f/h/1", "/7", "/none/of/it"}
	for i := range pointers {
		for _, ask := range [][]string{pointers, pointers[i : i+1]} {
			got, err := Find(src, "main", ask)
			if err != nil {
				t.Fatal(err)
			}
			_, at := ordjson.Lookup(got, pointers[i])
			if _, wantAt := ordjson.Lookup(want, pointers[i]); at != wantAt {
				t.Errorf("place of %q, asked for %d, is %d, want %d", pointers[i], len(ask), at, wantAt)
			}
		}
	}
	if _, err := Find("const other = 1", "main", nil); err != ErrNoExport {
		t.Errorf("Find of no export: %v", err)
	}
	for _, broken := range []string{"export const main = { a: [", "export const main = { a: 'x", "export const main = { a: `x"} {
		if _, err := Find(broken, "main", nil); err == nil {
			t.Errorf("Find in %q found something", broken)
		}
	}
}

// As many places as a hostile file has wrong values are found in a moment, and
// not in one that grows with their square.
func TestFindMany(t *testing.T) {
	const n = 200_000
	pointers := make([]string, n)
	for i := range pointers {
		pointers[i] = "/a/" + strconv.Itoa(i)
	}
	src := "export const main = { a: [" + strings.Repeat("{},", n) + "] }"
	began := time.Now()
	v, err := Find(src, "main", pointers)
	if took := time.Since(began); err != nil || v.Get("a").Len() != n || took > 20*time.Second {
		t.Errorf("%d values, %v, after %s", v.Get("a").Len(), err, took)
	}
}
