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
	"github.com/flowmcp/fmcp/pkg/spool"
	"github.com/flowmcp/fmcp/pkg/walk"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Options of a Resolver. The zero value is the default of each.
type Options struct {
	ToolNames  ToolNames // SnakeNames
	MaxName    int       // longest MCP tool name in bytes; DefaultMaxName
	NoExamples bool      // input schemas without values of tests (docs/decisions.md, "What a model sees")
	Community  bool      // severities of --profile community (decision "Body of GET")
	Version    string    // of the program; parts of two versions are not merged
	Merge      bool      // schemas come by AddPart, with most of the options
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

// Resolver makes a self-contained catalog of load records. It keeps all of
// them until Resolve, since a list may come after the schemas that use it and
// no wire name is certain before the last tool is known.
type Resolver struct {
	opts   Options
	files  []*held
	failed map[string]*record.Diagnostic // first error finding of a file
	errors []record.Source               // files that never became a load record
	// contents are the files of skills, prompts and their contents, by path
	contents map[string]*record.Load
	// what an earlier stage has reported: paths of registries, messages of duplicates
	judged map[string]bool
	shared bool // an earlier stage has reported shared keys
	spool  spool.Spool
	buffer []byte   // for texts of the spool
	err    error    // of the spool, or of parts that do not fit
	parts  *merging // nil where there are load records of schemas
}

// NewResolver returns a Resolver, or an error about the options.
func NewResolver(opts Options) (*Resolver, error) {
	if opts.ToolNames == "" {
		opts.ToolNames = SnakeNames
	}
	if opts.MaxName == 0 {
		opts.MaxName = DefaultMaxName
	}
	r := &Resolver{opts: opts, failed: map[string]*record.Diagnostic{}, judged: map[string]bool{},
		contents: map[string]*record.Load{}}
	if opts.Merge {
		r.parts = &merging{inputs: map[string]bool{}, failed: map[string][]string{}, lists: map[string]string{},
			libraries: map[string]spool.Place{}, documents: map[string]spool.Place{}}
		r.opts.Read = r.document
	}
	return r, opts.check()
}

// check says which option has a value that it cannot have.
func (o *Options) check() error {
	if o.ToolNames != SnakeNames && o.ToolNames != SpecNames {
		return fmt.Errorf("tool names %q: expected %q or %q", o.ToolNames, SnakeNames, SpecNames)
	}
	if o.MaxName < MinMaxName || o.MaxName > DefaultMaxName {
		return fmt.Errorf("longest tool name %d: expected %d, which leaves room for a hash, to %d, which all "+
			"clients take", o.MaxName, MinMaxName, DefaultMaxName)
	}
	return nil
}

// Add takes one record of the stream, and its line where it came as one.
func (r *Resolver) Add(l *record.Load, line []byte) {
	if l.Type == record.TypeSchema {
		if r.parts != nil {
			r.err = cmp.Or(r.err, mismatch("%s: a load record, expected a part: make it with fmcp-resolve --part",
				l.Src.File()))
			return
		}
		r.holdSchema(l, line)
		return
	}
	switch l.Type {
	case record.TypeSkill, record.TypePrompt, record.TypeContent:
		r.contents[filepath.Clean(l.Src.File())] = l
	}
	switch l.Type {
	case record.TypeList, record.TypeRegistry, record.TypeSelection, record.TypeAgent, record.TypeSkill,
		record.TypePrompt, record.TypeSkillMD:
		r.files = append(r.files, &held{file: file{l.Type, l.ID, l.Src}, load: l})
	}
}

// AddDiagnostic takes a finding that an earlier stage made, and the name of the input
// that it came in. A file with one of severity error is left out, whatever the order
// in which the two come.
func (r *Resolver) AddDiagnostic(d *record.Diagnostic, input string) {
	switch d.Code {
	case catalog.CodeContentHash:
		r.judged[d.Loc.Path] = true
	case catalog.CodeDuplicateID: // the rest of the file is kept
		r.judged[d.Message] = true
		return
	}
	r.shared = r.shared || d.Code == catalog.CodeSharedKey
	if r.parts != nil && d.Severity == record.SeverityError {
		r.parts.failed[d.Loc.Path] = append(r.parts.failed[d.Loc.Path], input)
	}
	if first := r.failed[d.Loc.Path]; d.Severity == record.SeverityError && (first == nil || d.Compare(first) < 0) {
		r.failed[d.Loc.Path] = d
	}
}

// AddError takes a file that an earlier stage could not read; it is counted as
// left out of the catalog whose folder it is in.
func (r *Resolver) AddError(e *record.Error) {
	r.errors = append(r.errors, record.Source{Path: e.Input})
}

// Resolve returns, for each catalog, its record, its lists, tools and resources, each
// as a line; and what it found. All is in the order in which files are walked, whatever
// the order of the input: so is who is the first of two that have one ID (decision
// "Order of a catalog"). Where Err returns an error afterwards, it is not whole.
func (r *Resolver) Resolve() (iter.Seq2[record.Type, []byte], []*record.Diagnostic) {
	s := r.begin()
	for _, c := range s.catalogs {
		s.checkContent(c)
		s.addLists(c)
	}
	for _, c := range s.catalogs {
		for _, h := range c.schemas {
			s.addFile(c, h, s.part(c, h))
		}
		for _, h := range c.textFiles {
			s.addFileText(c, h)
		}
		for _, h := range c.members {
			s.addGroup(c, h)
		}
		s.resolveTexts(c)
		c.resolveBundles()
	}
	s.nameAll()
	s.checkMembers()
	s.reportSharedKeys()
	return func(yield func(record.Type, []byte) bool) {
		for _, c := range s.catalogs {
			if r.err != nil || !s.records(c, yield) {
				return
			}
		}
	}, s.diags
}

// begin begins a run.
func (r *Resolver) begin() *session {
	r.sort()
	r.err = cmp.Or(r.err, r.checkParts())
	if r.parts != nil {
		r.dropFailed()
	}
	slices.SortFunc(r.errors, func(a, b record.Source) int { return strings.Compare(a.Path, b.Path) })
	s := &session{Resolver: r, carried: map[string]bool{}, defined: map[string]bool{}, apart: r.leftOutBefore()}
	s.group()
	return s
}

// Err is the error of the temporary file, or of parts that do not make a catalog.
func (r *Resolver) Err() error { return r.err }

// Close removes the temporary file.
func (r *Resolver) Close() error { return r.spool.Close() }

// session is one run of Resolve.
type session struct {
	*Resolver
	catalogs []*draft
	diags    []*record.Diagnostic
	carried  map[string]bool // libraries, by name
	asks     walk.KeyAsks
	taken    map[string]*file // IDs that the catalogs have, see dropShared
	defined  map[string]bool  // IDs that files define and no catalog has
	apart    map[string]bool  // namespaces of which a file was left out as a whole
	line     []byte           // of keep
}

// draft is one catalog of the stream (chapter 15), as it is being made.
type draft struct {
	dir       string
	registry  ordjson.Value // registry.json, Missing without one
	manifest  *record.Load  // its record
	loads     []*record.Load
	schemas   []*held
	lists     sharedlist.Lists
	kept      int // schemas that are not left out
	leftOut   int // files and single tools that are
	tools     []*tool
	resources []*resource
	byID      map[string]*file                // of tools, resources and texts
	hashed    map[catalog.ID]*walk.HashedTool // the tools that agents refer to, nil as long as none is known
	handlers  []spool.Place                   // of the schemas that have some
	packages  []spool.Place                   // libraries that no catalog before carries
	members   []*held                         // selections and agents
	groups    []*group
	textFiles []*held // skills, prompts and SKILL.md files
	texts     []*text
	textByID  map[catalog.ID]*text
	bundles   []*bundle
	rules     rules.Context
}

// tool is a tool that is in the catalog.
type tool struct {
	id     string
	of     *file
	at     spool.Place // of its record, which has no wire name yet
	digits uint8       // of the hash in that
	routes bool        // it is in routes, as tools of version 1 are
}

// pointer is that of its object in the file.
func (t *tool) pointer() string {
	_, typ, name := parts(t.id)
	switch {
	case typ == catalog.TypeResource:
		return string(ordjson.AppendPointer([]byte("/resources"), name))
	case t.routes:
		return string(ordjson.AppendPointer([]byte("/routes"), name))
	}
	return string(ordjson.AppendPointer([]byte("/tools"), name))
}

// resource is a resource that is in the catalog.
type resource struct {
	tool
	queries []query
}

// query is one of its queries.
type query struct {
	name   string
	digits uint8
}

func (c *draft) name() string {
	if name := c.registry.Get("name").Str(); name != "" {
		return name
	}
	return walk.FolderName(c.dir)
}

// group sorts the files into catalogs.
func (s *session) group() {
	dirs := walk.Scopes{}
	for _, h := range s.files {
		dirs.Add(&record.Load{Type: h.typ, Src: h.src})
	}
	byDir := map[string]*draft{}
	for _, h := range s.files {
		dir := dirs.Root(h.src)
		c := byDir[dir]
		if c == nil {
			c = &draft{dir: dir, byID: map[string]*file{}, textByID: map[catalog.ID]*text{},
				hashed: map[catalog.ID]*walk.HashedTool{}}
			byDir[dir] = c
			s.catalogs = append(s.catalogs, c)
		}
		c.take(h)
	}
	for _, src := range s.errors {
		if c := byDir[dirs.Root(src)]; c != nil {
			c.leftOut++
		}
	}
}

// take takes a file of the catalog.
func (c *draft) take(h *held) {
	switch h.typ {
	case record.TypeSchema:
		c.schemas = append(c.schemas, h)
	case record.TypeList:
		c.loads = append(c.loads, h.load)
	case record.TypeSelection, record.TypeAgent:
		c.members = append(c.members, h)
		walk.AgentHashOf(h.load.Data, func(id catalog.ID) walk.HashedTool { // which asks for them
			c.hashed[id] = nil
			return walk.HashedTool{}
		})
	case record.TypeSkill, record.TypePrompt, record.TypeSkillMD:
		c.textFiles = append(c.textFiles, h)
	case record.TypeRegistry:
		if walk.IsRegistry(h.load) && !c.registry.Exists() {
			c.registry, c.manifest = h.load.Data, h.load
		}
	}
}

// namespace is that of all that the file defines.
func (f *file) namespace() string {
	namespace, _, _ := strings.Cut(f.id, "/")
	return namespace
}

func (s *session) report(sev record.Severity, subject string, src record.Source, p words.Problem) *record.Diagnostic {
	d := src.Diagnose(sev, subject, p)
	s.diags = append(s.diags, d)
	return d
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
func (s *session) reportAll(f *file, problems []words.Problem) {
	for _, p := range problems {
		s.report(record.SeverityError, f.id, f.src, p)
	}
}
