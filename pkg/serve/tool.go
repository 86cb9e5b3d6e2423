package serve

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/flowmcp/fmcp/pkg/domain"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Tool is a tool as it is listed and called.
type Tool struct {
	ID           string   // Spec-ID, "coingecko/tool/simplePrice" (chapter 16)
	Name         string   // the schema's own, "simplePrice"
	WireName     string   // MCP name, "simple_price_coingecko" (decision "MCP tool names")
	ServerParams []string // keys that a call may need
	Domain       string   // registrable domain of the root, to which they go
	Capability   string   // what a sealed database must be able to answer for it; "" for most

	families   []string // the schema, and before it the resource of a query: who in its descriptions is called by Name
	definition []byte   // the tool's object in tools/list
	structured bool     // has an outputSchema: results owe structuredContent
	mime       string   // output.mimeType
}

// newTool makes a tool of a resolved record. The strings of the tool share the
// record's memory. With outputSchemas the definition has an outputSchema where
// the record declares an output (chapter 04). The error names the field that
// clients could not do with.
func newTool(rec *record.Resolved, outputSchemas bool) (Tool, error) {
	d := rec.Data
	t := Tool{
		ID:           rec.ID,
		Name:         d.Get("name").Str(),
		WireName:     d.Get("wireName").Str(),
		families:     []string{d.Get("schema").Str()},
		ServerParams: model.ServerKeysOf(d),
		Domain:       domain.OfRoot(d.Get("root").Str()),
	}
	input := d.Get("inputSchema")
	switch {
	case rec.Type != record.TypeTool:
		return t, fmt.Errorf("%s: expected a record of type tool, found type %q", rec.ID, rec.Type)
	case t.ID == "":
		return t, fmt.Errorf("the tool %s has no id; make the catalog again with fmcp-resolve", words.Quote(t.WireName))
	case t.WireName == "":
		return t, fmt.Errorf("%s: data.wireName is missing; make the catalog again with fmcp-resolve", t.ID)
	case input.Get("type").Str() != "object":
		// Clients reject the whole list for one such tool.
		return t, fmt.Errorf(`%s: data.inputSchema must be an object with "type":"object", found %s; make the catalog again with fmcp-resolve`, t.ID, shown(input))
	}
	t.define(d, annotations(d), outputSchemas)
	return t, nil
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
}

// define makes the definition of a tool from the data of its record or query.
func (t *Tool) define(d ordjson.Value, hints mcp.ToolAnnotation, outputSchemas bool) {
	output := d.Get("output")
	t.mime = strings.Clone(output.Get("mimeType").Str())
	t.structured = outputSchemas && t.mime != model.MIMEPNG && t.mime != model.MIMEText && output.Get("schema").Exists()
	b := reopened(appendJSON(make([]byte, 0, 2<<10), listed{
		Name:        t.WireName,
		Description: d.Get("description").Str(),
		Annotations: hints,
		Meta: toolMeta{
			ID:         t.ID,
			AlwaysLoad: boolIn(d.Get("meta"), "alwaysLoad"),
			SearchHint: d.Get("meta").Get("searchHint").Str(),
		},
	}))
	b = append(b, `"inputSchema":`...)
	b = ordjson.Append(b, safeSchema(d.Get("inputSchema")))
	if t.structured {
		b = append(b, `,"outputSchema":`...)
		b = ordjson.Append(b, envelopeSchema(output))
	}
	t.definition = bytes.Clone(append(b, '}'))
}

// annotations are the hints of MCP, from meta (chapter 19). Clients read
// readOnlyHint as "may run beside others", so that a tool that must run alone is
// not called read-only. Nothing is said of idempotence, which no field of a
// schema declares; every tool calls a foreign service.
func annotations(d ordjson.Value) mcp.ToolAnnotation {
	meta := d.Get("meta")
	a := mcp.ToolAnnotation{
		Title:           d.Get("name").Str(),
		DestructiveHint: boolIn(meta, "isDestructive"),
		OpenWorldHint:   new(true),
	}
	reads := record.ReadOnly(meta, d.Get("method").Str(), record.StringsOf(d.Get("handlers")))
	if reads && !record.Alone(meta) || meta.Get("isReadOnly").Is(ordjson.Bool) && !reads {
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
