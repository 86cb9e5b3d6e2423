package schema

import (
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

func checkToolName(p *engine.Pass) {
	for _, t := range p.Tools {
		p.CamelKey(t.Node, "tool", "getContractAbi")
	}
}

func checkMethod(p *engine.Pass) {
	for _, t := range p.Tools {
		p.ToolMethod(t.Node)
	}
}

func checkPath(p *engine.Pass) {
	for _, t := range p.Tools {
		p.ToolPath(t.Node)
	}
}
