package resolve

import (
	"path/filepath"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
	"github.com/flowmcp/fmcp/pkg/sharedlist"
)

// listRecord is the list's record.
func listRecord(l *sharedlist.List) *record.Resolved {
	m := []ordjson.Member{
		ordjson.Field("name", ordjson.NewString(l.Name)),
		ordjson.Field("version", ordjson.NewString(l.Version)),
	}
	if l.Description != "" {
		m = append(m, ordjson.Field("description", ordjson.NewString(l.Description)))
	}
	m = append(m,
		ordjson.Field("fields", l.Data.Get("meta").Get("fields")),
		ordjson.Field("entries", l.Data.Get("entries")),
		ordjson.Field("src", srcValue(l.Src, "")),
		ordjson.Field("hashes", hashesValue(l.Hashes)),
	)
	return &record.Resolved{ID: l.ID(), Type: record.TypeList, Data: ordjson.NewObject(m...)}
}

func srcValue(s record.Source, pointer string) ordjson.Value {
	return ordjson.NewObject(ordjson.Field("path", ordjson.NewString(s.Path)), ordjson.Field("pointer", ordjson.NewString(pointer)))
}

func hashesValue(h record.Hashes) ordjson.Value {
	return ordjson.NewObject(
		ordjson.Field("schemaHash", ordjson.NewString(h.Schema)),
		ordjson.Field("mainHash", ordjson.NewString(h.Main)),
		ordjson.Field("fileHash", ordjson.NewString(h.File)),
	)
}

// addLists fills the catalog's registry of lists. A list that an earlier stage
// found wrong stays in it as one that cannot be used, so that a reference to it
// gets the reason and not "there is no list".
func (s *session) addLists(c *draft) {
	for _, l := range c.loads {
		list, problems := sharedlist.NewList(l)
		earlier := s.failed[l.Src.File()]
		if earlier != nil {
			list.Broken, problems = &catalog.Problem{Code: earlier.Code, Message: earlier.Message}, nil
		}
		for _, p := range problems {
			s.report(record.SeverityError, l.ID, l.Src, p)
		}
		if list.Name == "" {
			c.leftOut++
			continue
		}
		if p := c.lists.Add(list); p != nil {
			if earlier == nil {
				s.report(record.SeverityError, l.ID, l.Src, *p)
			}
			c.leftOut++
		}
	}
	for _, p := range c.lists.CheckDependencies() {
		if s.failed[p.List.Src.File()] == nil {
			s.report(record.SeverityError, p.List.ID(), p.List.Src, p.Problem)
		}
	}
	for _, l := range c.lists.All() {
		if l.Broken != nil {
			c.leftOut++
		}
	}
	c.rules.Lists = rules.ListsOf(&c.lists)
	if s.opts.Community {
		c.rules.Profile = rules.ProfileCommunity
	}
}

// elsewhere tells that another catalog has a list of the name: lists are not
// shared (chapter 15, "Isolation Guarantees" 1); or that a file of lists could
// not be read.
func (s *session) elsewhere(name string) string {
	for _, c := range s.catalogs {
		if l := c.lists.Lookup(name); l != nil {
			return "; " + l.Src.File() + " is in catalog " + catalog.Quote(c.name()) + ", and catalogs do not share lists"
		}
	}
	for _, src := range s.errors {
		if filepath.Base(filepath.Dir(src.File())) == "_lists" {
			return "; it may be in " + src.File() + ", which could not be read"
		}
	}
	return ""
}
