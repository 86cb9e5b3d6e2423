package serve

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/flowmcp/fmcp/pkg/domain"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
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
// clients could not do with. The definition is made in scratch, which comes
// back for the next tool.
func newTool(rec *record.Resolved, outputSchemas bool, scratch *[]byte) (Tool, error) {
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
		return t, fmt.Errorf("the tool %q has no id; make the catalog again with fmcp-resolve", t.WireName)
	case t.WireName == "":
		return t, fmt.Errorf("%s: data.wireName is missing; make the catalog again with fmcp-resolve", t.ID)
	case input.Get("type").Str() != "object":
		// Clients reject the whole list for one such tool.
		return t, fmt.Errorf(`%s: data.inputSchema must be an object with "type":"object", found %s; make the catalog again with fmcp-resolve`, t.ID, shown(input))
	}
	t.define(d, annotations(d), outputSchemas, scratch)
	return t, nil
}

// define makes the definition of a tool from the data of its record or query.
func (t *Tool) define(d, hints ordjson.Value, outputSchemas bool, scratch *[]byte) {
	output := ordjson.Value{}
	t.mime = strings.Clone(d.Get("output").Get("mimeType").Str())
	if outputSchemas && t.mime != model.MIMEPNG && t.mime != model.MIMEText {
		output = d.Get("output")
		t.structured = output.Get("schema").Exists()
	}
	*scratch = appendDefinition((*scratch)[:0], t, d, output, hints)
	t.definition = bytes.Clone(*scratch)
}

func appendDefinition(b []byte, t *Tool, d, output, hints ordjson.Value) []byte {
	b = append(b, `{"name":`...)
	b = ordjson.AppendString(b, t.WireName)
	if desc := d.Get("description").Str(); desc != "" {
		b = append(b, `,"description":`...)
		b = ordjson.AppendString(b, desc)
	}
	b = append(b, `,"inputSchema":`...)
	b = ordjson.Append(b, safeSchema(d.Get("inputSchema")))
	if t.structured {
		b = append(b, `,"outputSchema":`...)
		b = ordjson.Append(b, envelopeSchema(output))
	}
	b = append(b, `,"annotations":`...)
	b = ordjson.Append(b, hints)
	b = append(b, `,"_meta":`...)
	b = ordjson.Append(b, toolMeta(t.ID, d.Get("meta")))
	return append(b, '}')
}

// annotations are the hints of MCP, from meta (chapter 19). Clients read
// readOnlyHint as "may run beside others", so that a tool that must run alone is
// not called read-only. Nothing is said of idempotence, which no field of a
// schema declares; every tool calls a foreign service.
func annotations(d ordjson.Value) ordjson.Value {
	meta := d.Get("meta")
	var list []ordjson.Member
	if name := d.Get("name").Str(); name != "" {
		list = append(list, ordjson.Field("title", ordjson.NewString(name)))
	}
	reads := record.ReadOnly(meta, d.Get("method").Str(), record.StringsOf(d.Get("handlers")))
	if reads && !record.Alone(meta) || meta.Get("isReadOnly").Is(ordjson.Bool) && !reads {
		list = append(list, ordjson.Field("readOnlyHint", ordjson.NewBool(reads)))
	}
	if v := meta.Get("isDestructive"); v.Is(ordjson.Bool) {
		list = append(list, ordjson.Field("destructiveHint", v))
	}
	return ordjson.NewObject(append(list, ordjson.Field("openWorldHint", ordjson.NewBool(true)))...)
}

// toolMeta is the _meta of a tool: the translation of chapter 19 and the
// Spec-ID, which users and agents know the tool by (chapter 16, "CLI-Adapter").
func toolMeta(id string, meta ordjson.Value) ordjson.Value {
	list := []ordjson.Member{ordjson.Field("flowmcp/id", ordjson.NewString(id))}
	if v := meta.Get("alwaysLoad"); v.Is(ordjson.Bool) {
		list = append(list, ordjson.Field("anthropic/alwaysLoad", v))
	}
	if v := meta.Get("searchHint"); v.Str() != "" {
		list = append(list, ordjson.Field("anthropic/searchHint", v))
	}
	return ordjson.NewObject(list...)
}
