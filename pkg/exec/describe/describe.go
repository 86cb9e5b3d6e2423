// Package describe says what a catalog has, and of one of its tools, queries,
// resources, prompts, skills, lists, selections or agents all that a caller must
// know.
package describe

import (
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/exec"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/text"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Description is what there is to say of one thing of a catalog.
type Description struct {
	ID, WireName string
	Type         record.Type
	Call         string // a command line to copy, "" of what cannot be called

	about  about
	target exec.Target   // nil of what cannot be called
	input  ordjson.Value // JSON Schema, Missing of what takes none
	keys   []string      // those of input that a caller may give
}

// about are the facts, of any type; what a type does not have is empty.
type about struct {
	description, whenToUse, version, model string
	output, testedWith                     string
	method, root, path                     string
	source, mode, url, uri, sql            string
	tags                                   []string
	meta                                   ordjson.Value
	queries                                []*catalog.Query
	members                                []members
	fields                                 ordjson.Value // of a list
	entries                                int
	src                                    catalog.Src
}

// members are those of a selection or an agent of one type, or what a prompt or a
// skill names.
type members struct {
	field string
	ids   []string
}

// Of describes what name stands for: a Spec-ID, the ID of a query or an MCP
// name. command is how a call begins: "fmcp-exec -c catalog.ndjson". The errors
// are *words.Problem.
func Of(c *exec.Catalog, name string, command []string) (*Description, error) {
	d := &Description{ID: name, Type: c.Type(name)}
	switch d.Type {
	case record.TypeResource:
		r, err := c.Resource(name)
		if err != nil {
			return nil, unreadable(err)
		}
		d.resource(r)
		if queries, err := c.Queries(name); err == nil {
			d.Call = callOf(queries[0], command)
		}
		return d, nil
	case record.TypePrompt, record.TypeSkill, record.TypeList:
		rec, err := c.Index.Record(name)
		if err != nil {
			return nil, unreadable(err)
		}
		if l, ok := rec.(*catalog.List); ok {
			d.list(l)
			return d, nil
		}
		d.text(rec.(catalog.Delivered))
		d.Call = text.ShellLine(append(append(slices.Clone(command), name), d.example(ordjson.Value{})...))
		return d, nil
	case record.TypeSkillMD:
		s, err := c.SkillMD(name)
		if err != nil {
			return nil, unreadable(err)
		}
		d.bundle(s)
		d.Call = text.ShellLine(append(slices.Clone(command), name))
		return d, nil
	case record.TypeSelection, record.TypeAgent:
		g, err := c.Group(name)
		if err != nil {
			return nil, unreadable(err)
		}
		d.group(g)
		return d, nil
	}
	t, err := c.Target(name)
	if err != nil && d.Type == record.TypeTool {
		return nil, err
	}
	if err != nil {
		return nil, unknown(c, name, err)
	}
	d.callable(t)
	d.Call = callOf(t, command)
	return d, nil
}

func unreadable(err error) error {
	return &words.Problem{Code: exec.CodeBadRecord, Message: err.Error()}
}

// unknown suggests what a list has; a bare name has the suggestions of Target.
func unknown(c *exec.Catalog, name string, err error) error {
	if !strings.Contains(name, "/") {
		return err
	}
	var ids []string
	for e := range Entries(c.Index) {
		ids = append(ids, strings.Clone(e.ID)) // else it would hold the record in memory
	}
	if near := words.DidYouMean(name, ids); near != "" {
		return &words.Problem{Code: exec.CodeUnknownTool, Message: "the catalog has no " + strconv.Quote(name) + near}
	}
	return err
}

func callOf(t exec.Target, command []string) string {
	d := &Description{}
	d.callable(t)
	return text.ShellLine(append(append(slices.Clone(command), d.ID), d.example(t.Record().FirstTest())...))
}

func (d *Description) callable(target exec.Target) {
	r := target.Record()
	d.ID, d.WireName, d.target = r.ID, r.WireName, target
	d.input, d.keys = r.InputSchema, target.UserKeys()
	d.about = about{description: r.Description, src: r.Src}
	switch t := target.(type) {
	case *exec.Tool:
		d.Type, d.about.tags, d.about.meta = record.TypeTool, t.Tags, t.Meta
		d.about.method, d.about.root, d.about.path = t.Method, t.Root, t.Path
	case *exec.Query:
		d.Type, d.about.sql = TypeQuery, t.SQL
	}
}

func (d *Description) resource(r *catalog.Resource) {
	d.about = about{
		description: r.Description, source: string(r.Source), mode: r.Mode, path: r.Path, url: r.URL, uri: r.URI,
		tags: r.Tags, queries: r.Queries, src: r.Src,
	}
}

func (d *Description) text(rec catalog.Delivered) {
	t := rec.Body()
	d.input = catalog.InputSchema(rec.Asks())
	for _, in := range rec.Asks() {
		d.keys = append(d.keys, in.Key)
	}
	d.about = about{description: t.Description, version: t.Version, src: t.Src}
	switch r := rec.(type) {
	case *catalog.Prompt:
		d.about.testedWith = r.TestedWith
		d.about.members = []members{{"dependsOn", r.DependsOn}, {"references", r.References}}
	case *catalog.Skill:
		var calls []string
		for _, p := range r.Prefill {
			calls = append(calls, p.Tool)
		}
		d.about.whenToUse, d.about.output = r.WhenToUse, r.Output
		d.about.members = []members{{"tools", r.Tools}, {"resources", r.Resources}, {"external", r.External},
			{"prefill", calls}}
	}
}

func (d *Description) bundle(s *catalog.SkillMD) {
	d.about = about{description: s.Description, version: s.Version, tags: s.Tags, src: s.Src,
		members: []members{{"documents", nil}, {"capabilities", s.Capabilities}, {"dependsOn", s.DependsOn}}}
	for _, doc := range s.Documents {
		d.about.members[0].ids = append(d.about.members[0].ids, doc.URI)
	}
}

func (d *Description) list(l *catalog.List) {
	d.about = about{description: l.Description, version: l.Version, src: l.Src, fields: l.Fields,
		entries: l.Entries.Len()}
}

func (d *Description) group(g *catalog.Group) {
	d.about = about{description: g.Description, whenToUse: g.WhenToUse, version: g.Version, model: g.Model, src: g.Src}
	for i, part := range model.SelectionFields {
		d.about.members = append(d.about.members, members{part.Field, g.Members[i]})
	}
	d.about.members = append(d.about.members, members{"selections", g.Selections})
}

// example are the parameters of a call.
func (d *Description) example(test ordjson.Value) []string {
	return text.Example(d.input, d.keys, test)
}

// property is the JSON Schema of a parameter.
func (d *Description) property(key string) ordjson.Value { return d.input.Get("properties").Get(key) }

func (d *Description) required(key string) bool {
	return slices.Contains(record.StringsOf(d.input.Get("required")), key)
}

// JSON is the description as one line of JSON.
func (d *Description) JSON() ordjson.Value {
	var list []ordjson.Member
	value := func(key string, v ordjson.Value) {
		if v.Exists() {
			list = append(list, ordjson.Field(key, v))
		}
	}
	word := func(key, s string) {
		if s != "" {
			value(key, ordjson.NewString(s))
		}
	}
	texts := func(key string, all []string) {
		if len(all) > 0 {
			value(key, ordjson.Strings(all))
		}
	}
	a := &d.about
	for _, f := range [][2]string{
		{"id", d.ID}, {"type", string(d.Type)}, {"wireName", d.WireName}, {"description", a.description},
		{"whenToUse", a.whenToUse}, {"version", a.version}, {"model", a.model}, {"testedWith", a.testedWith},
		{"method", a.method}, {"root", a.root}, {"path", a.path},
		{"source", a.source}, {"mode", a.mode}, {"url", a.url}, {"uri", a.uri}, {"sql", a.sql},
	} {
		word(f[0], f[1])
	}
	texts("tags", a.tags)
	value("meta", a.meta)
	if d.target != nil {
		value("readOnly", ordjson.NewBool(d.target.ReadsOnly()))
		texts("keys", d.target.ServerKeys())
	}
	value("inputSchema", d.input)
	if d.target != nil {
		value("output", d.target.Record().Output)
	}
	word("output", a.output)
	if a.fields.Exists() {
		value("fields", a.fields)
		value("entries", ordjson.NewInt(a.entries))
	}
	var queries []string
	for _, q := range a.queries {
		queries = append(queries, q.ID)
	}
	texts("queries", queries)
	for _, m := range a.members {
		texts(m.field, m.ids)
	}
	word("call", d.Call)
	value("src", ordjson.NewObject(
		ordjson.Field("path", ordjson.NewString(a.src.Path)),
		ordjson.Field("pointer", ordjson.NewString(a.src.Pointer)),
	))
	return ordjson.NewObject(list...)
}
