package page

import (
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/text"
)

// typeQuery is the type of queries, which are no records of their own.
const typeQuery = "query"

// item is what the page shows of one thing: what is there of every type has a field,
// all else is a line, a list or a text with a title, so that the page need not know
// the types.
type item struct {
	id, typ, wire, about string
	tags, keys           []string
	callable, reads      bool
	input                ordjson.Value // JSON Schema, Missing of what takes no parameters
	tests                ordjson.Value
	output               ordjson.Value
	facts                [][2]string
	refs                 []refs
	texts                [][2]string
}

// refs are IDs, or other names, under a title.
type refs struct {
	title string
	ids   []string
}

func callable(c *catalog.Callable, typ string, reads bool, keys []string) item {
	return item{
		id: c.ID, typ: typ, wire: c.WireName, about: c.Description, keys: keys, callable: true, reads: reads,
		input: c.InputSchema, tests: c.Tests, output: c.Output,
		facts: [][2]string{{"Handlers", strings.Join(c.Handlers, ", ")}, {"File", c.Src.Path}},
	}
}

func tool(t *catalog.Tool) item {
	i := callable(&t.Callable, string(record.TypeTool), t.ReadsOnly(), t.ServerKeys())
	i.tags = t.Tags
	i.facts = append([][2]string{{"Request", t.Method + " " + t.Root + t.Path}}, i.facts...)
	return i
}

func query(q *catalog.Query) item {
	i := callable(&q.Callable, typeQuery, q.ReadsOnly(), nil)
	i.facts = append([][2]string{{"Address", q.URI}}, i.facts...)
	i.refs = []refs{{"Resource", []string{q.Resource.ID}}}
	i.texts = [][2]string{{"Statement", q.SQL}}
	return i
}

func resource(r *catalog.Resource) item {
	i := item{
		id: r.ID, typ: string(record.TypeResource), about: r.Description, tags: r.Tags,
		facts: [][2]string{{"Source", strings.TrimSpace(string(r.Source) + " " + r.Mode)}, {"Address", r.URI},
			{"Origin", strings.TrimSpace(r.Origin + " " + r.Path + r.URL)}, {"Add-on", r.Addon}, {"File", r.Src.Path}},
	}
	var ids []string
	for _, q := range r.Queries {
		ids = append(ids, q.ID)
	}
	i.refs = []refs{{"Queries", ids}}
	return i
}

// delivered is what prompts and skills have in common.
func delivered(d catalog.Delivered, typ record.Type) item {
	t := d.Body()
	return item{
		id: t.ID, typ: string(typ), about: t.Description, callable: true, reads: true,
		input: catalog.InputSchema(d.Asks()), texts: [][2]string{{"Content", t.Content}},
		facts: [][2]string{{"Version", t.Version}, {"File", t.Src.Path}},
	}
}

func prompt(p *catalog.Prompt) item {
	i := delivered(p, record.TypePrompt)
	i.facts = append(i.facts, [2]string{"Tested with", p.TestedWith})
	i.refs = []refs{{"Depends on", p.DependsOn}, {"Refers to", p.References}}
	return i
}

func skill(s *catalog.Skill) item {
	i := delivered(s, record.TypeSkill)
	i.facts = append([][2]string{{"When to use", s.WhenToUse}, {"Output", s.Output}}, i.facts...)
	var calls []string
	for _, p := range s.Prefill {
		calls = append(calls, p.Tool)
	}
	i.refs = []refs{{"Tools", s.Tools}, {"Resources", s.Resources}, {"Needs from outside", s.External},
		{"Called beforehand", calls}}
	return i
}

func bundle(s *catalog.SkillMD) item {
	i := item{
		id: s.ID, typ: string(record.TypeSkillMD), about: s.Description, tags: s.Tags, callable: true, reads: true,
		facts: [][2]string{{"Version", s.Version}, {"File", s.Src.Path}},
	}
	documents := refs{title: "Documents"}
	for _, d := range s.Documents {
		documents.ids = append(documents.ids, d.URI)
	}
	if len(s.Documents) > 0 {
		i.texts = [][2]string{{"SKILL.md", s.Documents[0].Content}}
	}
	i.refs = []refs{documents, {"Capabilities", s.Capabilities}, {"Depends on", s.DependsOn}}
	return i
}

// partTitles are those of model.SelectionFields.
var partTitles = [len(model.SelectionFields)]string{"Tools", "Skills", "Resources", "Prompts"}

