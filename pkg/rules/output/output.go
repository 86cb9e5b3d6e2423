// Package output holds the rules for the outputs of tools and queries (chapters 04
// and 09; chapter 11 uses the same codes for preload, see decision "Output
// codes"). What the field gets wrong there (types like integer, text/markdown)
// does not keep anyone from calling the tool, since the answer is delivered whether it
// fits or not (chapter 04, "Non-Blocking Validation"): warnings under community.
package output

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/fields"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/words"
)

//go:embed rules.txt
var text string

// Family are the rules of this package.
var Family = engine.Family{
	Text: text,
	Objects: []engine.Objects{
		{In: "tool.output", Of: fields.Output, Fields: []engine.Field{ // of queries RES010 says it
			{Code: "VAL061", Name: "schema", Must: engine.Object, When: isFilled,
				Fix: "write schema: { type: 'object', properties: { … } }"},
		}},
	},
	Checks: map[string]func(*engine.Pass){
		"VAL060": checkMimeType,
		"VAL061": func(p *engine.Pass) {
			for _, n := range outputs(p) {
				outputKeywordsOf(p, n.Node)
				if n.depth > 1 || !n.tool.IsQuery() { // else RES021
					outputTypeValue(p, n.Node)
				}
				outputEnum(p, n.Node)
			}
		},
		"VAL062": checkOutputType,
		"VAL063": checkOutputDepth,
		"VAL064": func(p *engine.Pass) {
			for _, n := range outputs(p) {
				if t := n.Get("type"); n.Get("properties").Exists() && t.Is(ordjson.String) && t.Str() != "object" {
					fix := "write type: 'object'"
					if t.Str() == "array" {
						fix = "write items: { type: 'object', properties: { … } }"
					}
					found := p.Report(n.At("properties"), "found properties beside type "+engine.Quote(t.Str())+
						", expected them with type \"object\" only", fix)
					if t.Str() != "array" {
						found.Fixed(false, engine.SetText(n.At("type"), "object"))
					}
				}
			}
		},
		"VAL065": func(p *engine.Pass) {
			for _, n := range outputs(p) {
				if t := n.Get("type"); n.Get("items").Exists() && t.Is(ordjson.String) && t.Str() != "array" {
					p.Report(n.At("items"), "found items beside type "+engine.Quote(t.Str())+
						", expected them with type \"array\" only", "write type: 'array'").
						Fixed(false, engine.SetText(n.At("type"), "array"))
				}
			}
		},
	},
}

// mimeTypes are those of chapter 04, each with the types that its schema may
// have.
var mimeTypes = map[string][]string{
	model.MIMEJSON: {"object", "array"},
	model.MIMEPNG:  {"string"},
	model.MIMEText: {"string"},
}

// excluded are keywords of JSON Schema that chapter 04 leaves out, and why.
var excluded = map[string]string{
	"$ref":                 "output schemas are self-contained: write the definition out",
	"oneOf":                "there are no union types: write one object with the properties of all forms",
	"anyOf":                "there are no union types: write one object with the properties of all forms",
	"allOf":                "there are no union types: write all properties into one object",
	"required":             "all properties are informational: remove it",
	"additionalProperties": "answers may always have more fields: remove it",
	"pattern":              "answers are not checked against patterns: describe the form in description",
	"minimum":              "answers are not checked against ranges: describe it in description",
	"maximum":              "answers are not checked against ranges: describe it in description",
}

// outputNode is one schema in the output of a tool or query.
type outputNode struct {
	*model.Node
	tool  *engine.Tool
	depth int // 1 for output.schema itself
}

// outputs returns all schemas of all outputs, each before those inside it.
func outputs(p *engine.Pass) []outputNode {
	return engine.Keep(&p.Kept, func() []outputNode {
		list := make([]outputNode, 0, 16*len(p.Tools))
		p.EachCallable(func(t *engine.Tool) {
			if t.Schema != nil {
				list = appendOutput(list, outputNode{t.Schema, t, 1})
			}
		})
		return list
	})
}

// appendOutput adds a schema and all schemas inside. It goes no deeper than
// ordjson reads.
func appendOutput(list []outputNode, n outputNode) []outputNode {
	list = append(list, n)
	if n.Get("properties").Is(ordjson.Object) {
		for _, child := range n.At("properties").Fields() {
			if child.Is(ordjson.Object) {
				list = appendOutput(list, outputNode{child, n.tool, n.depth + 1})
			}
		}
	}
	if n.Get("items").Is(ordjson.Object) {
		list = appendOutput(list, outputNode{n.At("items"), n.tool, n.depth + 1})
	}
	return list
}

// structured are the types that only JSON has.
var structured = []string{"object", "array"}

