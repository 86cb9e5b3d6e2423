package picture

import (
	_ "embed" // for the page
	"io"
	"path"
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/page/frame"
)

//go:embed page.html
var body string

//go:embed page.css
var style string

//go:embed page.js
var script string

// messagesShown is how many findings of one code of one schema the page has.
const messagesShown = 10

// page writes the page.
func (g *grades) page(w io.Writer) error {
	p := pageData{rules: map[string]bool{}, missing: map[string]int{}}
	list := make([]ordjson.Value, len(g.schemas))
	for i, s := range g.schemas {
		list[i] = p.schema(s)
	}
	title := g.title()
	data := ordjson.NewObject(
		ordjson.Field("title", ordjson.NewString(title)),
		ordjson.Field("link", ordjson.NewString(string(g.link))),
		ordjson.Field("rules", ordjson.NewObject(p.names...)),
		ordjson.Field("missing", ordjson.NewArray(p.texts...)),
		ordjson.Field("schemas", ordjson.NewArray(list...)),
	)
	f := frame.Page{Title: title, Body: body, Style: style, Script: script}
	return f.Write(w, ordjson.Append(nil, data))
}

// title names the folder that all schemas are in, if it is one.
func (g *grades) title() string {
	name := ""
	for _, s := range g.schemas {
		dir, _, ok := strings.Cut(s.path, "/providers/")
		if !ok || name != "" && name != dir {
			return "Grades"
		}
		name = dir
	}
	if name == "" {
		return "Grades"
	}
	return "Grades of " + path.Base(name)
}

// pageData is what schemas have in common, which the page has once.
type pageData struct {
	rules   map[string]bool
	names   []ordjson.Member // names of rules, by code
	missing map[string]int
	texts   []ordjson.Value // what is missing, by its number
}

// schema is what the page has of a schema, without what it has not.
func (p *pageData) schema(s *schema) ordjson.Value {
	list := []ordjson.Member{ordjson.Field("id", ordjson.NewString(s.id)),
		ordjson.Field("grade", ordjson.NewString(s.grade))}
	put := func(key string, v ordjson.Value) {
		if v.Len() > 0 || v.Str() != "" {
			list = append(list, ordjson.Field(key, v))
		}
	}
	put("path", ordjson.NewString(s.path))
	if s.score.Exists() {
		list = append(list, ordjson.Field("score", s.score))
	}
	put("stage", ordjson.NewString(s.stage))
	put("stale", ordjson.Strings(s.stale))
	put("notes", ordjson.Strings(s.notes))
	var next, missing, dimensions []ordjson.Value
	for _, n := range s.next {
		next = append(next, ordjson.Strings([]string{n.needs, n.command}))
	}
	put("next", ordjson.NewArray(next...))
	for _, m := range s.missing {
		if _, ok := p.missing[m]; !ok {
			p.missing[m] = len(p.texts)
			p.texts = append(p.texts, ordjson.NewString(m))
		}
		missing = append(missing, ordjson.NewInt(p.missing[m]))
	}
	put("missing", ordjson.NewArray(missing...))
	for _, d := range s.dimensions {
		dimensions = append(dimensions,
			ordjson.NewArray(ordjson.NewString(d.name), d.score, ordjson.NewString(d.reason)))
	}
	put("dimensions", ordjson.NewArray(dimensions...))
	put("found", ordjson.NewArray(append(p.found(s.errors, "error"), p.found(s.warnings, "warning")...)...))
	if n := len(s.primitives); n > 0 {
		list = append(list, ordjson.Field("primitives", ordjson.NewInt(n)))
	}
	return ordjson.NewObject(list...)
}

// found is findings by their code: the code, the severity, how many there are, and the
// first with their lines.
func (p *pageData) found(list []finding, severity string) []ordjson.Value {
	var all []ordjson.Value
	for _, e := range grouped(list) {
		if name := ruleName(e.code); name != "" && !p.rules[e.code] {
			p.rules[e.code] = true
			p.names = append(p.names, ordjson.Field(e.code, ordjson.NewString(name)))
		}
		var messages []ordjson.Value
		for _, f := range e.list[:min(len(e.list), messagesShown)] {
			messages = append(messages, ordjson.NewArray(ordjson.NewInt(f.line), ordjson.NewString(f.message)))
		}
		all = append(all, ordjson.NewArray(ordjson.NewString(e.code), ordjson.NewString(severity),
			ordjson.NewInt(len(e.list)), ordjson.NewArray(messages...)))
	}
	return all
}
