package resolve

import (
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/domain"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/sharedlist"
	"github.com/flowmcp/fmcp/pkg/words"
	"github.com/flowmcp/fmcp/pkg/zod"
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

// fail reports that a request cannot be made of the tool.
func (b *builder) fail(pointer, msg, fix string) {
	b.problems = append(b.problems, catalog.Problem{Code: catalog.CodeNotCallable, Message: msg, Fix: fix, Pointer: catalog.Holder(pointer)})
}

// build makes a tool, or returns nil and leaves the reasons in b.problems.
func (b *builder) build(t model.Tool) *tool {
	b.problems, b.warnings = nil, nil
	id := catalog.ID{Namespace: b.namespace, Type: catalog.TypeTool, Name: t.Name}
	b.checkID(id, t)
	if !t.Is(ordjson.Object) {
		b.fail(t.Pointer(), "tool "+catalog.Quote(t.Name)+" is "+t.Kind().String()+", expected an object", "write { method, path, description, parameters }")
		return nil
	}
	stages := b.stages.of(t.Name)
	b.checkRequest(t)
	params := b.parameters(t)
	if len(stages) == 0 {
		b.checkPath(t, params)
	}
	if !slices.Contains(stages, "preRequest") && !slices.Contains(stages, "executeRequest") {
		b.checkMisspelt(t, params)
	}
	b.checkBody(t, params)
	if len(b.problems) > 0 {
		return nil
	}
	input, problems := InputSchema(params, b.shown(t.Get("tests")))
	b.warnings = append(b.warnings, problems...)
	return &tool{id: id, load: b.load, pointer: t.Pointer(), data: b.data(t, params, input, stages)}
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

// checkRequest looks for method, root and path.
func (b *builder) checkRequest(t model.Tool) {
	if m := t.Get("method"); !slices.Contains(model.Methods, m.Str()) {
		b.fail(t.At("method").Pointer(), "tool "+catalog.Quote(t.Name)+" has method "+catalog.Found(m)+words.DidYouMean(m.Str(), model.Methods)+", expected one of "+strings.Join(model.Methods, ", "), "set method")
	}
	if p := t.Get("path"); !p.Is(ordjson.String) {
		b.fail(t.At("path").Pointer(), "tool "+catalog.Quote(t.Name)+" has path "+catalog.Found(p)+", expected a string that starts with /", "set path")
	}
	if r := b.schema.Get("root"); r.Str() == "" {
		b.fail("/root", "main.root is "+catalog.Found(r)+", but tool "+catalog.Quote(t.Name)+" needs a base URL", "set main.root to the https URL of the API")
	} else if open := domain.OpenLabel(r.Str()); open != "" {
		b.problems = append(b.problems, catalog.Problem{Code: catalog.CodeOpenDomain, Pointer: "/root",
			Message: "main.root is " + catalog.Found(r) + ", and " + open + " leaves open whose host tool " + catalog.Quote(t.Name) + " calls", Fix: "write out " + domain.OfRoot(r.Str())})
	}
	if p := t.Get("parameters"); !p.Is(ordjson.Array) {
		b.fail(t.At("parameters").Pointer(), "tool "+catalog.Quote(t.Name)+" has parameters "+catalog.Found(p)+", expected an array", "write parameters: [] for a tool without input")
	}
}

// parameters returns the tool's parameters with their enums interpolated.
func (b *builder) parameters(t model.Tool) []model.Parameter {
	params := t.Parameters(b.declared)
	for i := range params {
		p := &params[i]
		at := p.At("position")
		if p.Key == "" {
			b.fail(at.At("key").Pointer(), "parameter "+strconv.Itoa(i+1)+" of tool "+catalog.Quote(t.Name)+" has key "+catalog.Found(at.Get("key"))+", expected a string", "name the parameter")
			continue
		}
		if _, ok := ordjson.ScalarText(p.Value); !ok {
			b.fail(at.At("value").Pointer(), "parameter "+catalog.Quote(p.Key)+" has value "+catalog.Found(p.Value)+", expected a string", "write '{{USER_PARAM}}' for input of the caller")
		}
		if p.Location != model.Insert && p.Location != model.Query && p.Location != model.Body {
			b.fail(at.At("location").Pointer(), "parameter "+catalog.Quote(p.Key)+" has location "+catalog.Found(at.Get("location"))+", expected insert, query or body", "say where the value goes")
		}
		b.interpolate(p)
	}
	return params
}

// maxEnums is how many bytes of values the enums of one schema may have when
// they are written out. A list of a megabyte, named by each of a thousand
// parameters, would make a catalog that nobody can hold or read.
const maxEnums = 4 << 20

// interpolate replaces the lists in the parameter's primitive and, where a
// caller gives the value, makes sure that one can be given at all.
func (b *builder) interpolate(p *model.Parameter) {
	pointer := p.At("z").At("primitive").Pointer()
	if b.enums > maxEnums {
		b.fail(pointer, "parameter "+catalog.Quote(p.Key)+": the enums of the schema have more than "+strconv.Itoa(maxEnums>>20)+" MiB of values before it", "use a list with fewer entries, or a filter; no client shows so many to choose from")
		return
	}
	text, problems := sharedlist.Interpolate(p.Primitive, b.refs, b.lists)
	b.enums += len(text)
	for _, pr := range problems {
		if pr.Pointer == "" {
			pr.Pointer = pointer
		}
		b.problems = append(b.problems, pr)
	}
	if len(problems) > 0 {
		return
	}
	p.Primitive = text
	if p.Source != model.User {
		return
	}
	s, zproblems := zod.Parse(p.Primitive, p.Options)
	if s.Type() == zod.Unknown || s.Type() == zod.Enum && len(s.Values()) == 0 {
		for _, z := range zproblems {
			if z.Kind == zod.BadPrimitive || z.Kind == zod.EmptyEnum {
				b.fail(pointer, "parameter "+catalog.Quote(p.Key)+": "+z.Msg, z.Fix)
				return
			}
		}
	}
}

// checkPath makes sure that every placeholder of the path has a value and that
// every insert parameter has a place (chapter 02, "Location Rules" 1). Handlers
// may build the URL themselves, so a tool that has them is not asked.
func (b *builder) checkPath(t model.Tool, params []model.Parameter) {
	inserts := model.InsertKeys(params)
	placed := map[string]bool{"": true}
	for _, key := range inserts {
		placed[key] = false
	}
	for _, part := range model.PathParts(t.Get("path").Str(), inserts) {
		_, known := placed[part.Key]
		placed[part.Key] = true
		if known || len(model.ServerKeys(part.Text, b.declared)) > 0 {
			continue
		}
		b.fail(t.At("path").Pointer(), "path "+catalog.Found(t.Get("path"))+" has "+part.Text+", and tool "+catalog.Quote(t.Name)+" has no insert parameter of that key"+words.DidYouMean(part.Key, inserts),
			"add a parameter with key '"+part.Key+"' and location 'insert'")
	}
	for _, p := range params {
		if p.Location == model.Insert && !placed[p.Key] {
			b.fail(p.At("position").At("key").Pointer(), "insert parameter "+catalog.Quote(p.Key)+" has no place in path "+catalog.Found(t.Get("path")),
				"write {{"+p.Key+"}} in the path, or make it a query parameter")
		}
	}
}

// checkBody reports body parameters of a method that sends none (decision "Body of GET").
func (b *builder) checkBody(t model.Tool, params []model.Parameter) {
	method := t.Get("method").Str()
	if method != "GET" && method != "DELETE" {
		return
	}
	for _, p := range params {
		if p.Location != model.Body {
			continue
		}
		pr := catalog.Problem{Code: catalog.CodeBodyMethod, Pointer: p.At("position").At("location").Pointer(),
			Message: "parameter " + catalog.Quote(p.Key) + " goes into the body, and a " + method + " request has none",
			Fix:     "make it a query parameter, or the tool a POST"}
		if b.community {
			pr.Message += ": it is not sent"
			b.warnings = append(b.warnings, pr)
		} else {
			b.problems = append(b.problems, pr)
		}
	}
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
