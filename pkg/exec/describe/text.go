package describe

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/report"
	"github.com/flowmcp/fmcp/pkg/text"
	"github.com/flowmcp/fmcp/pkg/words"
)

// page is text under construction. What it shows is untrusted, so every line
// is made visible.
type page struct {
	strings.Builder
	width int // of the terminal, 0 for none
}

// line writes a line with a label in a column; without one, it is only indented.
func (p *page) line(indent int, label string, column int, text string) {
	start := strings.Repeat(" ", indent) + report.Visible(label)
	if text != "" {
		start += strings.Repeat(" ", max(indent+column-utf8.RuneCountInString(start), 0))
	}
	at := utf8.RuneCountInString(start)
	p.WriteString(start + report.Wrap(report.Visible(text), p.width, at, min(at, indent+column)) + "\n")
}

// maxField is the column of what is said of the fields of a list.
const maxField = 16

// maxColumn is the widest column of IDs.
const maxColumn = 44

// Text is the description for people; width is that of the terminal, 0 for none.
func (d *Description) Text(width int) string {
	p := &page{width: width}
	p.line(0, "", 0, d.ID)
	if d.about.description != "" {
		p.line(0, "", 0, d.about.description)
	}
	p.WriteByte('\n')
	for _, fact := range d.facts() {
		if fact[1] != "" {
			p.line(0, fact[0], len("Does nothing  "), fact[1])
		}
	}
	if d.input.Exists() {
		d.parameters(p)
	}
	if d.target != nil {
		d.output(p)
	}
	if len(d.about.fields.Elems()) > 0 {
		p.WriteString("\nFields:\n")
		for _, f := range d.about.fields.Elems() {
			p.line(2, f.Get("key").Str()+"  ", maxField, f.Get("type").Str()+"; "+f.Get("description").Str())
		}
	}
	if len(d.about.queries) > 0 {
		p.WriteString("\nQueries:\n")
		for _, q := range d.about.queries {
			p.line(2, q.Name+"  ", columnOf(d.about.queries), q.Description)
		}
	}
	for _, m := range d.about.members {
		if len(m.ids) > 0 {
			p.WriteString("\n" + cmp.Or(titles[m.field], strings.ToUpper(m.field[:1])+m.field[1:]) + ":\n")
			for _, id := range m.ids {
				p.line(2, id, 0, "")
			}
		}
	}
	if d.Call != "" {
		p.WriteString("\nExample:\n  " + report.Visible(d.Call) + "\n")
	}
	return p.String()
}

// titles are the words for fields whose names are none.
var titles = map[string]string{
	"dependsOn": "Depends on", "external": "Needs from outside", "prefill": "Called beforehand",
}

func columnOf(queries []*catalog.Query) int {
	column := 0
	for _, q := range queries {
		column = max(column, min(utf8.RuneCountInString(q.Name), maxColumn))
	}
	return column + 2
}

// facts are what takes a line each.
func (d *Description) facts() [][2]string {
	a := &d.about
	facts := [][2]string{
		{"Type", string(d.Type)}, {"MCP name", d.WireName}, {"Version", a.version},
		{"When to use", a.whenToUse}, {"Model", a.model}, {"Tested with", a.testedWith}, {"Output", a.output},
		{"Source", strings.TrimSpace(a.source + " " + a.mode)}, {"Address", a.uri},
	}
	if d.target != nil {
		does := "may change something"
		if d.target.ReadsOnly() {
			does = "only reads"
		}
		request := ""
		if a.method != "" {
			request = a.method + " " + a.root + a.path
		}
		facts = append(facts, [][2]string{
			{"Request", request}, {"Statement", a.sql}, {"Effect", does},
			{"Keys", strings.Join(d.target.ServerKeys(), ", ")},
		}...)
	}
	if a.fields.Exists() {
		facts = append(facts, [2]string{"Entries", strconv.Itoa(a.entries)})
	}
	return append(facts, [2]string{"Tags", strings.Join(a.tags, ", ")}, [2]string{"File", a.src.Path})
}

// parameters are the keys that a caller may give.
func (d *Description) parameters(p *page) {
	column := 0
	if len(d.keys) == 0 {
		p.WriteString("\nParameters: none\n")
		return
	}
	for _, key := range d.keys {
		column = max(column, min(utf8.RuneCountInString(key), maxColumn))
	}
	column += 2
	p.WriteString("\nParameters:\n")
	for _, key := range d.keys {
		prop := d.property(key)
		need := "optional"
		if d.required(key) {
			need = "required"
		}
		p.line(2, key+"  ", column, kind(prop)+"; "+need+text.Limits(prop))
		if about := prop.Get("description").Str(); about != "" {
			p.line(2, "", column, about)
		}
		if examples := prop.Get("examples").Elems(); len(examples) > 0 {
			p.line(2, "", column, "such as "+text.Join(examples))
		}
	}
}

// maxValues is how many values of an enum are shown.
const maxValues = 30

// kind is the type of a property, or its values.
func kind(prop ordjson.Value) string {
	shown, rest := text.Kind(prop, maxValues)
	if rest > 0 {
		shown += fmt.Sprintf(" and %d more (-f ndjson has all)", rest)
	}
	return shown
}

// output is what an answer has in it.
func (d *Description) output(p *page) {
	r := d.target.Record()
	mime := r.MIMEType()
	if mime == "" {
		p.WriteString("\nOutput: not declared\n")
		return
	}
	p.WriteString("\nOutput: " + report.Visible(mime) + "\n")
	if schema := r.OutputSchema(); schema.Exists() {
		p.schema(2, "", schema)
	}
}

// maxIndent bounds how deep an output is shown; chapter 04 has four levels.
const maxIndent = 12

// schema writes the fields of an output schema, a line each.
func (p *page) schema(indent int, name string, s ordjson.Value) {
	typ := s.Get("type").Str()
	for typ == "array" {
		inner := s.Get("items").Get("type").Str()
		if inner == "" {
			break
		}
		s, typ = s.Get("items"), "array of "+inner
		if inner == "array" {
			typ = inner
		}
	}
	if s.Get("nullable").True() {
		typ += " or null"
	}
	if name != "" || s.Get("properties").Len() == 0 {
		says := typ
		if about := s.Get("description").Str(); about != "" {
			says += "; " + about
		}
		p.line(indent, strings.TrimSpace(name+"  "), utf8.RuneCountInString(name)+2, says)
		indent += 2
	} else if typ != "object" {
		p.line(indent, typ, 0, "")
		indent += 2
	}
	members := s.Get("properties").Members()
	if indent > maxIndent && len(members) > 0 {
		p.line(indent, words.Count(len(members), "field"), 0, "")
		return
	}
	for _, m := range members {
		p.schema(indent, m.Key, m.Value)
	}
}
