package search

import (
	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// Doc is what is known of a tool.
type Doc struct {
	ID          string
	Namespace   string
	Resource    string // of a query, its name
	Name        string // the schema's own
	Aliases     []string
	Hint        string // meta.searchHint
	Description string
	Tags        []string
	Parameters  []string // names, descriptions, values
}

// Docs are the tools of a record: one for each query of a resource.
func Docs(r catalog.Record) []Doc {
	switch r := r.(type) {
	case *catalog.Tool:
		d := doc(&r.Callable, r.Namespace, r.Tags)
		for _, alias := range r.Meta.Get("aliases").Elems() {
			d.Aliases = append(d.Aliases, alias.Str())
		}
		d.Hint = r.Meta.Get("searchHint").Str()
		return []Doc{d}
	case *catalog.Resource:
		docs := make([]Doc, 0, len(r.Queries))
		for _, q := range r.Queries {
			d := doc(&q.Callable, r.Namespace, r.Tags)
			d.Resource = r.Name
			docs = append(docs, d)
		}
		return docs
	}
	return nil
}

func doc(c *catalog.Callable, namespace string, tags []string) Doc {
	d := Doc{ID: c.ID, Namespace: namespace, Name: c.Name, Description: c.Description, Tags: tags}
	for _, p := range c.InputSchema.Get("properties").Members() {
		d.Parameters = append(d.Parameters, p.Key)
		if text := p.Value.Get("description"); text.Is(ordjson.String) {
			d.Parameters = append(d.Parameters, text.Str())
		}
		for _, v := range p.Value.Get("enum").Elems() {
			d.Parameters = append(d.Parameters, v.Str())
		}
	}
	return d
}
