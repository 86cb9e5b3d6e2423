package trim

import (
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// What is taken out of an agent or a selection may leave too little for it to be valid.
func TestShort(t *testing.T) {
	test := func(tool string) string { return "{ expectedTools: [ 'coins/tool/" + tool + "' ] }, " }
	tools := "tools: { 'coins/tool/a': null, 'coins/tool/b': null },\n"
	own := func(export, members string) string {
		return strings.Replace(group(export, members), "namespace: 'x'", "namespace: 'coins'", 1)
	}
	skill := "{ name: 's', content: 'c' }"
	for _, tt := range []struct {
		name, file, source, runs string
		cascade                  bool
		want                     string
	}{
		{"three tests of four", "agent", group("agent", tools+"tests: [ "+test("a")+test("b")+test("b")+test("b")+"]"),
			"tool/a fail", true, ""},
		{"two tests of three", "agent", group("agent", tools+"tests: [ "+test("a")+test("b")+test("b")+"]"),
			"tool/a fail", true, "it has 2 tests left, and needs at least 3 (AGT008)"},
		{"no test", "agent", group("agent", tools+"tests: [ "+test("a")+"]"),
			"tool/a fail", true, "it has 0 tests left, and needs at least 3 (AGT008)"},
		{"too few tests before", "agent", group("agent", tools+"tests: [ "+test("b")+"]"),
			"tool/a fail", true, ""},
		{"an agent with a selection alone", "agent", group("agent",
			"tools: { 'coins/tool/a': null }, selections: [ 'coins/selection/y' ]"),
			"tool/a fail", true, "it has no tool left, and needs at least one (AGT006)"},
		{"a skill of a selection's own", "selection", own("selection", "skills: [ "+skill+" ]"),
			"skill/s fail", false, "it has no member left, and needs at least one (SEL002)"},
		{"a skill of a selection's own, and a tool", "selection", own("selection",
			"tools: [ 'coins/tool/b' ], skills: [ "+skill+" ]"), "skill/s fail", false, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := tt.file + "s/x/" + tt.file + ".mjs"
			p := planOf(t, map[string]string{path: tt.source, "providers/coins/coins.mjs": schema("", "a", "b")},
				tt.cascade, tt.runs)
			f := p.files["cat/"+path]
			if f == nil || f.Left != "" || strings.Join(f.Short, "; ") != tt.want || p.Broken() != (tt.want != "") {
				t.Fatalf("broken %t, %+v\nwant %s", p.Broken(), f, tt.want)
			}
			lines := ordjson.Text(ordjson.NewArray(p.Lines()...))
			if tt.want != "" && (!strings.Contains(p.Text(), "  "+f.Path+": "+tt.want+"\n") ||
				!strings.Contains(lines, `"notes":["`+tt.want+`"]`)) {
				t.Errorf("it is not said:\n%s%s", p.Text(), lines)
			}
		})
	}
}
