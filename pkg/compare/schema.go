package compare

import (
	"slices"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// join is the place of a member below another: "to.city", "days[]".
func join(at, key string) string {
	if at == "" {
		return key
	}
	return at + "." + key
}

// typeOf is the type of a JSON Schema, "" where it says none.
func typeOf(schema ordjson.Value) string {
	text := schema.Get("type").Str()
	if schema.Get("nullable").True() {
		text += " or null"
	}
	return text
}

// input compares what callers may give, by the JSON Schemas that resolving makes.
func (d *differ) input(at string, old, now ordjson.Value) {
	if a, b := typeOf(old), typeOf(now); a != b {
		d.texts(otherType, at, a, b)
		return
	}
	if at != "" {
		d.texts(description, at, old.Get("description").Str(), now.Get("description").Str())
	}
	d.values(at, old.Get("enum"), now.Get("enum"))
	for _, limit := range limits {
		d.limit(join(at, limit.key), limit.side, old.Get(limit.key), now.Get(limit.key))
	}
	if a, b := old.Get("default"), now.Get("default"); !ordjson.Equal(a, b) {
		d.add(fallback, at, a, b)
	}
	d.properties(at, old, now)
	if a, b := old.Get("items"), now.Get("items"); a.Exists() && b.Exists() {
		d.input(at+"[]", a, b)
	}
}

func (d *differ) properties(at string, old, now ordjson.Value) {
	must := func(schema ordjson.Value, key string) bool {
		return slices.Contains(record.StringsOf(schema.Get("required")), key)
	}
	for _, m := range old.Get("properties").Members() {
		twin := now.Get("properties").Get(m.Key)
		switch place := join(at, m.Key); {
		case !twin.Exists():
			d.add(paramGone, place, ordjson.Value{}, ordjson.Value{})
			continue
		case must(now, m.Key) && !must(old, m.Key):
			d.add(required, place, ordjson.Value{}, ordjson.Value{})
		case !must(now, m.Key) && must(old, m.Key):
			d.add(optional, place, ordjson.Value{}, ordjson.Value{})
		}
		d.input(join(at, m.Key), m.Value, twin)
	}
	for _, m := range now.Get("properties").Members() {
		if old.Get("properties").Get(m.Key).Exists() {
			continue
		}
		kind := paramNew
		if must(now, m.Key) {
			kind = required
		}
		d.add(kind, join(at, m.Key), ordjson.Value{}, ordjson.Value{})
	}
}

// values compares enums. One that comes takes all other values away.
func (d *differ) values(at string, old, now ordjson.Value) {
	switch {
	case !old.Exists() && now.Exists():
		d.add(valueGone, at, ordjson.Value{}, now)
		return
	case !now.Exists() && old.Exists():
		d.add(valueNew, at, old, ordjson.Value{})
		return
	}
	before, after := ordjson.SetOf(old.Elems()), ordjson.SetOf(now.Elems())
	for _, v := range old.Elems() {
		if !after.Has(v) {
			d.add(valueGone, at, v, ordjson.Value{})
		}
	}
	for _, v := range now.Elems() {
		if !before.Has(v) {
			d.add(valueNew, at, ordjson.Value{}, v)
		}
	}
}

// limits are the keywords that values are refused by. Of an upper one the smaller
// is tighter, of a lower one the greater, and of the others (0) each other value.
var limits = []struct {
	key  string
	side int
}{
	{"minimum", -1}, {"exclusiveMinimum", -1}, {"minLength", -1}, {"minItems", -1},
	{"maximum", 1}, {"exclusiveMaximum", 1}, {"maxLength", 1}, {"maxItems", 1},
	{"pattern", 0}, {"format", 0}, {"multipleOf", 0}, {"const", 0},
}

func (d *differ) limit(at string, side int, old, now ordjson.Value) {
	if ordjson.Equal(old, now) {
		return
	}
	kind := tighter
	more := now.Float() - old.Float()
	if !now.Exists() || old.Exists() && more*float64(side) > 0 {
		kind = wider
	}
	d.add(kind, at, old, now)
}

// output compares what answers have, by the schemas of outputs (chapter 04).
func (d *differ) output(at string, old, now ordjson.Value) {
	switch {
	case !old.Exists() && !now.Exists():
		return
	case !now.Exists():
		d.add(outputGone, at, ordjson.Value{}, ordjson.Value{})
		return
	case !old.Exists():
		d.add(output, at, ordjson.Value{}, ordjson.Value{})
		return
	}
	if a, b := typeOf(old), typeOf(now); a != b {
		d.texts(outputType, at, a, b)
		return
	}
	for _, m := range old.Get("properties").Members() {
		d.output(join(at, m.Key), m.Value, now.Get("properties").Get(m.Key))
	}
	for _, m := range now.Get("properties").Members() {
		if !old.Get("properties").Get(m.Key).Exists() {
			d.add(output, join(at, m.Key), ordjson.Value{}, ordjson.Value{})
		}
	}
	if a, b := old.Get("items"), now.Get("items"); a.Exists() || b.Exists() {
		d.output(at+"[]", a, b)
	}
}
