package engine

import (
	"slices"

	"github.com/flowmcp/fmcp/pkg/fields"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/sql"
)

// Resource is a resource that is an object, and its queries that are objects.
type Resource struct {
	model.Resource
	Views []Query
}

// Query is a query and what its SQL holds. Its parameters and its output are
// those of a tool, and the rules about these see them too (eachCallable).
type Query struct {
	Tool
	SQL        string
	Dynamic    bool            // the caller gives the SQL
	Statements []sql.Statement // nil where sqlErr is not
	SQLErr     error
}

// Fields are the fields that the resource may have.
func (r *Resource) Fields() []string {
	switch r.Source {
	case model.SQLite:
		return fields.SQLite.Known()
	case model.SQLiteGTFS:
		return fields.GTFS.Known()
	case model.Markdown:
		return fields.Markdown.Known()
	case model.HTTP:
		return fields.HTTP.Known()
	}
	return fields.Resource.Known()
}

// Is reports whether the resource has one of the sources.
func (r *Resource) Is(sources ...model.ResourceSource) bool {
	return slices.Contains(sources, r.Source)
}

func (p *Pass) newResources() []Resource {
	var list []Resource
	for _, mr := range p.Schema.Resources() {
		if !mr.Is(ordjson.Object) {
			continue // RES041
		}
		r := Resource{Resource: mr}
		if mr.Source != model.Markdown { // RES039
			for _, q := range mr.Queries() {
				if q.Is(ordjson.Object) {
					r.Views = append(r.Views, p.newQuery(q))
				}
			}
		}
		list = append(list, r)
	}
	return list
}

func (p *Pass) newQuery(q model.ResourceQuery) Query {
	view := Query{Tool: NewTool(q.Tool(), p.Declared), SQL: q.SQL, Dynamic: q.Dynamic()}
	if !view.Dynamic {
		view.Statements, view.SQLErr = sql.Split(q.SQL)
	}
	return view
}

// EachResource calls f for every resource of one of the sources.
func (p *Pass) EachResource(f func(*Resource), sources ...model.ResourceSource) {
	for i := range p.Resources {
		if p.Resources[i].Is(sources...) {
			f(&p.Resources[i])
		}
	}
}

// EachQuery calls f for every query.
func (p *Pass) EachQuery(f func(*Query)) {
	for i := range p.Resources {
		for j := range p.Resources[i].Views {
			f(&p.Resources[i].Views[j])
		}
	}
}
