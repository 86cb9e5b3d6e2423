package lsp

import (
	"bytes"
	"encoding/json"
	"fmt"
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
		if at := diagnosticOf(t, d).Range; !p.Position.before(at.Start) && !at.End.before(p.Position) {
			parts = append(parts, aboutRule(d.Code))
		}
	}
	offset := t.offset(p.Position)
	if id := s.symbolAt(path, t, offset); id != "" {
		parts = append(parts, s.aboutID(id))
	}
	if at, ok := spotAt(t.src, offset); ok && at.export+at.key != "" {
		parts = append(parts, aboutField(&at, path))
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

// aboutField explains the field that a spot is in, or is the name of.
func aboutField(at *spot, file string) string {
	o := at.object(file)
	if o == nil {
		return ""
	}
	holder, f := o.Find(append(at.path, at.key)...)
	if f == nil {
		return ""
	}
	return describe(holder, f)
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

// aboutID says what an ID stands for, "" where no file defines it.
func (s *server) aboutID(id string) string {
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
			return s.aboutDefinition(parsed, load)
		}
	}
	return ""
}

// aboutDefinition says what the definition of an ID is.
func (s *server) aboutDefinition(id catalog.ID, load *record.Load) string {
	text := "**" + rules.Markdown(id.String()) + "**"
	if load.Type == record.TypeList {
		return text + aboutList(load)
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

// aboutList shows a list: the values of its first fields.
func aboutList(load *record.Load) string {
	list, _ := sharedlist.NewList(load)
	names := list.FieldNames()
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
