package skills

import (
	"slices"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// The checks that look at one skill only.

// The fields of a skill (chapter 14).
var (
	skillFields    = []string{"name", "version", "type", "description", "whenToUse", "requires", "input", "output", "content", "prefill"}
	requiresFields = []string{"tools", "resources", "external"}
	inputFields    = []string{"key", "type", "description", "required", "values"}
	inputTypes     = []string{"string", "number", "boolean", "enum"}
)

// skill is the skill that the rules look at.
func skill(p *engine.Pass) model.Skill { return model.Skill{Node: p.Root} }

func checkSkillExport(p *engine.Pass) {
	if !p.Root.Is(ordjson.Object) {
		p.NoExport("skill", "write export const skill = { name: '…', … }")
	}
}

// skillVersion is the version of skills; the legacy ones are read with a
// warning (chapter 14, "Versioning"; decision "Versions of primitives").
const skillVersion = "flowmcp/4.0.0"

var legacySkillVersions = []string{"flowmcp-skill/1.0.0", "flowmcp/3.0.0"}

func checkSkillVersion(p *engine.Pass) {
	v := p.Root.Get("version")
	want, fix := skillVersion, "write version: '"+skillVersion+"'"
	switch {
	case v.Str() == want:
	case slices.Contains(legacySkillVersions, v.Str()):
		if p.Spec >= engine.Spec42 {
			p.ReportAs(min(record.SeverityWarning, p.Rule.Severity(p.Ctx.ProfileInForce())), p.Root.At("version"), engine.Found(v)+", which is deprecated; expected "+engine.Quote(want), fix)
		}
	default:
		p.Expect(p.Root, "version", skillFields, engine.Quote(want), fix)
	}
}

func checkSkillDescription(p *engine.Pass) {
	p.TooLong(p.Root.At("description"), "move the details into content")
}

func checkSkillInputDeclared(p *engine.Pass) {
	skill := skill(p)
	keys := model.NamesOf(skill.InputKeys())
	engine.EachReference(skill.Content(), func(ref model.Reference, at string) {
		if ref.Type != model.RefInput || !engine.IsInputName(ref.Name) || keys.Has(ref.Name) {
			return // PH001 and PH003 speak about what is no name
		}
		fix := "add { key: '" + ref.Name + "', type: 'string', description: '…', required: true } to input"
		if near, ok := p.Speller.Closest(ref.Name, keys.List); ok {
			fix = "did you mean {{input:" + near + "}}?"
		}
		p.Report(skill.At("content"), "found "+at+", which input does not declare", fix)
	})
}

func checkSkillContent(p *engine.Pass) {
	const fix = "write the instructions into const content = `…` above the export, and content into the skill"
	if p.Root.Get("contentFile").Exists() && !p.Root.Get("content").Exists() {
		p.Report(p.Root.At("contentFile"), "found contentFile, which skills do not have; expected content, a string that is not empty", fix)
		return
	}
	p.ExpectText(p.Root, "content", skillFields, fix)
}

func checkSkillInputValues(p *engine.Pass) {
	for _, n := range skill(p).Inputs() {
		values, enum := n.Get("values"), n.Get("type").Str() == "enum"
		switch {
		case !enum && values.Exists() && slices.Contains(inputTypes, n.Get("type").Str()):
			p.Report(n.At("values"), engine.Found(values)+", which the type "+n.Get("type").Str()+" does not have", "remove values, or write type: 'enum'")
		case !enum:
		case values.Len() == 0 || !values.Is(ordjson.Array):
			p.Expect(n, "values", inputFields, "an array of strings, one at least", "write values: [ 'first', 'second' ]")
		default:
			p.ArrayOfStrings(n.At("values"), "write values: [ 'first', 'second' ]")
		}
	}
}
