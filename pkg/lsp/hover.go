package lsp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/fields"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/resolve"
	"github.com/flowmcp/fmcp/pkg/rules"
	"github.com/flowmcp/fmcp/pkg/sharedlist"
)

// hover explains a place: the rules of what is found there, what its ID stands for, and
// the field that it is in. Texts of schemas are shown as they are written: markdown of
// theirs could load a picture from anywhere.
func (s *server) hover(path string, p *documentParams) (any, error) {
	t := s.text(path)
	var parts []string
	for _, d := range s.live.Findings(path) {
		if overlap(diagnosticOf(t, d).Range, span{p.Position, p.Position}) {
			parts = append(parts, aboutRule(d.Code))
		}
	}
	offset := t.offset(p.Position)
	at, ok := spotAt(t.src, offset)
	if id := s.symbolAt(path, t, offset); id != "" {
		parts = append(parts, s.aboutID(id, at.fieldAt(offset)))
	}
	if o := at.object(path, s.docs[path].loaded()); ok && o != nil {
		if holder, f := o.Find(append(at.path, at.key)...); f != nil {
			parts = append(parts, describe(holder, f))
		}
	}
	var text []string
	for _, part := range parts {
		if part != "" && (len(text) == 0 || text[len(text)-1] != part) {
			text = append(text, part)
		}
	}
	if len(text) == 0 {
		return nil, nil
	}
	return map[string]markup{"contents": {"markdown", strings.Join(text, "\n\n---\n\n")}}, nil
}

// aboutRule explains a rule.
func aboutRule(code string) string {
	r, ok := rules.Lookup(code)
	if !ok {
		return ""
	}
	return fmt.Sprintf("[%s](%s) %s\n\n%s\n\nWhy: %s\n\nFix: %s", r.Code, r.HelpURI(), r.Name,
		rules.Markdown(r.Summary), rules.Markdown(r.Why), rules.Markdown(r.Fix))
}

// fieldAt is the field of a list that the placeholder at an offset takes, "" where there
// is none.
func (at *spot) fieldAt(offset int) string {
	for _, p := range model.Placeholders(at.written) {
		if at.start+p.Start <= offset && offset <= at.start+p.End {
			return p.Name
		}
	}
	return ""
}

// describe explains a field of the table.
func describe(holder *fields.Object, f *fields.Field) string {
	text := fenced("ts", f.Name+": "+f.Type.String()) + "\n\n" + rules.Markdown(f.Text)
	var notes []string
	add := func(format, value string) {
		if value != "" {
			notes = append(notes, fmt.Sprintf(format, value))
		}
	}
	if f.Required {
		notes = append(notes, "required")
	}
	add("required %s", f.When)
	add("%s", f.Type.Limits())
	add("without it: %s", f.Default)
	add("deprecated, write %s", f.Instead)
	chapter := f.Chapter
	if chapter == "" {
		chapter = holder.Chapter
	}
	add("chapter %s", strings.TrimPrefix(chapter, "decision "))
	return text + "\n\n" + rules.Markdown(strings.Join(notes, "; "))
}

// aboutID says what an ID stands for, "" where no file defines it. Of a list it shows
// one field, or all.
func (s *server) aboutID(id, field string) string {
	parsed, err := catalog.ParsePrimitiveID(id)
	if err != nil {
		return ""
	}
	for _, path := range s.live.Files() {
		for _, y := range s.facts[path].symbols {
			if y.id != id || !y.defines {
				continue
			}
			load := s.live.Load(s.ctx, path)
			if load == nil {
				return ""
			}
			return s.aboutDefinition(parsed, load, field)
		}
	}
	return ""
}

// aboutDefinition says what the definition of an ID is.
func (s *server) aboutDefinition(id catalog.ID, load *record.Load, field string) string {
	text := "**" + rules.Markdown(id.String()) + "**"
	if load.Type == record.TypeList {
		return text + aboutList(load, field)
	}
	about := load.Data
	catalog.EachID(load, func(other catalog.ID, n *model.Node) {
		if other == id && n != nil {
			about = n.Value
		}
	})
	if d := about.Get("description").Str(); d != "" {
		text += "\n\n" + rules.Markdown(d)
	}
	schema := model.NewSchema(load.Data)
	for _, tool := range schema.Tools() {
		if load.Type != record.TypeSchema || id.Type != catalog.TypeTool || tool.Name != id.Name {
			continue
		}
		text += "\n\n" + fenced("http", tool.Get("method").Str()+" "+schema.Get("root").Str()+tool.Get("path").Str())
		params := tool.Parameters(schema.RequiredServerParams())
		for i := range params {
			if lists := s.live.Lists(load.Src); lists != nil {
				params[i].Primitive, _, _ = sharedlist.Interpolate(params[i].Primitive, schema.SharedLists(), lists)
			}
		}
		input, _ := resolve.InputSchema(params, ordjson.Value{})
		var indented bytes.Buffer
		if json.Indent(&indented, ordjson.Append(nil, input), "", "  ") == nil {
			text += "\n\n" + fenced("json", indented.String())
		}
	}
	return text
}

// maxShown is how many entries of a list are shown.
const maxShown = 20

// aboutList shows a list: the values of a field, or of all.
func aboutList(load *record.Load, field string) string {
	list, _ := sharedlist.NewList(load)
	names := list.FieldNames()
	if slices.Contains(names, field) {
		names = []string{field}
	}
	var rows strings.Builder
	rows.WriteString(strings.Join(names, "  "))
	for i, e := range list.Entries {
		if i == maxShown {
			fmt.Fprintf(&rows, "\n… and %d more", len(list.Entries)-i)
			break
		}
		rows.WriteByte('\n')
		for k, name := range names {
			value, _ := ordjson.ScalarText(e.Get(name))
			if k > 0 {
				rows.WriteString("  ")
			}
			rows.WriteString(value)
		}
	}
	return "\n\n" + rules.Markdown(list.Description) + "\n\nversion " + rules.Markdown(list.Version) + "\n\n" +
		fenced("", rows.String())
}

// fenced is a text as a block of code, which it cannot leave.
func fenced(language, text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + language + "\n" + text + "\n" + fence
}
