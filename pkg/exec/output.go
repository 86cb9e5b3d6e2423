package exec

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// maxWarnings is how many deviations from the output schema are told.
const maxWarnings = 10

// outputCheck walks data along the output schema.
type outputCheck struct {
	warnings []string
	seen     map[string]bool // places of the schema that were told already
	more     int
}

// CheckOutput holds data against output.schema and returns a warning for every
// place that deviates. The subset of JSON Schema is that of chapter 04; a
// deviation never fails a call ("Non-Blocking Validation"), and a property that
// is absent is none.
func CheckOutput(schema, data ordjson.Value) []string {
	if !schema.Is(ordjson.Object) {
		return nil
	}
	c := outputCheck{seen: map[string]bool{}}
	c.walk(schema, data, "data", "data")
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
	c.warnings = append(c.warnings, "output schema: "+path+" "+msg)
}

func (c *outputCheck) walk(schema, v ordjson.Value, path, place string) {
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
	if enum := schema.Get("enum"); enum.Is(ordjson.Array) && !contains(enum, v) {
		c.tell(path, place, "is "+snippet(ordjson.Text(v))+", which is not among the declared values "+snippet(ordjson.Text(enum)))
	}
	if items := schema.Get("items"); items.Is(ordjson.Object) {
		for i, e := range v.Elems() {
			c.walk(items, e, path+"["+strconv.Itoa(i)+"]", place+"[]")
		}
	}
	for _, m := range schema.Get("properties").Members() {
		if e := v.Get(m.Key); e.Exists() && m.Value.Is(ordjson.Object) {
			c.walk(m.Value, e, path+"."+m.Key, place+"."+m.Key)
		}
	}
}

// outputTypes are those of chapter 04, and integer, which the field writes for
// whole numbers; a word that is no type is a finding of fmcp-validate, and
// nothing can deviate from it.
var outputTypes = []string{"string", "number", "boolean", "object", "array", "integer"}

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

func contains(list, v ordjson.Value) bool {
	for _, e := range list.Elems() {
		if ordjson.Equal(e, v) {
			return true
		}
	}
	return false
}
