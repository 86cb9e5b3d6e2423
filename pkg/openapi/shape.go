package openapi

import (
	"cmp"
	"slices"

	"github.com/pb33f/libopenapi/datamodel/high/base"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// shape is what a schema says, with what it is composed of in one place.
type shape struct {
	typ                  string // of JSON Schema; "" where any value will do
	nullable             bool
	mixed                bool // it may have other types too
	enum                 []ordjson.Value
	def                  ordjson.Value
	examples             []ordjson.Value
	min, max             *float64
	openMin, openMax     bool // the bound itself is left out
	minLength, maxLength *int64
	minItems, maxItems   *int64
	format, pattern      string
	description          string
	properties           []property // up to maxInputs and one
	required             []string
	items                *base.SchemaProxy
	readOnly             bool
	broken               string // the reference that leads nowhere
}

// property is one of an object.
type property struct {
	name   string
	schema *base.SchemaProxy
}

// maxParts is how many schemas one is composed of; one that contains itself has no end.
const maxParts = 200

// shapeOf reads a schema; nil is one that says nothing.
func shapeOf(p *base.SchemaProxy) shape {
	left := maxParts
	return read(p, &left)
}

func read(p *base.SchemaProxy, left *int) shape {
	var s shape
	if *left--; p == nil || *left < 0 {
		return s
	}
	schema := p.Schema()
	if schema == nil {
		s.broken = cmp.Or(p.GetReference(), "a schema that cannot be read")
		return s
	}
	s.own(schema)
	for _, part := range schema.AllOf {
		s.add(read(part, left))
	}
	s.choose(schema.OneOf, left)
	s.choose(schema.AnyOf, left)
	if s.typ == "" {
		s.typ = s.guessed()
	}
	return s
}

// own takes what the schema says itself.
func (s *shape) own(schema *base.Schema) {
	for _, t := range schema.Type {
		switch {
		case t == "null":
			s.nullable = true
		case s.typ == "":
			s.typ = t
		case t != s.typ:
			s.mixed = true
		}
	}
	s.nullable = s.nullable || isTrue(schema.Nullable)
	s.readOnly = isTrue(schema.ReadOnly)
	s.format, s.pattern, s.description = schema.Format, schema.Pattern, schema.Description
	s.minLength, s.maxLength = schema.MinLength, schema.MaxLength
	s.minItems, s.maxItems = schema.MinItems, schema.MaxItems
	s.bounds(schema)
	s.def = valueOf(schema.Default)
	for _, n := range schema.Enum {
		if v := valueOf(n); v.Is(ordjson.Null) {
			s.nullable = true
		} else {
			s.enum = append(s.enum, v)
		}
	}
	if schema.Const != nil {
		s.enum = []ordjson.Value{valueOf(schema.Const)}
	}
	if v := valueOf(schema.Example); v.Exists() {
		s.examples = append(s.examples, v)
	}
	for _, n := range schema.Examples {
		s.examples = append(s.examples, valueOf(n))
	}
	if schema.Properties != nil {
		for name, p := range schema.Properties.FromOldest() {
			if len(s.properties) <= maxInputs {
				s.properties = append(s.properties, property{name, p})
			}
		}
	}
	s.required = schema.Required
	if schema.Items != nil && schema.Items.N == 0 {
		s.items = schema.Items.A
	}
}

// bounds reads the limits of numbers. An open one is a boolean beside the other in 3.0,
// and a number of its own in 3.1; documents have either under both versions.
func (s *shape) bounds(schema *base.Schema) {
	s.min, s.max = schema.Minimum, schema.Maximum
	low := schema.GoLow()
	open := func(n *yamlNode, bound **float64, open *bool) {
		switch v := valueOf(n); v.Kind() {
		case ordjson.Bool:
			*open = v.True()
		case ordjson.Number:
			f := v.Float()
			*bound, *open = &f, true
		}
	}
	open(low.ExclusiveMinimum.ValueNode, &s.min, &s.openMin)
	open(low.ExclusiveMaximum.ValueNode, &s.max, &s.openMax)
}

// add takes what else must hold; first is said nearer to the value, and stays.
func (s *shape) add(o shape) {
	if s.typ == "" {
		s.typ = o.typ
	}
	s.nullable, s.mixed = s.nullable || o.nullable, s.mixed || o.mixed || o.typ != "" && o.typ != s.typ
	s.readOnly = s.readOnly || o.readOnly
	s.format, s.pattern = cmp.Or(s.format, o.format), cmp.Or(s.pattern, o.pattern)
	s.description, s.broken = cmp.Or(s.description, o.description), cmp.Or(s.broken, o.broken)
	s.minLength, s.maxLength = cmp.Or(s.minLength, o.minLength), cmp.Or(s.maxLength, o.maxLength)
	s.minItems, s.maxItems = cmp.Or(s.minItems, o.minItems), cmp.Or(s.maxItems, o.maxItems)
	if s.min == nil {
		s.min, s.openMin = o.min, o.openMin
	}
	if s.max == nil {
		s.max, s.openMax = o.max, o.openMax
	}
	if s.enum == nil {
		s.enum = o.enum
	}
	if !s.def.Exists() {
		s.def = o.def
	}
	s.examples = append(s.examples, o.examples...)
	s.items = cmp.Or(s.items, o.items)
	s.required = append(slices.Clip(s.required), o.required...)
	for _, p := range o.properties {
		same := func(q property) bool { return q.name == p.name }
		if len(s.properties) <= maxInputs && !slices.ContainsFunc(s.properties, same) {
			s.properties = append(s.properties, p)
		}
	}
}

// choose takes what may hold: what all forms have in common, and the properties of each,
// which callers may leave out.
func (s *shape) choose(forms []*base.SchemaProxy, left *int) {
	var list []shape
	for _, p := range forms {
		if o := read(p, left); o.typ == "null" || o.typ == "" && o.nullable && len(o.properties) == 0 {
			s.nullable = true
		} else {
			list = append(list, o)
		}
	}
	if len(list) == 1 {
		s.add(list[0])
		return
	}
	var enum []ordjson.Value
	all := len(list) > 0 && !slices.ContainsFunc(list, func(o shape) bool { return o.enum == nil })
	for _, o := range list {
		if all {
			enum = append(enum, o.enum...)
		}
		o.required = slices.DeleteFunc(slices.Clone(o.required), func(name string) bool {
			return slices.ContainsFunc(list, func(p shape) bool { return !slices.Contains(p.required, name) })
		})
		o.enum, o.min, o.max, o.minLength, o.maxLength, o.pattern, o.format = nil, nil, nil, nil, nil, "", ""
		s.add(o)
	}
	if s.enum == nil && all {
		s.enum = enum
	}
}

// guessed is the type of a schema that does not name it.
func (s *shape) guessed() string {
	switch {
	case len(s.properties) > 0:
		return "object"
	case s.items != nil:
		return "array"
	case len(s.enum) > 0 && s.enum[0].Exists():
		return s.enum[0].Kind().String()
	}
	return ""
}

func isTrue(b *bool) bool { return b != nil && *b }
