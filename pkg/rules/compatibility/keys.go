package compatibility

import (
	"github.com/flowmcp/fmcp/pkg/domain"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

func checkOpenDomain(p *engine.Pass) {
	root := p.Schema.Get("root")
	if open := domain.OpenLabel(root.Str()); open != "" {
		p.Report(p.Schema.At("root"), engine.Found(root)+"; "+open+" is a part of the registrable domain "+
			domain.OfRoot(root.Str())+", expected open labels left of it only",
			"write the domain out, as in https://"+open+".example.com, or one schema for each")
	}
}
