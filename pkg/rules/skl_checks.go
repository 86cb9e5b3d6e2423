package rules

import (
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// The checks of skillRules (skl.go) that look at one skill only.

// The fields of a skill (chapter 14).
var (
	skillFields    = []string{"name", "version", "type", "description", "whenToUse", "requires", "input", "output", "content", "prefill"}
	requiresFields = []string{"tools", "resources", "external"}
	inputFields    = []string{"key", "type", "description", "required", "values"}
	inputTypes     = []string{"string", "number", "boolean", "enum"}
)

// skill is the skill that the rules look at.
func (p *Pass) skill() model.Skill { return model.Skill{Node: p.root} }

func checkSkillExport(p *Pass) {
	if !p.root.Is(ordjson.Object) {
		p.noExport("skill", "write export const skill = { name: '…', … }")
	}
}

// maxSkillName is how many characters the name of a skill has at most.
const maxSkillName = 64

// isSkillName matches ^[a-z][a-z0-9-]{0,63}$.
func isSkillName(s string) bool { return len(s) <= maxSkillName && isKebab(s) }

// isKebab matches ^[a-z][a-z0-9-]*$.
func isKebab(s string) bool {
	return each(s, isLower, func(c byte) bool { return isLower(c) || isDigit(c) || c == '-' })
}

func checkSkillName(p *Pass) {
	if name := p.root.Get("name").Str(); !isSkillName(name) {
		proposal := toNamespace(name)
		if len(proposal) > maxSkillName {
			proposal = ""
		}
		p.expect(p.root, "name", skillFields, "at most 64 lower-case letters, digits and hyphens, a letter first", write("name", proposal, "write name: 'contract-audit'"))
	}
}

// skillVersion is the version of skills; the legacy ones are read with a
// warning (chapter 14, "Versioning"; decision "Versions of primitives").
const skillVersion = "flowmcp/4.0.0"

var legacySkillVersions = []string{"flowmcp-skill/1.0.0", "flowmcp/3.0.0"}

func checkSkillVersion(p *Pass) {
	v := p.root.Get("version")
	want, fix := skillVersion, "write version: '"+skillVersion+"'"
	switch {
	case v.Str() == want:
	case slices.Contains(legacySkillVersions, v.Str()):
		if p.spec >= Spec42 {
			p.reportAs(min(record.SeverityWarning, p.rule.Severity(p.ctx.profile())), p.root.At("version"), found(v)+", which is deprecated; expected "+quote(want), fix)
		}
	default:
		p.expect(p.root, "version", skillFields, quote(want), fix)
	}
}

// maxDescription is how many characters a description has at most.
const maxDescription = 1024

func checkSkillDescription(p *Pass) {
	p.description(skillFields, "say in a sentence what the skill does and what comes out")
}

// description reports a description that is missing, blank or too long.
func (p *Pass) description(known []string, fix string) {
	text := p.root.Get("description").Str()
	if n := utf8.RuneCountInString(text); n > maxDescription {
		p.report(p.root.At("description"), "found "+strconv.Itoa(n)+" characters, expected at most "+strconv.Itoa(maxDescription), "move the details into content")
		return
	}
	p.expectText(p.root, "description", known, fix)
}

func checkSkillInputDeclared(p *Pass) {
	skill := p.skill()
	keys := model.NamesOf(skill.InputKeys())
	undeclared := 0
	eachReference(skill.Content(), func(ref model.Reference, at string) {
		if ref.Type != model.RefInput || !isInputName(ref.Name) || keys.Has(ref.Name) {
			return // PH001 and PH003 speak about what is no name
		}
		fix := "add { key: '" + ref.Name + "', type: 'string', description: '…', required: true } to input"
		if undeclared++; undeclared <= maxSuggested {
			if near, ok := p.speller.Closest(ref.Name, keys.List); ok {
				fix = "did you mean {{input:" + near + "}}?"
			}
		}
		p.report(skill.At("content"), "found "+at+", which input does not declare", fix)
	})
}

func checkSkillContent(p *Pass) {
	const fix = "write the instructions into const content = `…` above the export, and content into the skill"
	if p.root.Get("contentFile").Exists() && !p.root.Get("content").Exists() {
		p.report(p.root.At("contentFile"), "found contentFile, which skills do not have; expected content, a string that is not empty", fix)
		return
	}
	p.expectText(p.root, "content", skillFields, fix)
}

func checkSkillInputKey(p *Pass) {
	input := p.root.Get("input")
	const example = "write { key: 'address', type: 'string', description: '…', required: true }"
	switch {
	case !input.Exists():
		if key := misspelt(p.root.Value, "input", skillFields); key != "" {
			p.expect(p.root, "input", skillFields, "an array of objects", "")
		}
		return
	case !input.Is(ordjson.Array):
		p.report(p.root.At("input"), found(input)+", expected an array of objects", example+" in an array")
		return
	}
	for _, n := range p.root.At("input").Items() {
		if !n.Is(ordjson.Object) {
			p.report(n, found(n.Value)+", expected an object", example)
			continue
		}
		if key := n.Get("key"); !isCamel(key.Str()) {
			p.expect(n, "key", inputFields, "letters and digits, a lower-case letter first", write("key", toCamel(key.Str()), "write key: 'address'"))
		}
	}
}

func checkSkillInputType(p *Pass) {
	for _, n := range p.skill().Inputs() {
		typ := n.Get("type").Str()
		if slices.Contains(inputTypes, typ) {
			continue
		}
		fix := "write type: 'string'"
		if near, ok := words.Closest(typ, inputTypes); ok {
			fix = "did you mean " + strconv.Quote(near) + "? write type: '" + near + "'"
		}
		p.expect(n, "type", inputFields, "string, number, boolean or enum", fix)
	}
}

func checkSkillInputValues(p *Pass) {
	for _, n := range p.skill().Inputs() {
		values, enum := n.Get("values"), n.Get("type").Str() == "enum"
		switch {
		case !enum && values.Exists() && slices.Contains(inputTypes, n.Get("type").Str()):
			p.report(n.At("values"), found(values)+", which the type "+n.Get("type").Str()+" does not have", "remove values, or write type: 'enum'")
		case !enum:
		case values.Len() == 0 || !values.Is(ordjson.Array):
			p.expect(n, "values", inputFields, "an array of strings, one at least", "write values: [ 'first', 'second' ]")
		default:
			p.arrayOfStrings(n.At("values"), "write values: [ 'first', 'second' ]")
		}
	}
}