func checkMimeType(p *engine.Pass) {
	p.EachCallable(func(t *engine.Tool) {
		output := t.Get("output")
		if !output.Exists() || t.IsQuery() && !output.Get("mimeType").Is(ordjson.String) {
			return // VAL036, RES010
		}
		at := t.At("output")
		if !output.Is(ordjson.Object) || output.Len() == 0 {
			p.Report(at, engine.Found(output)+", expected an object with mimeType and schema",
				"leave output out, or write output: { mimeType: 'application/json', schema: { … } }")
			return
		}
		mime := output.Get("mimeType")
		if _, ok := mimeTypes[mime.Str()]; ok {
			return
		}
		fix, meant := "write mimeType: 'application/json' for JSON, 'text/plain' for any other text", ""
		media, _, _ := strings.Cut(mime.Str(), ";")
		media = strings.ToLower(strings.TrimSpace(media))
		if near, ok := words.Closest(mime.Str(), model.MIMETypes); ok {
			fix, meant = "did you mean "+strconv.Quote(near)+"?", near
		} else if strings.HasSuffix(media, "json") || t.IsQuery() {
			fix, meant = "write mimeType: 'application/json'", model.MIMEJSON
		} else if strings.HasPrefix(media, "image/") {
			fix = "write mimeType: 'image/png' if the API can send PNG: it is the only image that is passed on"
		} else if mime.Is(ordjson.String) {
			fix = "write mimeType: 'text/plain' for text of any kind"
		}
		found := p.Expect(at, "mimeType", fields.Output.Known(), "one of "+strings.Join(model.MIMETypes, ", "), fix)
		switch {
		case meant != "" && mime.Exists():
			found.Fixed(media == meant, engine.SetText(at.At("mimeType"), meant))
		case !mime.Exists() && slices.Contains(structured, output.Get("schema").Get("type").Str()):
			found.Added(at, "mimeType", ordjson.NewString(model.MIMEJSON))
		}
	})
}

// outputKeywordsOf judges the keywords of one schema of an output but type, its
// children aside.
func outputKeywordsOf(p *engine.Pass, n *model.Node) {
	for _, m := range n.Members() {
		kind, ok := keywordKinds[m.Key]
		switch {
		case !ok:
			unknownKeyword(p, n.Field(m))
		case kind.kind != ordjson.Missing && !m.Value.Is(kind.kind):
			p.Report(n.Field(m), engine.Found(m.Value)+", expected "+kind.expected, kind.fix)
		case m.Key == "properties":
			for _, child := range m.Value.Members() {
				if !child.Value.Is(ordjson.Object) {
					propertyOf(p, n.At("properties").At(child.Key), child.Key)
				}
			}
		}
	}
}

// propertyOf reports a property that is no object. A type alone says what is meant.
func propertyOf(p *engine.Pass, at *model.Node, key string) {
	word := "string"
	named := slices.Contains(model.OutputTypes, at.Str()) || at.Str() == "integer"
	if named {
		word = at.Str()
	}
	found := p.Report(at, engine.Found(at.Value)+", expected an object such as { type: 'string' }",
		"write "+key+": { type: '"+word+"' }")
	if named {
		found.Fixed(true, engine.SetValue(at, ordjson.NewObject(ordjson.Field("type", at.Value))))
	}
}

func unknownKeyword(p *engine.Pass, n *model.Node) {
	fix := excluded[n.Key()]
	var changes []edit.Change
	switch near, ok := p.Speller.Closest(n.Key(), fields.OutputSchema.Known()); {
	case n.Key() == "required" || n.Key() == "additionalProperties":
		changes = append(changes, edit.Drop(n.Pointer()))
	case fix != "":
	case ok:
		fix = "did you mean " + strconv.Quote(near) + "?"
		if !n.Parent().Get(near).Exists() {
			changes = append(changes, engine.RenameKey(n, near))
		}
	default:
		fix = "remove it; known are " + strings.Join(fields.OutputSchema.Known(), ", ")
	}
	p.Report(n, "found the keyword "+engine.Quote(n.Key())+", which output schemas do not have", fix).
		Fixed(true, changes...)
}

// keywordKind says of what kind the value of a keyword is.
type keywordKind struct {
	kind          ordjson.Kind // Missing where another check judges it
	expected, fix string
}

var keywordKinds = map[string]keywordKind{
	"type":        {},
	"properties":  {ordjson.Object, "an object of schemas", "write properties: { name: { type: 'string' } }"},
	"items":       {ordjson.Object, "one schema", "write items: { type: 'string' }"},
	"description": {ordjson.String, "a string", "write the description in quotes"},
	"nullable":    {ordjson.Bool, "true or false", "write nullable: true"},
	"enum":        {ordjson.Array, "an array of values", "write enum: [ 'a', 'b' ]"},
	"format":      {ordjson.String, "a string", "write format: 'date-time'"},
}

