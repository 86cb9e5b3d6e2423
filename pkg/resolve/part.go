package resolve

import (
	"slices"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
	"github.com/flowmcp/fmcp/pkg/spool"
	"github.com/flowmcp/fmcp/pkg/walk"
	"github.com/flowmcp/fmcp/pkg/words"
)

// part is what a schema and the lists of its catalog make for sure: all but what
// depends on other schemas, such as the names.
type part struct {
	none      bool // the file exports no object
	ids       []catalog.ID
	tools     []made
	resources []made
	handlers  spool.Place // record of the handlers; none has size 0
	libraries []string    // packages that the catalog has to carry
	prompts   []promptPart
	asks      walk.Asks
	hashes    record.Hashes
	hashed    map[string]*walk.HashedTool // tools that agents refer to, by name
	leftOut   int                         // tools, resources, or the schema as a whole
	findings  []finding
}

// made is a tool or a resource.
type made struct {
	name, pointer string
	queries       []string // of a resource: their names
	handled       bool     // it has handlers
	at            spool.Place
}

// promptPart is a prompt of a schema.
type promptPart struct {
	id      catalog.ID
	pointer string
	data    ordjson.Value
}

// finding is one about the file of the part.
type finding struct {
	words.Problem
	severity record.Severity
	subject  string
	list     string // that there is none of; see elsewhere
}

// partOf is the part that a schema makes.
func (s *session) partOf(c *draft, l *record.Load) *part {
	p := &part{none: !l.Data.Is(ordjson.Object), hashes: l.Hashes}
	catalog.EachID(l, func(id catalog.ID, n *model.Node) {
		p.ids = append(p.ids, id)
		if id.Type == string(record.TypePrompt) {
			p.prompts = append(p.prompts, promptPart{id, n.Pointer(), n.Value})
		}
	})
	p.hashed = c.hashesOf(l, p.ids)
	if s.failed[l.Src.File()] == nil {
		p.asks = walk.AsksOf(l)
		s.makeSchema(c, l, p)
	}
	return p
}

// definedIDs are the IDs of what a schema defines.
func definedIDs(l *record.Load) []catalog.ID {
	var ids []catalog.ID
	catalog.EachID(l, func(id catalog.ID, _ *model.Node) { ids = append(ids, id) })
	return ids
}

// hashesOf are the hashes of tools of a schema that agents refer to, by their names.
func (c *draft) hashesOf(l *record.Load, ids []catalog.ID) map[string]*walk.HashedTool {
	var hashes map[string]*walk.HashedTool
	for _, id := range ids {
		if _, asked := c.hashed[id]; asked {
			if hashes == nil {
				hashes = map[string]*walk.HashedTool{}
			}
			t := walk.HashTool(l, id.Name)
			hashes[id.Name] = &t
		}
	}
	return hashes
}

// maker makes the part of a schema.
type maker struct {
	*session
	*builder
	p       *part
	missing map[string]string // names of lists that are not there, by the pointer of the reference
}

// makeSchema makes the tools and the resources of a schema, or says why there are none.
func (s *session) makeSchema(c *draft, l *record.Load, p *part) {
	schema := model.NewSchema(l.Data)
	refs := schema.SharedLists()
	blocked := map[rules.Callable][]words.Problem{}
	m := maker{session: s, p: p, builder: s.builder(c, l, blocked), missing: map[string]string{}}
	for _, f := range rules.Blocking(l, &c.rules) {
		one := f.Problem()
		if one.Code == codeNoList {
			i := slices.IndexFunc(refs, func(r model.ListRef) bool { return r.Named().Pointer() == one.Pointer })
			m.missing[one.Pointer] = refs[i].Ref
		}
		blocked[*f.Blocks] = append(blocked[*f.Blocks], one)
	}
	problems := slices.Concat(blocked[rules.Callable{}], s.checkLibraries(schema), s.checkLists(c, refs))
	if len(problems) > 0 {
		m.find(record.SeverityError, l.ID, problems)
		p.leftOut++
		return
	}
	p.libraries = s.libraries(schema)
	source, lost := m.source()
	m.find(record.SeverityError, l.ID, blocked[rules.Callable{Depth: 1, Section: rules.ToolSection}])
	for _, t := range schema.Tools() {
		if lost && len(m.stages.of(t.Name)) > 0 {
			p.leftOut++
			continue
		}
		m.addTool(t)
	}
	if none := blocked[rules.Callable{Depth: 1, Section: rules.ResourceSection}]; len(none) > 0 {
		m.find(record.SeverityError, l.ID, none)
		p.leftOut++
	}
	for _, r := range schema.Resources() {
		m.addResource(r, lost)
	}
	if source != "" && (handles(p.tools) || handles(p.resources)) {
		p.handlers = s.keep(m.handlersOf(source))
	}
}

