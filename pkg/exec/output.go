package exec

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// maxWarnings is how many deviations from the output schema are reported.
const maxWarnings = 10

// outputCheck walks data along the output schema.
type outputCheck struct {
	warnings []string
	seen     map[string]bool // places of the schema that were reported already
	more     int
	left     int // comparisons that may still be made
}

// maxComparisons bounds the time that a check takes, at about a second: a
// schema of 100,000 properties over an array of as many objects, both untrusted,
// would take minutes. The largest answer that is read by default,
// checked against a schema of 200 properties, stays below.
const maxComparisons = 200_000_000

// CheckOutput checks data against output.schema and returns a warning for every
// place that deviates. The subset of JSON Schema is that of chapter 04; a
// deviation never fails a call ("Non-Blocking Validation"), and a property that
// is absent is none.
func CheckOutput(schema, data ordjson.Value) []string {
	if !schema.Is(ordjson.Object) {
		return nil
	}
	c := outputCheck{seen: map[string]bool{}, left: maxComparisons}
	c.walk(schema, data, "data", "data")
	if c.left < 0 {
		c.warnings = append(c.warnings, "the answer is too large to be checked against all of the output schema")
	}
	if c.more > 0 {
		c.warnings = append(c.warnings, strconv.Itoa(c.more)+" more places deviate from the output schema")
	}
	return c.warnings
}

// tell adds a warning, one per place of the schema: path names the element,
// place is the same without indexes.
func (c *outputCheck) tell(path, place, msg string) {
	if c.seen[place] {
		return
	}
	c.seen[place] = true
	if len(c.warnings) == maxWarnings {
		c.more++
		return
	}
	c.warnings = append(c.warnings, record.MismatchPrefix+path+" "+msg)
}

func (c *outputCheck) walk(schema, v ordjson.Value, path, place string) {
	properties, enum := schema.Get("properties"), schema.Get("enum")
	if c.left -= 1 + properties.Len()*(1+v.Len()) + enum.Len()*weight(enum, v); c.left < 0 {
		return
	}
	want := schema.Get("type").Str()
	if v.Is(ordjson.Null) {
		if !schema.Get("nullable").True() && want != "" {
			c.tell(path, place, "is null, expected "+want+" (declare nullable: true if null is normal)")
		}
		return
	}
	if is := typeName(want, v); slices.Contains(outputTypes, want) && is != want {
		c.tell(path, place, "is "+is+", expected "+want)
		return
	}
	if enum.Is(ordjson.Array) && !contains(enum, v) {
		c.tell(path, place, "is "+snippet(ordjson.Text(v))+", which is not among the declared "+
			"values "+snippet(ordjson.Text(enum)))
	}
	if items := schema.Get("items"); items.Is(ordjson.Object) {
		for i, e := range v.Elems() {
			c.walk(items, e, path+"["+strconv.Itoa(i)+"]", place+"[]")
		}
	}
	for _, m := range properties.Members() {
		if e := v.Get(m.Key); e.Exists() && m.Value.Is(ordjson.Object) {
			c.walk(m.Value, e, path+"."+m.Key, place+"."+m.Key)
		}
	}
}

// outputTypes are those of chapter 04, and integer, which the field writes for
// whole numbers; a word that is not a type is a finding of fmcp-validate, and
// nothing can deviate from it.
var outputTypes = slices.Concat(model.OutputTypes, []string{"integer"})

// typeName is the type of v, in the words of the one that is wanted: a whole
// number is an integer where that is asked for, however it is written.
func typeName(want string, v ordjson.Value) string {
	if want == "integer" && v.Is(ordjson.Number) {
		if text := v.NumberText(); !strings.ContainsAny(text, ".eE") || v.Float() == math.Trunc(v.Float()) {
			return want
		}
	}
	return v.Kind().String()
}

// weight is how many comparisons it takes at most to compare v with a value of
// an enum.
func weight(enum, v ordjson.Value) int {
	n := 1
	if v.Is(ordjson.Number) {
		n = 64 // texts that differ may be the same number
	}
	if enum.Len() > 0 {
		for _, e := range v.Elems() {
			n += weight(enum, e)
		}
		for _, m := range v.Members() {
			n += v.Len() * weight(enum, m.Value)
		}
	}
	return n
}

func contains(list, v ordjson.Value) bool {
	for _, e := range list.Elems() {
		if ordjson.Equal(e, v) {
			return true
		}
	}
	return false
}