func outputTypeValue(p *engine.Pass, n *model.Node) {
	t := n.Get("type")
	if slices.Contains(model.OutputTypes, t.Str()) {
		return
	}
	fix, meant, safe := "write type: 'object', or string, number, boolean, array", "", true
	switch near, ok := p.Speller.Closest(t.Str(), model.OutputTypes); {
	case t.Is(ordjson.Array):
		fix = "write one type, and nullable: true where the value may be null"
	case t.Str() == "integer":
		fix, meant = "write type: 'number'", "number"
	case ok:
		fix, meant, safe = "did you mean "+strconv.Quote(near)+"?", near, strings.EqualFold(near, t.Str())
	}
	found := p.Expect(n, "type", fields.OutputSchema.Known(), "string, number, boolean, object or array", fix)
	if implied := impliedType(n); implied != "" {
		found.Added(n, "type", ordjson.NewString(implied), "mimeType")
	}
	if meant != "" {
		found.Fixed(safe, engine.SetText(n.At("type"), meant))
	}
}

// impliedType is the only type that goes with the keywords of a schema that has none.
func impliedType(n *model.Node) string {
	properties, items := n.Get("properties").Exists(), n.Get("items").Exists()
	switch {
	case properties && !items:
		return "object"
	case items && !properties:
		return "array"
	}
	return ""
}

// outputEnum reports an enum that no value of the type can be in.
func outputEnum(p *engine.Pass, n *model.Node) {
	enum, typ := n.Get("enum"), n.Get("type").Str()
	if enum.Is(ordjson.Array) && enum.Len() == 0 {
		p.Report(n.At("enum"), engine.Found(enum)+", expected at least one value",
			"list the values, or remove enum")
	}
	if i := model.StrayInEnum(enum, typ, n.Get("nullable").True()); i >= 0 {
		p.Report(n.At("enum").Item(i), engine.Found(enum.Elems()[i])+", expected a value of type "+
			engine.Quote(typ), "correct the value, or type")
	}
}

func checkOutputType(p *engine.Pass) {
	p.EachCallable(func(t *engine.Tool) {
		if t.Schema == nil {
			return // VAL061
		}
		mime, typ := t.Output.Get("mimeType").Str(), t.Schema.Get("type")
		types := mimeTypes[mime]
		switch {
		case types == nil || !slices.Contains(model.OutputTypes, typ.Str()): // VAL060, VAL061
		case t.IsQuery():
			// What is not an array is RES021; then it is the MIME type that is
			// wrong.
			if typ.Str() == "array" && mime != model.MIMEJSON {
				p.Report(t.Output.At("mimeType"),
					engine.Found(t.Output.Get("mimeType"))+", expected \"application/json\" for the rows of a query",
					"write mimeType: 'application/json'").
					Fixed(true, engine.SetText(t.Output.At("mimeType"), model.MIMEJSON))
			}
		case !slices.Contains(types, typ.Str()):
			fix := "write type: '" + types[0] + "', or change mimeType"
			if mime == model.MIMEJSON {
				fix = "write type: 'object' or 'array', or mimeType: 'text/plain' if the answer is plain text"
			}
			p.Report(t.Schema.At("type"), engine.Found(typ)+", expected "+strings.Join(types, " or ")+" for "+mime, fix)
		case mime == model.MIMEPNG && t.Schema.Get("format").Str() != "base64":
			p.Report(t.Schema.At("format"), engine.Found(t.Schema.Get("format"))+", expected \"base64\" for "+mime,
				"write format: 'base64'").Fixed(true, base64(t.Schema))
		}
	})
}

// base64 is the format of the text that an image is passed on as.
func base64(schema *model.Node) edit.Change {
	if schema.Get("format").Exists() {
		return engine.SetText(schema.At("format"), "base64")
	}
	return engine.AddMember(schema, "format", ordjson.NewString("base64"), "type")
}

func checkOutputDepth(p *engine.Pass) {
	nodes := outputs(p)
	for i := 0; i < len(nodes); {
		t, levels := nodes[i].tool, 0
		var deep *model.Node
		for ; i < len(nodes) && nodes[i].tool == t; i++ {
			levels = max(levels, nodes[i].depth)
			if nodes[i].depth > model.MaxOutputDepth && deep == nil {
				deep = nodes[i].Node
			}
		}
		if deep != nil {
			p.Report(deep, "found "+strconv.Itoa(levels)+" levels, expected at most "+
				strconv.Itoa(model.MaxOutputDepth),
				"describe the deeper part as type: 'object' without properties, or flatten the answer in a "+
					"postRequest handler")
		}
	}
}

// isFilled is false for an empty output: VAL060 speaks about it.
func isFilled(_ *engine.Pass, output *model.Node) bool { return output.Len() > 0 }
