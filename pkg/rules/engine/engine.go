// Package engine runs rules over files: what a rule and a finding are, the pass
// over one file, and what every family of rules sees of it.
package engine

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/walk"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Spec is the version of the specification that a file is checked against.
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
	return "", fmt.Errorf("specification %q is not one of %s%s", text, strings.Join(names, ", "),
		words.DidYouMean(text, names))
}

// Finding is what a rule has to say about one place of an exported object.
type Finding struct {
	Rule     *Rule
	Severity record.Severity
	Message  string  // field, what was found, what was expected
	Fix      string  // what to write instead
	Pointer  string  // JSON pointer into the exported object, "" for the file
	Text     int     // the place in the text there, from 1; 0 for all of the value
	Path     string  // the file that it is about, if that is not the one that was checked
	Handlers *string // where it is about the handlers export: the handler, as record.Finder names it; nil otherwise

	Blocks *Callable // what it keeps from being called; nil for nothing

	changes []edit.Change // see Fixed
	safe    bool

	// Of a file of which the rules read the text, see Old.
	made      []record.Edit
	line, col int
}

// Problem is the finding as fmcp-resolve reports it.
func (f Finding) Problem() words.Problem {
	return words.Problem{Code: f.Rule.Code, Message: f.Message, Fix: f.Fix, Pointer: f.Pointer}
}

