// Package elicit says what the user of an agent is asked for where a call or a prompt
// lacks inputs (chapter 06, "Elicitation"; decision "Asking for inputs").
package elicit

import (
	"slices"

	"github.com/flowmcp/fmcp/pkg/exec/secret"
	"github.com/flowmcp/fmcp/pkg/lazy"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/text"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Policy is what an agent says about asking.
type Policy struct {
	MaxRounds int // forms for each request of the client
	forms     []Form
}

// Form is what a user is shown: a message and a JSON Schema of plain values.
type Form struct {
	Key     string // among the inputs that an answer asks for
	Message string
	Schema  ordjson.Value
}

// formKey is the key of a form whose schema has no title that could be one.
const formKey = "input"

// keyForm is what a title that can be a key looks like.
var keyForm = lazy.Regexp(`^[A-Za-z0-9_.-]{1,64}$`)

// NewPolicy reads elicitation of an agent, nil where it is not enabled.
func NewPolicy(v ordjson.Value) *Policy {
	rounds := v.Get("maxRounds").Float()
	if !v.Get("enabled").True() || !(rounds >= 1) {
		return nil
	}
	p := &Policy{MaxRounds: int(rounds)}
	for _, f := range v.Get("requestedSchemas").Elems() {
		own := Form{Key: formKey, Message: f.Get("message").Str(), Schema: f.Get("requestedSchema")}
		if title := own.Schema.Get("title").Str(); keyForm().MatchString(title) {
			own.Key = title
		}
		p.forms = append(p.forms, own)
	}
	return p
}

// Form is what to ask for next, if something that the input schema requires is not
// given, and all of that can be asked for. The agent's own forms come first. A form has only what
// the schema has and is not given: so nobody is asked for a server parameter, which
// no input schema has.
func (p *Policy) Form(name string, schema, given ordjson.Value) (f Form, ok bool) {
	lacking := missing(schema, given)
	var properties []ordjson.Member
	for _, key := range lacking {
		m := ordjson.Field(key, schema.Get("properties").Get(key))
		if _, ok := flat(m); !ok {
			return f, false
		}
		properties = append(properties, m)
	}
	for _, own := range p.forms {
		var properties []ordjson.Member
		required := record.StringsOf(own.Schema.Get("required"))
		for _, m := range own.Schema.Get("properties").Members() {
			if schema.Get("properties").Get(m.Key).Exists() && !has(given, m.Key) {
				properties = append(properties, ordjson.Field(m.Key, m.Value))
			}
		}
		if f, ok := formOf(own, properties, required, lacking); ok {
			return f, true
		}
	}
	return formOf(Form{Key: formKey, Message: name + " needs " + words.List(lacking) + "."}, properties, nil, lacking)
}

// formOf is a form with those properties that clients can show; false where nothing
// that is lacking is among them.
func formOf(f Form, properties []ordjson.Member, required, lacking []string) (Form, bool) {
	var shown []ordjson.Member
	var needed []string
	useful := false
	for _, m := range properties {
		property, ok := flat(m)
		if !ok {
			continue
		}
		shown = append(shown, ordjson.Field(m.Key, property))
		if lacks := slices.Contains(lacking, m.Key); lacks || slices.Contains(required, m.Key) {
			needed = append(needed, m.Key)
			useful = useful || lacks
		}
	}
	f.Schema = ordjson.NewObject(ordjson.Field("type", ordjson.NewString("object")),
		ordjson.Field("properties", ordjson.NewObject(shown...)),
		ordjson.Field("required", ordjson.Strings(needed)))
	return f, useful
}

// Keys are what a form asks for.
func (f Form) Keys() []string {
	var keys []string
	for _, m := range f.Schema.Get("properties").Members() {
		keys = append(keys, m.Key)
	}
	return keys
}

// missing are the keys that a schema requires and that are not given.
func missing(schema, given ordjson.Value) (keys []string) {
	for _, key := range record.StringsOf(schema.Get("required")) {
		if !has(given, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

func has(given ordjson.Value, key string) bool {
	v := given.Get(key)
	return v.Exists() && !v.Is(ordjson.Null)
}

// kept are the members of a property that the protocol has in forms, beside those that
// say what it is. A pattern is not among them.
var kept = []string{"default", "minLength", "maxLength", "minimum", "maximum"}

// formats are those of strings.
var formats = []string{"email", "uri", "date", "date-time"}

// flat is a property as a form has it, false where it is no plain value or called as
// a secret is. Values of an enum are texts there.
func flat(m ordjson.Member) (ordjson.Value, bool) {
	property := m.Value
	typ := property.Get("type").Str()
	if secret.Named(m.Key) || !slices.Contains([]string{"string", "number", "integer", "boolean"}, typ) {
		return property, false
	}
	values := property.Get("enum").Elems()
	if values != nil {
		typ = "string"
	}
	members := []ordjson.Member{ordjson.Field("type", ordjson.NewString(typ))}
	if about := text.About(property); about != "" {
		members = append(members, ordjson.Field("description", ordjson.NewString(about)))
	}
	for _, m := range property.Members() {
		switch {
		case m.Key == "title",
			values == nil && (slices.Contains(kept, m.Key) ||
				m.Key == "format" && slices.Contains(formats, m.Value.Str())):
			members = append(members, m)
		case m.Key == "default":
			members = append(members, ordjson.Field(m.Key, ordjson.NewString(ordjson.Unquoted(m.Value))))
		}
	}
	if values != nil {
		texts := make([]string, len(values))
		for i, v := range values {
			texts[i] = ordjson.Unquoted(v)
		}
		members = append(members, ordjson.Field("enum", ordjson.Strings(texts)))
	}
	return ordjson.NewObject(members...), true
}

// Written is what the user has written into a form, by key. What was not asked for
// is not among it. A text of an enum becomes its value again.
func (f Form) Written(schema, content ordjson.Value) ordjson.Value {
	var members []ordjson.Member
	for _, key := range f.Keys() {
		value := content.Get(key)
		if !has(content, key) {
			continue
		}
		for _, v := range schema.Get("properties").Get(key).Get("enum").Elems() {
			if ordjson.Unquoted(v) == ordjson.Unquoted(value) {
				value = v
			}
		}
		members = append(members, ordjson.Field(key, value))
	}
	return ordjson.NewObject(members...)
}

// With are the members of two objects; those of more come last and count.
func With(given, more ordjson.Value) ordjson.Value {
	for _, m := range more.Members() {
		given = given.With(m.Key, m.Value)
	}
	return given
}
