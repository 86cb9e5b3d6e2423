package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

func (t *text) scan(s *record.Scan) {
	src := record.Source{Path: s.Path, Root: s.Root}
	fmt.Fprintf(t.w, "%-9s %s %s\n", s.Type, clean(src.File()), t.pal.Dim(size(s.Bytes)))
}

func size(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1_000_000:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}

// parts are what an exported object is counted by.
var parts = []struct{ key, noun string }{
	{"tools", "tool"}, {"routes", "route"}, {"resources", "resource"}, {"prompts", "prompt"}, {"entries", "value"},
}

func (t *text) load(l *record.Load) {
	var notes []string
	for _, part := range parts {
		if n := l.Data.Get(part.key).Len(); n > 0 {
			notes = append(notes, plural(n, part.noun))
		}
	}
	if n := len(l.Handlers); n > 0 {
		notes = append(notes, plural(n, "handler"))
	}
	if !l.Static {
		notes = append(notes, "evaluated")
	}
	fmt.Fprintf(t.w, "%-9s %s %s\n", l.Type, t.pal.Bold(clean(l.ID)), t.pal.Dim(strings.Join(notes, ", ")))
}

func (t *text) resolved(r *record.Resolved) {
	switch r.Type {
	case record.TypeCatalog:
		var counts []string
		for _, m := range r.Data.Get("counts").Members() {
			counts = append(counts, ordjson.Text(m.Value)+" "+m.Key)
		}
		fmt.Fprintf(t.w, "catalog   %s %s\n", t.pal.Bold(clean(r.ID)), t.pal.Dim(strings.Join(counts, ", ")))
	case record.TypeList:
		fmt.Fprintf(t.w, "list      %s %s\n", t.pal.Bold(clean(r.ID)), t.pal.Dim(plural(r.Data.Get("entries").Len(), "value")))
	default:
		fmt.Fprintf(t.w, "%-9s %s %s %s\n", r.Type, t.pal.Bold(clean(r.ID)), t.pal.Path(clean(r.Data.Get("wireName").Str())),
			t.pal.Dim(clean(r.Data.Get("description").Str())))
	}
}

func (t *text) envelope(e *record.Envelope) {
	state := t.pal.Good("ok")
	if !e.Status {
		state = t.pal.Severity(record.SeverityError, "failed")
	}
	if e.DryRun {
		state = t.pal.Severity(record.SeverityWarning, "dry run")
	}
	fmt.Fprintf(t.w, "%s %s %s\n", t.pal.Bold(clean(e.ID)), state, t.pal.Dim(e.Duration.Round(time.Millisecond).String()))
	if r := e.Request; r != nil {
		fmt.Fprintf(t.w, "%s %s\n", r.Method, clean(r.URL))
		if e.DryRun {
			t.requestParts(r)
		}
	}
	for _, m := range e.Messages {
		fmt.Fprintf(t.w, "  %s %s\n", t.pal.Severity(record.SeverityError, "error:"), clean(m))
	}
	for _, m := range e.Warnings {
		fmt.Fprintf(t.w, "  %s %s\n", t.pal.Severity(record.SeverityWarning, "warning:"), clean(m))
	}
	if e.Data.Exists() && !e.Data.Is(ordjson.Null) {
		fmt.Fprintf(t.w, "%s\n", ordjson.AppendIndent(nil, e.Data, ""))
	}
}

func (t *text) requestParts(r *record.HTTPRequest) {
	for _, h := range r.Headers {
		fmt.Fprintf(t.w, "%s: %s\n", clean(h.Name), clean(h.Value))
	}
	if r.Body.Exists() {
		fmt.Fprintf(t.w, "\n%s\n", ordjson.AppendIndent(nil, r.Body, ""))
	}
}

func (t *text) grade(g *record.Grade) {
	state := t.pal.Good(g.Status())
	if len(g.Errors) > 0 {
		state = t.pal.Severity(record.SeverityError, g.Status())
	}
	letter := g.Grade
	if letter == "" {
		letter = "-"
	}
	fmt.Fprintf(t.w, "%s %s %s %s\n", letter, state, t.pal.Bold(clean(g.SchemaID)),
		t.pal.Dim(plural(len(g.Errors), "error")+", "+plural(len(g.Warnings), "warning")))
	for _, m := range g.Missing {
		fmt.Fprintf(t.w, "    %s %s\n", t.pal.Severity(record.SeverityWarning, "missing:"), clean(m))
	}
}
