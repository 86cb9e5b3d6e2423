package schema

import (
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

func checkToolName(p *engine.Pass) {
	for _, t := range p.Tools {
		p.CamelKey(t.Node, "tool", "getContractAbi")
	}
}
