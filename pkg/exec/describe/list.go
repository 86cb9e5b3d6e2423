package describe

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
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
func Entries(x *catalog.Index) []Entry {
	var list []Entry
	for _, id := range x.Of(listed...) {
		rec, _ := x.Record(id)
		switch r := rec.(type) {
		case *catalog.Tool:
			hints := append(r.Tags, r.Meta.Get("searchHint").Str(), ordjson.Text(r.Meta.Get("aliases")))
			list = append(list, entry(record.TypeTool, &r.Callable, hints...))
		case *catalog.Resource:
			about := &catalog.Callable{ID: id, Description: r.Description}
			list = append(list, entry(record.TypeResource, about, r.Tags...))
			for _, q := range r.Queries {
				if !q.Added {
					list = append(list, entry(TypeQuery, &q.Callable))
				}
			}
		case *catalog.Group:
			list = append(list, entry(r.Type, &catalog.Callable{ID: id, Description: r.Description}, r.WhenToUse))
		case *catalog.List:
			list = append(list, entry(x.Type(id), &catalog.Callable{ID: id, Description: r.Description}))
		case *catalog.Prompt:
			list = append(list, entry(x.Type(id), &catalog.Callable{ID: id, Description: r.Description}))
		case *catalog.Skill:
			list = append(list, entry(x.Type(id), &catalog.Callable{ID: id, Description: r.Description}, r.WhenToUse))
		case *catalog.SkillMD:
			about := &catalog.Callable{ID: id, Description: r.Description}
			list = append(list, entry(x.Type(id), about, r.Tags...))
		default: // it cannot be read, which describing or calling it says
			list = append(list, entry(x.Type(id), &catalog.Callable{ID: id}))
		}
	}
	return list
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

// ListText is a list of entries: type, ID and description.
func ListText(list []Entry, width int) string {
	p, types, ids := &page{width: width}, 0, 0
	for _, e := range list {
		types = max(types, len(e.Type))
		ids = max(ids, min(utf8.RuneCountInString(e.ID), maxColumn))
	}
	for _, e := range list {
		p.line(0, fmt.Sprintf("%-*s  %s  ", types, e.Type, e.ID), types+2+ids+2, e.Description)
	}
	return p.String()
}

// ListJSON is a list of entries, a line each.
func ListJSON(list []Entry) []ordjson.Value {
	var lines []ordjson.Value
	for _, e := range list {
		line := []ordjson.Member{
			ordjson.Field("id", ordjson.NewString(e.ID)), ordjson.Field("type", ordjson.NewString(string(e.Type))),
		}
		if e.WireName != "" {
			line = append(line, ordjson.Field("wireName", ordjson.NewString(e.WireName)))
		}
		line = append(line, ordjson.Field("description", ordjson.NewString(e.Description)))
		lines = append(lines, ordjson.NewObject(line...))
	}
	return lines
}
