package stage

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/record"
)

// A module has at most 1 MiB; one that is larger is not read, and says so.
func TestModuleSize(t *testing.T) {
	text := schema("a", "", "string()")
	fits := text + strings.Repeat(" ", 1<<20-len(text))
	dir := write(t, map[string]string{"providers/a/fits.mjs": fits, "providers/a/larger.mjs": fits + " "})
	out := output(t, walked(dir), Loading("test")...)
	if got := brief(t, out); !strings.Contains(got, "load a/fits") || !strings.Contains(got, "error LOD001") {
		t.Error(got)
	}
	if !strings.Contains(out, "larger.mjs\",\"stage\":\"fmcp-scan\",\"code\":\"LOD001\",\"message\":\"is larger than "+
		"1 MiB: it was not read; ") {
		t.Error(out[max(0, len(out)-600):])
	}
}

// Of one file 1,000 findings are reported, and one that counts the others and is
// as severe as the worst of them.
func TestFindingsOfAFile(t *testing.T) {
	var fields strings.Builder
	for i := range 1200 {
		fmt.Fprintf(&fields, "x%d: 1, ", i)
	}
	dir := write(t, map[string]string{
		"providers/a/fields.mjs": schema("a", "meta: {}, "+fields.String(), "string()"),
		"providers/a/timers.mjs": schema("a", "", "string()") + "export const handlers = () => ({ a: [ " +
			strings.Repeat("setTimeout, ", 1200) + "eval ] })\n",
	})
	out := output(t, walked(dir), append(Loading("test"), judge(false, false)...)...)
	count, last := map[string]int{}, map[string]string{}
	for line := range strings.Lines(out) {
		_, rec, _, err := record.Decode(strings.TrimSpace(line))
		if err != nil {
			t.Fatal(err)
		}
		switch d := rec.(type) {
		case *record.Diagnostic:
			name := filepath.Base(d.Loc.Path)
			if d.Code == "LOD049" {
				last[name] = d.Severity.String() + ": " + d.Message
			} else if strings.HasPrefix(d.Code, "SEC") == (name == "timers.mjs") {
				count[name]++
			}
		}
	}
	for name, want := range map[string]string{
		"fields.mjs": "error: 202 findings beyond the 1,000 that",
		"timers.mjs": "error: 201 findings beyond the 1,000 that",
	} {
		if count[name] != 1000 || !strings.HasPrefix(last[name], want) {
			t.Errorf("%s: %d findings, then %q, want %q", name, count[name], last[name], want)
		}
	}
}
