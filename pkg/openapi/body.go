package openapi

import (
	"slices"
	"strings"

	high "github.com/pb33f/libopenapi/datamodel/high/v3"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/scaffold"
	"github.com/flowmcp/fmcp/pkg/words"
)

const formType = "application/x-www-form-urlencoded"

// addBody adds the members of the body as parameters, or says why it is left out.
func (t *tool) addBody() bool {
	body := t.RequestBody
	if body == nil || body.Content == nil || body.Content.Len() == 0 {
		return true
	}
	why := t.body(body)
	switch {
	case why == "":
		return true
	case isTrue(body.Required) || hasBody(t.method): // without it the call would say something else
		return t.refused(t.pointer("requestBody"), "its body "+why, byHandler)
	}
	t.leftOut(t.pointer("requestBody"), "the body of "+t.name()+" was left out: it "+why,
		byHandler)
	return true
}

// byHandler is the fix of what only code can send.
const byHandler = "write a handler (docs/handlers.md)"

func hasBody(method string) bool { return method == "POST" || method == "PUT" }

func (t *tool) body(body *high.RequestBody) (why string) {
	if !hasBody(t.method) {
		return "cannot be sent by " + t.method
	}
	media, content := preferred(body)
	if media == "" {
		return "is " + words.List(slices.Collect(body.Content.KeysFromOldest())) + ", and tools send JSON or forms"
	}
	s := shapeOf(content.Schema)
	switch {
	case s.broken != "":
		return "refers to " + words.Quote(s.broken) + ", which is not there"
	case s.typ != "object" || s.mixed:
		return "is not an object, whose members could be parameters"
	case len(s.properties) > maxInputs:
		return "has " + words.Count(len(s.properties), "member")
	case len(s.properties) == 0:
		return "is an object without named members"
	}
	whole := append(examples(content.Example, content.Examples), s.examples...)
	before := len(t.inputs)
	for _, p := range s.properties {
		if why := t.member(p, media, s, whole); why != "" {
			t.inputs = t.inputs[:before]
			return why
		}
	}
	if t.form = media == formType; t.form {
		t.deep = deepKeys(content)
	}
	if media != model.MIMEJSON {
		t.addHeader("Content-Type", media)
	}
	return ""
}

// member adds one of the body, or says why the body cannot be sent.
func (t *tool) member(p property, media string, body shape, whole []ordjson.Value) (why string) {
	pointer := t.pointer("requestBody", "content", media, "schema", "properties", p.name)
	s := shapeOf(p.schema)
	required := slices.Contains(body.required, p.name)
	switch {
	case s.readOnly:
		return "" // only answers have it
	case s.broken != "" && required:
		return "needs " + words.Quote(p.name) + ", whose schema is missing"
	}
	for _, v := range whole {
		if v = v.Get(p.name); v.Exists() {
			s.examples = append([]ordjson.Value{v}, s.examples...)
		}
	}
	in := scaffold.Input{Name: p.name, Param: scaffold.Param{Key: p.name, Location: model.Body}}
	t.typed(&in, s, required, pointer)
	if t.give(in) {
		return ""
	}
	if required {
		return "needs " + words.Quote(p.name) + ", which is also the name of another parameter"
	}
	t.leftOut(pointer, words.Quote(p.name)+" of the body was left out: it has the name of another parameter",
		byHandler)
	return ""
}

// preferred is the content of a body that tools can send.
func preferred(body *high.RequestBody) (string, *high.MediaType) {
	var form string
	for media := range body.Content.KeysFromOldest() {
		switch base, isJSON := mediaType(media); {
		case isJSON:
			return strings.Replace(base, "*/*", model.MIMEJSON, 1), body.Content.GetOrZero(media)
		case base == formType && form == "":
			form = media
		}
	}
	if form == "" {
		return "", nil
	}
	return formType, body.Content.GetOrZero(form)
}

// mediaType is a media type without parameters, and whether what has it may be JSON.
func mediaType(media string) (base string, isJSON bool) {
	base, _, _ = strings.Cut(strings.ToLower(media), ";")
	base = strings.TrimSpace(base)
	return base, base == model.MIMEJSON || strings.HasSuffix(base, "+json") || base == "*/*"
}
