package listing

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/domain"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/serve/fit"
)

// Tool is a tool as it is listed and called.
type Tool struct {
	ID           string   // Spec-ID, "coingecko/tool/simplePrice" (chapter 16)
	Name         string   // the schema's own, "simplePrice"
	WireName     string   // MCP name, "simple_price_coingecko" (decision "MCP tool names")
	ServerParams []string // keys that a call may need
	Domain       string   // registrable domain of the root, to which they go
	Capability   string   // what a sealed database must be able to answer for it; "" for most

	Reads, Destroys bool // changes nothing; may do what cannot be undone, or says nothing of it
	Always          bool // listed in every mode

	Structured bool   // has an outputSchema: results owe structuredContent
	MIME       string // output.MIMEType

	families []string // the schema, and before it the resource of a query: who in its descriptions is called by Name
	maker
}

// newTool makes a tool of its record. The error names the field that clients could
// not do with.
func newTool(r *catalog.Tool, style Style) (Tool, error) {
	t := toolOf(&r.Callable, r.Schema)
	t.Domain = domain.OfRoot(strings.Clone(r.Root))
	for _, key := range r.ServerKeys() {
		t.ServerParams = append(t.ServerParams, strings.Clone(key))
	}
	switch {
	case r.WireName == "":
		return t, fmt.Errorf("%s: data.wireName is missing; make the catalog again with fmcp-resolve", t.ID)
	case r.InputSchema.Get("type").Str() != "object":
		// Clients reject the whole list for one such tool.
		return t, fmt.Errorf(`%s: data.inputSchema must be an object with "type":"object", found %s; make the `+
			`catalog again with fmcp-resolve`,
			t.ID, ordjson.Shown(r.InputSchema))
	}
	t.Reads = r.ReadsOnly()
	t.Destroys = !t.Reads && ordjson.Text(r.Meta.Get("isDestructive")) != "false"
	t.Always = r.Meta.Get("alwaysLoad").True()
	t.define(&r.Callable, r.Meta, annotations(r), style)
	return t, nil
}

// toolOf has the names of a record. Those that are parts of its line are copies: else
// they would hold all of it in memory. The ID and the MCP name of a tool are those of the
// index.
func toolOf(r *catalog.Callable, families ...string) Tool {
	t := Tool{ID: r.ID, Name: strings.Clone(r.Name), WireName: r.WireName, MIME: strings.Clone(r.MIMEType())}
	if name := t.ID[strings.LastIndexByte(t.ID, '/')+1:]; name == t.Name {
		t.Name = name
	}
	for _, family := range families {
		t.families = append(t.families, strings.Clone(family))
	}
	return t
}

// listed is a tool as tools/list has it, but for its schemas. The library's own
// type sorts the keys of schemas and escapes the <, > and & of all texts.
type listed struct {
	Name        string             `json:"name"`
	Description string             `json:"description,omitempty"`
	Annotations mcp.ToolAnnotation `json:"annotations"`
	Meta        toolMeta           `json:"_meta"`
}

// toolMeta is the _meta of a tool: the translation of chapter 19 and the
// Spec-ID, which users and agents know the tool by (chapter 16, "CLI-Adapter").
type toolMeta struct {
	ID         string `json:"flowmcp/id"`
	AlwaysLoad *bool  `json:"anthropic/alwaysLoad,omitempty"`
	SearchHint string `json:"anthropic/searchHint,omitempty"`
	MaxResult  int    `json:"anthropic/maxResultSizeChars,omitempty"` // where it is more than clients take unasked
}

// define makes the definition of a tool.
func (t *Tool) define(r *catalog.Callable, meta ordjson.Value, hints mcp.ToolAnnotation, style Style) {
	t.Structured = style.OutputSchemas && t.MIME != model.MIMEPNG && t.MIME != model.MIMEText &&
		r.OutputSchema().Exists()
	own := toolMeta{ID: t.ID, AlwaysLoad: boolIn(meta, "alwaysLoad"), SearchHint: meta.Get("searchHint").Str()}
	if style.MaxResult > fit.DefaultLimit {
		own.MaxResult = style.MaxResult
	}
	b := Reopened(AppendJSON(make([]byte, 0, 2<<10), listed{
		Name:        t.WireName,
		Description: r.Description,
		Annotations: hints,
		Meta:        own,
	}))
	b = append(b, `"inputSchema":`...)
	b = ordjson.Append(b, safeSchema(r.InputSchema))
	if t.Structured {
		b = append(b, `,"outputSchema":`...)
		b = ordjson.Append(b, envelopeSchema(r.Output))
	}
	t.Define(bytes.Clone(append(b, '}')))
}

// annotations are the hints of MCP, from meta (chapter 19). Clients read
// readOnlyHint as "may run beside others", so that a tool that must run alone is
// not called read-only. Nothing is said of idempotence, which no field of a
// schema declares; every tool calls a foreign service.
func annotations(r *catalog.Tool) mcp.ToolAnnotation {
	a := mcp.ToolAnnotation{
		Title:           r.Name,
		DestructiveHint: boolIn(r.Meta, "isDestructive"),
		OpenWorldHint:   new(true),
	}
	reads := r.ReadsOnly()
	if reads && !record.Alone(r.Meta) || r.Meta.Get("isReadOnly").Is(ordjson.Bool) && !reads {
		a.ReadOnlyHint = &reads
	}
	return a
}

// boolIn is a member that is true or false, nil for any other.
func boolIn(v ordjson.Value, key string) *bool {
	if v = v.Get(key); !v.Is(ordjson.Bool) {
		return nil
	}
	return new(v.True())
}
