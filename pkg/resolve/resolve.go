// Package resolve makes self-contained catalogs of loaded records: enums written
// out, input schemas, MCP names, selections and agents with their members.
package resolve

import (
	"cmp"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
	"github.com/flowmcp/fmcp/pkg/sharedlist"
	"github.com/flowmcp/fmcp/pkg/walk"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Options of a Resolver. The zero value is the default of each.
type Options struct {
	ToolNames  ToolNames // SnakeNames
	MaxName    int       // longest MCP tool name in bytes; DefaultMaxName
	NoExamples bool      // input schemas without values of tests (docs/decisions.md, "What a model sees")
	Community  bool      // severities of --profile community (decision "Body of GET")
	// Source is the text of a file that has handlers, and whether it is still the
	// one that was loaded; where nil, the catalog carries no handlers.
	Source func(*record.Load) (text string, same bool)
	// Read reads a file below a folder again, nil where it cannot; where nil,
	// the contentHash of a registry is not compared.
	Read func(dir, name string) []byte
	// Library makes one script of a package that requiredLibraries names, or
	// says why it cannot be; neither for what handlers have anyway. Where nil,
	// the catalog carries no libraries.
	Library func(name string) (*catalog.Library, *words.Problem)
}

// Resolver makes a self-contained catalog of load records. It holds all of
// them until Resolve, since a list may come after the schemas that use it and
// no wire name is certain before the last tool is known.
type Resolver struct {
	opts   Options
	loads  []*record.Load
	failed map[string]*record.Diagnostic // first error finding of a file
	errors []record.Source               // files that never became a load record
	// contents are the files of skills, prompts and their contents, by path
	contents map[string]*record.Load
	// what an earlier stage has reported: paths of registries, messages of duplicates
	judged map[string]bool
	shared bool // an earlier stage has reported shared keys
	packed map[*record.Load]*packed
	buffer []byte                  // of pack
	byFile map[string]*record.Load // see Loaded
}

// NewResolver returns a Resolver, or an error about the options.
func NewResolver(opts Options) (*Resolver, error) {
	if opts.ToolNames == "" {
		opts.ToolNames = SnakeNames
	}
	if opts.MaxName == 0 {
		opts.MaxName = DefaultMaxName
	}
	if opts.ToolNames != SnakeNames && opts.ToolNames != SpecNames {
		return nil, fmt.Errorf("tool names %q: expected %q or %q", opts.ToolNames, SnakeNames, SpecNames)
	}
	if opts.MaxName < MinMaxName || opts.MaxName > DefaultMaxName {
		return nil, fmt.Errorf("longest tool name %d: expected %d, which leaves room for a hash, to %d, which all "+
			"clients take", opts.MaxName, MinMaxName, DefaultMaxName)
	}
	return &Resolver{opts: opts, failed: map[string]*record.Diagnostic{}, judged: map[string]bool{},
		contents: map[string]*record.Load{}, packed: map[*record.Load]*packed{}}, nil
}

// Add takes one record of the stream.
func (r *Resolver) Add(l *record.Load) {
	if l.Type == record.TypeSchema {
		r.loads = append(r.loads, r.pack(l))
		return
	}
	switch l.Type {
	case record.TypeSkill, record.TypePrompt, record.TypeContent:
		r.contents[filepath.Clean(l.Src.File())] = l
	}
	switch l.Type {
	case record.TypeList, record.TypeRegistry, record.TypeSelection, record.TypeAgent, record.TypeSkill,
		record.TypePrompt, record.TypeSkillMD:
		r.loads = append(r.loads, l)
	}
}

// AddDiagnostic takes a finding that an earlier stage made. A file with one of
// severity error is left out, whatever the order in which the two come.
func (r *Resolver) AddDiagnostic(d *record.Diagnostic) {
	switch d.Code {
	case catalog.CodeContentHash:
		r.judged[d.Loc.Path] = true
	case catalog.CodeDuplicateID: // the rest of the file is kept
		r.judged[d.Message] = true
		return
	}
	r.shared = r.shared || d.Code == catalog.CodeSharedKey
	if first := r.failed[d.Loc.Path]; d.Severity == record.SeverityError && (first == nil || d.Compare(first) < 0) {
		r.failed[d.Loc.Path] = d
	}
}

// AddError takes a file that an earlier stage could not read; it is counted as
// left out of the catalog whose folder it is in.
func (r *Resolver) AddError(e *record.Error) {
	r.errors = append(r.errors, record.Source{Path: e.Input})
}

// Resolve returns, for each catalog, its record, its lists, tools and resources; and
// what it found. All is in the order in which files are walked, whatever the order
// of the input: so is who is the first of two that have one ID (decision "Order of
// a catalog").
func (r *Resolver) Resolve() (iter.Seq[catalog.Record], []*record.Diagnostic) {
	slices.SortStableFunc(r.loads, func(a, b *record.Load) int {
		return cmp.Or(walk.ComparePaths(a.Src.File(), b.Src.File()), strings.Compare(a.Src.Root, b.Src.Root))
	})
	slices.SortFunc(r.errors, func(a, b record.Source) int { return strings.Compare(a.Path, b.Path) })
	s := &session{Resolver: r, carried: map[string]bool{}}
	s.group()
	for _, c := range s.catalogs {
		s.checkContent(c)
		s.addLists(c)
	}
	for _, c := range s.catalogs {
		for _, l := range c.schemas {
			s.while(l, func() {
				s.addSchema(c, l)
				s.addPrompts(c, l)
			})
		}
		for _, l := range c.textLoads {
			s.addFileText(c, l)
		}
		for _, l := range c.members {
			s.addGroup(c, l)
		}
		c.resolveTexts()
		c.resolveBundles()
	}
	s.nameAll()
	s.checkMembers()
	s.reportSharedKeys()
	return func(yield func(catalog.Record) bool) {
		for _, c := range s.catalogs {
			if !s.records(c, yield) {
				return
			}
		}
	}, s.diags
}

// session is one run of Resolve.
type session struct {
	*Resolver
	catalogs []*draft
	diags    []*record.Diagnostic
	carried  map[string]bool // libraries, by name
}

// draft is one catalog of the stream (chapter 15), as it is being made.
type draft struct {
	of        *Resolver
	dir       string
	registry  ordjson.Value // registry.json, Missing without one
	manifest  *record.Load  // its record
	loads     []*record.Load
	schemas   []*record.Load
	lists     sharedlist.Lists
	kept      int // schemas that are not left out
	leftOut   int // files and single tools that are
	tools     []*tool
	resources []*resource
	byID      map[catalog.ID]*record.Load // file of a tool or a resource
	defined   map[catalog.ID]*record.Load // see defining
	handlers  []*catalog.Handlers         // of the schemas that have some
	packages  []*catalog.Library          // libraries that no catalog before carries
	members   []*record.Load              // of selections and agents
	groups    []*group
	textLoads []*record.Load // of skills, prompts and SKILL.md files
	texts     []*text
	textByID  map[catalog.ID]*text
	bundles   []*bundle
	rules     rules.Context
}

func (c *draft) name() string {
	if name := c.registry.Get("name").Str(); name != "" {
		return name
	}
	return walk.FolderName(c.dir)
}

// group sorts the records into catalogs.
func (s *session) group() {
	dirs := walk.Scopes{}
	for _, l := range s.loads {
		dirs.Add(l)
	}
	byDir := map[string]*draft{}
	for _, l := range s.loads {
		dir := dirs.Root(l.Src)
		c := byDir[dir]
		if c == nil {
			c = &draft{of: s.Resolver, dir: dir, byID: map[catalog.ID]*record.Load{}, textByID: map[catalog.ID]*text{}}
			byDir[dir] = c
			s.catalogs = append(s.catalogs, c)
		}
		switch {
		case l.Type == record.TypeSchema:
			c.schemas = append(c.schemas, l)
		case l.Type == record.TypeList:
			c.loads = append(c.loads, l)
		case l.Type == record.TypeSelection || l.Type == record.TypeAgent:
			c.members = append(c.members, l)
		case l.Type == record.TypeSkill || l.Type == record.TypePrompt || l.Type == record.TypeSkillMD:
			c.textLoads = append(c.textLoads, l)
		case walk.IsRegistry(l) && !c.registry.Exists():
			c.registry, c.manifest = l.Data, l
		}
	}
	for _, src := range s.errors {
		if c := byDir[dirs.Root(src)]; c != nil {
			c.leftOut++
		}
	}
}

func (s *session) report(sev record.Severity, subject string, src record.Source, p words.Problem) {
	s.diags = append(s.diags, src.Diagnose(sev, subject, p))
}

// addSchema adds the tools of a schema, or leaves the schema out.
func (s *session) addSchema(c *draft, l *record.Load) {
	if s.failed[l.Src.File()] != nil {
		c.leftOut++
		return
	}
	schema := model.NewSchema(l.Data)
	refs := schema.SharedLists()
	blocked := map[rules.Callable][]words.Problem{}
	for _, f := range rules.Blocking(l, &c.rules) {
		p := f.Problem()
		if p.Code == "VAL072" {
			i := slices.IndexFunc(refs, func(r model.ListRef) bool { return r.Named().Pointer() == p.Pointer })
			p.Message += s.elsewhere(refs[i].Ref)
		}
		blocked[*f.Blocks] = append(blocked[*f.Blocks], p)
	}
	problems := slices.Concat(blocked[rules.Callable{}], s.checkLibraries(schema), s.checkLists(c, refs))
	if len(problems) > 0 {
		s.reportAll(l, problems)
		c.leftOut++
		return
	}
	c.packages = append(c.packages, s.libraries(schema)...)
	b := s.builder(c, l, blocked)
	tools, resources := len(c.tools), len(c.resources)
	source, lost := s.handlersSource(l)
	s.reportAll(l, blocked[rules.Callable{Depth: 1, Section: rules.ToolSection}])
	for _, t := range schema.Tools() {
		if lost && len(b.stages.of(t.Name)) > 0 {
			c.leftOut++
			continue
		}
		s.addTool(c, b, t)
	}
	if none := blocked[rules.Callable{Depth: 1, Section: rules.ResourceSection}]; len(none) > 0 {
		s.reportAll(l, none)
		c.leftOut++
	}
	for _, r := range schema.Resources() {
		s.addResource(c, b, r, lost)
	}
	if r := b.handlers(c.tools[tools:], c.resources[resources:], source); r != nil {
		c.handlers = append(c.handlers, r)
	}
	if len(c.tools) > tools || len(c.resources) > resources {
		c.kept++
	}
}

// builder makes the tools of a schema.
func (s *session) builder(c *draft, l *record.Load, blocked map[rules.Callable][]words.Problem) *builder {
	schema := model.NewSchema(l.Data)
	return &builder{
		load: l, schema: schema, namespace: catalog.NamespaceOf(l), declared: schema.RequiredServerParams(),
		refs: schema.SharedLists(), lists: &c.lists, community: s.opts.Community, bare: s.opts.NoExamples,
		stages: newStages(l), blocked: blocked,
	}
}

// checkLists looks for references to lists that are there and cannot be used. One
// keeps the whole schema out (chapter 03, "Resolution Lifecycle").
func (s *session) checkLists(c *draft, refs []model.ListRef) []words.Problem {
	var problems []words.Problem
	for _, ref := range refs {
		if l := c.lists.Lookup(ref.Ref); l != nil && l.Broken != nil {
			problems = append(problems, words.Problem{Code: "VAL072", Pointer: ref.Named().Pointer(),
				Fix: "correct the list first",
				Message: "list " + words.Quote(ref.Ref) + " (" + l.Src.File() + ") cannot be used: " +
					l.Broken.Code + ": " + l.Broken.Message})
		}
	}
	return problems
}

// reportAll reports what keeps a schema, or all its tools or resources, out.
func (s *session) reportAll(l *record.Load, problems []words.Problem) {
	for _, p := range problems {
		s.report(record.SeverityError, l.ID, l.Src, p)
	}
}

// addTool adds one tool. Of two tools with one Spec-ID the first is kept, so
// that the rest of the catalog can be served while the author fixes it.
func (s *session) addTool(c *draft, b *builder, t model.Tool) {
	built := b.build(t)
	id := catalog.ID{Namespace: b.namespace, Type: catalog.TypeTool, Name: t.Name}
	s.reportBuilt(b, id)
	if built == nil || !s.first(c, id, b.load, built.Src.Pointer) {
		c.leftOut++
		return
	}
	if s.packed[b.load] != nil {
		built.trim()
	}
	c.tools = append(c.tools, built)
}

// maxSubject is how many bytes the subject of a finding has.
const maxSubject = 1000

// reportBuilt reports what was found while something was built.
func (s *session) reportBuilt(b *builder, id catalog.ID) {
	subject := id.String()
	if len(subject) > maxSubject { // each finding repeats it
		subject = b.load.ID
	}
	for _, p := range b.problems {
		s.report(record.SeverityError, subject, b.load.Src, p)
	}
	for _, p := range b.warnings {
		s.report(record.SeverityWarning, subject, b.load.Src, p)
	}
}

// first reports whether an ID is not taken yet, and takes it.
func (s *session) first(c *draft, id catalog.ID, l *record.Load, pointer string) bool {
	if first := c.byID[id]; first != nil {
		if p := walk.Duplicate(id.Type, id.String(), first.Src, l.Src, pointer); !s.judged[p.Message] {
			s.report(record.SeverityError, id.String(), l.Src, p)
		}
		return false
	}
	c.byID[id] = l
	return true
}
