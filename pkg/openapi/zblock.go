package openapi

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/scaffold"
	"github.com/flowmcp/fmcp/pkg/words"
	"github.com/flowmcp/fmcp/pkg/zod"
)

// typed says which values a parameter takes, and reports what a z block cannot say.
func (t *tool) typed(in *scaffold.Input, s shape, required bool, pointer string) {
	z := zblock{shape: s, body: in.Location == model.Body}
	z.primitive()
	z.bounds()
	for _, o := range z.options { // what the notation has no room for is not written
		if _, problems := zod.Parse(z.text, []string{o}); len(problems) > 0 {
			z.lose(o)
			z.options = nil
		}
	}
	if _, problems := zod.Parse(z.text, z.options); len(problems) > 0 {
		z.lose("its limits")
		z.options = nil
	}
	in.Examples = z.examples
	if s.def.Exists() && !s.def.Is(ordjson.Null) {
		in.Examples = append(in.Examples, s.def)
	}
	if value, ok := z.only(); ok && required && in.Location != model.Insert {
		in.Value = value
	}
	switch o, ok := z.defaultOption(in); {
	case ok:
		z.options = append(z.options, o)
	case !required:
		z.options = append(z.options, "optional()")
	}
	in.Primitive, in.Options = z.text, z.options
	in.Description = t.cut(z.describe(), maxParameter, pointer)
	if len(z.lost) > 0 {
		t.changed(pointer, "parameter "+words.Quote(in.Key)+" of "+t.name()+" is not checked for "+
			strings.Join(z.lost, ", ")+": a z block cannot say it", "")
	}
}

// zblock is one while it is made.
type zblock struct {
	shape
	body    bool // values keep their types
	text    string
	options []string
	lost    []string // what is not kept
}

func (z *zblock) lose(what string) { z.lost = append(z.lost, what) }

func (z *zblock) primitive() {
	switch z.typ {
	case "integer", "number":
		z.text = "number()"
	case "boolean", "array", "object":
		z.text = z.typ + "()"
	default:
		z.text = "string()"
		if z.typ == "" && z.body {
			z.lose("its type")
		}
	}
	if z.mixed && !z.body {
		z.text = "string()"
	} else if z.mixed {
		z.lose("its other types")
	}
	if len(z.enum) > 0 && (z.text == "string()" || z.text == "number()" && !z.body) {
		z.enumeration()
	} else if len(z.enum) > 0 && z.text != "boolean()" {
		z.lose("its values")
	}
	if z.text == "object()" && len(z.properties) > 0 || z.text == "array()" && z.items != nil {
		z.lose("its contents")
	}
	if z.pattern != "" {
		z.lose("a pattern")
	}
	if z.format == "binary" || z.format == "byte" {
		z.lose("its format")
	}
}

// enumeration writes the values that all can be written.
func (z *zblock) enumeration() {
	var values []string
	for _, v := range z.enum {
		text, ok := ordjson.ScalarText(v)
		if !ok {
			z.lose("its values")
			return
		}
		values = append(values, text)
	}
	primitive := "enum(" + strings.Join(values, ",") + ")"
	read, problems := zod.Parse(primitive, nil)
	if len(problems) > 0 || len(read.Values()) != len(values) || strings.Contains(primitive, "{{") {
		z.lose("its values")
		return
	}
	z.text = primitive
}

// isEnum reports whether the values are those of an enum.
func (z *zblock) isEnum() bool { return strings.HasPrefix(z.text, "enum(") }

func (z *zblock) bounds() {
	low, high := z.minLength, z.maxLength
	switch {
	case z.text == "number()":
		z.numbers()
		return
	case z.text == "array()":
		if low, high = z.minItems, z.maxItems; low == nil || high == nil || *low != *high {
			if high != nil {
				z.lose(fmt.Sprintf("at most %d values", *high))
			}
			return
		}
	case z.text != "string()":
		return
	}
	switch {
	case low != nil && high != nil && *low == *high && *low > 0:
		z.options = append(z.options, fmt.Sprintf("length(%d)", *low))
	default:
		if low != nil && *low > 0 {
			z.options = append(z.options, fmt.Sprintf("min(%d)", *low))
		}
		if high != nil {
			z.options = append(z.options, fmt.Sprintf("max(%d)", *high))
		}
	}
}

