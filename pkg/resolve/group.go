package resolve

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// addGroup adds a selection or an agent: what has members of its own catalog
// (chapters 06 and 17). See checkMembers for those that are not there.
func (s *session) addGroup(c *draft, l *record.Load) {
	if s.failed[l.Src.File()] != nil {
		c.leftOut++
		return
	}
	if !l.Data.Is(ordjson.Object) {
		c.leftOut++
		s.report(record.SeverityError, l.ID, l.Src, catalog.Problem{Code: catalog.CodeNoGroup,
			Message: "the file exports no " + string(l.Type) + " object" + catalog.ExportsText(l.Exports), Fix: "export const " + string(l.Type) + " = { name, version, description, tools }"})
		return
	}
	if c.group(l.ID) != nil {
		c.leftOut++
		first := c.members[slices.IndexFunc(c.members, func(m *record.Load) bool { return m.ID == l.ID && s.failed[m.Src.File()] == nil })]
		if p := walk.Duplicate(string(l.Type), l.ID, first.Src, l.Src, ""); !s.judged[p.Message] {
			s.report(record.SeverityError, l.ID, l.Src, p)
		}
		return
	}
	c.groups = append(c.groups, &record.Resolved{ID: l.ID, Type: l.Type, Data: groupData(l)})
}

// group finds a selection or an agent that the catalog has already.
func (c *draft) group(id string) *record.Resolved {
	if i := slices.IndexFunc(c.groups, func(r *record.Resolved) bool { return r.ID == id }); i >= 0 {
		return c.groups[i]
	}
	return nil
}

// groupTexts are the texts that a record keeps of a selection or an agent, as
// written.
var groupTexts = map[record.Type][]string{
	record.TypeSelection: {"version", "description", "whenToUse"},
	record.TypeAgent:     {"version", "description", "model", "systemPrompt"},
}

// groupData are the fields of the record, in the order of docs/records.md.
func groupData(l *record.Load) ordjson.Value {
	f := fields{}
	f.str("namespace", catalog.NamespaceOf(l))
	f.str("name", l.ID[strings.LastIndexByte(l.ID, '/')+1:])
	for _, key := range groupTexts[l.Type] {
		if v := l.Data.Get(key); v.Is(ordjson.String) {
			f.value(key, v)
		}
	}
	members := model.Agent{Node: model.Root(l.Data)}.Members // those of a selection are written alike
	var own []string
	for _, part := range model.SelectionFields {
		refs := []string{}
		for _, m := range members(part.Field) {
			switch {
			case m.Ref != "":
				refs = append(refs, m.Ref)
			case m.Keyed():
				own = append(own, part.Type+" "+m.Key())
			default:
				own = append(own, part.Type+" "+m.Get("name").Str())
			}
		}
		f.value(part.Field, ordjson.Strings(refs))
	}
	f.list("own", own)
	f.list("selections", record.StringsOf(l.Data.Get("selections")))
	if l.Type == record.TypeAgent {
		f.value("tests", l.Data.Get("tests"))
	}
	f.value("src", srcValue(l.Src, ""))
	f.value("hashes", hashesValue(l.Hashes))
	return ordjson.NewObject(f...)
}
