package resolve

import (
	"slices"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
)

// resource is a resource whose queries wait for their MCP names.
type resource struct {
	id      catalog.ID
	load    *record.Load
	pointer string
	data    []ordjson.Member   // of the record, without queries
	queries [][]ordjson.Member // one for each; wireName is still to be set
}

// queryNameAt is the place of wireName in the members of a query.
const queryNameAt = 1

// record is the resource's record; its names are set.
func (r *resource) record() *record.Resolved {
	list := make([]ordjson.Value, len(r.queries))
	for i, q := range r.queries {
		list[i] = ordjson.NewObject(q...)
	}
	data := make([]ordjson.Member, 0, len(r.data)+1)
	for _, m := range r.data {
		data = append(data, m)
		if m.Key == "uri" {
			data = append(data, ordjson.Field("queries", ordjson.NewArray(list...)))
		}
	}
	return &record.Resolved{ID: r.id.String(), Type: record.TypeResource, Data: ordjson.NewObject(data...)}
}

// kept are the fields of a resource that stay as written. The name of the file
// is called file, since the record's name is that of the resource.
var kept = []string{"mode", "origin", "path", "url", "cacheTtl", "addon", "addonVersion", "addonSource"}

// resource makes a resource, or returns nil and leaves the reasons in
// b.problems. A query that cannot be asked is left out with its reasons, and
// the others stay.
func (b *builder) resource(r model.Resource) *resource {
	b.problems, b.warnings = nil, nil
	id := catalog.ID{Namespace: b.namespace, Type: catalog.TypeResource, Name: r.Name}
	if p := id.Check(); p != nil {
		p.Pointer = r.Pointer()
		b.problems = append(b.problems, *p)
	}
	if b.leftOut(rules.ResourceSection, r.Name) {
		return nil
	}
	f := fields{}
	f.str("schema", b.load.ID)
	f.str("namespace", b.namespace)
	f.str("name", r.Name)
	f.str("description", r.Get("description").Str())
	f.str("source", string(r.Source))
	for _, key := range kept {
		f.value(key, r.Get(key))
	}
	if r.File != "" {
		f.str("file", r.File)
	}
	f.str("uri", URI(id))
	f.list("tags", record.StringsOf(b.schema.Get("tags")))
	f.value("src", srcValue(b.load.Src, r.Pointer()))
	f.value("hashes", hashesValue(b.load.Hashes))
	built := &resource{id: id, load: b.load, pointer: r.Pointer(), data: f}
	for _, q := range r.Queries() {
		if members := b.query(r, q); members != nil {
			built.queries = append(built.queries, members)
		}
	}
	built.queries = append(built.queries, addedQueries(r)...)
	return built
}

// URI is the address of a resource for MCP clients: the Spec-ID in a scheme of
// its own. That of a query has the query's name behind it.
func URI(id catalog.ID) string { return model.URIScheme + id.String() }

// handled reports whether a query has a handler.
func (r *resource) handled() bool {
	return slices.ContainsFunc(r.queries, hasHandlers)
}
