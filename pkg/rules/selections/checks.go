package selections

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/fields"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/words"
)

// selected is the selection that the rules look at.
func selected(p *engine.Pass) model.Selection { return model.Selection{Node: p.Root} }

func checkWhenToUse(p *engine.Pass) {
	if !p.Root.Is(ordjson.Object) {
		p.NoExport("selection", "write export const selection = { namespace: '…', … }")
	}
}

func checkSelectionMembers(p *engine.Pass) {
	const example = "write tools: [ 'namespace/tool/name' ]"
	for _, f := range model.SelectionFields {
		if v := p.Root.Get(f.Field); v.Len() > 0 || v.Exists() && !v.Is(ordjson.Array) && !v.Is(ordjson.Object) {
			return // SEL003 speaks about what is not a list at all
		}
		if engine.Misspelt(p.Root.Value, f.Field, fields.Selection.Known()) != "" {
			p.Expect(p.Root, f.Field, fields.Selection.Known(), "an array of IDs", example)
			return
		}
	}
	p.Report(p.Root, "found no tools, skills, resources or prompts, expected at least one of them", example)
}

// checkSelectionVersion: decision "Versions of primitives".
func checkSelectionVersion(p *engine.Pass) {
	p.ExpectVersion(fields.Selection.Known(), "flowmcp/4.0.0", "flowmcp/3.0.0")
}

// checkSelectionArrays reports the fields for members that a selection with
// members leaves out; one without any is SEL002's.
func checkSelectionArrays(p *engine.Pass) {
	empty := true
	for _, f := range model.SelectionFields {
		empty = empty && p.Root.Get(f.Field).Len() == 0
	}
	if empty {
		return
	}
	for _, f := range model.SelectionFields {
		if !p.Root.Get(f.Field).Exists() {
			p.Expect(p.Root, f.Field, fields.Selection.Known(), "an array of IDs, empty if there are none",
				"write "+f.Field+": []")
		}
	}
}

func checkSelectionReferences(p *engine.Pass) {
	for _, f := range model.SelectionFields {
		v := p.Root.Get(f.Field)
		if v.Exists() && !v.Is(ordjson.Array) && !v.Is(ordjson.Object) {
			p.Report(p.Root.At(f.Field), engine.Found(v)+", expected an array of IDs",
				"write "+f.Field+": [ 'namespace/"+f.Type+"/name' ]")
			continue
		}
		for _, m := range selected(p).Members(f.Field) {
			selectionMember(p, m, f.Type)
		}
	}
}

// selectionMember reports a member that is not a reference, or one to what the
// catalog does not define. References that are not IDs have the code of what is
// wrong with them (pkg/rules/ids). Files of skills are SKL016's and SKL017's,
// skills that are written out are SEL004's, keys that break the slash rule
// VAL110's.
func selectionMember(p *engine.Pass, m model.Member, typ string) {
	switch {
	case typ == "skill" && m.Is(ordjson.Object):
	case m.Key() != "" && (m.Inline() || typ == "skill"): // VAL110
	case m.Ref != "":
		if _, err := catalog.ParsePrimitiveID(m.Ref); err != nil {
			return // ID001 to ID006
		}
		p.ReferenceSaying(m.Node, m.Ref, typ, catalog.NotFoundText(p.Load.ID, m.Ref))
	default:
		p.Report(m.Node, engine.Found(m.Value)+", expected the ID of a "+typ, "write 'namespace/"+typ+"/name'")
	}
}

// ofInlineSkill reports whether a rule is about a skill that is in no file of
// its own: about what it says and what is in its text, not its export (SKL001)
// or the name that it is found by (SKL003).
func ofInlineSkill(r *engine.Rule) bool {
	family := r.Family()
	return (family == "SKL" || family == "PH") && r.Code != "SKL001" && r.Code != "SKL003"
}

func checkInlineSkills(p *engine.Pass) {
	for _, n := range selected(p).InlineSkills() {
		before := len(p.Findings)
		p.CheckInside(n, record.TypeSkill, ofInlineSkill)
		var codes []string
		for _, f := range p.Findings[before:] {
			if !slices.Contains(codes, f.Rule.Code) {
				codes = append(codes, f.Rule.Code)
			}
		}
		if len(codes) == 0 {
			p.Report(n, "found a skill that is written out; the rules for skills find nothing wrong with it",
				"nothing to do")
			continue
		}
		p.Report(n, "found a skill that is written out; the rules for skills have "+
			words.Count(len(p.Findings)-before, "finding")+" about it: "+strings.Join(codes, ", "),
			"fix what they say")
	}
}
