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
	kept, defined, apart := s.memberIDs()
	lost := map[*group]bool{}
	for before := -1; before < len(lost); {
		before = len(lost)
		for _, c := range s.catalogs {
			for _, g := range c.groups {
				if g.Type == record.TypeSelection && !lost[g] &&
					slices.ContainsFunc(g.refs, func(m memberRef) bool { return !kept[m.id] }) {
					lost[g] = true
					c.drop(g, kept, defined)
				}
			}
		}
	}
	for _, c := range s.catalogs {
		for _, g := range c.groups {
			for _, m := range g.refs {
				if kept[m.id] {
					continue
				}
				severity, why := record.SeverityError, "nothing in the input defines it"
				namespace, _, _ := strings.Cut(m.id, "/")
				switch {
				case defined[m.id]:
					severity, why = record.SeverityWarning, "it was left out of the catalog"
				case len(s.errors) > 0:
					severity, why = record.SeverityWarning, "it may be in a file that could not be read"
				case apart[namespace]:
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
func (c *draft) drop(g *group, kept, defined map[string]bool) {
	c.leftOut++
	delete(kept, g.ID)
	c.texts = slices.DeleteFunc(c.texts, func(t *text) bool {
		if t.load != g.load {
			return false
		}
		delete(kept, t.ID)
		defined[t.ID] = true
		g.refs = slices.DeleteFunc(g.refs, func(m memberRef) bool { return m.id == t.ID })
		return true
	})
}

// memberIDs are the IDs that members may have: those of what is kept, and those
// of what the input defines. Of the namespaces of apart a file was left out as a whole.
func (s *session) memberIDs() (kept, defined, apart map[string]bool) {
	kept, defined, apart = map[string]bool{}, map[string]bool{}, s.leftOutBefore()
	for _, c := range s.catalogs {
		for _, t := range c.tools {
			kept[t.id.String()] = true
		}
		for _, r := range c.resources {
			kept[r.id.String()] = true
		}
		for _, t := range c.texts {
			kept[t.ID] = true
		}
		for _, g := range c.groups {
			kept[g.ID] = true
			for _, id := range g.lost {
				defined[id] = true
			}
		}
		for _, l := range c.schemas {
			if s.packed[l].none {
				apart[catalog.NamespaceOf(l)] = true
			}
			for _, id := range s.packed[l].ids {
				defined[id.String()] = true
			}
		}
		for _, l := range slices.Concat(c.members, c.textLoads) {
			defined[l.ID] = true
		}
	}
	return kept, defined, apart
}

// leftOutBefore are the namespaces of which an earlier stage passed on a finding
// and not the file itself.
func (s *session) leftOutBefore() map[string]bool {
	came, namespaces := map[string]bool{}, map[string]bool{}
	for _, l := range s.loads {
		came[l.Src.File()] = true
	}
	for file, d := range s.failed {
		if namespace, _, ok := strings.Cut(d.Subject, "/"); ok && !came[file] {
			namespaces[namespace] = true
		}
	}
	return namespaces
}