func group(g *catalog.Group) item {
	i := item{
		id: g.ID, typ: string(g.Type), about: g.Description,
		facts: [][2]string{{"When to use", g.WhenToUse}, {"Model", g.Model}, {"Rounds at most", number(g.MaxRounds)},
			{"Tokens at most", number(g.MaxTokens)}, {"Version", g.Version}, {"File", g.Src.Path}},
		texts: [][2]string{{"System prompt", g.SystemPrompt}},
	}
	for n, title := range partTitles {
		i.refs = append(i.refs, refs{title, g.Members[n]})
	}
	i.refs = append(i.refs, refs{"Selections", g.Selections})
	for n, test := range g.Tests.Elems() {
		i.texts = append(i.texts, [2]string{"Test " + strconv.Itoa(n+1) + ": " + test.Get("_description").Str(),
			test.Get("input").Str()})
		i.refs = append(i.refs, refs{"Test " + strconv.Itoa(n+1) + " expects",
			record.StringsOf(test.Get("expectedTools"))})
	}
	return i
}

// number is "" for none.
func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// json is the item without what it does not have.
func (i *item) json() ordjson.Value {
	list := []ordjson.Member{ordjson.Field("id", ordjson.NewString(i.id)),
		ordjson.Field("type", ordjson.NewString(i.typ)), ordjson.Field("about", ordjson.NewString(i.about))}
	put := func(key string, v ordjson.Value) {
		if v.Len() > 0 || v.Str() != "" {
			list = append(list, ordjson.Field(key, v))
		}
	}
	put("wire", ordjson.NewString(i.wire))
	put("tags", ordjson.Strings(i.tags))
	put("keys", ordjson.Strings(i.keys))
	if i.callable {
		list = append(list, ordjson.Field("reads", ordjson.NewBool(i.reads)))
		put("params", i.parameters())
		put("calls", i.calls())
	}
	if schema := i.output.Get("schema"); schema.Exists() {
		put("output", ordjson.NewArray(fields(nil, 0, i.output.Get("mimeType").Str(), schema)...))
	} else {
		put("output", i.output.Get("mimeType"))
	}
	put("facts", pairs(i.facts))
	var lists []ordjson.Value
	for _, r := range i.refs {
		if len(r.ids) > 0 {
			lists = append(lists, ordjson.NewArray(ordjson.NewString(r.title), ordjson.Strings(r.ids)))
		}
	}
	put("refs", ordjson.NewArray(lists...))
	put("texts", pairs(i.texts))
	return ordjson.NewObject(list...)
}

// pairs are those of which the second is not empty.
func pairs(all [][2]string) ordjson.Value {
	var list []ordjson.Value
	for _, p := range all {
		if p[1] != "" {
			list = append(list, ordjson.Strings(p[:]))
		}
	}
	return ordjson.NewArray(list...)
}

// parameters are what a caller may give: the name, the type, the limits with the
// default, the description, whether it is required, and the values of an enum.
func (i *item) parameters() ordjson.Value {
	required := map[string]bool{}
	for _, key := range record.StringsOf(i.input.Get("required")) {
		required[key] = true
	}
	var list []ordjson.Value
	for _, m := range i.input.Get("properties").Members() {
		values := m.Value.Get("enum")
		kind, _ := text.Kind(m.Value.Without("enum"), 0)
		p := []ordjson.Value{ordjson.NewString(m.Key), ordjson.NewString(kind),
			ordjson.NewString(strings.TrimPrefix(text.Limits(m.Value), "; ")),
			ordjson.NewString(m.Value.Get("description").Str()), ordjson.NewBool(required[m.Key])}
		if values.Len() > 0 {
			p = append(p, values)
		}
		list = append(list, ordjson.NewArray(p...))
	}
	return ordjson.NewArray(list...)
}

// calls are the tests, each with the arguments of its call; without any there is one
// call with values that may do.
func (i *item) calls() ordjson.Value {
	var keys []string
	for _, m := range i.input.Get("properties").Members() {
		keys = append(keys, m.Key)
	}
	tests := i.tests.Elems()
	if len(tests) == 0 {
		tests = []ordjson.Value{{}}
	}
	var list []ordjson.Value
	for _, test := range tests {
		list = append(list, ordjson.Strings([]string{test.Get("_description").Str(),
			text.ShellLine(text.Example(i.input, keys, test))}))
	}
	return ordjson.NewArray(list...)
}

// fields are those of an output with what is below them, a line each: how deep, the
// name, the type and the description.
func fields(list []ordjson.Value, depth int, name string, schema ordjson.Value) []ordjson.Value {
	kind, _ := text.Kind(schema, 0)
	if schema.Get("nullable").True() {
		kind += " or null"
	}
	line := []ordjson.Value{ordjson.NewInt(depth), ordjson.NewString(name), ordjson.NewString(kind)}
	if about := schema.Get("description").Str(); about != "" {
		line = append(line, ordjson.NewString(about))
	}
	list = append(list, ordjson.NewArray(line...))
	for schema.Get("items").Exists() {
		schema = schema.Get("items")
	}
	for _, m := range schema.Get("properties").Members() {
		list = fields(list, depth+1, m.Key, m.Value)
	}
	return list
}
