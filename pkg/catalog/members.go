package catalog

import (
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/record"
)

// checkMembers names the tools and resources of selections and agents that no
// catalog of the stream has: the record stays, and has less than it says. What
// was left out has its own finding, so that here is only what follows from it;
// and what nobody could read may have been there.
func (s *session) checkMembers() {
	kept, defined, unread := map[string]bool{}, map[string]bool{}, len(s.errors) > 0
	for _, c := range s.catalogs {
		for _, t := range c.tools {
			kept[t.id.String()] = true
		}
		for _, r := range c.resources {
			kept[r.id.String()] = true
		}
		for _, l := range c.schemas {
			eachID(l, func(id ID, _ *model.Node) { defined[id.String()] = true })
		}
	}
	for _, c := range s.catalogs {
		for _, l := range c.members {
			if c.group(l.ID) == nil {
				continue
			}
			agent := model.Agent{Node: model.Root(l.Data)} // members of a selection are written alike
			for _, field := range []string{"tools", "resources"} {
				for _, m := range agent.Members(field) {
					if m.Ref == "" || kept[m.Ref] {
						continue
					}
					severity, why := record.SeverityError, "nothing in the input defines it"
					switch {
					case defined[m.Ref]:
						severity, why = record.SeverityWarning, "it was left out of the catalog"
					case unread:
						severity, why = record.SeverityWarning, "it may be in a file that could not be read"
					}
					s.report(severity, l.ID, l.Src, Problem{Code: CodeNoMember, Pointer: m.Pointer(),
						Message: string(l.Type) + " " + l.ID + " has no " + quote(m.Ref) + ": " + why,
						Fix:     "correct the ID, or what keeps it out of the catalog"})
				}
			}
		}
	}
}
