// Package page writes a catalog as one HTML page to browse and search: no network, no
// keys, nothing that it calls.
package page

import (
	"bytes"
	"cmp"
	_ "embed" // for the page
	"fmt"
	"io"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/page/frame"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Format is the name of the format.
const Format = "html"

//go:embed page.html
var body string

//go:embed page.css
var style string

//go:embed page.js
var script string

// Page is a report.Reporter that takes resolved records and grades.
type Page struct {
	w        io.Writer
	catalogs []*catalog.Catalog
	items    []byte // JSON objects, a comma after each
	grades   []gradeOf
	hashes   map[string]string // of the files, by the IDs of what is in them
}

// gradeOf is what a grade report says of an ID, and of which version of its file.
type gradeOf struct{ id, says, fileHash string }

// New returns a page that Close writes to w.
func New(w io.Writer) *Page { return &Page{w: w, hashes: map[string]string{}} }

// Record takes what the page shows; line is that of a record that nobody has decoded.
func (p *Page) Record(rec record.Record, line []byte) error {
	if rec == nil && record.KindIn(line) == record.KindGrade {
		v, err := ordjson.Parse(string(line))
		if err != nil {
			return fmt.Errorf("a grade record is not JSON: %w", err)
		}
		p.grade(v)
	}
	r, ok := rec.(*record.Resolved)
	if !ok {
		return nil
	}
	switch r := catalog.Decode(r).(type) {
	case *catalog.Catalog:
		p.catalogs = append(p.catalogs, r)
	case *catalog.Tool:
		p.hashes[r.ID] = r.Hashes.File
		p.add(tool(r))
	case *catalog.Resource:
		p.hashes[r.ID] = r.Hashes.File
		p.add(resource(r))
		for _, q := range r.Queries {
			p.add(query(q))
		}
	case *catalog.Prompt:
		p.hashes[r.ID] = r.Hashes.File
		p.add(prompt(r))
	case *catalog.Skill:
		p.add(skill(r))
	case *catalog.SkillMD:
		p.add(bundle(r))
	case *catalog.Group:
		p.add(group(r))
	}
	return nil
}

// grade keeps what a grade report says of each ID.
func (p *Page) grade(v ordjson.Value) {
	says := v.Get("deterministic").Get("status").Str()
	if grade := v.Get("grade").Str(); grade != "" {
		says = "Grade " + grade
	}
	for _, list := range []struct{ key, one string }{{"errors", "error"}, {"warnings", "warning"}} {
		if n := v.Get("deterministic").Get(list.key).Len(); n > 0 {
			says += ", " + words.Count(n, list.one)
		}
	}
	for _, stale := range v.Get("stale").Elems() {
		if grade := stale.Get("grade").Str(); grade != "" {
			says += ", stale Grade " + grade
		}
	}
	for _, id := range record.StringsOf(v.Get("primitives")) {
		p.grades = append(p.grades, gradeOf{id, says, v.Get("fileHash").Str()})
	}
}

// gradesNow are the grades by ID. One that was given for another version of the file
// says so.
func (p *Page) gradesNow() ordjson.Value {
	var list []ordjson.Member
	for _, g := range p.grades {
		if now := p.hashes[g.id]; now != "" && g.fileHash != "" && g.fileHash != now {
			g.says = "Stale: " + g.says
		}
		list = append(list, ordjson.Field(g.id, ordjson.NewString(g.says)))
	}
	return ordjson.NewObject(list...)
}

// add keeps an item as JSON, so that the records need not stay.
func (p *Page) add(i item) {
	p.items = append(ordjson.Append(p.items, i.json()), ',')
}

// Flush implements report.Reporter: the page is written as a whole.
func (p *Page) Flush() error { return nil }

// Close writes the page.
func (p *Page) Close() error {
	title, says := p.head()
	data := ordjson.Append([]byte(`{"catalog":`), says)
	data = ordjson.Append(append(data, `,"grades":`...), p.gradesNow())
	data = append(append(append(data, `,"items":[`...), bytes.TrimSuffix(p.items, []byte(","))...), "]}"...)
	f := frame.Page{Title: title, Body: body, Style: style, Script: script}
	return f.Write(p.w, data)
}

// head is the title of the page, and what is said of the catalogs.
func (p *Page) head() (title string, says ordjson.Value) {
	var names, about []string
	left, schemas := 0, 0
	for _, c := range p.catalogs {
		names = append(names, strings.TrimSpace(c.Name+" "+c.Version))
		if c.Description != "" {
			about = append(about, c.Description)
		}
		left, schemas = left+c.Counts.LeftOut, schemas+c.Counts.Schemas
	}
	title = cmp.Or(strings.Join(names, ", "), "Catalog")
	return title, ordjson.NewObject(
		ordjson.Field("name", ordjson.NewString(title)),
		ordjson.Field("about", ordjson.NewString(strings.Join(about, "\n"))),
		ordjson.Field("schemas", ordjson.NewInt(schemas)),
		ordjson.Field("leftOut", ordjson.NewInt(left)),
	)
}
