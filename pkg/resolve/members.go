package resolve

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// checkMembers names the members of selections and agents that no catalog of the
// stream has. A selection without one of its members is left out (chapter 17,
// "Runtime Behavior"), and so may be another that has a member of it; an agent stays,
// to say when it is started what it lacks. What was left out has its own finding, so that
// here is only what follows from it; and what could not be read may have been there.
func (s *session) checkMembers() {
	s.takeGroups()
	lost := map[*group]bool{}
	for before := -1; before < len(lost); {
		before = len(lost)
		for _, c := range s.catalogs {
			for _, g := range c.groups {
				if g.Type == record.TypeSelection && !lost[g] &&
					slices.ContainsFunc(g.refs, func(m memberRef) bool { return s.taken[m.id] == nil }) {
					lost[g] = true
					s.drop(c, g)
				}
			}
		}
	}
	for _, c := range s.catalogs {
		for _, g := range c.groups {
			for _, m := range g.refs {
				if s.taken[m.id] != nil {
					continue
				}
				severity, why := record.SeverityError, "nothing in the input defines it"
				namespace, _, _ := strings.Cut(m.id, "/")
				switch {
				case s.defined[m.id]:
					severity, why = record.SeverityWarning, "it was left out of the catalog"
				case len(s.errors) > 0:
					severity, why = record.SeverityWarning, "it may be in a file that could not be read"
				case s.apart[namespace]:
					severity, why = record.SeverityWarning, "it may be in a file of "+namespace+" that was left out"
				}
				code, message := catalog.CodeNoMember, "agent "+g.ID+" has no "+words.Quote(m.id)
				if lost[g] {
					code, message = catalog.CodeNoReference, catalog.NotFoundText(g.ID, m.id)
				}
				s.report(severity, g.ID, g.load.Src, words.Problem{Code: code, Pointer: m.pointer,
					Message: message + ": " + why, Fix: "correct the ID, or what keeps it out of the catalog"})
			}
		}
		c.groups = slices.DeleteFunc(c.groups, func(g *group) bool { return lost[g] })
	}
}

// drop leaves out a selection, and what is written out in it.
func (s *session) drop(c *draft, g *group) {
	c.leftOut++
	delete(s.taken, g.ID)
	c.texts = slices.DeleteFunc(c.texts, func(t *text) bool {
		if t.of != &g.file {
			return false
		}
		delete(s.taken, t.ID)
		s.defined[t.ID] = true
		g.refs = slices.DeleteFunc(g.refs, func(m memberRef) bool { return m.id == t.ID })
		return true
	})
}

// takeGroups notes what members of groups may be beside what has a name: other groups,
// and what of files did not get into a catalog.
func (s *session) takeGroups() {
	for _, c := range s.catalogs {
		for _, g := range c.groups {
			s.taken[g.ID] = &g.file
			for _, id := range g.lost {
				s.defined[id] = true
			}
		}
		for _, h := range slices.Concat(c.members, c.textFiles) {
			s.defined[h.id] = true
		}
	}
}

// leftOutBefore are the namespaces of which an earlier stage passed on a finding
// and not the file itself.
func (r *Resolver) leftOutBefore() map[string]bool {
	came, namespaces := map[string]bool{}, map[string]bool{}
	for _, h := range r.files {
		if r.failed[h.src.File()] != nil {
			came[h.src.File()] = true
		}
	}
	for file, d := range r.failed {
		if namespace, _, ok := strings.Cut(d.Subject, "/"); ok && !came[file] {
			namespaces[namespace] = true
		}
	}
	return namespaces
}
