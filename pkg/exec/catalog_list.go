package exec

import (
	"path"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// TypeQuery is what a list calls a query of a resource, which has no record of
// its own.
const TypeQuery record.Type = "query"

// Entry is one of the things that a catalog has, as a list shows it.
type Entry struct {
	Type                      record.Type
	ID, WireName, Description string

	text string // that words are looked for in, lower case
}

// Entries are the tools, resources, prompts, skills, selections and agents of
// the catalog in stream order, and behind a resource the queries that its schema
// defines.
func (c *Catalog) Entries() []Entry {
	var list []Entry
	for _, line := range c.listed {
		data := gjson.GetBytes(line, "data")
		e := entry(record.Type(gjson.GetBytes(line, "type").Str), gjson.GetBytes(line, "id").Str, data)
		more := []string{data.Get("tags").Raw, data.Get("meta.searchHint").Str, data.Get("meta.aliases").Raw, data.Get("whenToUse").Str}
		e.text += strings.ToLower(strings.Join(more, " "))
		list = append(list, e)
		for _, q := range data.Get("queries").Array() {
			if !q.Get("added").Bool() {
				list = append(list, entry(TypeQuery, e.ID+"/"+q.Get("name").Str, q))
			}
		}
	}
	return list
}

func entry(typ record.Type, id string, data gjson.Result) Entry {
	e := Entry{Type: typ, ID: id, WireName: data.Get("wireName").Str, Description: data.Get("description").Str}
	e.text = strings.ToLower(e.ID + " " + e.WireName + " " + e.Description + " ")
	return e
}

// Matches reports whether an entry is asked for: by a glob over its ID or MCP
// name, where * stands for anything, or by words that all are in its name,
// description, tags or hints.
func (e *Entry) Matches(words []string) bool {
	flat := strings.NewReplacer("/", "\x00").Replace
	return !slices.ContainsFunc(words, func(w string) bool {
		if strings.ContainsAny(w, "*?[") {
			byID, _ := path.Match(flat(w), flat(e.ID))
			byName, _ := path.Match(w, e.WireName)
			return !byID && !byName
		}
		return !strings.Contains(e.text, strings.ToLower(w))
	})
}

// Describe finds what a name stands for: the record, and of a tool or a query the
// tool. The errors are *Error.
func (c *Catalog) Describe(name string) (*record.Resolved, *Tool, error) {
	for _, line := range c.listed {
		if gjson.GetBytes(line, "id").Str != name {
			continue
		}
		_, rec, _, err := record.Decode(string(line))
		resolved, ok := rec.(*record.Resolved)
		if err != nil || !ok {
			return nil, nil, fail(CodeBadRecord, "the catalog's record of %s cannot be read", name)
		}
		if resolved.Type != record.TypeTool {
			return resolved, nil, nil
		}
	}
	t, err := c.Tool(name)
	if err == nil && t.Query == nil {
		rec, err := c.record(t.ID)
		return rec, t, err
	}
	if err != nil && strings.Contains(name, "/") { // a bare name has the suggestions of Tool
		var ids []string
		for _, e := range c.Entries() {
			ids = append(ids, e.ID)
		}
		if near := words.DidYouMean(name, ids); near != "" {
			err = fail(CodeUnknownTool, "the catalog has no %s%s", words.Quote(name), near)
		}
	}
	return nil, t, err
}
