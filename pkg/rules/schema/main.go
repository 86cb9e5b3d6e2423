// Package schema holds the rules for main, its tools and their parameters
// (chapters 01, 02, 09 and 19), and those of chapter 11 about tool.preload. That
// chapter calls them VAL060 to VAL065, which chapter 09 gives to the output of a
// tool (decision "Output codes").
package schema

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/fields"
	"github.com/flowmcp/fmcp/pkg/migrate"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/words"
	"github.com/flowmcp/fmcp/pkg/zod"
)

//go:embed rules.txt
var text string

// Family are the rules of this package.
var Family = engine.Family{
	Text:    text,
	Objects: objects,
	Checks: map[string]func(*engine.Pass){
		"PRE005": checkPreloadIdeal,
		"PRE006": checkPreloadParameters,
		"VAL001": checkMainExport,
		"VAL002": checkMainObject,
		"VAL003": checkUnknownFields,
		"VAL004": checkHandlersFunction,
		"VAL005": checkHandlerNames,
		"VAL011": checkNamespace,
		"VAL014": checkVersion,
		"VAL015": checkRoot,
		"VAL016": checkTools,
		"VAL017": func(p *engine.Pass) {
			if p.Schema.Get("tools").Exists() && p.Schema.Get("routes").Exists() {
				p.Report(p.Schema.At("routes"), "found both tools and routes, expected tools alone",
					"move the entries of routes into tools and remove routes")
			}
		},
		"VAL018": func(p *engine.Pass) {
			if p.Schema.Get("routes").Exists() && !p.Schema.Get("tools").Exists() {
				p.Report(p.Schema.At("routes"), "routes is deprecated, expected tools", "rename routes to tools").
					Fixed(true, engine.RenameKey(p.Schema.At("routes"), "tools"))
			}
		},
		"VAL023": checkHeaders,
		"VAL024": checkSharedListsArray,
		"VAL026": checkLibraries,
		"VAL028": checkTags,
		"VAL029": checkSharedListsTwice,
		"VAL030": checkToolName,
		"VAL031": func(p *engine.Pass) {
			const most = model.MaxTools
			key := p.Schema.ToolsKey()
			if n := p.Schema.Get(key).Len(); n > most && p.Schema.Get(key).Is(ordjson.Object) {
				p.Report(p.Schema.At(key), "found "+strconv.Itoa(n)+" tools, expected at most "+strconv.Itoa(most),
					"split the schema into "+strconv.Itoa((n+most-1)/most)+" files of the same namespace")
			}
		},
		"VAL037": checkAsync,
		"VAL040": checkParameterBlocks,
		"VAL042": checkValue,
		"VAL044": func(p *engine.Pass) {
			p.ZProblems(zod.BadPrimitive)
		},
		"VAL045": func(p *engine.Pass) {
			p.ZProblems(zod.BadOption, zod.BadDefault, zod.Contradiction)
			p.ListDefaults()
		},
		"VAL046": func(p *engine.Pass) {
			p.ZProblems(zod.EmptyEnum)
			p.ListProblems("VAL046")
		},
		"VAL047": checkInterpolationPlace,
		"VAL048": checkInterpolationDeclared,
		"VAL049": checkInterpolationField,
		"VAL050": checkInsert,
		"VAL051": checkInsertKeys,
		"VAL054": checkRepeatedKeys,
		"VAL108": func(p *engine.Pass) {
			for _, t := range p.Tools {
				if meta := t.At("meta"); meta.Get("isReadOnly").True() && meta.Get("isDestructive").True() {
					p.Report(meta.At("isDestructive"), "found true beside isReadOnly: true; a tool that modifies no "+
						"state can change nothing for good", "write isReadOnly: false, or isDestructive: false")
				}
			}
		},
		"VAL052": checkInsertOptional,
		"VAL053": checkNamespaceFolder,
	},
}

// unknownInResources reports the unknown fields of resources (VAL003).
func unknownInResources(p *engine.Pass) {
	for i := range p.Resources {
		p.Unknown(p.Resources[i].Node, p.Resources[i].Fields())
	}
	p.EachQuery(func(q *engine.Query) { p.Unknown(q.Node, fields.Query.Known()) })
}

func checkMainExport(p *engine.Pass) {
	if p.Load.Data.Is(ordjson.Object) || p.Exports("main") {
		return
	}
	fix := "write export const main = { namespace: …, tools: … }"
	switch {
	case len(p.Load.Exports) == 0:
		p.ReportFile("found no exports, expected a named export main", fix)
		return
	case p.Exports("schema"):
		fix = "schema is the format of version 1: migrate it, so that what is inside becomes export const main = { … }"
	case p.Exports("default"):
		fix = "a default export is not read: write export const main = { … }"
	default:
		for _, e := range p.Load.Exports {
			if near, ok := words.Closest(e, []string{"main"}); ok {
				fix = "did you mean " + strconv.Quote(near) + "? rename the export " + e
			}
		}
	}
	found := p.ReportFile("found the exports "+strings.Join(p.Load.Exports, ", ")+", expected a named export main", fix)
	if old := p.Old(); old != nil {
		found.Made(migrate.Wrap(old))
	}
}

func checkMainObject(p *engine.Pass) {
	if p.Exports("main") && !p.Load.Data.Is(ordjson.Object) {
		p.Report(p.Schema.Node, engine.Found(p.Load.Data)+", expected an object",
			"write export const main = { namespace: …, tools: … }")
	}
}

func checkUnknownFields(p *engine.Pass) {
	p.Unknown(p.Schema.Node, p.MainFields())
	for _, t := range p.Tools {
		p.Unknown(t.Node, p.ToolFields())
		unknownIn(p, t.Node, "meta", fields.ToolMeta.Known())
		unknownIn(p, t.Node, "preload", fields.Preload.Known())
	}
	unknownInResources(p)
	p.EachCallable(func(t *engine.Tool) {
		for _, q := range t.Params {
			p.Unknown(q.Node, fields.Parameter.Known())
			unknownIn(p, q.Node, "position", fields.Position.Known())
			unknownIn(p, q.Node, "z", fields.Z.Known())
		}
		unknownIn(p, t.Node, "output", fields.Output.Known())
	})
	for _, r := range p.Refs {
		p.Unknown(r.Node, fields.ListReference.Known())
		unknownIn(p, r.Node, "filter", fields.ListFilter.Known())
	}
}

// unknownIn is unknown for the object n.field, which is looked at only where a
// field is wrong: the common case makes no node.
func unknownIn(p *engine.Pass, n *model.Node, field string, known []string) {
	for _, m := range n.Get(field).Members() {
		if !slices.Contains(known, m.Key) {
			p.Unknown(n.At(field), known)
			return
		}
	}
}
