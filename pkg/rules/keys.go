package rules

import (
	"github.com/flowmcp/fmcp/pkg/domain"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// keyRules are our own codes for where requests and keys go (docs/keys.md).
var keyRules = []Rule{
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

func checkOpenDomain(p *Pass) {
	root := p.schema.Get("root")
	if open := domain.OpenLabel(root.Str()); open != "" {
		p.report(p.schema.At("root"), found(root)+"; "+open+" is a part of the registrable domain "+domain.OfRoot(root.Str())+", expected open labels left of it only",
			"write the domain out, as in https://"+open+".example.com, or one schema for each")
	}
}

// SharedKey is a finding about a key that schemas of several registrable domains
// ask for, and the schema that it is at, without its data.
type SharedKey struct {
	Finding
	Schema *record.Load
}

// SharedKeys are the findings about all schemas that have come by. No rule makes
// them: a schema need not wait for the others.
func SharedKeys(asks *walk.KeyAsks, profile Profile) []SharedKey {
	var list []SharedKey
	for _, k := range asks.Shared() {
		r, _ := Lookup(k.Code)
		list = append(list, SharedKey{Finding{Rule: r, Severity: r.Severity(profile), Message: k.Message, Fix: k.Fix, Pointer: k.Pointer}, k.Schema})
	}
	return list
}
