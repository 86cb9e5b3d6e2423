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
)

// tool is a tool that can be called, waiting for its wire name.
type tool struct {
	id      catalog.ID
	load    *record.Load
	pointer string
	data    []ordjson.Member // of the record; wireName is still to be set
}

// wireNameAt is the place of wireName in tool.data.
const wireNameAt = 3

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
	blocked   map[rules.Callable][]catalog.Problem // what cannot be called, and why

	// Findings about the tool that is being built: what keeps it out, and what
	// does not.
	problems, warnings []catalog.Problem
}

// shown are the tests whose values the input schema has as examples.
func (b *builder) shown(tests ordjson.Value) ordjson.Value {
	if b.bare {
		return ordjson.Value{}
	}
	return tests
}

// build makes a tool, or returns nil and leaves the reasons in b.problems.
func (b *builder) build(t model.Tool) *tool {
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
	return &tool{id: id, load: b.load, pointer: t.Pointer(), data: b.data(t, params, input, b.stages.of(t.Name))}
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
	b.problems = append(b.problems, b.blocked[rules.Callable{Section: section, Name: name}]...)
	return len(b.problems) > 0 || len(b.blocked[rules.Callable{Section: section}]) > 0
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
// parameters, would make a catalog that nobody can hold or read.
const maxEnums = 4 << 20

// interpolate replaces the lists in the parameter's primitive.
func (b *builder) interpolate(p *model.Parameter) {
	if b.enums > maxEnums {
		b.problems = append(b.problems, catalog.Problem{Code: catalog.CodeEnums, Pointer: catalog.Holder(p.At("z").At("primitive").Pointer()),
			Message: "parameter " + catalog.Quote(p.Key) + ": the enums of the schema have more than " + strconv.Itoa(maxEnums>>20) + " MiB of values before it",
			Fix:     "use a list with fewer entries, or a filter; no client shows so many to choose from"})
		return
	}
	text, problems := sharedlist.Interpolate(p.Primitive, b.refs, b.lists)
	b.enums += len(text)
	b.problems = append(b.problems, problems...)
	p.Primitive = text
}

// data are the fields of the tool's record in the order of docs/records.md.
func (b *builder) data(t model.Tool, params []model.Parameter, input ordjson.Value, stages []string) []ordjson.Member {
	f := fields{}
	f.str("schema", b.load.ID)
	f.str("namespace", b.namespace)
	f.str("name", t.Name)
	f.str("wireName", "")
	f.str("description", t.Get("description").Str())
	f.str("method", t.Get("method").Str())
	f.str("root", b.schema.Get("root").Str())
	f.str("path", t.Get("path").Str())
	headers := b.schema.Headers(t)
	if len(headers) > 0 {
		f.value("headers", ordjson.NewObject(headers...))
	}
	f.value("parameters", parametersValue(params, b.keepsSlashes(t)))
	f.list("serverParams", b.schema.ServerParams(t, params, headers))
	f.value("inputSchema", input)
	for _, key := range []string{"output", "meta", "preload", "tests"} {
		f.value(key, t.Get(key))
	}
	f.list("handlers", stages)
	f.list("tags", record.StringsOf(b.schema.Get("tags")))
	f.list("sharedLists", b.listNames())
	f.value("src", srcValue(b.load.Src, t.Pointer()))
	f.value("hashes", hashesValue(b.load.Hashes))
	return f
}

func (b *builder) listNames() []string {
	var names []string
	seen := map[string]bool{}
	for _, r := range b.refs {
		if !seen[r.Ref] {
			seen[r.Ref] = true
			names = append(names, r.Ref)
		}
	}
	return names
}

// keepsSlashes says of which parameters a / of a value stays in the path: in
// community of those whose own tests have a value with one, as a DOI has
// (docs/decisions.md, "Slashes in paths").
func (b *builder) keepsSlashes(t model.Tool) func(model.Parameter) bool {
	return func(p model.Parameter) bool {
		return b.community && p.Location == model.Insert && p.Source == model.User &&
			slices.ContainsFunc(t.Get("tests").Elems(), func(test ordjson.Value) bool { return strings.Contains(test.Get(p.Key).Str(), "/") })
	}
}

func parametersValue(params []model.Parameter, slashes func(model.Parameter) bool) ordjson.Value {
	list := make([]ordjson.Value, len(params))
	for i, p := range params {
		// A number or boolean is sent as its text, as the field's runtime does.
		text, _ := ordjson.ScalarText(p.Template())
		f := fields{}
		f.str("key", p.Key)
		f.str("location", string(p.Location))
		f.str("source", p.Source.String())
		f.str("value", text)
		f.str("primitive", p.Primitive)
		f.value("options", ordjson.Strings(p.Options))
		if slashes(p) {
			f.value("slashes", ordjson.NewBool(true))
		}
		list[i] = ordjson.NewObject(f...)
	}
	return ordjson.NewArray(list...)
}

// fields collects the members of a record's data; absent values are left out.
type fields []ordjson.Member

func (f *fields) value(key string, v ordjson.Value) {
	if v.Exists() {
		*f = append(*f, ordjson.Field(key, v))
	}
}

func (f *fields) str(key, s string) { f.value(key, ordjson.NewString(s)) }

func (f *fields) list(key string, s []string) {
	if len(s) > 0 {
		f.value(key, ordjson.Strings(s))
	}
}
