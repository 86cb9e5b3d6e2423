package resolve

import (
	"path/filepath"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
	"github.com/flowmcp/fmcp/pkg/sharedlist"
	"github.com/flowmcp/fmcp/pkg/words"
)

// listOf is the record of a list.
func listOf(l *sharedlist.List) *catalog.List {
	var parents []string
	for _, d := range l.DependsOn {
		parents = append(parents, d.Ref)
	}
	return &catalog.List{
		ID: l.ID(), Name: l.Name, Version: l.Version, Description: l.Description,
		Fields: l.Data.Get("meta").Get("fields"), Entries: l.Data.Get("entries"), DependsOn: parents,
		Src: catalog.Src{Path: l.Src.Path}, Hashes: l.Hashes,
	}
}

// addLists fills the catalog's registry of lists. A list that an earlier stage
// found wrong stays in it as one that cannot be used, so that a reference to it
// gets the reason and not "there is no list".
func (s *session) addLists(c *draft) {
	for _, l := range c.loads {
		list, problems := sharedlist.NewList(l)
		earlier := s.failed[l.Src.File()]
		if earlier != nil {
			list.Broken, problems = &words.Problem{Code: earlier.Code, Message: earlier.Message}, nil
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
	c.rules.Lists = &c.lists
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
			return "; " + l.Src.File() + " is in catalog " + words.Quote(c.name()) + ", and catalogs do not share lists"
		}
	}
	for _, src := range s.errors {
		if filepath.Base(filepath.Dir(src.File())) == "_lists" {
			return "; it may be in " + src.File() + ", which could not be read"
		}
	}
	return ""
}
