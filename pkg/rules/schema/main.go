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
	Text: text,
	Checks: map[string]func(*engine.Pass){
		"VAL020": optionalStrings("docs", "write docs: ['https://docs.example.com']"),
		"VAL021": optionalStrings("tags", "write tags: ['defi']"),
		"VAL022": optionalStrings("requiredServerParams", "write requiredServerParams: ['API_KEY']"),
		"VAL025": optionalStrings("requiredLibraries", "write requiredLibraries: ['ethers']"),
		"VAL101": metaBool("isReadOnly", "true"),
		"VAL102": metaBool("isConcurrencySafe", "true"),
		"VAL103": metaBool("isDestructive", "false"),
		"VAL106": metaBool("alwaysLoad", "false"),
		"PRE001": checkPreload,
		"PRE002": checkPreloadEnabled,
		"PRE003": checkPreloadTTL,
		"PRE004": checkPreloadDescription,
		"PRE005": checkPreloadIdeal,
		"PRE006": checkPreloadParameters,
		"VAL001": checkMainExport,
		"VAL002": checkMainObject,
		"VAL003": checkUnknownFields,
		"VAL004": checkHandlersFunction,
		"VAL005": checkHandlerNames,
		"VAL010": func(p *engine.Pass) {
			p.ExpectText(p.Schema.Node, "namespace", p.MainFields(), "add the provider's name in lower case: namespace: 'coingecko'")
		},
		"VAL011": checkNamespace,
		"VAL012": func(p *engine.Pass) {
			p.ExpectText(p.Schema.Node, "name", p.MainFields(), "add a name in PascalCase: name: 'SimplePrice'")
		},
		"VAL013": func(p *engine.Pass) {
			p.ExpectText(p.Schema.Node, "description", p.MainFields(), "say in one or two sentences what the schema does")
		},
		"VAL014": checkVersion,
		"VAL015": checkRoot,
		"VAL016": checkTools,
		"VAL017": func(p *engine.Pass) {
			if p.Schema.Get("tools").Exists() && p.Schema.Get("routes").Exists() {
				p.Report(p.Schema.At("routes"), "found both tools and routes, expected tools alone", "move the entries of routes into tools and remove routes")
			}
		},
		"VAL018": func(p *engine.Pass) {
			if p.Schema.Get("routes").Exists() && !p.Schema.Get("tools").Exists() {
				p.Report(p.Schema.At("routes"), "routes is deprecated, expected tools", "rename routes to tools")
			}
		},
		"VAL023": checkHeaders,
		"VAL024": checkSharedListsArray,
		"VAL026": checkLibraries,
		"VAL030": checkToolName,
		"VAL031": func(p *engine.Pass) {
			const most = 8
			key := p.Schema.ToolsKey()
			if n := p.Schema.Get(key).Len(); n > most && p.Schema.Get(key).Is(ordjson.Object) {
				p.Report(p.Schema.At(key), "found "+strconv.Itoa(n)+" tools, expected at most "+strconv.Itoa(most),
					"split the schema into "+strconv.Itoa((n+most-1)/most)+" files of the same namespace")
			}
		},
		"VAL032": checkMethod,
		"VAL033": checkPath,
		"VAL034": func(p *engine.Pass) {
			for _, t := range p.Tools {
				p.ToolDescription(t.Node)
			}
		},
		"VAL035": func(p *engine.Pass) {
			for _, t := range p.Tools {
				if !t.Get("parameters").Is(ordjson.Array) {
					p.Expect(t.Node, "parameters", engine.ToolFields, "an array", "write parameters: [ { position: { … }, z: { … } } ], or parameters: [] for no input")
				}
			}
		},
		"VAL036": func(p *engine.Pass) {
			for _, t := range p.Tools {
				if !t.Get("output").Exists() {
					p.Expect(t.Node, "output", engine.ToolFields, "a description of the answer", "add output: { mimeType: 'application/json', schema: { type: 'object', properties: { … } } }")
				}
			}
		},
		"VAL037": func(p *engine.Pass) {
			for _, t := range p.Tools {
				if t.Get("async").Exists() {
					p.Report(t.At("async"), "async is a reserved field and has no effect", "remove it")
				}
			}
		},
		"VAL040": checkParameterBlocks,
		"VAL041": func(p *engine.Pass) {
			p.EachPosition(func(_ *engine.Tool, q *engine.Param) {
				p.ExpectTextIn(q.Node, "position", "key", engine.PositionFields, "name the parameter: key: 'address'")
			})
		},
		"VAL042": checkValue,
		"VAL043": checkLocation,
		"VAL044": func(p *engine.Pass) {
			p.EachParam(func(_ *engine.Tool, q *engine.Param) {
				if q.Z.Is(ordjson.Object) && q.Block == nil {
					p.Expect(q.At("z"), "primitive", engine.ZFields, "a primitive such as 'string()'", "write primitive: 'string()', or the type that the API expects")
				}
			})
			p.ZProblems(zod.BadPrimitive)
		},
		"VAL045": func(p *engine.Pass) {
			p.EachParam(func(_ *engine.Tool, q *engine.Param) { options(p, q) })
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
		"VAL100": checkMeta,
		"VAL104": func(p *engine.Pass) {
			for i := range p.Tools {
				if t := &p.Tools[i]; t.Get("meta").Is(ordjson.Object) {
					p.ExpectTextIn(t.Node, "meta", "searchHint", engine.MetaFields, "write searchHint: 'words that somebody would search for'")
				}
			}
		},
		"VAL105": func(p *engine.Pass) {
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
}

// unknownInResources reports the unknown fields of resources (VAL003).
func unknownInResources(p *engine.Pass) {
	for i := range p.Resources {
		p.Unknown(p.Resources[i].Node, p.Resources[i].Fields())
	}
	p.EachQuery(func(q *engine.Query) { p.Unknown(q.Node, engine.QueryFields) })
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
	p.ReportFile("found the exports "+strings.Join(p.Load.Exports, ", ")+", expected a named export main", fix)
}

func checkMainObject(p *engine.Pass) {
	if p.Exports("main") && !p.Load.Data.Is(ordjson.Object) {
		p.Report(p.Schema.Node, engine.Found(p.Load.Data)+", expected an object", "write export const main = { namespace: …, tools: … }")
	}
}

func checkUnknownFields(p *engine.Pass) {
	p.Unknown(p.Schema.Node, p.MainFields())
	for _, t := range p.Tools {
		p.Unknown(t.Node, engine.ToolFields)
		unknownIn(p, t.Node, "meta", engine.MetaFields)
	}
	unknownInResources(p)
	p.EachCallable(func(t *engine.Tool) {
		for _, q := range t.Params {
			p.Unknown(q.Node, engine.ParameterFields)
			unknownIn(p, q.Node, "position", engine.PositionFields)
			unknownIn(p, q.Node, "z", engine.ZFields)
		}
		unknownIn(p, t.Node, "output", engine.OutputFields)
	})
	for _, r := range p.Refs {
		p.Unknown(r.Node, engine.RefFields)
		unknownIn(p, r.Node, "filter", engine.FilterFields)
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