// handles reports whether one of them has handlers.
func handles(list []made) bool {
	return slices.ContainsFunc(list, func(m made) bool { return m.handled })
}

// find notes problems.
func (m *maker) find(severity record.Severity, subject string, problems []words.Problem) {
	for _, p := range problems {
		one := finding{Problem: p, severity: severity, subject: subject}
		if p.Code == codeNoList {
			one.list = m.missing[p.Pointer]
		}
		m.p.findings = append(m.p.findings, one)
	}
}

// codeNoList is that of a reference to a list that is not there, or cannot be used.
const codeNoList = "VAL072"

// maxSubject is how many bytes the subject of a finding has.
const maxSubject = 1000

// findBuilt notes what was found while something was built.
func (m *maker) findBuilt(id catalog.ID) {
	subject := id.String()
	if len(subject) > maxSubject { // each finding repeats it
		subject = m.load.ID
	}
	m.find(record.SeverityError, subject, m.problems)
	m.find(record.SeverityWarning, subject, m.warnings)
}

// addTool adds one tool.
func (m *maker) addTool(t model.Tool) {
	built := m.build(t)
	m.findBuilt(catalog.ID{Namespace: m.namespace, Type: catalog.TypeTool, Name: t.Name})
	if built == nil {
		m.p.leftOut++
		return
	}
	m.p.tools = append(m.p.tools, made{name: t.Name, pointer: t.Pointer(), handled: len(built.Handlers) > 0,
		at: m.keep(built)})
}

// addResource adds one resource. lost says that the source of its handlers is not
// what it was.
func (m *maker) addResource(r model.Resource, lost bool) {
	built := m.resource(r)
	m.findBuilt(catalog.ID{Namespace: m.namespace, Type: catalog.TypeResource, Name: r.Name})
	if built == nil {
		m.p.leftOut++
		return
	}
	one := made{name: r.Name, pointer: r.Pointer()}
	for _, q := range built.Queries {
		one.queries = append(one.queries, q.Name)
		one.handled = one.handled || len(q.Handlers) > 0
	}
	if lost && one.handled {
		m.p.leftOut++
		return
	}
	one.at = m.keep(built)
	m.p.resources = append(m.p.resources, one)
}

// source is the source of a schema that has handlers. Where it is not the one that
// was loaded, it is lost, which is noted: without it a tool would return something
// else than its author means.
func (m *maker) source() (source string, lost bool) {
	if len(m.load.Handlers) == 0 || m.opts.Source == nil {
		return "", false
	}
	source, same := m.opts.Source(m.load)
	if same {
		return source, false
	}
	m.find(record.SeverityError, m.load.ID, []words.Problem{{
		Code: catalog.CodeChanged, Message: "the file changed or vanished after it was loaded, so its handlers " +
			"cannot be kept: tools that have some are left out",
		Fix: "scan again when nothing writes to the tree",
	}})
	return "", true
}

// keep keeps a record for the catalog.
func (s *session) keep(r catalog.Record) spool.Place {
	s.line = catalog.Encode(r).AppendJSON(s.line[:0])
	return s.put(s.line)
}
