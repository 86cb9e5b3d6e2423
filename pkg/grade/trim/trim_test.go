package trim

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/grade"
	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// made is added to the name of a file for what its code makes.
const made = " made"

// loadsOf are the load records of a catalog in memory.
func loadsOf(t *testing.T, files map[string]string) (list []*record.Load) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if strings.HasSuffix(name, made) {
			continue
		}
		l := &record.Load{Src: record.Source{Root: "cat", Path: name, FileHash: record.Hash([]byte(files[name]))}}
		if strings.HasSuffix(name, ".json") {
			l.Type = record.TypeRegistry
			l.Data, _ = ordjson.Parse(files[name])
		} else {
			tokens := module.Tokenize(files[name])
			mod, err := tokens.Module()
			if err != nil {
				t.Fatal(err)
			}
			l.Type, l.Exports, l.Handlers = walk.Detect(name, mod.Exports), mod.Exports, mod.Handlers
			export := engine.ExportName(l.Type, l.Exports)
			if l.Data, err = mod.Value(export); err != nil {
				l.Data = tokens.Outline(export)
			}
			if text := files[name+made]; text != "" {
				l.Data, _ = ordjson.Parse(text)
			}
			l.Static = err == nil
			l.Places = record.NewPlaces(l.Data, mod.HandlersAt, module.NewLines(files[name]))
		}
		l.ID = walk.FileID(l, walk.Namespace(name))
		list = append(list, l)
	}
	return list
}

