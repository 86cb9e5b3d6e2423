package serve

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/sql"
	"github.com/flowmcp/fmcp/pkg/words"
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
func newQueries(rec *record.Resolved, outputSchemas bool, scratch *[]byte) ([]Tool, []Resource, error) {
	d := rec.Data
	var tools []Tool
	var resources []Resource
	list := d.Get("queries").Elems()
	for _, q := range list {
		read := reads(d, q)
		tool, err := newQueryTool(rec, q, read, outputSchemas, scratch)
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
func newQueryTool(rec *record.Resolved, q ordjson.Value, reads, outputSchemas bool, scratch *[]byte) (Tool, error) {
	t := Tool{
		ID: rec.ID + "/" + q.Get("name").Str(), Name: q.Get("name").Str(), WireName: q.Get("wireName").Str(),
		Capability: q.Get("capability").Str(), families: []string{rec.ID, rec.Data.Get("schema").Str()},
	}
	input := q.Get("inputSchema")
	if t.WireName == "" || q.Get("name").Str() == "" || input.Get("type").Str() != "object" {
		return t, fmt.Errorf(`%s: a query needs name, wireName and an inputSchema with "type":"object"; make the catalog again with fmcp-resolve`, rec.ID)
	}
	hints := []ordjson.Member{ordjson.Field("title", ordjson.NewString(rec.Data.Get("name").Str()+"."+q.Get("name").Str()))}
	if reads {
		hints = append(hints, ordjson.Field("readOnlyHint", ordjson.NewBool(true)))
	}
	hints = append(hints, ordjson.Field("openWorldHint", ordjson.NewBool(false)))
	t.define(q, ordjson.NewObject(hints...), outputSchemas, scratch)
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
	keys := keysOf(safeSchema(q.Get("inputSchema")))
	if !(only || name == tablesQuery && q.Get("added").True()) {
		r.URI, title = r.URI+"/"+name, title+"."+name
	}
	define := func(address ordjson.Member, text string) []byte {
		members := []ordjson.Member{address, ordjson.Field("name", ordjson.NewString(title))}
		if text != "" {
			members = append(members, ordjson.Field("description", ordjson.NewString(text)))
		}
		return ordjson.Append(nil, ordjson.NewObject(append(members, ordjson.Field("mimeType", ordjson.NewString(mime)))...))
	}
	var list []Resource
	if len(keys) == 0 || mime == mimeMarkdown {
		r.definition = define(ordjson.Field("uri", ordjson.NewString(r.URI)), description(d, q, only))
		list = append(list, r)
	}
	if len(keys) > 0 {
		r.template = true
		r.definition = define(ordjson.Field("uriTemplate", ordjson.NewString(r.URI+"{?"+strings.Join(keys, ",")+"}")), q.Get("description").Str())
		list = append(list, r)
	}
	return list
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

// startRead starts the read that m asks for. It is a call like others: it may
// take its time, and can be cancelled.
func (c *session) startRead(m message, frame ordjson.Value, size int) *rpcError {
	uri := m.params.Get("uri")
	if !uri.Is(ordjson.String) {
		return failure(rpcInvalidParams, CodeBadParams, "expected params.uri to be an address of resources/list, found %s", shown(uri))
	}
	if address, _, _ := strings.Cut(uri.Str(), "?"); !c.uris[address] {
		return c.unknownResource(uri, address)
	}
	k := c.newCall(m, frame, size)
	k.uri = uri.Str()
	c.gate.enter(c.ctx, k.cost)
	c.enqueue(k)
	return nil
}

// unknownResource is the error of a read of no resource. What changes something
// is a tool alone.
func (c *session) unknownResource(uri ordjson.Value, address string) *rpcError {
	hint := words.DidYouMean(address, slices.Sorted(maps.Keys(c.uris)))
	if wire := c.wireName(strings.TrimPrefix(address, model.URIScheme)); wire != "" {
		hint = ` (did you mean the tool "` + wire + `"?)`
	}
	return failure(rpcNotFound, CodeUnknownResource, "there is no resource %s%s; resources/list and resources/templates/list have the addresses of all", shown(uri), hint)
}

// rpcNotFound is the code of MCP for an address that nothing has.
const rpcNotFound = -32002

// runRead reads and answers.
func (k *call) runRead() {
	if k.ctx.Err() != nil {
		k.session.out.write(k.close, appendError(nil, k.id, failure(rpcInternal, CodeStopping, "%s was not read: the server is stopping", shown(ordjson.NewString(k.uri)))))
		return
	}
	b, err := k.read()
	if err != nil {
		k.session.logFailed(k.uri, err.message)
		b = appendError(nil, k.id, err)
	}
	k.session.out.write(k.close, b)
}

func (k *call) read() (b []byte, err *rpcError) {
	defer func() {
		if r := recover(); r != nil {
			b, err = nil, k.session.fault(r, methodRead)
		}
	}()
	env := k.session.caller.Read(k.ctx, k.uri)
	k.session.logWarnings(k.uri, env)
	if !env.Status {
		text := strings.Join(env.Messages, "; ")
		code, _, _ := strings.Cut(text, " ")
		return nil, failure(rpcInvalidParams, code, "%s", text)
	}
	mime, text := model.MIMEJSON, env.Data.Str()
	if env.Data.Is(ordjson.String) {
		mime = mimeMarkdown
	} else {
		text = ordjson.Text(env.Data)
	}
	b = framed(appendAnswer(nil, k.id), k.frame, "contents")
	b = append(b, `"contents":`...)
	contents := []ordjson.Value{k.content(mime, text)}
	if told := messages(env); len(told) > 0 {
		// A document stays as it is; what is to be said of it stands beside it.
		contents = append(contents, k.content(model.MIMEText, strings.Join(told, "\n")))
	}
	b = ordjson.Append(b, ordjson.NewArray(contents...))
	b = append(append(b, '}'), answerEnd...)
	if limit := k.session.opts.MaxAnswer; len(b) > limit {
		return nil, failure(rpcInternal, CodeAnswerTooLong, "the answer takes %d bytes, more than the limit of %d that clients accept; ask for less", len(b), limit)
	}
	return b, nil
}

// content is an entry of what a read answers.
func (k *call) content(mime, text string) ordjson.Value {
	return ordjson.NewObject(
		ordjson.Field("uri", ordjson.NewString(k.uri)),
		ordjson.Field("mimeType", ordjson.NewString(mime)),
		ordjson.Field("text", ordjson.NewString(text)),
	)
}
