package openapi

import (
	"slices"
	"strings"

	"github.com/pb33f/libopenapi/datamodel/high/base"
	high "github.com/pb33f/libopenapi/datamodel/high/v3"
	"github.com/pb33f/libopenapi/orderedmap"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/scaffold"
	"github.com/flowmcp/fmcp/pkg/words"
)

// placed is a parameter and where it is in the operation.
type placed struct {
	*high.Parameter
	shape
	pointer  string
	required bool
}

// addParameters adds those of the operation and of its path, which it may override.
func (t *tool) addParameters() bool {
	var list []placed
	for i, p := range t.item.Parameters {
		same := func(o *high.Parameter) bool { return o.Name == p.Name && o.In == p.In }
		if !slices.ContainsFunc(t.Parameters, same) {
			list = append(list, placed{Parameter: p, pointer: ordjson.Pointer("paths", t.path, "parameters", i)})
		}
	}
	for i, p := range t.Parameters {
		list = append(list, placed{Parameter: p, pointer: t.pointer("parameters", i)})
	}
	for _, p := range list {
		p.required = isTrue(p.Required) || p.In == "path"
		schema := p.Schema
		if schema == nil && p.Content != nil && p.Content.Len() > 0 {
			p.shape = shape{typ: "string", description: "JSON text"} // it is written as text
		} else {
			p.shape = shapeOf(schema)
		}
		if p.Description != "" {
			p.shape.description = p.Description
		}
		p.shape.examples = slices.Concat(examples(p.Example, p.Examples), p.shape.examples)
		why, fix := t.addParameter(p)
		switch {
		case why == "":
		case p.required:
			return t.refused(p.pointer, "its parameter "+words.Quote(p.Name)+" "+why, fix)
		default:
			t.leftOut(p.pointer, "parameter "+words.Quote(p.Name)+" of "+t.name()+" was left out: it "+why, fix)
		}
	}
	return true
}

// addParameter adds a parameter, or says why it cannot be one.
func (t *tool) addParameter(p placed) (why, fix string) {
	if p.broken != "" {
		return "refers to " + words.Quote(p.broken) + ", which is not there", "correct the reference"
	}
	in := scaffold.Input{Name: p.Name}
	in.Key = p.Name
	switch p.In {
	case "path":
		in.Location = model.Insert
		in.Key = engine.ToCamel(p.Name)
		if p.Style != "" && p.Style != "simple" || p.typ == "object" {
			return "is in the style " + words.Quote(p.Style) + ", which tools do not have in paths", "write a handler"
		}
	case "query":
		in.Location = model.Query
		if why := t.queryStyle(p); why != "" {
			return why, byHandler
		}
	case "header":
		return t.headerParameter(p)
	default:
		return "is in a " + words.Quote(p.In) + ", and tools send none", byHandler
	}
	t.typed(&in, p.shape, p.required, p.pointer)
	if p.In == "query" && p.typ == "string" && len(t.ways()) == 0 && scaffold.IsKey(p.Name) {
		t.changed(p.pointer, "parameter "+words.Quote(p.Name)+" has the name of a key, and callers give its value",
			"if it is your key, write value: '{{SERVER_PARAM:"+t.imp.env(p.Name)+"}}'")
	}
	if !t.give(in) {
		return "has the name of another parameter", byHandler
	}
	if p.In == "query" && p.typ == "array" && t.repeats(p) {
		t.lists = append(t.lists, p.Name)
	}
	return "", ""
}

// queryStyle says why a parameter cannot be sent, "" where it can.
func (t *tool) queryStyle(p placed) string {
	switch {
	case p.typ == "object" && !p.mixed:
		return "is an object, and a query has only values"
	case p.typ == "array" && !t.repeats(p) && p.Style != "" && p.Style != "form":
		return "is a list in the style " + words.Quote(p.Style) + ", and tools send lists with commas"
	}
	return ""
}

// repeats reports whether the key of a list stands in the query once for each value.
func (t *tool) repeats(p placed) bool { return p.Explode == nil || *p.Explode }

// headerParameter makes a header of what callers could send: no tool takes headers of
// them. A value that the document gives is sent as it is; one that must be given belongs
// to whoever runs the tool.
func (t *tool) headerParameter(p placed) (why, fix string) {
	lower := strings.ToLower(p.Name)
	value := p.def
	if len(p.enum) == 1 {
		value = p.enum[0]
	}
	switch text, ok := ordjson.ScalarText(value); {
	case lower == "accept" || lower == "content-type" || lower == "authorization":
		return "", "" // OpenAPI has them elsewhere
	case !model.IsHeaderName(p.Name):
		return "has a name that no header can have", "correct the name"
	case ok && model.IsHeaderValue(text) && !strings.Contains(text, "{{"):
		t.addHeader(p.Name, text)
		t.changed(p.pointer, "header "+words.Quote(p.Name)+" is always sent with the value in the document", "")
	case p.required:
		t.addHeader(p.Name, t.addKey(t.imp.env(strings.TrimPrefix(lower, "x-"))))
		t.changed(p.pointer, "header "+words.Quote(p.Name)+" became a server parameter: callers cannot give "+
			"headers", "if its value is no secret, write it into headers")
	default:
		return "is a header, and callers cannot give headers", "write it into headers with a value, or write a handler"
	}
	return "", ""
}

// examples are those of a parameter or a body.
func examples(one *yamlNode, named *orderedmap.Map[string, *base.Example]) []ordjson.Value {
	var list []ordjson.Value
	if v := valueOf(one); v.Exists() {
		list = append(list, v)
	}
	if named != nil {
		for e := range named.ValuesFromOldest() {
			if v := valueOf(e.Value); v.Exists() {
				list = append(list, v)
			}
		}
	}
	return list
}