// numbers writes the limits of a number; an open one of an integer is the next integer.
func (z *zblock) numbers() {
	write := func(name string, bound *float64, open bool, step float64) {
		if bound == nil || math.Abs(*bound) > 1<<53 {
			return
		}
		f := *bound
		if open && z.typ == "integer" && f == math.Trunc(f) {
			f += step
		} else if open {
			z.lose("an exclusive " + name)
		}
		z.options = append(z.options, name+"("+strconv.FormatFloat(f, 'f', -1, 64)+")")
	}
	write("min", z.min, z.openMin, 1)
	write("max", z.max, z.openMax, -1)
}

// only is the one value that there is.
func (z *zblock) only() (string, bool) {
	if len(z.enum) != 1 {
		return "", false
	}
	text, ok := ordjson.ScalarText(z.enum[0])
	return text, ok && text != "" && !strings.Contains(text, "{{")
}

// defaultOption is that of a query: a default is sent. In a body it would set what the
// caller does not speak of.
func (z *zblock) defaultOption(in *scaffold.Input) (string, bool) {
	text, ok := ordjson.ScalarText(z.def)
	if !ok || z.body || in.Value != "" || in.Location == model.Insert || z.def.Is(ordjson.Null) {
		return "", false
	}
	option := "default(" + text + ")"
	schema, problems := zod.Parse(z.text, append(append([]string{}, z.options...), option))
	got, has := schema.Default()
	back, _ := ordjson.ScalarText(got)
	return option, len(problems) == 0 && has && back == text
}

// inside says what a list or an object holds, which z has no word for.
func inside(s shape) string {
	switch {
	case s.typ == "array" && s.items != nil:
		each := shapeOf(s.items)
		text := "Each is of type " + cmp.Or(each.typ, "any")
		if enum := ofType(each.enum, "string"); len(enum) > 0 && len(enum) <= maxMembers {
			text += ", one of " + unquoted(enum)
		}
		if members := inside(each); each.typ == "object" && members != "" {
			text += ". " + members
		}
		return text
	case s.typ == "object" && len(s.properties) > 0:
		var names []string
		for _, p := range s.properties[:min(len(s.properties), maxMembers)] {
			names = append(names, p.name+" ("+cmp.Or(shapeOf(p.schema).typ, "any")+")")
		}
		if len(s.properties) > maxMembers {
			names = append(names, "…")
		}
		return "Members: " + strings.Join(names, ", ")
	}
	return ""
}

// maxMembers is how many members of an object, or values of a list, are named.
const maxMembers = 12

func unquoted(values []ordjson.Value) string {
	var list []string
	for _, v := range values {
		list = append(list, ordjson.Unquoted(v))
	}
	return strings.Join(list, ", ")
}

// formats are those that say how a text is written.
var formats = map[string]string{"date": "a date such as 2024-01-31", "date-time": "a time such as 2024-01-31T12:00:00Z",
	"email": "an email address", "uri": "a URL", "url": "a URL", "uuid": "a UUID", "ipv4": "an IPv4 address",
	"ipv6": "an IPv6 address", "byte": "base64"}

// describe is the description, with what the z block does not say.
func (z *zblock) describe() string {
	parts := []string{strings.TrimSuffix(scaffold.Plain(z.description), ".")}
	if f, ok := formats[z.format]; ok && z.text == "string()" {
		parts = append(parts, strings.ToUpper(f[:1])+f[1:])
	}
	if d, ok := ordjson.ScalarText(z.def); ok && z.body && d != "" && !z.def.Is(ordjson.Null) {
		parts = append(parts, "Without it: "+words.Brief(d))
	}
	if len(z.enum) > 0 && !z.isEnum() && z.text != "boolean()" {
		parts = append(parts, "One of "+unquoted(z.enum))
	}
	if z.typ == "integer" && !z.isEnum() && z.min == nil && z.max == nil {
		parts = append(parts, "A whole number")
	}
	if inside := inside(z.shape); inside != "" {
		parts = append(parts, inside)
	}
	if parts[0] == "" {
		parts = parts[1:]
	}
	if text := strings.Join(parts, ". "); text != "" {
		return text + "."
	}
	return ""
}
