package listing

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// Resource is an address that clients may read: a document, the tables of a
// database, a query, or, with parameters, a template of such addresses. What
// changes something is none: clients read without asking.
type Resource struct {
	URI string // the address, or the template without its parameters
	ID  string // Spec-ID of the query that is read, or of the bundle

	Document bool // of a SKILL.md bundle

	MIME     string         // of a text that is read there; what else is read is JSON
	Template string         // URI with the parameters; "" for an address
	Path     *regexp.Regexp // of an address that names parameters; nil for others
	Listed   []byte         // the object in resources/list or resources/templates/list
}

// newQueries makes the tools of a resource, one for each query, and what of it can
// be read.
func newQueries(r *catalog.Resource, style Style) ([]Tool, []Resource, error) {
	var tools []Tool
	var resources []Resource
	for _, q := range r.Queries {
		tool, err := newQueryTool(q, style)
		if err != nil {
			return nil, nil, err
		}
		tools = append(tools, tool)
		if q.ReadsOnly() {
			resources = append(resources, newResources(q, tool.ID)...)
		}
	}
	return tools, resources, nil
}

// newQueryTool is newTool for a query of a resource. Nothing but data on this
// machine is reached by it.
func newQueryTool(q *catalog.Query, style Style) (Tool, error) {
	t := toolOf(&q.Callable, q.Resource.ID, q.Schema)
	t.ID, t.WireName, t.Capability = strings.Clone(t.ID), strings.Clone(t.WireName), strings.Clone(q.Capability)
	if t.WireName == "" || t.Name == "" || q.InputSchema.Get("type").Str() != "object" {
		return t, fmt.Errorf(`%s: a query needs name, wireName and an inputSchema with "type":"object"; make the `+
			`catalog again with fmcp-resolve`, q.Resource.ID)
	}
	hints := mcp.ToolAnnotation{Title: q.Resource.Name + "." + t.Name, OpenWorldHint: new(false)}
	if t.Reads, t.Destroys = q.ReadsOnly(), !q.ReadsOnly(); t.Reads {
		hints.ReadOnlyHint = new(true)
	}
	t.define(&q.Callable, ordjson.Value{}, hints, style)
	return t, nil
}

// newResources describes a query as an address, or a template of addresses. A
// document is both: it is read whole at its address, and in parts by its
// template (chapter 13, "Parameter-Based Access"). The tables of a database, and
// the only query of a resource, have the address of the resource itself.
func newResources(q *catalog.Query, id string) []Resource {
	r := Resource{URI: strings.Clone(q.Resource.URI), ID: id}
	title, mime, about := q.Resource.Name, model.MIMEJSON, q.Description
	if q.Resource.Source == model.Markdown {
		mime, r.MIME = model.MIMEMarkdown, model.MIMEMarkdown
	}
	only := len(q.Resource.Queries) == 1
	if only {
		about = q.Resource.Description
	}
	var list []Resource
	keys := Keys(safeSchema(q.InputSchema))
	if !only && !q.Describes() {
		r.URI, title = r.URI+"/"+q.Name, title+"."+q.Name
	}
	if q.URI != "" {
		r.URI = strings.Clone(q.URI)
	}
	named, _, _ := model.AddressParameters(r.URI)
	if len(named) > 0 {
		r.Path = model.AddressPattern(r.URI)
		keys = slices.DeleteFunc(keys, func(key string) bool { return slices.Contains(named, key) })
	}
	if len(keys) == 0 && named == nil || mime == model.MIMEMarkdown {
		r.Listed = AppendJSON(nil, mcp.Resource{URI: r.URI, Name: title, Description: about, MIMEType: mime})
		list = append(list, r)
	}
	if len(keys)+len(named) > 0 {
		if r.Template = r.URI; len(keys) > 0 {
			r.Template += "{?" + strings.Join(keys, ",") + "}"
		}
		r.Listed = AppendJSON(nil, template{
			URI:              r.Template,
			ResourceTemplate: mcp.ResourceTemplate{Name: title, Description: q.Description, MIMEType: mime},
		})
		list = append(list, r)
	}
	return list
}

// template is the protocol's, whose own address takes no hyphens.
type template struct {
	URI string `json:"uriTemplate"`
	mcp.ResourceTemplate
}
