package rules

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/sql"
)

// resource is a resource that is an object, and its queries that are objects.
type resource struct {
	model.Resource
	queries []query
}

// query is a query and what its SQL holds. Its parameters and its output are
// those of a tool, and the rules about these see them too (eachCallable).
type query struct {
	tool
	sql        string
	dynamic    bool            // the caller gives the SQL
	statements []sql.Statement // nil where sqlErr is not
	sqlErr     error
}

// The fields of resources by their source, and of queries (chapter 13;
// decision "Database files", "HTTP resources" and "GTFS resources"). A sqlite-gtfs resource is a sqlite one by inheritance: it
// may have queries of its own.
var (
	sqliteFields   = []string{"source", "mode", "origin", "name", "description", "queries", "database"}
	gtfsFields     = []string{"source", "mode", "path", "addon", "addonVersion", "addonSource", "description", "queries"}
	markdownFields = []string{"source", "origin", "name", "description"}
	httpFields     = []string{"source", "url", "path", "cacheTtl", "description", "queries"}
	queryFields    = []string{"sql", "description", "parameters", "output", "tests"}

	// resourceFields are those of all sources, for a resource whose own is
	// not known.
	resourceFields = []string{
		"source", "mode", "origin", "name", "description", "queries", "database",
		"path", "addon", "addonVersion", "addonSource", "url", "cacheTtl",
	}
)

// fields are the fields that the resource may have.
func (r *resource) fields() []string {
	switch r.Source {
	case model.SQLite:
		return sqliteFields
	case model.SQLiteGTFS:
		return gtfsFields
	case model.Markdown:
		return markdownFields
	case model.HTTP:
		return httpFields
	}
	return resourceFields
}

// is reports whether the resource has one of the sources.
func (r *resource) is(sources ...model.ResourceSource) bool {
	return slices.Contains(sources, r.Source)
}

func (p *Pass) newResources() []resource {
	var list []resource
	for _, mr := range p.schema.Resources() {
		if !mr.Is(ordjson.Object) {
			continue // RES041
		}
		r := resource{Resource: mr}
		if mr.Source != model.Markdown { // RES039
			for _, q := range mr.Queries() {
				if q.Is(ordjson.Object) {
					r.queries = append(r.queries, p.newQuery(q))
				}
			}
		}
		list = append(list, r)
	}
	return list
}

func (p *Pass) newQuery(q model.ResourceQuery) query {
	view := query{tool: newTool(q.Tool(), p.declared), sql: q.SQL, dynamic: q.Dynamic()}
	if !view.dynamic {
		view.statements, view.sqlErr = sql.Split(q.SQL)
	}
	return view
}

// eachResource calls f for every resource of one of the sources.
func (p *Pass) eachResource(f func(*resource), sources ...model.ResourceSource) {
	for i := range p.resources {
		if p.resources[i].is(sources...) {
			f(&p.resources[i])
		}
	}
}

// eachQuery calls f for every query.
func (p *Pass) eachQuery(f func(*query)) {
	for i := range p.resources {
		for j := range p.resources[i].queries {
			f(&p.resources[i].queries[j])
		}
	}
}

// eachCallable calls f for all that has parameters and an output: tools, and
// the queries of resources.
func (p *Pass) eachCallable(f func(*tool)) {
	for i := range p.tools {
		f(&p.tools[i])
	}
	p.eachQuery(func(q *query) { f(&q.tool) })
}

// isQuery reports whether it is the view of a query.
func (t *tool) isQuery() bool { return t.Parent().Key() == "queries" }

// unknownInResources reports the unknown fields of resources (VAL003).
func (p *Pass) unknownInResources() {
	for i := range p.resources {
		p.unknown(p.resources[i].Node, p.resources[i].fields())
	}
	p.eachQuery(func(q *query) { p.unknown(q.Node, queryFields) })
}

// stagesOf are the stages that a handler of that name may have. A query makes
// no request that there could be a stage before, and a resource has no handlers
// but those of its queries (chapter 13, "Handler Integration").
func (p *Pass) stagesOf(handler string) []string {
	name, queryName, nested := strings.Cut(handler, "/")
	r := p.schema.Get("resources").Get(name)
	if !r.Exists() || p.schema.Get(p.schema.ToolsKey()).Get(handler).Exists() {
		return stages
	}
	queries := r.Get("queries")
	switch {
	case queries.Len() == 0:
		return stages
	case nested && queries.Get(queryName).Exists():
		return queryStages
	case nested:
		return stages // its name is what is wrong
	}
	var names []string
	for _, m := range queries.Members() {
		names = append(names, m.Key)
	}
	return names
}

var queryStages = []string{"postRequest"}
