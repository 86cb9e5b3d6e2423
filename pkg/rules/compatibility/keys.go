package compatibility

import (
	"github.com/flowmcp/fmcp/pkg/domain"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// keyRules are our own codes for where requests and keys go (docs/keys.md).
var keyRules = []engine.Rule{
	{
		Code: "CMP022", Name: "open-domain", Spec: record.SeverityError, Community: record.SeverityError, Since: "fmcp 0.2", Chapter: "Open labels",
		Summary: "An open label --name-- of main.root stands left of the registrable domain.",
		Why:     "Handlers fill the label in: as a part of the registrable domain it would let code choose whose host is called and who gets the keys.",
		Fix:     "Write the domain out: https://--region--.example.com, or one schema for each.",
		Check:   checkOpenDomain,
	},
	{
		Code: "CMP023", Name: "shared-key", Spec: record.SeverityWarning, Community: record.SeverityWarning, Since: "fmcp 0.2", Chapter: "Where keys come from",
		Summary: "A server parameter is asked for by schemas of one registrable domain.",
		Why:     "A schema that asks for the key of another provider would get it: no call sends such a key before the user binds it (EXE091). fmcp-validate and fmcp-resolve report it of all schemas that they are given.",
		Fix:     "Write KEY@example.com=value into the env file for the domain whose key it is; a schema with a key of its own calls it otherwise.",
	},
}

func checkOpenDomain(p *engine.Pass) {
	root := p.Schema.Get("root")
	if open := domain.OpenLabel(root.Str()); open != "" {
		p.Report(p.Schema.At("root"), engine.Found(root)+"; "+open+" is a part of the registrable domain "+domain.OfRoot(root.Str())+", expected open labels left of it only",
			"write the domain out, as in https://"+open+".example.com, or one schema for each")
	}
}
