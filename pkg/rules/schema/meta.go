package schema

import (
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// metaRules are VAL100–VAL106: what a tool tells MCP clients about itself
// (chapters 19 and 09).
var metaRules = []engine.Rule{
	{
		Code: "VAL100", Name: "tool-meta", Spec: record.SeverityError, Community: record.SeverityWarning, Since: "4.0.0", Chapter: "19",
		Summary: "Every tool has a meta block.",
		Why:     "An MCP client decides by it whether it may call the tool without asking, twice, or at once with others.",
		Fix:     "Add meta: { isReadOnly, isConcurrencySafe, isDestructive, searchHint, aliases, alwaysLoad }.",
		From:    engine.Spec42,
		Check:   checkMeta,
	},
	metaBool("VAL101", "isReadOnly", "read-only", "A client that believes a writing tool to be read-only calls it without asking.", "true"),
	metaBool("VAL102", "isConcurrencySafe", "concurrency-safe", "A client sends calls at the same time only where that is known to be safe.", "true"),
	metaBool("VAL103", "isDestructive", "destructive", "A client asks its user before a call that cannot be undone.", "false"),
	{
		Code: "VAL104", Name: "meta-search-hint", Spec: record.SeverityError, Community: record.SeverityError, Since: "4.0.0", Chapter: "19",
		Summary: "meta.searchHint is a string that is not empty.",
		Why:     "A tool that is loaded on demand is found by these words.",
		Fix:     "Write searchHint: 'token price market'.",
		From:    engine.Spec42,
		Check: func(p *engine.Pass) {
			for i := range p.Tools {
				if t := &p.Tools[i]; t.Get("meta").Is(ordjson.Object) {
					p.ExpectTextIn(t.Node, "meta", "searchHint", engine.MetaFields, "write searchHint: 'words that somebody would search for'")
				}
			}
		},
	},
	{
		Code: "VAL105", Name: "meta-aliases", Spec: record.SeverityError, Community: record.SeverityError, Since: "4.0.0", Chapter: "19",
		Summary: "meta.aliases is an array of strings, [] for none.",
		Why:     "A search finds the tool under these names too.",
		Fix:     "Write aliases: [].",
		From:    engine.Spec42,
		Check: func(p *engine.Pass) {
			for i := range p.Tools {
				meta := p.Tools[i].Get("meta")
				if aliases := meta.Get("aliases"); !meta.Is(ordjson.Object) {
					continue
				} else if !aliases.Exists() {
					p.Expect(p.Tools[i].At("meta"), "aliases", engine.MetaFields, "an array of strings", "write aliases: [] for none")
				} else {
					p.ArrayOfStrings(p.Tools[i].At("meta").At("aliases"), "write aliases: [ 'otherName' ], or aliases: [] for none")
				}
			}
		},
	},
	metaBool("VAL106", "alwaysLoad", "always-load", "A tool is loaded on demand unless it says otherwise.", "false"),
}

// metaBool is the row of a boolean of the meta block.
func metaBool(code, field, name, why, usual string) engine.Rule {
	fix := "write " + field + ": " + usual + ", or what is true of the tool"
	return engine.Rule{
		Code: code, Name: "meta-" + name, Spec: record.SeverityError, Community: record.SeverityError, Since: "4.0.0", Chapter: "19",
		Summary: "meta." + field + " is true or false.",
		Why:     why,
		Fix:     engine.Sentence(fix),
		From:    engine.Spec42,
		Check: func(p *engine.Pass) {
			for i := range p.Tools {
				meta := p.Tools[i].Get("meta")
				if meta.Is(ordjson.Object) && !meta.Get(field).Is(ordjson.Bool) {
					p.Expect(p.Tools[i].At("meta"), field, engine.MetaFields, "true or false", fix)
				}
			}
		},
	}
}

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
