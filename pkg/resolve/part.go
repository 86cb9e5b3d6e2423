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

// part is what a schema makes for sure.
type part struct {
	catalog.Part
	ids    []catalog.ID                // of all that the file defines
	at     []spool.Place               // of the records of its tools, resources and handlers
	hashed map[string]*walk.HashedTool // tools that agents refer to, by name
}

// partOf is the part that a schema makes.
func (s *session) partOf(c *draft, l *record.Load) *part {
	p := &part{ids: definedIDs(l), Part: catalog.Part{Src: l.Src, Hashes: l.Hashes, None: !l.Data.Is(ordjson.Object)}}
	catalog.EachID(l, func(id catalog.ID, n *model.Node) {
		if id.Type == string(record.TypePrompt) {
			p.Prompts = append(p.Prompts,
				catalog.PartOf{Name: id.Name, Data: n.Value, At: catalog.At{Pointer: n.Pointer()}})
		}
	})
	p.hashed = c.hashesOf(l, p.ids)
	if s.failed[l.Src.File()] == nil {
		asks := walk.AsksOf(l)
		p.Domain, p.Keys = asks.Domain, asks.Keys
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
	p.Lists = schema.ListNames()
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
		p.LeftOut++
		return
	}
	p.Libraries = s.libraries(schema)
	source, lost := m.source()
	m.find(record.SeverityError, l.ID, blocked[rules.Callable{Depth: 1, Section: rules.ToolSection}])
	for _, t := range schema.Tools() {
		if lost && len(m.stages.of(t.Name)) > 0 {
			p.LeftOut++
			continue
		}
		m.addTool(t)
	}
	if none := blocked[rules.Callable{Depth: 1, Section: rules.ResourceSection}]; len(none) > 0 {
		m.find(record.SeverityError, l.ID, none)
		p.LeftOut++
	}
	for _, r := range schema.Resources() {
		m.addResource(r, lost)
	}
	if p.Handlers = source != "" && (handles(p.Tools) || handles(p.Resources)); p.Handlers {
		p.at = append(p.at, s.keep(m.handlersOf(source)))
	}
}

// handles reports whether one of them has handlers.
func handles(list []catalog.PartOf) bool {
	return slices.ContainsFunc(list, func(m catalog.PartOf) bool { return m.Handled })
}

// find notes problems.
func (m *maker) find(severity record.Severity, subject string, problems []words.Problem) {
	for _, p := range problems {
		one := catalog.Found{Problem: p, Severity: severity, Subject: subject}
		if p.Code == codeNoList {
			one.List = m.missing[p.Pointer]
		}
		m.p.Findings = append(m.p.Findings, one)
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
		m.p.LeftOut++
		return
	}
	m.p.Tools = append(m.p.Tools, catalog.PartOf{Name: t.Name, Handled: len(built.Handlers) > 0,
		At: catalog.At{Pointer: t.Pointer()}})
	m.p.at = append(m.p.at, m.keep(built))
}

// addResource adds one resource. lost says that the source of its handlers is not
// what it was.
func (m *maker) addResource(r model.Resource, lost bool) {
	built := m.resource(r)
	m.findBuilt(catalog.ID{Namespace: m.namespace, Type: catalog.TypeResource, Name: r.Name})
	if built == nil {
		m.p.LeftOut++
		return
	}
	one := catalog.PartOf{Name: r.Name, At: catalog.At{Pointer: r.Pointer()}}
	for _, q := range built.Queries {
		one.Queries = append(one.Queries, q.Name)
		one.Handled = one.Handled || len(q.Handlers) > 0
	}
	if lost && one.Handled {
		m.p.LeftOut++
		return
	}
	m.p.Resources = append(m.p.Resources, one)
	m.p.at = append(m.p.at, m.keep(built))
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
