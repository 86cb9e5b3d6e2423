// Package picture shows the grades of a catalog: as a page, as a badge, and as a comment
// on a pull request.
package picture

import (
	"cmp"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/report"
)

// The formats.
const (
	HTML     = "html"
	Badge    = "badge"
	Markdown = "markdown"
)

// Formats are their names.
var Formats = []string{HTML, Badge, Markdown}

// Link makes the address of a line: a URL with {path} and {line} in it, "" for none.
type Link string

func (l Link) to(path string, line int) string {
	if l == "" || path == "" {
		return ""
	}
	return strings.NewReplacer("{path}", (&url.URL{Path: path}).EscapedPath(), "{line}",
		strconv.Itoa(max(line, 1))).Replace(string(l))
}

// New returns a report.Reporter that takes grades, and the errors of what could not be
// graded. Close draws them.
func New(format string, w io.Writer, link Link) report.Reporter {
	draw := map[string]func(*grades) []byte{HTML: nil, Badge: (*grades).badge, Markdown: (*grades).markdown}[format]
	return &picture{w: w, draw: draw, grades: grades{link: link, codes: map[string]bool{}}}
}

// picture is a report.Reporter.
type picture struct {
	w      io.Writer
	draw   func(*grades) []byte // nil for the page
	grades grades
	read   []*schema // of records that came in the input
}

// grades are those of a catalog, the worst first.
type grades struct {
	link    Link
	schemas []*schema
	codes   map[string]bool    // of findings, for the page
	before  map[string]*schema // those of an earlier run, by ID; nil where there was none
}

// Record takes grades. Those that came in the input, which have a line, are what schemas
// had before, if there are new ones.
func (p *picture) Record(rec record.Record, line []byte) error {
	switch rec := rec.(type) {
	case *record.Grade:
		list := &p.read
		if line == nil {
			list, line = &p.grades.schemas, rec.AppendJSON(nil)
		}
		v, err := ordjson.Parse(string(line))
		if err != nil {
			return err
		}
		*list = append(*list, p.kept(schemaOf(v)))
	case *record.Error:
		p.grades.schemas = append(p.grades.schemas, p.kept(unread(rec)))
	}
	return nil
}

// kept is what the picture needs of a schema.
func (p *picture) kept(s *schema) *schema {
	if p.draw == nil {
		return p.grades.pack(s)
	}
	return s
}

// Flush implements report.Reporter: a picture is drawn as a whole.
func (p *picture) Flush() error { return nil }

// Close draws the picture.
func (p *picture) Close() error {
	g := &p.grades
	if len(g.schemas) == 0 { // grades that are there, and no catalog
		g.schemas, p.read = p.read, nil
	}
	for _, s := range p.read {
		if g.before == nil {
			g.before = map[string]*schema{}
		}
		g.before[s.id] = s
	}
	graded := map[string]bool{} // a schema that cannot be loaded is an F, for its error
	for _, s := range g.schemas {
		graded[s.path] = graded[s.path] || s.grade != notRead
	}
	g.schemas = slices.DeleteFunc(g.schemas, func(s *schema) bool { return s.grade == notRead && graded[s.path] })
	slices.SortStableFunc(g.schemas, func(a, b *schema) int {
		return cmp.Or(cmp.Compare(slices.Index(letters, a.grade), slices.Index(letters, b.grade)),
			cmp.Compare(b.failed, a.failed), cmp.Compare(a.id, b.id), cmp.Compare(a.path, b.path))
	})
	if p.draw == nil {
		return g.page(p.w)
	}
	_, err := p.w.Write(p.draw(g))
	return err
}
