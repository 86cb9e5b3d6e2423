package serve

import (
	"fmt"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/sql"
)

// Resource is an address that clients may read: a document, the tables of a
// database, a query, or, with parameters, a template of such addresses. What
// changes something is none: clients read without asking.
type Resource struct {
	URI string // the address, or the template without its parameters
	ID  string // Spec-ID of the query that is read

	template   bool
	definition []byte // the object in resources/list or resources/templates/list
}

// mimeMarkdown is the type of documents; what else is read is JSON.
const mimeMarkdown = "text/markdown"

// newQueries makes the tools of a resolved record of type resource, one for each
// query, and what of it can be read.
func newQueries(rec *record.Resolved, outputSchemas bool) ([]Tool, []Resource, error) {
	d := rec.Data
	var tools []Tool
	var resources []Resource
	list := d.Get("queries").Elems()
	for _, q := range list {
		read := reads(d, q)
		tool, err := newQueryTool(rec, q, read, outputSchemas)
		if err != nil {
			return nil, nil, err
		}
		tools = append(tools, tool)
		if read {
			for _, r := range newResources(d, q, len(list) == 1) {
				r.ID = tool.ID
				resources = append(resources, r)
			}
		}
	}
	return tools, resources, nil
}

// reads reports whether a query changes nothing, whatever its caller gives.
func reads(d, q ordjson.Value) bool {
	if d.Get("mode").Str() != model.FileBased || d.Get("source").Str() != string(model.SQLite) {
		return true
	}
	text := q.Get("sql").Str()
	if model.IsDynamic(text) {
		return false
	}
	statements, err := sql.Split(text)
	return err == nil && len(statements) == 1 && statements[0].Reads()
}

// newQueryTool is newTool for a query of a resource, which reads where it changes
// nothing. Nothing but data on this machine is reached by it.
func newQueryTool(rec *record.Resolved, q ordjson.Value, reads, outputSchemas bool) (Tool, error) {
	t := Tool{
		ID: rec.ID + "/" + q.Get("name").Str(), Name: q.Get("name").Str(), WireName: q.Get("wireName").Str(),
		Capability: q.Get("capability").Str(), families: []string{rec.ID, rec.Data.Get("schema").Str()},
	}
	input := q.Get("inputSchema")
	if t.WireName == "" || q.Get("name").Str() == "" || input.Get("type").Str() != "object" {
		return t, fmt.Errorf(`%s: a query needs name, wireName and an inputSchema with "type":"object"; make the catalog again with fmcp-resolve`, rec.ID)
	}
	hints := mcp.ToolAnnotation{Title: rec.Data.Get("name").Str() + "." + t.Name, OpenWorldHint: new(false)}
	if reads {
		hints.ReadOnlyHint = &reads
	}
	t.define(q, hints, outputSchemas)
	return t, nil
}

// newResources describes a query as an address, or a template of addresses. A
// document is both: it is read whole at its address, and in parts by its
// template (chapter 13, "Parameter-Based Access"). The tables of a database, and
// the only query of a resource, have the address of the resource itself.
func newResources(d, q ordjson.Value, only bool) []Resource {
	r := Resource{URI: d.Get("uri").Str()}
	name, title := q.Get("name").Str(), d.Get("name").Str()
	mime := model.MIMEJSON
	if d.Get("source").Str() == string(model.Markdown) {
		mime = mimeMarkdown
	}
	var list []Resource
	keys := keysOf(safeSchema(q.Get("inputSchema")))
	if !(only || name == tablesQuery && q.Get("added").True()) {
		r.URI, title = r.URI+"/"+name, title+"."+name
	}
	if len(keys) == 0 || mime == mimeMarkdown {
		r.definition = appendJSON(nil, mcp.Resource{URI: r.URI, Name: title, Description: description(d, q, only), MIMEType: mime})
		list = append(list, r)
	}
	if len(keys) > 0 {
		r.template = true
		r.definition = appendJSON(nil, template{
			URI:              r.URI + "{?" + strings.Join(keys, ",") + "}",
			ResourceTemplate: mcp.ResourceTemplate{Name: title, Description: q.Get("description").Str(), MIMEType: mime},
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

// tablesQuery is the query that the runtime adds to every database (chapter 13,
// "describeTables").
const tablesQuery = "describeTables"

// description is the resource's where the address is the resource's.
func description(d, q ordjson.Value, only bool) string {
	if only {
		return d.Get("description").Str()
	}
	return q.Get("description").Str()
}

// definitions are those of resources, or of templates.
func definitions(resources []Resource, template bool) [][]byte {
	var list [][]byte
	for i := range resources {
		if resources[i].template == template {
			list = append(list, resources[i].definition)
		}
	}
	return list
}
