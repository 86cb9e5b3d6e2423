package resolve

import (
	"cmp"
	"slices"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
)

// resource makes a resource, or returns nil and leaves the reasons in
// b.problems. A query that cannot be asked is left out with its reasons, and
// the others stay.
func (b *builder) resource(r model.Resource) *catalog.Resource {
	b.problems, b.warnings = nil, nil
	id := catalog.ID{Namespace: b.namespace, Type: catalog.TypeResource, Name: r.Name}
	if p := id.Check(); p != nil {
		p.Pointer = r.Pointer()
		b.problems = append(b.problems, *p)
	}
	if b.leftOut(rules.ResourceSection, r.Name) {
		return nil
	}
	text := func(key string) string { return r.Get(key).Str() }
	built := &catalog.Resource{
		ID: id.String(), Schema: b.load.ID, Namespace: b.namespace, Name: r.Name, Description: text("description"),
		Source: r.Source,
		Mode:   r.Mode, Origin: r.Origin, Path: text("path"), URL: text("url"), CacheTTL: r.Get("cacheTtl"),
		Addon: text("addon"), AddonVersion: text("addonVersion"), AddonSource: text("addonSource"), File: r.File,
		URI:    cmp.Or(text("uri"), URI(id)),
		Tags:   record.StringsOf(b.schema.Get("tags")),
		Src:    catalog.Src{Path: b.load.Src.Path, Pointer: r.Pointer()},
		Hashes: b.load.Hashes,
	}
	var tools []model.Tool
	for _, q := range r.Queries() {
		tools = append(tools, q.Tool())
		if one := b.query(r, q); one != nil {
			built.Queries = append(built.Queries, one)
		}
	}
	built.Queries = append(built.Queries, addedQueries(r)...)
	handled := slices.ContainsFunc(built.Queries, func(q *catalog.Query) bool { return len(q.Handlers) > 0 })
	built.SharedLists = b.listNames(handled, tools...)
	return built
}

// URI is the address of a resource for MCP clients where the schema states none: the
// Spec-ID in a scheme of its own. That of a query ends in the query's name.
func URI(id catalog.ID) string { return model.URIScheme + id.String() }
