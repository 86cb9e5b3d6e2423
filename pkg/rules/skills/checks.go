package skills

import (
	"slices"

	"github.com/flowmcp/fmcp/pkg/fields"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// The checks that look at one skill only.

// The types of skills and of their inputs (chapter 14).
var (
	skillTypes = fields.Skill.Words("type")
	inputTypes = fields.SkillInput.Words("type")
)

// typeOfFolder is the type of the skills in a folder of the catalog (chapter 14,
// "Skill Types").
var typeOfFolder = map[string]string{"providers": "namespace", "selections": "selection", "agents": "agent"}

// skill is the skill that the rules look at.
func skill(p *engine.Pass) model.Skill { return model.Skill{Node: p.Root} }

func checkSkillExport(p *engine.Pass) {
	if !p.Root.Is(ordjson.Object) {
		p.NoExport("skill", "write export const skill = { name: '…', … }")
	}
}

// Chapter 14, "Versioning".
func checkSkillVersion(p *engine.Pass) {
	p.ExpectVersion(fields.Skill.Known(), "flowmcp/4.0.0", "flowmcp-skill/1.0.0", "flowmcp/3.0.0")
}

func checkSkillDescription(p *engine.Pass) {
	p.TooLong(p.Root.At("description"), "move the details into content")
}

func checkSkillInputDeclared(p *engine.Pass) {
	skill := skill(p)
	keys := model.NamesOf(skill.InputKeys())
	engine.EachReference(skill.At("content"), func(ref model.Reference, written string, at *model.Node) {
		if ref.Type != model.RefInput || !engine.IsInputName(ref.Name) || keys.Has(ref.Name) {
			return // PH001 and PH003 speak about what is not a name
		}
		fix := "add { key: '" + ref.Name + "', type: 'string', description: '…', required: true } to input"
		if near, ok := p.Speller.Closest(ref.Name, keys.List); ok {
			fix = "did you mean {{input:" + near + "}}?"
		}
		p.Report(at, "found "+written+", which input does not declare", fix)
	})
}

func checkSkillContent(p *engine.Pass) {
	if !ownContent(p, p.Root) {
		p.Report(p.Root.At("contentFile"), "found contentFile, which skills do not have; expected content, "+
			"a string that is not empty", contentExample)
	}
	// Chapter 14, "Content Variable Pattern". It loads as well, so community warns.
	if name := p.Load.ContentName; name != "" && name != "content" && p.Load.Type == record.TypeSkill {
		p.ReportAs(p.Lenient(), p.Root.At("content"), "found the variable "+engine.Quote(name)+
			", expected one named content", "rename the variable "+name+" to content, and write content into the skill")
	}
}

func checkSkillInputValues(p *engine.Pass) {
	for _, n := range skill(p).Inputs() {
		values, enum := n.Get("values"), n.Get("type").Str() == "enum"
		if !enum && values.Exists() && slices.Contains(inputTypes, n.Get("type").Str()) {
			p.Report(n.At("values"), engine.Found(values)+", which the type "+n.Get("type").Str()+" does not have",
				"remove values, or write type: 'enum'")
		}
	}
}

func checkSkillTypeFolder(p *engine.Pass) {
	typ, folder := p.Root.Get("type"), p.Scope().Folder
	want := typeOfFolder[folder]
	if want == "" || !slices.Contains(skillTypes, typ.Str()) || typ.Str() == want {
		return // SKL027 speaks about what is not a type
	}
	p.Report(p.Root.At("type"), engine.Found(typ)+", expected '"+want+"', the type of the skills below "+folder+"/",
		"write type: '"+want+"', or move the file")
}
