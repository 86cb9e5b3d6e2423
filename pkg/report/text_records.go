package report

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// name starts the line of a record: its type, in a column, and its id.
func (t *text) name(typ record.Type, id string) string {
	return fmt.Sprintf("%-9s ", clean(string(typ))) + t.pal.Bold(clean(id))
}

func (t *text) scan(s *record.Scan) {
	src := record.Source{Path: s.Path, Root: s.Root}
	t.println(fmt.Sprintf("%-9s", clean(string(s.Type))), clean(src.File()), t.pal.Dim(size(s.Bytes)))
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
	{"tools", "tool"}, {"routes", "route"}, {"resources", "resource"}, {"prompts", "prompt"}, {"skills", "skill"},
	{"entries", "value"},
}

func (t *text) load(l *record.Load) {
	var notes []string
	for _, part := range parts {
		if n := l.Data.Get(part.key).Len(); n > 0 {
			notes = append(notes, words.Count(n, part.noun))
		}
	}
	if n := len(l.Handlers); n > 0 {
		notes = append(notes, words.Count(n, "handler"))
	}
	if !l.Static {
		notes = append(notes, "evaluated")
	}
	t.println(t.name(l.Type, l.ID), t.pal.Dim(strings.Join(notes, ", ")))
}

func (t *text) resolved(r *record.Resolved) {
	name := t.name(r.Type, r.ID)
	wire, about := "", ""
	switch r := catalog.Decode(r).(type) {
	case *catalog.Catalog:
		n := r.Counts
		counts := []string{words.Count(n.Schemas, "schema"), words.Count(n.Tools, "tool"),
			words.Count(n.Resources, "resource"),
			words.Count(n.Lists, "list")}
		if n.LeftOut > 0 {
			counts = append(counts, strconv.Itoa(n.LeftOut)+" left out")
		}
		t.println(name, t.pal.Dim(strings.Join(counts, ", ")))
		return
	case *catalog.List:
		t.println(name, t.pal.Dim(words.Count(r.Entries.Len(), "value")))
		return
	case *catalog.Library:
		t.println(name, clean(r.Version), t.pal.Dim(size(int64(len(r.Script)))))
		return
	case *catalog.Tool:
		wire, about = r.WireName, r.Description
	case *catalog.Resource:
		about = r.Description
	case *catalog.Group:
		about = r.Description
	}
	t.println(name, t.pal.Path(clean(wire)), t.pal.Dim(clean(about)))
}

func (t *text) envelope(e *record.Envelope) {
	if e.Test != nil {
		t.test(e)
		return
	}
	defer func() { t.answered = true }()
	if e.Delivered != nil {
		t.delivered(e)
		return
	}
	state := t.pal.Good("ok")
	if !e.Status {
		state = t.pal.Severity(record.SeverityError, "failed")
	}
	if e.DryRun {
		state = t.pal.Severity(record.SeverityWarning, "dry run")
	}
	t.println(t.pal.Bold(clean(e.ID)), state, t.pal.Dim(e.Duration.Round(time.Millisecond).String()))
	if r := e.Request; r != nil {
		t.println(clean(r.Method), clean(r.URL))
		if e.DryRun {
			t.requestParts(r)
		}
	}
	if q := e.Query; q != nil {
		t.query(q)
	}
	if c := e.Cache; c != nil {
		t.println(" ", t.pal.Dim(clean(c.Message)))
		if c.Note != "" {
			t.println(" ", t.pal.Dim(clean(c.Note)))
		}
	}
	for _, m := range e.Messages {
		t.println(" ", t.messageLabel(e), clean(m))
	}
	for _, m := range e.Warnings {
		t.println(" ", t.pal.Severity(record.SeverityWarning, "warning:"), clean(m))
	}
	switch {
	case !e.Data.Exists() || e.Data.Is(ordjson.Null):
	case e.Request == nil && (e.Query == nil || e.Query.SQL == "") && e.Data.Is(ordjson.String): // a document
		t.document(e.Data.Str())
	default:
		t.json(e.Data)
	}
}

// delivered writes the text of a prompt or a skill as it is: what is wrong stands
// in its place. After another answer it has a line that names it; alone it has none,
// so that it can be used as it is.
func (t *text) delivered(e *record.Envelope) {
	if t.answered {
		t.println()
		t.println(t.pal.Bold("--- " + clean(e.ID)))
	}
	t.document(e.Delivered.Text)
	for _, r := range e.Delivered.References {
		t.println()
		t.println(t.pal.Bold("--- " + clean(r.ID) + ": " + clean(r.Description)))
		t.document(r.Text)
	}
}

// messageLabel is before the messages of an envelope: those of a success say what
// is missing of the answer.
func (t *text) messageLabel(e *record.Envelope) string {
	if e.Status {
		return t.pal.Severity(record.SeverityWarning, "warning:")
	}
	return t.pal.Severity(record.SeverityError, "error:")
}

// document writes the text of a resource as it is, but for what would steer the
// terminal.
func (t *text) document(s string) {
	for line := range strings.Lines(s) {
		t.println(clean(strings.TrimRight(line, "\r\n")))
	}
}

func (t *text) requestParts(r *record.HTTPRequest) {
	for _, h := range r.Headers {
		t.println(clean(h.Name)+":", clean(h.Value))
	}
	if r.Body.Exists() {
		t.println()
		t.json(r.Body)
	}
}

// query shows what a resource is asked.
func (t *text) query(q *record.Query) {
	if q.SQL == "" {
		t.println(clean(q.Source), clean(q.Name))
	} else {
		t.println(clean(q.Source), clean(q.SQL))
	}
	for i, v := range q.Params.Elems() {
		t.println(" ", t.pal.Dim(strconv.Itoa(i+1)+":"), clean(ordjson.Text(v)))
	}
	for _, m := range q.Params.Members() {
		t.println(" ", t.pal.Dim(clean(m.Key)+":"), clean(ordjson.Text(m.Value)))
	}
}

// json writes a value as indented JSON, whose own escapes clean continues.
func (t *text) json(v ordjson.Value) {
	for line := range bytes.Lines(ordjson.AppendIndent(nil, v, "")) {
		t.println(clean(strings.TrimSuffix(string(line), "\n")))
	}
}
