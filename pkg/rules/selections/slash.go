package selections

import (
	"path"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// slashRules are VAL110 (chapters 09 and 14).
var slashRules = []engine.Rule{
	{
		Code: "VAL110", Name: "slash-rule", Spec: record.SeverityError, Community: record.SeverityError, Since: "4.0.0", Chapter: "09",
		Summary: "Where a selection's members are keys, those of tools, resources and prompts are IDs with slashes and those of skills names without; of an agent's keys AGT013, AGT014 and AGT019 speak.",
		Why:     "The slash tells a reference from a definition.",
		Fix:     "Write the full ID of a tool, resource or prompt; register a skill by its name, with { file }, or list its ID in an array.",
		From:    engine.Spec42, On: []record.Type{record.TypeSelection},
		Check: checkSlashRule,
	},
}

func checkSlashRule(p *engine.Pass) {
	for _, f := range model.SelectionFields {
		for _, m := range selected(p).Members(f.Field) {
			switch skill := f.Type == string(record.TypeSkill); {
			case m.Key() == "": // of an array
			case skill && !m.Inline():
				name := path.Base(m.Key())
				p.Report(m.Node, "found the key "+engine.Quote(m.Key())+", expected a name without a slash", "write '"+name+"': { file: './skills/"+name+".mjs' }, or skills: [ '"+strings.Trim(m.Key(), "/")+"' ] to refer to a skill of the catalog")
			case !skill && m.Inline():
				p.Report(m.Node, "found the key "+engine.Quote(m.Key())+", expected an ID with slashes", "write 'namespace/"+f.Type+"/"+m.Key()+"' with the namespace of the "+f.Type)
			}
		}
	}
}
