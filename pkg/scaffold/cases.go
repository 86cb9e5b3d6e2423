package scaffold

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
	"github.com/flowmcp/fmcp/pkg/zod"
)

// Input is a parameter of a tool and what is known of its values.
type Input struct {
	Param
	Name     string          // in the description of the API
	Examples []ordjson.Value // those that the z block refuses are not used
}

// candidate is a value that a test may have.
type candidate struct {
	ordjson.Value
	filler bool // the author is to replace it
}

// known are the values of a parameter for tests, the best first.
type known struct {
	*Input
	optional bool
	list     []candidate
	examples int // how many of them somebody has written down
}

// Cases are three tests that differ, as far as values are known: of the examples first,
// then with values near them. open names the parameters with ReplaceMe in a test.
func Cases(inputs []Input) (tests []ordjson.Value, open []string) {
	var list []*known
	for i := range inputs {
		if inputs[i].Value == "" {
			list = append(list, newKnown(&inputs[i]))
		}
	}
	seen := map[string]bool{}
	for i := range 3 {
		values := pick(list, i)
		changed := ""
		if seen[key(values)] {
			values, changed = vary(list, pick(list, 0), seen)
		}
		seen[key(values)] = true
		for j, k := range list {
			if values[j].filler && !slices.Contains(open, k.Key) {
				open = append(open, k.Key)
			}
		}
		tests = append(tests, caseOf(list, values, changed))
	}
	return tests, open
}

func newKnown(in *Input) *known {
	z, _ := zod.Parse(in.Primitive, in.Options)
	k := &known{Input: in, optional: z.Optional()}
	seen := ordjson.SetOf(nil)
	add := func(v ordjson.Value, filler bool) {
		if v.Exists() && !v.Is(ordjson.Null) && len(k.list) < 6 && !seen.Has(v) && len(z.Check(v)) == 0 {
			seen.Add(v)
			k.list = append(k.list, candidate{v, filler})
		}
	}
	if !IsKey(in.Name) { // whose key the example is nobody knows
		for _, v := range in.Examples {
			if z.Type() == zod.Text || z.Type() == zod.Enum {
				if text, ok := ordjson.ScalarText(v); ok {
					v = ordjson.NewString(text)
				}
			}
			add(v, false)
		}
	}
	if def, ok := z.Default(); ok {
		add(def, false)
	}
	if z.Type() == zod.Enum {
		for _, v := range z.Values() {
			add(ordjson.NewString(v), false)
		}
	}
	k.examples = len(k.list)
	if k.examples > 0 {
		add(neighbour(k.list[0].Value, 1), false)
		add(neighbour(k.list[0].Value, 2), false)
	}
	for _, v := range likely(z.Type(), in.Options) {
		add(v, z.Type() != zod.Number && z.Type() != zod.Boolean)
	}
	return k
}

// likely are values of a type, with the limits of its options in mind.
func likely(typ zod.Type, options []string) []ordjson.Value {
	low, high := 0, 0
	for _, o := range options {
		fmt.Sscanf(o, "min(%d)", &low)
		fmt.Sscanf(o, "max(%d)", &high)
		if n, _ := fmt.Sscanf(o, "length(%d)", &low); n > 0 {
			high = low
		}
	}
	var list []ordjson.Value
	for n := range 3 {
		mark := filler("string()", n)
		switch typ {
		case zod.Number:
			list = append(list, ordjson.NewInt(max(low, 1)+n), ordjson.NewInt(high-n))
		case zod.Boolean:
			list = append(list, ordjson.NewBool(n == 0))
		case zod.Text:
			text := mark.Str()
			if low > len(text) && low < 1000 {
				text += strings.Repeat("-", low-len(text))
			}
			if high > 0 && high < len(text) {
				text = text[len(text)-high:]
			}
			list = append(list, ordjson.NewString(text))
		case zod.Array:
			list = append(list, ordjson.NewArray(slices.Repeat([]ordjson.Value{mark}, max(1, min(low, 100)))...))
		case zod.Object:
			list = append(list, filler("object()", n))
		}
	}
	return list
}

// pick are the values of a test: each next one has the next example of each parameter.
// What may be left out is, where nobody has an example.
func pick(list []*known, test int) []candidate {
	values := make([]candidate, len(list))
	for i, k := range list {
		switch {
		case len(k.list) == 0:
		case k.examples > 0 && (!k.optional || len(k.Examples) > 0):
			values[i] = k.list[test%k.examples]
		case !k.optional:
			values[i] = k.list[0]
		}
	}
	return values
}

// vary changes one value so that the test is another, where that is possible: by one that
// is known before one that has to be replaced.
func vary(list []*known, values []candidate, seen map[string]bool) (_ []candidate, changed string) {
	for _, filler := range []bool{false, true} {
		for i, k := range list {
			for _, c := range k.list {
				other := slices.Clone(values)
				if other[i] = c; c.filler == filler && !seen[key(other)] {
					return other, k.Key
				}
			}
			other := slices.Clone(values)
			if other[i] = (candidate{}); k.optional && !seen[key(other)] {
				return other, k.Key
			}
		}
	}
	return values, ""
}

func key(values []candidate) string {
	var b []byte
	for _, v := range values {
		if v.Exists() {
			b = ordjson.Append(b, v.Value)
		}
		b = append(b, '\n')
	}
	return string(b)
}

// caseOf writes a test.
func caseOf(list []*known, values []candidate, changed string) ordjson.Value {
	var members []ordjson.Member
	var parts []string
	replace := ""
	for i, k := range list {
		v := values[i]
		if !v.Exists() {
			continue
		}
		members = append(members, ordjson.Field(k.Key, v.Value))
		if v.filler {
			replace = k.Key
		} else if text, ok := ordjson.ScalarText(v.Value); ok && (changed == "" || changed == k.Key) {
			parts = append(parts, k.Key+" "+words.Brief(Plain(text)))
		}
	}
	description := "With " + strings.Join(parts, ", ")
	switch {
	case replace != "":
		description = "Replace the value of " + replace + " by one that the API knows"
	case len(parts) == 0 && changed != "":
		description = "Without " + changed
	case len(parts) == 0:
		description = "Without parameters that may be left out"
	}
	return ordjson.NewObject(append([]ordjson.Member{text("_description", description)}, members...)...)
}

// Plain is a text in a line that holds no placeholder.
func Plain(s string) string {
	s = words.OneLine(s)
	for _, braces := range []string{"{{", "}}"} {
		for strings.Contains(s, braces) { // {{{ is still one after the first time
			s = strings.ReplaceAll(s, braces, braces[:1]+" "+braces[:1])
		}
	}
	return s
}
