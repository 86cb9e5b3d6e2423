package catalog

import (
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// checkMembers names the tools and resources of selections and agents that no
// catalog of the stream has: the record stays, and has less than it says. What
// was left out has its own finding, so that here is only what follows from it;
// and what nobody could read may have been there.
func (s *session) checkMembers() {
	kept, defined, unread, apart := map[string]bool{}, map[string]bool{}, len(s.errors) > 0, s.leftOutBefore()
	for _, c := range s.catalogs {
		for _, t := range c.tools {
			kept[t.id.String()] = true
		}
		for _, r := range c.resources {
			kept[r.id.String()] = true
		}
		for _, l := range c.schemas {
			if !l.Data.Is(ordjson.Object) {
				apart[NamespaceOf(l)] = true
			}
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
					namespace, _, _ := strings.Cut(m.Ref, "/")
					switch {
					case defined[m.Ref]:
						severity, why = record.SeverityWarning, "it was left out of the catalog"
					case unread:
						severity, why = record.SeverityWarning, "it may be in a file that could not be read"
					case apart[namespace]:
						severity, why = record.SeverityWarning, "it may be in a file of "+namespace+" that was left out"
					}
					s.report(severity, l.ID, l.Src, Problem{Code: CodeNoMember, Pointer: m.Pointer(),
						Message: string(l.Type) + " " + l.ID + " has no " + quote(m.Ref) + ": " + why,
						Fix:     "correct the ID, or what keeps it out of the catalog"})
				}
			}
		}
	}
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
