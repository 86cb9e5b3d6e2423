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

// A Spec-ID in the middle of a text is reported, and with cascade nothing more: what
// the text is for may not depend on it.
func TestMentioned(t *testing.T) {
	for _, tt := range []struct {
		text  string
		named bool
	}{
		{"Ask coins/tool/a first.", true},
		{"Ask coins/tool/a.", true},
		{"(`coins/tool/a`), then", true},
		{"coins/tool/b,coins/tool/a", true},
		{"Ask coins/tool/ab.", false},
		{"Ask coins/tool/a-b, coins/tool/a_b or coins/tool/a/b.", false},
		{"Ask mycoins/tool/a or my-coins/tool/a.", false},
		{"See https://example.com/coins/tool/a for more", false},
		{"Ask coins/tool/b.", false},
	} {
		for file, source := range map[string]string{
			"agents/x/agent.mjs": group("agent", "systemPrompt: '"+tt.text+"', tools: { 'coins/tool/b': null }"),
			"providers/coins/skills/s.mjs": "export const skill = { name: 's', version: 'flowmcp/4.0.0', content: '" +
				tt.text + "' }\n",
			"providers/coins/more.mjs": schema("    prompts: { p: { name: 'p', content: '"+tt.text+"' } },\n", "c"),
		} {
			for _, cascade := range []bool{false, true} {
				p := planOf(t, map[string]string{file: source, "providers/coins/coins.mjs": schema("", "a", "b")},
					cascade, "tool/a fail")
				got := names(p, false)
				if p.Broken() != tt.named || strings.HasSuffix(got, " coins/tool/a") != tt.named {
					t.Errorf("%s, cascade %t: %s is named: %q, want %t", file, cascade, tt.text, got, tt.named)
				}
				if f := p.files["cat/"+file]; f != nil {
					t.Errorf("%s, cascade %t: %s: it changes: %s%s", file, cascade, tt.text, f.Left, f.Text)
				}
			}
		}
	}
}

// The prompt of an agent whose content is a file of its own is in the catalog, and is
// left out if it fails.
func TestContentPrompt(t *testing.T) {
	files := map[string]string{
		"agents/coins/agent.mjs": strings.ReplaceAll(group("agent",
			"tools: { 'coins/tool/b': null }, prompts: { about: { file: './prompts/about.mjs' } }"), "'x'", "'coins'"),
		"agents/coins/prompts/about.mjs": "export const content = 'About'\n",
		"providers/coins/coins.mjs":      schema("", "a", "b"),
	}
	p := planOf(t, files, false, "prompt/about pass, prompt/gone pass")
	if got := strings.Join(p.Unknown, " "); got != "coins/prompt/gone" || p.Broken() {
		t.Errorf("not in the catalog: %s, broken %t", got, p.Broken())
	}
	p = planOf(t, files, false, "prompt/about fail")
	if f := p.files["cat/agents/coins/prompts/about.mjs"]; f == nil || f.Left == "" || !p.Broken() || p.Unknown != nil {
		t.Errorf("the prompt fails: %+v, broken %t, not in the catalog: %s", f, p.Broken(), p.Unknown)
	}
}
