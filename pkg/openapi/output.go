package openapi

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pb33f/libopenapi/datamodel/high/base"
	high "github.com/pb33f/libopenapi/datamodel/high/v3"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/scaffold"
	"github.com/flowmcp/fmcp/pkg/words"
)

// maxProperties is how many an output has: a model reads all of them.
const maxProperties = 120

const (
	noOutput = " has no output: "
	derive   = "derive it with fmcp-exec test --generate-output"
)

// setOutput describes the answer of a call that went well.
func (t *tool) setOutput() {
	response, code := t.success()
	if response == nil || response.Content == nil || response.Content.Len() == 0 {
		t.changed(t.pointer("responses"), t.name()+noOutput+
			"the document does not describe the answer of a successful call", derive)
		return
	}
	for media, content := range response.Content.FromOldest() {
		pointer := t.pointer("responses", code, "content", media, "schema")
		switch kind, isJSON := mediaType(media); {
		case isJSON:
			t.jsonOutput(content.Schema, pointer)
		case kind == model.MIMEText:
			t.Output = output(model.MIMEText, field("type", "string"))
		case kind == model.MIMEPNG:
			t.Output = output(model.MIMEPNG, field("type", "string"), field("format", "base64"))
		default:
			continue
		}
		return
	}
	t.changed(t.pointer("responses", code), t.name()+noOutput+"its answer is "+
		words.List(slices.Collect(response.Content.KeysFromOldest())), derive)
}

// success is the first answer with 2xx, or that for all.
func (t *tool) success() (*high.Response, string) {
	if t.Responses == nil {
		return nil, ""
	}
	if t.Responses.Codes != nil {
		for code, r := range t.Responses.Codes.FromOldest() {
			if strings.HasPrefix(code, "2") && r != nil {
				return r, code
			}
		}
	}
	return t.Responses.Default, "default"
}

func field(key, value string) ordjson.Member { return ordjson.Field(key, ordjson.NewString(value)) }

func output(media string, schema ...ordjson.Member) ordjson.Value {
	return ordjson.NewObject(field("mimeType", media), ordjson.Field("schema", ordjson.NewObject(schema...)))
}

// jsonOutput goes as deep as there is room for.
func (t *tool) jsonOutput(schema *base.SchemaProxy, pointer string) {
	s := shapeOf(schema)
	if s.typ != "object" && s.typ != "array" || s.mixed {
		t.changed(pointer, t.name()+noOutput+"its answer is neither an object nor a list", derive)
		return
	}
	for depth := model.MaxOutputDepth; ; depth-- {
		w := answer{left: maxProperties}
		v := w.schema(schema, depth)
		if w.left < 0 && depth > 1 {
			continue
		}
		t.Output = ordjson.NewObject(field("mimeType", model.MIMEJSON), ordjson.Field("schema", v))
		if w.cut {
			t.changed(pointer, fmt.Sprintf("the output of %s is described to %s only", t.name(),
				words.Count(depth, "level")), "")
		}
		return
	}
}

// answer writes an output.
type answer struct {
	left int  // properties that there is room for
	cut  bool // something is not described
}

func (w *answer) schema(p *base.SchemaProxy, depth int) ordjson.Value {
	s := shapeOf(p)
	typ := map[string]string{"integer": "number", "number": "number", "boolean": "boolean", "array": "array",
		"object": "object", "string": "string"}[s.typ]
	if typ == "" || s.mixed {
		w.cut = true
		return ordjson.Value{}
	}
	members := []ordjson.Member{field("type", typ)}
	if text := scaffold.Plain(s.description); text != "" {
		members = append(members, field("description", words.Clip(text, maxOutputText)))
	}
	switch {
	case typ == "object" && len(s.properties) > 0:
		members = w.properties(members, s, depth)
	case typ == "array" && depth > 1:
		if items := w.schema(s.items, depth-1); s.items != nil && items.Exists() {
			members = append(members, ordjson.Field("items", items))
		}
	case typ == "array":
		w.cut = w.cut || s.items != nil
	case typ == "string" && (s.format == "date-time" || s.format == "uri"):
		members = append(members, field("format", s.format))
	}
	if enum := ofType(s.enum, typ); len(enum) > 0 && len(enum) <= maxOutputEnum {
		members = append(members, ordjson.Field("enum", ordjson.NewArray(enum...)))
	}
	if s.nullable {
		members = append(members, ordjson.Field("nullable", ordjson.NewBool(true)))
	}
	return ordjson.NewObject(members...)
}

const (
	maxOutputText = 160
	maxOutputEnum = 30
)

func (w *answer) properties(members []ordjson.Member, s shape, depth int) []ordjson.Member {
	if depth == 1 {
		w.cut = true
		return members
	}
	var list []ordjson.Member
	for _, p := range s.properties {
		if w.left--; w.left < 0 {
			w.cut = true
			break
		}
		if v := w.schema(p.schema, depth-1); v.Exists() {
			list = append(list, ordjson.Field(p.name, v))
		}
	}
	return append(members, ordjson.Field("properties", ordjson.NewObject(list...)))
}

// ofType are the values of a type that outputs may list.
func ofType(values []ordjson.Value, typ string) []ordjson.Value {
	kinds := map[string]ordjson.Kind{"string": ordjson.String, "number": ordjson.Number}
	for _, v := range values {
		if kind, ok := kinds[typ]; !ok || !v.Is(kind) {
			return nil
		}
	}
	return values
}
