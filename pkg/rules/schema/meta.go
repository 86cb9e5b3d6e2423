package schema

import (
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

func checkMeta(p *engine.Pass) {
	fix := "add meta: { isReadOnly: true, isConcurrencySafe: true, isDestructive: false, searchHint: '…', aliases: [], alwaysLoad: false } as it is true of the tool"
	if p.Schema.Get("meta").Exists() {
		fix = "move main.meta into the tool: it is read there only"
	}
	for i := range p.Tools {
		if !p.Tools[i].Get("meta").Is(ordjson.Object) {
			p.Expect(p.Tools[i].Node, "meta", engine.ToolFields, "an object", fix)
		}
	}
}
