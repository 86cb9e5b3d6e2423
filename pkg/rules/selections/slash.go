package selections

import (
	"path"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

func checkSlashRule(p *engine.Pass) {
	for _, f := range model.SelectionFields {
		for _, m := range selected(p).Members(f.Field) {
			switch skill := f.Type == string(record.TypeSkill); {
			case m.Key() == "": // of an array
			case skill && !m.Inline():
				name := path.Base(m.Key())
				p.Report(m.Node, "found the key "+engine.Quote(m.Key())+", expected a name without a slash",
					"write '"+name+"': { file: './skills/"+name+".mjs' }, or skills: [ '"+strings.Trim(m.Key(), "/")+
						"' ] to refer to a skill of the catalog")
			case !skill && m.Inline():
				p.Report(m.Node, "found the key "+engine.Quote(m.Key())+", expected an ID with slashes",
					"write 'namespace/"+f.Type+"/"+m.Key()+"' with the namespace of the "+f.Type)
			}
		}
	}
}
