package resolve

import (
	"fmt"
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// JSON is the answer of fmcp-resolve id as one line of NDJSON.
func (e Entry) JSON() ordjson.Value {
	return ordjson.NewObject(append(fields{{Key: "id", Value: ordjson.NewString(e.ID)}}, e.place()...)...)
}

// place says what defines the ID, and where.
func (e Entry) place() fields {
	f := fields{}
	f.str("type", e.Type)
	f.str("file", e.File)
	f.str("keyPath", e.KeyPath)
	f.optional("schema", e.Schema)
	return f
}

// Text is the same for a terminal: the file to open, then the key in it.
func (e Entry) Text() string { return e.ID + "\n" + e.placeText() }

func (e Entry) placeText() string {
	s := "  file    " + e.File + "\n  key     " + e.KeyPath + "\n  type    " + e.Type + "\n"
	if e.Schema != "" {
		s += "  schema  " + e.Schema + "\n"
	}
	return s
}

// JSON is one use of a list as one line of NDJSON.
func (r Ref) JSON() ordjson.Value {
	f := fields{}
	f.str("list", r.List)
	f.optional("field", r.Field)
	f.str("via", string(r.Via))
	f.str("user", r.User)
	f.str("id", r.ID)
	f.str("file", r.File)
	f.optional("filter", r.Filter)
	return ordjson.NewObject(f...)
}

// note is what is in parentheses after a use.
func (r Ref) note() string {
	filter := "filter: " + r.Filter
	if r.Filter == "" {
		filter = "all entries"
	}
	switch {
	case r.Via == ViaEnum:
		return filter + ", enum: " + r.Field
	case r.Via == ViaHandlers:
		return filter + ", handlers"
	case r.Via == ViaList && r.Filter != "":
		return "list, condition: " + r.Filter
	case r.Via == ViaList:
		return "list"
	}
	return filter + ", no use found"
}

// RefsText is the answer of fmcp-resolve refs for a terminal, in the form of
// chapter 03, "CLI Access". refs are those that Refs returned for list.
func (x *Index) RefsText(list string, refs []Ref) string {
	var b strings.Builder
	list = strings.TrimPrefix(list, "shared/list/")
	for _, f := range x.lists {
		if f.name == list {
			fmt.Fprintf(&b, "%s (v%s) — %s, %s\n  %s\n", f.name, f.version, words.Count(f.entries, "entry"),
				words.Count(f.fields, "field"), f.file)
		}
	}
	if b.Len() == 0 {
		fmt.Fprintf(&b, "%s — not in the input\n", list)
	}
	if len(refs) == 0 {
		b.WriteString("\nReferenced by nothing.\n")
		return b.String()
	}
	b.WriteString("\nReferenced by:\n")
	width := 0
	for _, r := range refs {
		width = max(width, len(r.User))
	}
	for _, r := range refs {
		fmt.Fprintf(&b, "  %-*s   (%s)\n", width, r.User, r.note())
	}
	return b.String()
}

// fields collects the members of an answer.
type fields []ordjson.Member

func (f *fields) value(key string, v ordjson.Value) { *f = append(*f, ordjson.Field(key, v)) }

func (f *fields) str(key, s string) { f.value(key, ordjson.NewString(s)) }

// optional is a text that is left out where it is empty.
func (f *fields) optional(key, s string) {
	if s != "" {
		f.str(key, s)
	}
}
