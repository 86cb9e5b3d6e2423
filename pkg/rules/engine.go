package rules

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/walk"
	"github.com/flowmcp/fmcp/pkg/words"
	"github.com/flowmcp/fmcp/pkg/zod"
)

// Spec is the version of the specification that a file is held against.
type Spec string

// The versions that can be checked, oldest first; they compare as strings.
const (
	Spec20 Spec = "2.0"
	Spec30 Spec = "3.0"
	Spec42 Spec = "4.2"
)

// ParseSpec reads a version as the user writes it; "" is the newest.
func ParseSpec(text string) (Spec, error) {
	switch s := Spec(text); s {
	case "":
		return Spec42, nil
	case Spec20, Spec30, Spec42:
		return s, nil
	}
	names := []string{string(Spec20), string(Spec30), string(Spec42)}
	return "", fmt.Errorf("specification %q is not one of %s%s", text, strings.Join(names, ", "), words.DidYouMean(text, names))
}

// Finding is what a rule has to say about one place of an exported object.
type Finding struct {
	Rule     *Rule
	Severity record.Severity
	Message  string  // field, what was found, what was expected
	Fix      string  // what to write instead
	Pointer  string  // JSON pointer into the exported object, "" for the file
	Path     string  // the file that it is about, where that is not the one that was checked
	Handlers *string // where it is about the handlers export: the handler, as module.HandlerPlaces names it; nil otherwise
}

// Diagnostic makes the record of a finding about load. Its line and column are
// the caller's to fill in: records do not carry positions.
func (f Finding) Diagnostic(load *record.Load) *record.Diagnostic {
	d := &record.Diagnostic{
		Code: f.Rule.Code, Severity: f.Severity, Message: f.Message, Fix: f.Fix, Subject: load.ID,
		Loc: record.Loc{Path: load.Src.File(), Pointer: f.Pointer},
	}
	if f.Path != "" {
		d.Subject, d.Loc.Path = walk.Folder(record.Source{Path: f.Path}), f.Path
	}
	return d
}

// Check runs the rules for the record's type and returns what they find, in the
// order of their codes. Rules that need the whole catalog are left to
// CheckCatalog. ctx may be shared by goroutines.
func (s *Set) Check(load *record.Load, ctx *Context) []Finding {
	list := s.byType[load.Type].file
	if len(list) == 0 {
		return nil
	}
	p := s.newPass(load, ctx)
	p.run(list)
	slices.SortStableFunc(p.findings, func(a, b Finding) int { return strings.Compare(a.Rule.Code, b.Rule.Code) })
	return p.findings
}

// NeedsCatalog reports whether CheckCatalog may have something to say about the
// file. Of schemas only prompts refer to other files, and only resources that
// write a file may share it.
func (s *Set) NeedsCatalog(load *record.Load) bool {
	if len(s.byType[load.Type].catalog) == 0 {
		return false
	}
	return load.Type != record.TypeSchema || load.Data.Get("prompts").Len() > 0 ||
		slices.ContainsFunc(load.Data.Get("resources").Members(), func(m ordjson.Member) bool {
			source := model.ResourceSource(m.Value.Get("source").Str())
			return source == model.HTTP || source == model.SQLite && m.Value.Get("mode").Str() == model.FileBased
		})
}

// CheckCatalog is Check for the rules that need the whole catalog, which
// ctx.Catalog and ctx.Files show them.
func (s *Set) CheckCatalog(load *record.Load, ctx *Context) []Finding {
	p := s.newPass(load, ctx)
	p.run(s.byType[load.Type].catalog)
	return p.findings
}

// run runs those of the rules that apply to the file's version. Where the
// export is no object there is nothing that most rules could look at: only the
// one that says so runs.
func (p *Pass) run(list []*Rule) {
	empty := !p.root.Is(ordjson.Object)
	for _, r := range list {
		if r.From <= p.spec && (!empty || r.Whole) {
			p.rule = r
			r.Check(p)
		}
	}
}

// Pass is one file as the checks see it: views that all of them need are made
// once. A check must not change it but for reporting.
type Pass struct {
	load     *record.Load
	ctx      *Context
	spec     Spec        // rules of later versions do not apply
	root     *model.Node // the exported object
	export   string      // its name, as messages begin with it: "main", "list"
	rule     *Rule
	findings []Finding
	places   map[string]bool // see told: pointers of the first placed findings
	placed   int
	lookup   *lookup // made by ids
	around   *scope  // made by scope
	speller  words.Speller
	text     int // bytes of findings; see add
	set      *Set
	kept     kept // what families make of the file

	// Of schemas only.
	schema   model.Schema
	version  string // main.version
	declared []string
	refs     []model.ListRef
	refsKey  string         // see interpolations
	refNames *model.NameSet // see declares
	tools    []tool
	handled  map[string][]record.Handler // made by handles

	// resources are those that are objects; none in versions without them.
	resources []resource
}

// tool is a tool that is an object, and its parameters that are objects.
type tool struct {
	model.Tool
	params []param
	output *model.Node // nil where there is none that is an object
	schema *model.Node // output.schema, nil where there is none that is an object
}

// param is a parameter and its z-block.
type param struct {
	model.Parameter
	position ordjson.Value
	z        ordjson.Value
	block    *zod.Schema // nil where there is no primitive to read
	problems []zod.Problem
}