// planOf makes a plan. runs are IDs in the namespace coins, and how their tests came out.
func planOf(t *testing.T, files map[string]string, cascade bool, runs string) *Plan {
	t.Helper()
	var list []grade.Run
	for i, text := range strings.Split(runs, ", ") {
		id, outcome, _ := strings.Cut(text, " ")
		list = append(list, grade.Run{ID: "coins/" + id, Index: i, Name: "n", Outcome: grade.Outcome(outcome),
			Why: "why"})
	}
	p, err := New(loadsOf(t, files), list, Options{Cascade: cascade, Read: func(file string) ([]byte, error) {
		name, _ := filepath.Rel("cat", file)
		if text, ok := files[filepath.ToSlash(name)]; ok {
			return []byte(text), nil
		}
		return nil, os.ErrNotExist
	}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// schema is one with tools and more of main.
func schema(more string, tools ...string) string {
	text := "export const main = {\n    namespace: 'coins',\n" + more + "    tools: {\n"
	for i, tool := range tools {
		text += "        " + tool + ": { method: 'GET', path: '/', parameters: [] }"
		if i < len(tools)-1 {
			text += ","
		}
		text += "\n"
	}
	return text + "    }\n}\n"
}

// A primitive fails where no test of it passes and one fails. What is left of each file,
// and what is said of it, is in one line.
func TestNew(t *testing.T) {
	const file = "providers/coins/coins.mjs"
	resource := "    resources: { db: { source: 'sqlite', queries: { all: { sql: 'a' }, one: { sql: 'b' } } } },\n"
	prompts := "    prompts: { p: { name: 'about', content: 'c' }, q: { name: 'q', content: 'c' } },\n"
	two := schema("", "a", "b")
	computed := strings.Replace(two, "'/'", "make()", 1)
	handlers := "export const handlers = () => ({ a: { preRequest() {} }, b: { preRequest() {} } })\n"
	for _, tt := range []struct {
		name, source, runs string
		want               string // removed; why it is left out, or pieces that are left and those that are not
		has, hasNot        string
	}{
		{"one of two", two, "tool/a fail, tool/b pass", "tool/a", "b:", "a:"},
		{"by an answer of another shape", two, "tool/a mismatch", "tool/a", "b:", "a:"},
		{"one test passes", two, "tool/a fail, tool/a pass", "", "", ""},
		{"skipped", two, "tool/a skipped", "", "", ""},
		{"skipped and failed", two, "tool/a skipped, tool/a fail", "tool/a", "b:", "a:"},
		{"all", two, "tool/a fail, tool/b fail", "tool/a tool/b: nothing is left of it", "", ""},
		{"all tools, but not the resource", schema(resource, "a"), "tool/a fail", "tool/a", "tools: {}", "a:"},
		{"a query", schema(resource, "a"), "resource/db/all fail, resource/db/one pass", "resource/db/all",
			"queries: { one: { sql: 'b' } }", "all:"},
		{"all queries", schema(resource, "a"), "resource/db/all fail, resource/db/one fail",
			"resource/db/all resource/db/one", "resources: {}", "db"},
		{"a query that no schema has", schema(resource, "a"), "resource/db/none fail", "", "", ""},
		{"a resource without queries", schema("    resources: { doc: { source: 'markdown' } },\n", "a"),
			"resource/doc fail", "resource/doc", "resources: {}", "doc"},
		{"a prompt", schema(prompts, "a"), "prompt/about fail", "prompt/about", "prompts: { q:", "p:"},
		{"routes", strings.ReplaceAll(two, "tools:", "routes:"), "tool/a fail", "tool/a", "b:", "a:"},
		{"a tool with a slash in its name", schema("", "'a/b'", "b"), "tool/a/b fail", "tool/a/b", "b:", "a/b"},
		{"handlers", two + handlers, "tool/a fail", "tool/a", "({ b: {", "a:"},
		{"code", computed, "tool/a fail", "tool/a", "b:", "a:"},
		{"code that makes all", "const all = { a: make() }\nexport const main = { namespace: 'coins', tools: all }\n",
			"tool/a fail", "", "", ""},
		{"code in a schema that does not change", computed, "tool/a pass", "", "", ""},
		{"two tools of one constant", "const t = { x: 1 }\nexport const main = { namespace: 'coins', " +
			"tools: { a: t, b: t } }\n", "tool/a fail", "tool/a", "b: t", "a: t"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := planOf(t, map[string]string{file: tt.source}, false, tt.runs)
			var got []string
			for _, r := range p.Removed {
				got = append(got, strings.TrimPrefix(r.ID, "coins/"))
			}
			line, text := strings.Join(got, " "), ""
			if f := p.files["cat/"+file]; f != nil {
				if text = string(f.Text); f.Left != "" {
					line += ": " + f.Left
				}
			}
			if line != tt.want {
				t.Errorf("%s\nwant %s", line, tt.want)
			}
			if !strings.Contains(text, tt.has) || tt.hasNot != "" && strings.Contains(text, tt.hasNot) {
				t.Errorf("expected %s and not %s in\n%s", tt.has, tt.hasNot, text)
			}
		})
	}
}

// References to lists and keys go with the last that used them.
func TestDropUnused(t *testing.T) {
	const more = "    requiredServerParams: [ 'K', 'SERVER_PARAM:L' ],\n" +
		"    sharedLists: [ { ref: 'one' }, { name: 'two' } ],\n"
	tool := func(name, uses string) string {
		return "'" + name + "': { parameters: [ '" + uses + "' ] }, z" + name
	}
	source := schema(more, tool("a", "{{SERVER_PARAM:K}} {{one:x}}"), tool("b", "{{L}} {{two:x}}"))
	for _, tt := range []struct{ name, handlers, gone, want string }{
		{"a key and a list", "", "a", "sharedLists one, requiredServerParams K"},
		{"a list of its older form", "", "b", "sharedLists two, requiredServerParams L"},
		{"a list that handlers name", "({ sharedLists }) => { const x = sharedLists.one; return {} }", "a",
			"requiredServerParams K"},
		{"a list that handlers take", "({ sharedLists: { one } }) => ({})", "a", "requiredServerParams K"},
		{"handlers without lists", "({ sharedLists, libraries }) => ({})", "a",
			"sharedLists one, requiredServerParams K"},
		{"any list", "({ sharedLists }) => { const x = sharedLists[ 'o' + 'ne' ]; return {} }", "a",
			"requiredServerParams K"},
		{"all lists", "({ sharedLists }) => { use( sharedLists ); return {} }", "a", "requiredServerParams K"},
		{"all lists by another name", "({ sharedLists: x }) => ({})", "a", "requiredServerParams K"},
		{"a word that begins so", "() => { const oneMore = 'KEY'; return {} }", "a",
			"sharedLists one, requiredServerParams K"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := source
			if tt.handlers != "" {
				text += "export const handlers = " + tt.handlers + "\n"
			}
			p := planOf(t, map[string]string{"providers/coins/coins.mjs": text}, false, "tool/"+tt.gone+" fail")
			if got := strings.Join(p.Files[0].Dropped, ", "); got != tt.want {
				t.Errorf("%s, want %s\n%s", got, tt.want, p.Files[0].Text)
			}
		})
	}
}

// group is a selection or an agent of a file.
func group(export, members string) string {
	return "export const " + export + " = { namespace: 'x', name: 'x', version: 'flowmcp/4.0.0',\n" + members + " }\n"
}

// Names of what is removed are found however they are written. With cascade they are
// taken out, and so is what cannot be without them.
func TestCascade(t *testing.T) {
	skill := func(text string) string {
		return "export const skill = { name: 's', version: 'flowmcp/4.0.0',\n" + text + " }\n"
	}
	for _, tt := range []struct {
		name    string
		files   map[string]string
		named   string // without cascade: who names what, at which pointer
		cascade string // what is left out, and what files become
	}{
		{"a skill by name", map[string]string{"providers/coins/skills/s.mjs": skill("requires: { tools: [ 'a' ] }")},
			"coins/skill/s /requires/tools/0 coins/tool/a", "-s.mjs"},
		{"a skill by ID in prefill", map[string]string{"providers/coins/skills/s.mjs": skill(
			"prefill: [ { tool: 'coins/tool/a' } ]")}, "coins/skill/s /prefill/0/tool coins/tool/a", "-s.mjs"},
		{"a skill by placeholders", map[string]string{"providers/coins/skills/s.mjs": skill(
			"content: '{{tool:a:call}} {{tool:coins/b}} {{prefill:coins/tool/a}} {{input:a}}'")},
			"coins/skill/s /content coins/tool/a", "-s.mjs"},
		{"a skill that names others", map[string]string{"providers/coins/skills/s.mjs": skill(
			"content: '{{tool:b}} a'")}, "", ""},
		{"a prompt", map[string]string{"providers/coins/prompts/p.mjs": "export const prompt = { name: 'p', " +
			"namespace: 'coins', version: 'flowmcp-prompt/1.0.0', dependsOn: [ 'a' ], references: [] }\n"},
			"coins/prompt/p /dependsOn/0 coins/tool/a", "-p.mjs"},
		{"a prompt of a schema", map[string]string{"providers/coins/more.mjs": schema(
			"    prompts: { p: { name: 'p', content: '{{tool:a}}' } },\n", "c")},
			"coins/prompt/p /prompts/p/content coins/tool/a", "+more.mjs prompts: {},"},
		{"a selection", map[string]string{"selections/x/selection.mjs": group("selection",
			"tools: [ 'coins/tool/a', 'coins/tool/b' ]")}, "x/selection/x /tools/0 coins/tool/a",
			"+selection.mjs tools: [ 'coins/tool/b' ]"},
		{"a selection of that alone", map[string]string{
			"selections/x/selection.mjs": group("selection", "tools: [ 'coins/tool/a' ]"),
			"selections/x/skills/s.mjs":  skill("content: 'c'"),
			"agents/x/agent.mjs":         group("agent", "selections: [ 'x/selection/x' ]")},
			"x/selection/x /tools/0 coins/tool/a", "-agent.mjs -selection.mjs -s.mjs"},
		{"a skill inside a selection", map[string]string{"selections/x/selection.mjs": group("selection",
			"tools: [ 'coins/tool/b' ], skills: [ { name: 's', content: '{{tool:coins/a}}' }, 'coins/skill/t' ]")},
			"x/skill/s /skills/0/content coins/tool/a", "+selection.mjs skills: [ 'coins/skill/t' ]"},
		{"an agent, its tests and its text", map[string]string{"agents/x/agent.mjs": group("agent",
			"systemPrompt: '{{tool:a}}', tools: { 'coins/tool/a': null, 'coins/tool/b': null },\n"+
				"tests: [ { expectedTools: [ 'coins/tool/a' ] }, "+
				"{ expectedTools: [ 'coins/tool/a', 'coins/tool/b' ] } ]")},
			"x/agent/x /systemPrompt coins/tool/a, x/agent/x /tests/0/expectedTools/0 coins/tool/a, x/agent/x " +
				"/tests/1/expectedTools/0 coins/tool/a, x/agent/x /tools/coins~1tool~1a coins/tool/a",
			"+agent.mjs tools: { 'coins/tool/b': null },\ntests: [ { expectedTools: [ 'coins/tool/b' ] } ] " +
				"!x/agent/x /systemPrompt coins/tool/a"},
		{"an agent whose text alone names it", map[string]string{"agents/x/agent.mjs": group("agent",
			"systemPrompt: '{{tool:coins/a}}', tools: { 'coins/tool/b': null }")},
			"x/agent/x /systemPrompt coins/tool/a", "!x/agent/x /systemPrompt coins/tool/a"},
		{"an agent with files", map[string]string{
			"agents/x/agent.mjs": group("agent", "tools: { 'coins/tool/b': null },\n"+
				"skills: { s: { file: './skills/s.mjs' }, t: { file: './skills/t.mjs' } },\n"+
				"prompts: { p: { file: './prompts/p.mjs' } }"),
			"agents/x/skills/s.mjs":  skill("content: '{{tool:coins/a}}'"),
			"agents/x/skills/t.mjs":  strings.Replace(skill("content: ''"), "'s'", "'t'", 1),
			"agents/x/prompts/p.mjs": "export const content = '{{tool:coins/a}}'\n"},
			"x/prompt/p  coins/tool/a, x/skill/s /content coins/tool/a",
			"+agent.mjs skills: { t: { file: './skills/t.mjs' } },\nprompts: {} -p.mjs -s.mjs"},
		{"an agent of which code makes a part", map[string]string{"agents/x/agent.mjs": group("agent",
			"tools: { 'coins/tool/a': null, 'coins/tool/b': null }, limit: make()")},
			"x/agent/x /tools/coins~1tool~1a coins/tool/a",
			"+agent.mjs tools: { 'coins/tool/b': null }, limit: make()"},
		{"an agent of which code makes the tools", map[string]string{
			"agents/x/agent.mjs":        group("agent", "tools: make()"),
			"agents/x/agent.mjs" + made: `{"name":"x","tools":{"coins/tool/a":null,"coins/tool/b":null}}`},
			"x/agent/x /tools/coins~1tool~1a coins/tool/a", "!x/agent/x /tools/coins~1tool~1a coins/tool/a"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.files["providers/coins/coins.mjs"] = schema("", "a", "b")
			if got := names(planOf(t, tt.files, false, "tool/a fail"), false); got != tt.named {
				t.Errorf("named by %s\nwant %s", got, tt.named)
			}
			if got := changes(planOf(t, tt.files, true, "tool/a fail"), tt.cascade); got != tt.cascade {
				t.Errorf("cascade: %s\nwant %s", got, tt.cascade)
			}
		})
	}
}

