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

// metaBool is the check of a boolean of the meta block.
func metaBool(field, usual string) func(*engine.Pass) {
	fix := "write " + field + ": " + usual + ", or what is true of the tool"
	return func(p *engine.Pass) {
		for i := range p.Tools {
			meta := p.Tools[i].Get("meta")
			if meta.Is(ordjson.Object) && !meta.Get(field).Is(ordjson.Bool) {
				p.Expect(p.Tools[i].At("meta"), field, engine.MetaFields, "true or false", fix)
			}
		}
	}
}

// optionalStrings is the check of a field of main that is an array of strings, if
// it is there.
func optionalStrings(field, fix string) func(*engine.Pass) {
	return func(p *engine.Pass) {
		if p.Schema.Get(field).Exists() {
			p.ArrayOfStrings(p.Schema.At(field), fix)
		}
	}
}
