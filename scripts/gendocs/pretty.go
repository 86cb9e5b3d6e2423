package main

import (
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// width is how long a line of a sample may be.
const width = 96

// appendPretty appends a value as people write JSON: what fits on a line is on
// one, the rest has a line for each member.
func appendPretty(b []byte, v ordjson.Value, indent string) []byte {
	flat := appendFlat(nil, v)
	if len(indent)+len(flat) <= width || v.Len() == 0 {
		return append(b, flat...)
	}
	inner := indent + "  "
	if v.Is(ordjson.Array) {
		for i, e := range v.Elems() {
			b = append(b, opener(i, '[')...)
			b = append(b, "\n"+inner...)
			b = appendPretty(b, e, inner)
		}
		return append(b, "\n"+indent+"]"...)
	}
	for i, m := range v.Members() {
		b = append(b, opener(i, '{')...)
		b = append(b, "\n"+inner...)
		b = append(ordjson.AppendKey(b, m.Key), ' ')
		b = appendPretty(b, m.Value, inner)
	}
	return append(b, "\n"+indent+"}"...)
}

// opener is what is before the line of member i.
func opener(i int, bracket byte) string {
	if i == 0 {
		return string(bracket)
	}
	return ","
}

// appendFlat appends a value on one line, with spaces where people put them.
func appendFlat(b []byte, v ordjson.Value) []byte {
	switch {
	case v.Len() == 0:
		return ordjson.Append(b, v)
	case v.Is(ordjson.Array):
		b = append(b, '[')
		for i, e := range v.Elems() {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = appendFlat(b, e)
		}
		return append(b, ']')
	case v.Is(ordjson.Object):
		b = append(b, '{')
		for i, m := range v.Members() {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = append(ordjson.AppendKey(b, m.Key), ' ')
			b = appendFlat(b, m.Value)
		}
		return append(b, '}')
	}
	return ordjson.Append(b, v)
}