func (s *Set) newPass(load *record.Load, ctx *Context) *Pass {
	p := &Pass{set: s, load: load, ctx: ctx, spec: ctx.spec(), root: model.Root(load.Data), export: exportName(load.Type)}
	if load.Type != record.TypeSchema {
		return p
	}
	p.schema = model.Schema{Node: p.root}
	if !load.Data.Is(ordjson.Object) {
		return p
	}
	p.version = p.schema.Get("version").Str()
	if major, _, ok := strings.Cut(p.version, "."); p.spec == Spec42 && (ok && (major == "1" || major == "2") || p.schema.Get("flowMCP").Exists()) {
		// VAL014 says that the file is of an older version; that it lacks what
		// came later is not another finding (decision "Older schemas").
		p.spec = Spec20
	}
	p.declared = p.schema.RequiredServerParams()
	p.refs = p.schema.SharedLists()
	for _, t := range p.schema.Tools() {
		if t.Is(ordjson.Object) {
			p.tools = append(p.tools, newTool(t, p.declared))
		}
	}
	if p.spec != Spec20 {
		p.resources = p.newResources()
	}
	return p
}

// exportName is the name of what a file of a type exports. A registry.json
// exports nothing, and is called what it is; the parts of a SKILL.md have names
// of their own.
func exportName(t record.Type) string {
	switch t {
	case record.TypeSchema:
		return "main"
	case record.TypeSkillMD:
		return ""
	}
	return string(t)
}

func newTool(t model.Tool, declared []string) tool {
	view := tool{Tool: t, params: make([]param, 0, t.Get("parameters").Len())}
	for _, mp := range t.Parameters(declared) {
		if !mp.Is(ordjson.Object) {
			continue
		}
		q := param{Parameter: mp, position: mp.Get("position"), z: mp.Get("z")}
		if q.z.Get("primitive").Is(ordjson.String) {
			q.block, q.problems = zod.Parse(mp.Primitive, mp.Options)
		}
		view.params = append(view.params, q)
	}
	if t.Get("output").Is(ordjson.Object) {
		view.output = t.At("output")
		if view.output.Get("schema").Is(ordjson.Object) {
			view.schema = view.output.At("schema")
		}
	}
	return view
}

// report adds a finding of the current rule about the field at.
func (p *Pass) report(at *model.Node, message, fix string) {
	p.reportAs(p.rule.Severity(p.ctx.profile()), at, message, fix)
}

// reportAs is report with another severity than the rule's own.
func (p *Pass) reportAs(sev record.Severity, at *model.Node, message, fix string) {
	if sev == record.SeverityOff {
		return
	}
	var buf [128]byte
	near := at.Within(maxPlace)
	where := bytes.TrimPrefix(near.AppendPath(buf[:0], p.export), []byte{'.'})
	if near != at {
		where = append(where, "…"...)
	}
	if key := parameterKey(at); key != "" {
		where = append(append(append(where, " ("...), short(key)...), ')')
	}
	where = append(append(where, ": "...), message...)
	p.add(Finding{Rule: p.rule, Severity: sev, Message: string(where), Fix: fix, Pointer: near.Pointer()})
}

// maxPlace is how many bytes the pointer of a finding has; what is deeper is told
// of what holds it. maxText is from how many bytes of findings about one file on
// each is cut short.
const (
	maxPlace = 2000
	maxText  = 64 << 20
)

// add keeps a finding. Where there is one there are more, as a rule.
func (p *Pass) add(f Finding) {
	if p.text += len(f.Message) + len(f.Fix); p.text > maxText {
		f.Message, f.Fix = short(f.Message), short(f.Fix)
	}
	if p.findings == nil {
		p.findings = make([]Finding, 0, 16)
	}
	p.findings = append(p.findings, f)
}

// told reports whether there is a finding about a place already.
func (p *Pass) told(pointer string) bool {
	if p.places == nil {
		p.places = map[string]bool{}
	}
	for ; p.placed < len(p.findings); p.placed++ {
		p.places[p.findings[p.placed].Pointer] = true
	}
	return p.places[pointer]
}

// reportHandlers adds a finding about the handlers export, or about one of the
// handlers: tool, tool/stage, resource/query or resource/query/stage.
func (p *Pass) reportHandlers(handler, message, fix string) {
	p.reportFile(message, fix)
	p.findings[len(p.findings)-1].Handlers = &handler
}

// reportFile adds a finding about the file as a whole.
func (p *Pass) reportFile(message, fix string) {
	p.add(Finding{Rule: p.rule, Severity: p.rule.Severity(p.ctx.profile()), Message: message, Fix: fix})
}

// parameterKey is the key of the parameter that n belongs to, since
// parameters[3] alone tells a reader little.
func parameterKey(n *model.Node) string {
	for ; n.Parent() != nil; n = n.Parent() {
		if n.Parent().Key() == "parameters" {
			return n.Get("position").Get("key").Str()
		}
	}
	return ""
}

// community reports whether the lenient profile is on.
func (p *Pass) community() bool { return p.ctx.profile() == ProfileCommunity }

// exports reports whether the file has the named export.
func (p *Pass) exports(name string) bool {
	return slices.Contains(p.load.Exports, name)
}

// handles reports whether the schema's handlers have one of the stages for the
// tool. Where names or stages could not be read (LOD011), it may be any.
func (p *Pass) handles(toolName string, stages ...string) bool {
	if p.handled == nil {
		p.handled = make(map[string][]record.Handler, len(p.load.Handlers))
		for _, h := range p.load.Handlers {
			p.handled[h.Name] = append(p.handled[h.Name], h)
		}
	}
	for _, h := range p.handled[toolName] {
		if len(h.Stages) == 0 {
			return true
		}
		for _, s := range h.Stages {
			if slices.Contains(stages, s) {
				return true
			}
		}
	}
	return p.handled[record.UnknownHandlers] != nil
}
