package resolve

import (
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
	"github.com/flowmcp/fmcp/pkg/sharedlist"
	"github.com/flowmcp/fmcp/pkg/words"
)

// builder makes the tools of one schema.
type builder struct {
	load      *record.Load
	schema    model.Schema
	namespace string
	declared  []string // requiredServerParams
	refs      []model.ListRef
	lists     *sharedlist.Lists
	community bool
	bare      bool // input schemas have no examples
	enums     int  // bytes of the enums that were written out
	stages    stages
	blocked   map[rules.Callable][]words.Problem // what cannot be called, and why

	// Findings about the tool that is being built: what keeps it out, and what
	// does not.
	problems, warnings []words.Problem
}

// shown are the tests whose values the input schema has as examples.
func (b *builder) shown(tests ordjson.Value) ordjson.Value {
	if b.bare {
		return ordjson.Value{}
	}
	return tests
}

// build makes a tool, or returns nil and leaves the reasons in b.problems.
func (b *builder) build(t model.Tool) *catalog.Tool {
	b.problems, b.warnings = nil, nil
	id := catalog.ID{Namespace: b.namespace, Type: catalog.TypeTool, Name: t.Name}
	b.checkID(id, t)
	if b.leftOut(rules.ToolSection, t.Name) {
		return nil
	}
	params := b.interpolated(t.Parameters(b.declared))
	if len(b.problems) > 0 {
		return nil
	}
	input, problems := InputSchema(params, b.shown(t.Get("tests")))
	b.warnings = append(b.warnings, problems...)
	return b.tool(id, t, params, input)
}

// checkID reports an ID that chapter 16 does not allow. The public catalogs
// name tools after their paths ("/block/:hash"), and decision "MCP tool names" makes wire
// names of them: there such a name does not keep the tool out.
func (b *builder) checkID(id catalog.ID, t model.Tool) {
	p := id.Check()
	if p == nil {
		return
	}
	p.Pointer = t.Pointer()
	if p.Code == "ID004" && id.Name != "" && b.community {
		b.warnings = append(b.warnings, *p)
	} else {
		b.problems = append(b.problems, *p)
	}
}

// leftOut reports whether a rule found what keeps a tool or a resource from
// being called, and adds it to the problems.
func (b *builder) leftOut(section, name string) bool {
	b.problems = append(b.problems, b.blocked[rules.Callable{Depth: 2, Section: section, Name: name}]...)
	return len(b.problems) > 0 || len(b.blocked[rules.Callable{Depth: 1, Section: section}]) > 0
}

// interpolated writes out the lists in the primitives of parameters.
func (b *builder) interpolated(params []model.Parameter) []model.Parameter {
	for i := range params {
		b.interpolate(&params[i])
	}
	return params
}

// maxEnums is how many bytes of values the enums of one schema may have when
// they are written out. A list of a megabyte, named by each of a thousand
// parameters, would make a catalog that cannot be held or read.
const maxEnums = 4 << 20

// interpolate replaces the lists in the parameter's primitive.
func (b *builder) interpolate(p *model.Parameter) {
	if b.enums > maxEnums {
		b.problems = append(b.problems, words.Problem{Code: catalog.CodeEnums,
			Pointer: p.At("z").At("primitive").Pointer(),
			Message: "parameter " + words.Quote(p.Key) + ": the enums of the schema have more than " +
				strconv.Itoa(maxEnums>>20) + " MiB of values before it",
			Fix: "use a list with fewer entries, or a filter; no client shows so many to choose from"})
		return
	}
	text, problems, _ := sharedlist.Interpolate(p.Primitive, b.refs, b.lists)
	b.enums += len(text)
	b.problems = append(b.problems, problems...)
	p.Primitive = text
}

// tool is the tool with its parameters and their schema.
func (b *builder) tool(id catalog.ID, t model.Tool, params []model.Parameter, input ordjson.Value) *catalog.Tool {
	headers := b.schema.Headers(t)
	tool := &catalog.Tool{
		Callable: catalog.Callable{
			ID: id.String(), Schema: b.load.ID, Name: t.Name, Description: t.Get("description").Str(),
			InputSchema: input, Output: t.Get("output"), Tests: t.Get("tests"), Handlers: b.stages.of(t.Name),
			Src: catalog.Src{Path: b.load.Src.Path, Pointer: t.Pointer()}, Hashes: b.load.Hashes,
		},
		Namespace: b.namespace, Method: t.Get("method").Str(), Root: b.schema.Get("root").Str(),
		Path:         t.Get("path").Str(),
		ServerParams: b.schema.ServerParams(t, params, headers), Meta: t.Get("meta"), Preload: t.Get("preload"),
		Tags: record.StringsOf(b.schema.Get("tags")), SharedLists: b.listNames(len(b.stages.of(t.Name)) > 0, t),
	}
	tool.Parameters = make([]catalog.Parameter, 0, len(params))
	for _, h := range headers {
		tool.Headers = append(tool.Headers, record.Header{Name: h.Key, Value: h.Value.Str()})
	}
	for _, p := range params {
		one := parameter(p)
		// A number or boolean is sent as its text, as the field's runtime does.
		text, _ := ordjson.ScalarText(one.Value)
		one.Value, one.Location, one.Slashes = ordjson.NewString(text), p.Location, b.keepsSlashes(t, p)
		tool.Parameters = append(tool.Parameters, one)
	}
	return tool
}

// parameter is a parameter as a query has it: a fixed number or boolean stays one,
// since it is bound and not sent.
func parameter(p model.Parameter) catalog.Parameter {
	return catalog.Parameter{Key: p.Key, Source: p.Source, Value: p.Template(), Primitive: p.Primitive,
		Options: p.Options}
}

// listNames are the lists that tools use: those that their enums are of, and, where
// they have handlers, all of the schema, since handlers get them all (chapter 03).
func (b *builder) listNames(handled bool, tools ...model.Tool) []string {
	uses := map[string]bool{}
	for _, t := range tools {
		for list := range enumFields(t) {
			uses[list] = true
		}
	}
	var names model.NameSet
	for _, list := range b.schema.ListNames() {
		if handled || uses[list] {
			names.Add(list)
		}
	}
	return names.List
}

// keepsSlashes says whether a / of a parameter's value stays in the path: in
// community that of one whose own tests have a value with one, as a DOI has
// (docs/decisions.md, "Slashes in paths").
func (b *builder) keepsSlashes(t model.Tool, p model.Parameter) bool {
	return b.community && p.Location == model.Insert && p.Source == model.User &&
		slices.ContainsFunc(t.Get("tests").Elems(),
			func(test ordjson.Value) bool { return strings.Contains(test.Get(p.Key).Str(), "/") })
}