// Diagnostic makes the record of a finding about load. Its line and column are
// the caller's to fill in: records do not carry positions.
func (f Finding) Diagnostic(load *record.Load) *record.Diagnostic {
	d := &record.Diagnostic{
		Code: f.Rule.Code, Severity: f.Severity, Message: f.Message, Fix: f.Fix, Subject: load.ID,
		Loc: record.Loc{Path: load.Src.File(), Pointer: f.Pointer, FileHash: load.Src.FileHash},
	}
	if f.Path != "" {
		d.Subject, d.Loc = walk.Folder(record.Source{Path: f.Path}), record.Loc{Path: f.Path, Pointer: f.Pointer}
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
	slices.SortStableFunc(p.Findings, func(a, b Finding) int { return strings.Compare(a.Rule.Code, b.Rule.Code) })
	return p.Findings
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
// ctx.Catalog and ctx.Files show them, as far as ctx.CatalogRules has them run.
func (s *Set) CheckCatalog(load *record.Load, ctx *Context) []Finding {
	p := s.newPass(load, ctx)
	p.run(slices.DeleteFunc(slices.Clone(s.byType[load.Type].catalog),
		func(r *Rule) bool { return !ctx.CatalogRules.Runs(r) }))
	return p.Findings
}

// run runs those of the rules that apply to the file's version. Where the
// export is not an object there is nothing that most rules could look at: only
// the one that says so runs.
func (p *Pass) run(list []*Rule) {
	empty := !p.Root.Is(ordjson.Object)
	for _, r := range list {
		if r.From <= p.Spec && (!empty || r.Whole) {
			p.Rule = r
			r.Check(p)
		}
	}
	if p.more > 0 {
		rule, _ := p.set.Lookup(MoreFindings)
		p.Findings = append(p.Findings, Finding{Rule: rule, Severity: p.worst, Message: More(p.more), Fix: rule.Fix})
	}
}

// Pass is one file as the checks see it: views that all of them need are made
// once. A check must not change it but for reporting.
type Pass struct {
	Load     *record.Load
	Ctx      *Context
	Spec     Spec        // rules of later versions do not apply
	Root     *model.Node // the exported object
	Export   string      // its name, as messages begin with it: "main", "list"
	Rule     *Rule
	Findings []Finding
	places   map[string]bool // see told: pointers of the first placed findings
	placed   int
	lookup   *lookup // made by ids
	around   *Scope  // made by scope
	Speller  words.Speller
	more     int             // findings after the first MaxFindings, see Add
	worst    record.Severity // of those
	set      *Set
	Kept     kept // what families make of the file

	// Of schemas only.
	Schema   model.Schema
	Version  string // main.version
	Declared []string
	Refs     []model.ListRef
	RefNames *model.NameSet // see declares
	Tools    []Tool
	handled  map[string][]record.Handler // made by handles

	// resources are those that are objects; none in versions without them.
	Resources []Resource
}

func (s *Set) newPass(load *record.Load, ctx *Context) *Pass {
	p := &Pass{set: s, Load: load, Ctx: ctx, Spec: ctx.SpecInForce(), Root: model.Root(load.Data),
		Export: ExportName(load.Type, load.Exports)}
	if load.Type != record.TypeSchema {
		return p
	}
	p.Schema = model.Schema{Node: p.Root}
	if !load.Data.Is(ordjson.Object) {
		return p
	}
	p.Version = p.Schema.Get("version").Str()
	if major, _, ok := strings.Cut(p.Version, "."); p.Spec == Spec42 &&
		(ok && (major == "1" || major == "2") || p.Schema.Get("flowMCP").Exists()) {
		// VAL014 says that the file is of an older version; that it lacks what
		// came later is not another finding (decision "Older schemas").
		p.Spec = Spec20
	}
	p.Declared = p.Schema.RequiredServerParams()
	p.Refs = p.Schema.SharedLists()
	for _, t := range p.Schema.Tools() {
		if t.Is(ordjson.Object) {
			p.Tools = append(p.Tools, NewTool(t, p.Declared))
		}
	}
	if p.Spec != Spec20 {
		p.Resources = p.newResources()
	}
	return p
}

// ExportName is the name of what a file of a type, which has these exports, is
// read for: of an agent it may be main (decision "Agents that export main"). A
// registry.json exports nothing, and is called what it is; the parts of a SKILL.md
// have names of their own.
func ExportName(t record.Type, exports []string) string {
	switch {
	case t == record.TypeSchema,
		t == record.TypeAgent && !slices.Contains(exports, "agent") && slices.Contains(exports, "main"):
		return "main"
	case t == record.TypeSkillMD:
		return ""
	}
	return string(t)
}

// Report adds a finding of the current rule about the field at.
func (p *Pass) Report(at *model.Node, message, fix string) *Finding {
	return p.ReportAs(p.Severity(), at, message, fix)
}

// ReportAs is report with another severity than the rule's own.
func (p *Pass) ReportAs(sev record.Severity, at *model.Node, message, fix string) *Finding {
	if sev == record.SeverityOff {
		return nil
	}
	var buf [128]byte
	near := at.Within(MaxPlace)
	where := bytes.TrimPrefix(near.AppendPath(buf[:0], p.Export), []byte{'.'})
	if near != at {
		where = append(where, "…"...)
	}
	if key := parameterKey(at); key != "" {
		where = append(append(append(where, " ("...), words.Brief(key)...), ')')
	}
	where = append(append(where, ": "...), message...)
	offset, _ := near.Offset()
	return p.Add(Finding{Rule: p.Rule, Severity: sev, Message: string(where), Fix: fix, Pointer: near.Pointer(),
		Text: offset + 1, Blocks: p.blocked(at)})
}

// MaxPlace is how many bytes the pointer of a finding has; a deeper place is
// reported as a finding about what holds it.
const MaxPlace = 2000

// MaxFindings is how many findings about one file are reported (decision "One
// budget"), unless it is a registry, which is about all files of a catalog.
const MaxFindings = 1000

// MoreFindings is the code of the finding that counts the others.
const MoreFindings = "LOD049"

// More is the message of MoreFindings.
func More(n int) string {
	return words.Count(n, "finding") + " beyond the 1,000 that are reported of a file"
}

// Full reports whether there are more findings than are reported. Where a check
// would multiply one thing by another, it stops.
func (p *Pass) Full() bool { return p.more > 0 }

// Add keeps a finding, which Fixed may add to before there is another, or counts it:
// nil. Where there is one there are more, as a rule.
func (p *Pass) Add(f Finding) *Finding {
	if len(p.Findings) == MaxFindings && p.Load.Type != record.TypeRegistry {
		p.more, p.worst = p.more+1, max(p.worst, f.Severity)
		return nil
	}
	if p.Findings == nil {
		p.Findings = make([]Finding, 0, 16)
	}
	p.Findings = append(p.Findings, f)
	return &p.Findings[len(p.Findings)-1]
}

// Told reports whether there is a finding about a place already.
func (p *Pass) Told(pointer string) bool {
	if p.places == nil {
		p.places = map[string]bool{}
	}
	for ; p.placed < len(p.Findings); p.placed++ {
		p.places[p.Findings[p.placed].Pointer] = true
	}
	return p.places[pointer]
}

// ReportHandlers adds a finding about the handlers export, or about one of the
// handlers: tool, tool/stage, resource/query or resource/query/stage.
func (p *Pass) ReportHandlers(handler, message, fix string) {
	p.Add(Finding{
		Rule: p.Rule, Severity: p.Severity(), Message: message, Fix: fix, Handlers: &handler,
	})
}

// ReportFile adds a finding about the file as a whole.
func (p *Pass) ReportFile(message, fix string) *Finding {
	return p.Add(Finding{Rule: p.Rule, Severity: p.Severity(), Message: message, Fix: fix, Blocks: p.blocked(p.Root)})
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

// Community reports whether the lenient profile is on.
func (p *Pass) Community() bool { return p.Ctx.ProfileInForce() == ProfileCommunity }

// Lenient is the rule's severity for what only part of the rule's findings are
// lowered to by the community profile: a warning at most.
func (p *Pass) Lenient() record.Severity {
	if p.Community() {
		return min(p.Severity(), record.SeverityWarning)
	}
	return p.Severity()
}

// Exports reports whether the file has the named export.
func (p *Pass) Exports(name string) bool {
	return slices.Contains(p.Load.Exports, name)
}

// Handles reports whether the schema's handlers have one of the stages for the
// tool. Where names or stages could not be read (LOD011), it may be any.
func (p *Pass) Handles(toolName string, stages ...string) bool {
	if p.handled == nil {
		p.handled = make(map[string][]record.Handler, len(p.Load.Handlers))
		for _, h := range p.Load.Handlers {
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
