package rules

import (
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// The checks of selectionRules (sel.go).

// selectionKeys are the fields of a selection (chapter 17).
var selectionKeys = []string{"namespace", "name", "version", "description", "whenToUse", "tools", "skills", "resources", "prompts"}

// selection is the selection that the rules look at.
func (p *Pass) selection() model.Selection { return model.Selection{Node: p.root} }

func checkWhenToUse(p *Pass) {
	if p.root.Is(ordjson.Object) {
		p.expectText(p.root, "whenToUse", selectionKeys, "say in a sentence when an agent should activate it: whenToUse: 'When the user wants to …'")
		return
	}
	p.noExport("selection", "write export const selection = { namespace: '…', … }")
}

func checkSelectionMembers(p *Pass) {
	const example = "write tools: [ 'namespace/tool/name' ]"
	for _, f := range model.SelectionFields {
		if v := p.root.Get(f.Field); v.Len() > 0 || v.Exists() && !v.Is(ordjson.Array) && !v.Is(ordjson.Object) {
			return // SEL003 speaks about what is no list at all
		}
		if misspelt(p.root.Value, f.Field, selectionKeys) != "" {
			p.expect(p.root, f.Field, selectionKeys, "an array of IDs", example)
			return
		}
	}
	p.report(p.root, "found no tools, skills, resources or prompts, expected at least one of them", example)
}

func checkSelectionReferences(p *Pass) {
	for _, f := range model.SelectionFields {
		v := p.root.Get(f.Field)
		if v.Exists() && !v.Is(ordjson.Array) && !v.Is(ordjson.Object) {
			p.report(p.root.At(f.Field), found(v)+", expected an array of IDs", "write "+f.Field+": [ 'namespace/"+f.Type+"/name' ]")
			continue
		}
		for _, m := range p.selection().Members(f.Field) {
			p.selectionMember(m, f.Type)
		}
	}
}

// selectionMember reports a member that is no reference, or one to what the
// catalog does not define. Files of skills are SKL016's and SKL017's, skills
// that are written out are SEL004's, keys that break the slash rule VAL110's.
func (p *Pass) selectionMember(m model.Member, typ string) {
	switch {
	case typ == "skill" && m.Is(ordjson.Object):
	case m.Key() != "" && (m.Inline() || typ == "skill"): // VAL110
	case m.Ref != "":
		p.reference(m.Node, m.Ref, typ)
	default:
		p.report(m.Node, found(m.Value)+", expected the ID of a "+typ, "write 'namespace/"+typ+"/name'")
	}
}

// ofInlineSkill reports whether a rule is about a skill that is in no file of
// its own: about what it says and what stands in its text, not its export
// (SKL001) or the name that it is found by (SKL003).
func ofInlineSkill(r *Rule) bool {
	family := r.Family()
	return (family == "SKL" || family == "PH") && r.Code != "SKL001" && r.Code != "SKL003"
}

func checkInlineSkills(p *Pass) {
	for _, n := range p.selection().InlineSkills() {
		before := len(p.findings)
		p.checkInside(n, record.TypeSkill, ofInlineSkill)
		var codes []string
		for _, f := range p.findings[before:] {
			if !slices.Contains(codes, f.Rule.Code) {
				codes = append(codes, f.Rule.Code)
			}
		}
		if len(codes) == 0 {
			p.report(n, "found a skill that is written out; the rules for skills find nothing wrong with it", "nothing to do")
			continue
		}
		p.report(n, "found a skill that is written out; the rules for skills have "+strconv.Itoa(len(p.findings)-before)+" findings about it: "+strings.Join(codes, ", "),
			"mend what they say")
	}
}
