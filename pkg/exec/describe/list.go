package describe

import (
	"fmt"
	"io"
	"iter"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/spool"
)

// TypeQuery is what a list calls a query of a resource, which has no record of
// its own.
const TypeQuery record.Type = "query"

// listed are the types of a list.
var listed = []record.Type{record.TypeList, record.TypeTool, record.TypeResource, record.TypePrompt,
	record.TypeSkill, record.TypeSkillMD, record.TypeSelection, record.TypeAgent}

// Entry is one of the things that a catalog has, as a list shows it.
type Entry struct {
	Type                      record.Type
	ID, WireName, Description string

	text string // that words are looked for in, lower case
}

// Entries are what a catalog has that has an ID, in stream order, and after a
// resource the queries that its schema defines.
func Entries(x *catalog.Index) iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		for _, id := range x.Of(listed...) {
			for _, e := range entriesOf(x, id) {
				if !yield(e) {
					return
				}
			}
		}
	}
}

// entriesOf are those of a record.
func entriesOf(x *catalog.Index, id string) []Entry {
	about := &catalog.Callable{ID: id}
	rec, _ := x.Record(id)
	switch r := rec.(type) {
	case *catalog.Tool:
		hints := append(r.Tags, r.Meta.Get("searchHint").Str(), ordjson.Text(r.Meta.Get("aliases")))
		return []Entry{entry(record.TypeTool, &r.Callable, hints...)}
	case *catalog.Resource:
		about.Description = r.Description
		list := []Entry{entry(record.TypeResource, about, r.Tags...)}
		for _, q := range r.Queries {
			if !q.Added {
				list = append(list, entry(TypeQuery, &q.Callable))
			}
		}
		return list
	case *catalog.Group:
		about.Description = r.Description
		return []Entry{entry(r.Type, about, r.WhenToUse)}
	case *catalog.List:
		about.Description = r.Description
	case *catalog.Prompt:
		about.Description = r.Description
	case *catalog.Skill:
		about.Description = r.Description
		return []Entry{entry(x.Type(id), about, r.WhenToUse)}
	case *catalog.SkillMD:
		about.Description = r.Description
		return []Entry{entry(x.Type(id), about, r.Tags...)}
	default: // it cannot be read, which describing or calling it says
	}
	return []Entry{entry(x.Type(id), about)}
}

// entry is found by its names, its description and further words.
func entry(typ record.Type, r *catalog.Callable, more ...string) Entry {
	text := append([]string{r.ID, r.WireName, r.Description}, more...)
	return Entry{
		Type: typ, ID: r.ID, WireName: r.WireName, Description: r.Description,
		text: strings.ToLower(strings.Join(text, " ")),
	}
}

// Matches reports whether an entry is asked for: by a glob over its ID or MCP
// name, where * stands for anything, or by words that all are in its name,
// description, tags or hints.
func (e *Entry) Matches(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool {
		if strings.ContainsAny(w, "*?[") {
			byName, _ := path.Match(w, e.WireName)
			return !byName && !catalog.MatchID(w, e.ID)
		}
		return !strings.Contains(e.text, strings.ToLower(w))
	})
}

// List is a list of entries, in a file where it is long. The zero value is empty.
type List struct {
	lines      spool.Spool // of JSON
	places     []spool.Place
	types, ids int // widths of the columns
}

// Add appends an entry. The error is that of the disk.
func (l *List) Add(e *Entry) error {
	members := []ordjson.Member{
		ordjson.Field("id", ordjson.NewString(e.ID)), ordjson.Field("type", ordjson.NewString(string(e.Type))),
	}
	if e.WireName != "" {
		members = append(members, ordjson.Field("wireName", ordjson.NewString(e.WireName)))
	}
	members = append(members, ordjson.Field("description", ordjson.NewString(e.Description)))
	place, err := l.lines.Add(append(ordjson.Append(nil, ordjson.NewObject(members...)), '\n'))
	l.places = append(l.places, place)
	l.types = max(l.types, len(e.Type))
	l.ids = max(l.ids, min(utf8.RuneCountInString(e.ID), maxColumn))
	return err
}

// Empty reports whether there is no entry.
func (l *List) Empty() bool { return len(l.places) == 0 }

// Close removes the file, if there is one.
func (l *List) Close() error { return l.lines.Close() }

// JSON writes a line for each entry.
func (l *List) JSON(w io.Writer) error {
	return l.each(func(line []byte) error {
		_, err := w.Write(line)
		return err
	})
}

// Text writes type, ID and description of each; width is that of the terminal, 0 for
// none.
func (l *List) Text(w io.Writer, width int) error {
	return l.each(func(line []byte) error {
		p := &page{width: width}
		e, _ := ordjson.Parse(string(line)) // it was made here, and is JSON
		p.line(0, fmt.Sprintf("%-*s  %s  ", l.types, e.Get("type").Str(), e.Get("id").Str()), l.types+2+l.ids+2,
			e.Get("description").Str())
		_, err := io.WriteString(w, p.String())
		return err
	})
}

func (l *List) each(do func(line []byte) error) error {
	var line []byte
	for _, place := range l.places {
		var err error
		if line, err = l.lines.Text(place, line); err != nil {
			return err
		}
		if err := do(line); err != nil {
			return err
		}
	}
	return nil
}
