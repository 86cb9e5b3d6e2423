package picture

import (
	_ "embed" // for the page
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/lazy"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/page/frame"
	"github.com/flowmcp/fmcp/pkg/record"
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
	title := g.title()
	data := ordjson.Append([]byte(`{"title":`), ordjson.NewString(title))
	data = ordjson.Append(append(data, `,"link":`...), ordjson.NewString(string(g.link)))
	data = append(data, `,"schemas":[`...)
	for i, s := range g.schemas {
		if i > 0 {
			data = append(data, ',')
		}
		data = append(data, s.packed...)
	}
	var names []ordjson.Member
	for _, code := range slices.Sorted(maps.Keys(g.codes)) {
		if name := ruleName(code); name != "" {
			names = append(names, ordjson.Field(code, ordjson.NewString(name)))
		}
	}
	data = ordjson.Append(append(data, `],"rules":`...), ordjson.NewObject(names...))
	f := frame.Page{Title: title, Body: body, Style: style, Script: script}
	return f.Write(w, append(data, '}'))
}

// pack keeps of a schema what the page has of it, and by what it is sorted: there may be
// 10,000.
func (g *grades) pack(s *schema) *schema {
	for _, f := range slices.Concat(s.errors, s.warnings) {
		if !g.codes[f.Code] {
			g.codes[strings.Clone(f.Code)] = true
		}
	}
	return &schema{id: strings.Clone(s.id), path: strings.Clone(s.path), grade: strings.Clone(s.grade),
		failed: s.failed, packed: ordjson.Append(nil, s.json())}
}

// title names the folder of the catalog, if there is one.
func (g *grades) title() string {
	name := ""
	for _, s := range g.schemas {
		parts := catalogParts().Split(s.path, 2)
		if len(parts) < 2 || name != "" && name != parts[0] {
			return "Grades"
		}
		name = parts[0]
	}
	if name == "" {
		return "Grades"
	}
	return "Grades of " + path.Base(name)
}

// catalogParts are the folders of a catalog that schemas are in.
var catalogParts = lazy.Regexp(`/(providers|tests)/`)

// json is what the page has of the schema, without what it has not.
func (s *schema) json() ordjson.Value {
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
	put("harness", ordjson.NewString(s.harness))
	put("stage", ordjson.NewString(s.stage))
	put("stale", ordjson.Strings(s.stale))
	put("notes", ordjson.Strings(s.notes))
	var next, failing, dimensions []ordjson.Value
	for _, n := range s.next {
		next = append(next, ordjson.Strings([]string{n.Needs, n.Command}))
	}
	put("next", ordjson.NewArray(next...))
	for _, f := range s.failing {
		failing = append(failing, ordjson.Strings([]string{f.ID, f.Why}))
	}
	put("failing", ordjson.NewArray(failing...))
	put("missing", ordjson.Strings(s.missing))
	for _, d := range s.dimensions {
		dimensions = append(dimensions, ordjson.NewArray(ordjson.NewString(d.Name), ordjson.NewNumber(d.Score),
			ordjson.NewString(d.Reasoning)))
	}
	put("dimensions", ordjson.NewArray(dimensions...))
	put("found", ordjson.NewArray(append(found(s.errors, "error"), found(s.warnings, "warning")...)...))
	if n := len(s.primitives); n > 0 {
		list = append(list, ordjson.Field("primitives", ordjson.NewInt(n)))
	}
	return ordjson.NewObject(list...)
}

// found is findings by their code: the code, the severity, how many there are, and the
// first with their lines.
func found(list []record.GradeFinding, severity string) []ordjson.Value {
	var all []ordjson.Value
	for _, e := range grouped(list) {
		var messages []ordjson.Value
		for _, f := range e.list[:min(len(e.list), messagesShown)] {
			messages = append(messages, ordjson.NewArray(ordjson.NewInt(f.Line), ordjson.NewString(f.Message)))
		}
		all = append(all, ordjson.NewArray(ordjson.NewString(e.code), ordjson.NewString(severity),
			ordjson.NewInt(len(e.list)), ordjson.NewArray(messages...)))
	}
	return all
}