func names(p *Plan, taken bool) string {
	var list []string
	for _, r := range p.Named {
		if r.Taken == taken {
			list = append(list, fmt.Sprintf("%s %s %s", r.ID, r.Pointer, r.To))
		}
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// changes are the files that are left out, with -, those that change, with + and the part
// of them that is wanted, and the names that are left, with !.
func changes(p *Plan, want string) string {
	var list []string
	for _, f := range p.Files {
		name := filepath.Base(f.Path)
		switch {
		case name == "coins.mjs":
		case f.Left != "":
			list = append(list, "-"+name)
		case f.Text != nil:
			_, part, _ := strings.Cut(want, "+"+name+" ")
			if at := strings.LastIndexAny(part, "-!"); at > 0 && part[at-1] == ' ' {
				part = strings.Split(strings.Split(part, " -")[0], " !")[0]
			}
			if part == "" || !strings.Contains(string(f.Text), part) {
				part = string(f.Text)
			}
			list = append(list, "+"+name+" "+part)
		}
	}
	if left := names(p, false); left != "" {
		list = append(list, "!"+left)
	}
	return strings.Join(list, " ")
}

// The plan does not depend on the order of records and runs.
func TestAnyOrder(t *testing.T) {
	files := map[string]string{
		"providers/coins/coins.mjs":    schema("", "a", "b"),
		"providers/coins/skills/s.mjs": "export const skill = { name: 's', requires: { tools: [ 'a' ] } }\n",
		"selections/x/selection.mjs":   group("selection", "tools: [ 'coins/tool/a', 'coins/tool/b' ]"),
		"providers/more/more.mjs":      strings.ReplaceAll(schema("", "c", "d"), "coins", "more"),
	}
	runs := []grade.Run{{ID: "coins/tool/a", Outcome: grade.Fail, Why: "x"},
		{ID: "coins/tool/a", Index: 1, Outcome: grade.Fail, Why: "y"},
		{ID: "more/tool/c", Outcome: grade.Fail}, {ID: "no/tool/c"}, {ID: "no/tool/a"}}
	loads := loadsOf(t, files)
	read := func(file string) ([]byte, error) { return []byte(files[strings.TrimPrefix(file, "cat/")]), nil }
	var want []ordjson.Value
	for i := range 20 {
		p, err := New(loads, runs, Options{Cascade: true, Read: read})
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Lines(); i == 0 {
			want = got
		} else if !reflect.DeepEqual(texts(got), texts(want)) {
			t.Fatalf("%s\nwant %s", texts(got), texts(want))
		}
		rand.Shuffle(len(loads), func(i, j int) { loads[i], loads[j] = loads[j], loads[i] })
		rand.Shuffle(len(runs), func(i, j int) { runs[i], runs[j] = runs[j], runs[i] })
	}
}

func texts(list []ordjson.Value) (lines []string) {
	for _, v := range list {
		lines = append(lines, ordjson.Text(v))
	}
	return lines
}

// A file that is another than was loaded is nobody's to change.
func TestChangedMeanwhile(t *testing.T) {
	loads := loadsOf(t, map[string]string{"providers/coins/coins.mjs": schema("", "a", "b")})
	runs := []grade.Run{{ID: "coins/tool/a", Outcome: grade.Fail}}
	_, err := New(loads, runs, Options{Read: func(string) ([]byte, error) { return []byte("other"), nil }})
	if err == nil || !strings.Contains(err.Error(), "cat/providers/coins/coins.mjs has changed while it was read") {
		t.Error(err)
	}
	_, err = New(loads, runs, Options{Read: func(string) ([]byte, error) { return nil, os.ErrPermission }})
	if err == nil {
		t.Error("a file that cannot be read is no error")
	}
}
