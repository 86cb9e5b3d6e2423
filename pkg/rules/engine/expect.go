package engine

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// NoExport reports that a file does not export the object that it is read for.
func (p *Pass) NoExport(name, example string) {
	switch {
	case p.Exports(name):
		p.Report(p.Root, Found(p.Root.Value)+", expected an object", example)
	case len(p.Load.Exports) == 0:
		p.ReportFile("found no export, expected one named "+name, example)
	default:
		fix := example
		if near, ok := p.Speller.Closest(name, p.Load.Exports); ok {
			fix = "rename " + near + " to " + name
		} else if p.Exports("main") {
			// The manifests of the field are written so.
			fix = "rename main to " + name
		}
		p.ReportFile("found the exports "+strings.Join(p.Load.Exports, ", ")+", expected one named "+name, fix)
	}
}

// fieldHints are fields of other formats, and where their content belongs.
var fieldHints = map[string]string{
	"outputSchema": "describe the answer in output: { mimeType, schema }",
	"flowMCP":      "migrate the schema; version 4 says version: '4.0.0'",
	"handlers":     "make it an export of its own: export const handlers = …",
	"lifecycle":    "mode says whether queries may write: 'in-memory', or 'file-based'",
}

// parameterHints are those of a parameter and its z.
var parameterHints = map[string]string{
	"enum":     "write the values into z.primitive: 'enum(A,B)'",
	"required": "a parameter is required unless z.options holds 'optional()'",
	"default":  "write it into z.options: 'default(value)'",
	"type":     "write it as z.primitive",
}

func hintFor(field string, known []string) string {
	if slices.Contains(known, "z") || slices.Contains(known, "primitive") {
		return cmp.Or(parameterHints[field], fieldHints[field])
	}
	return fieldHints[field]
}

// Found describes a value for a message.
func Found(v ordjson.Value) string {
	switch v.Kind() {
	case ordjson.Missing:
		return "found nothing"
	case ordjson.String:
		return "found " + Quote(v.Str())
	case ordjson.Array:
		if v.Len() == 0 {
			return "found an empty array"
		}
		return "found an array of " + strconv.Itoa(v.Len())
	case ordjson.Object:
		if v.Len() == 0 {
			return "found an empty object"
		}
		return "found an object"
	}
	return "found " + ordjson.Text(v)
}

// Quote shows a value.
func Quote(s string) string { return words.Quote(s) }

// DidYouMean is a fix that names the nearest candidate, or else otherwise.
func (p *Pass) DidYouMean(word string, candidates []string, otherwise string) string {
	if near, ok := p.Speller.Closest(word, candidates); ok {
		return "did you mean " + strconv.Quote(near) + "?" // whole: it is to be copied
	}
	return otherwise
}

// maxCompared is how many pairs of words are compared to find the one that is
// misspelt. Objects are asked for each field that they lack.
const maxCompared = 10_000

// formerNames are fields as version 1 calls them.
var formerNames = map[string]string{"requestMethod": "method", "route": "path"}

// Misspelt returns the unknown key of obj that is most likely meant to be
// field, which obj lacks; or "".
func Misspelt(obj ordjson.Value, field string, known []string) string {
	if obj.Get(field).Exists() || obj.Len()*len(known) > maxCompared {
		return ""
	}
	for _, m := range obj.Members() {
		if slices.Contains(known, m.Key) {
			continue
		}
		near, ok := words.Closest(m.Key, known)
		if ok && near == field || formerNames[m.Key] == field || isShortFor(m.Key, field) {
			return m.Key
		}
	}
	return ""
}

// isShortFor reports whether a name is the beginning of another one: desc, loc.
func isShortFor(name, field string) bool { return len(name) > 2 && strings.HasPrefix(field, name) }

// Expect reports that n.field is not what it must be: missing, misspelt, or
// something else. It is one finding, whichever it is.
func (p *Pass) Expect(n *model.Node, field string, known []string, expected, fix string) *Finding {
	v := n.Get(field)
	if v.Exists() {
		return p.Report(n.At(field), Found(v)+", expected "+expected, fix)
	}
	if key := Misspelt(n.Value, field, known); key != "" {
		found := p.Report(n.At(key), "unknown field; expected "+field+", "+expected,
			"rename "+key+" to "+field+" (did you mean "+strconv.Quote(field)+"?)")
		found.Fixed(true, RenameKey(n.At(key), field))
		return found
	}
	return p.Report(n.At(field), "missing; expected "+expected, fix)
}

// ExpectText is expect where n.field must be a string that is not blank.
func (p *Pass) ExpectText(n *model.Node, field string, known []string, fix string) {
	if v := n.Get(field); v.Is(ordjson.String) && strings.TrimSpace(v.Str()) != "" {
		return
	}
	p.Expect(n, field, known, "a string that is not empty", fix)
}

// CamelKey reports the key of n, a tool, resource or query as noun says, that is
// not in camelCase; example is one that is.
func (p *Pass) CamelKey(n *model.Node, noun, example string) {
	if IsCamel(n.Key()) {
		return
	}
	fix := "use camelCase, such as " + example
	var changes []edit.Change
	if name := camelOf(n.Key()); name != "" {
		fix = "rename the " + noun + " to " + name
		if !n.Parent().Get(name).Exists() {
			changes = append(changes, RenameKey(n, name))
		}
		switch {
		case changes == nil:
		case noun != "tool" && p.Exports("handlers"):
			changes = nil // they may be in there, as resource/query
		case p.Handles(n.Key(), "preRequest", "executeRequest", "postRequest"):
			changes = append(changes, edit.RenameHandler(n.Key(), name))
		}
	}
	p.Report(n, "found the name "+Quote(n.Key())+", expected letters and digits, a lower-case letter first",
		fix).Fixed(false, changes...)
}

// elementNoString reports the first element of an array, or field of an object,
// that is not a string, if there is one.
func (p *Pass) elementNoString(n *model.Node, fix string) bool {
	for _, e := range slices.Concat(n.Items(), n.Fields()) {
		if !e.Is(ordjson.String) {
			p.Report(e, Found(e.Value)+", expected a string", fix)
			return true
		}
	}
	return false
}

// Unknown reports the fields of n that are not known, but for those that
// another finding is about already, as a misspelt one (see expect) is. It
// belongs in late rules only.
func (p *Pass) Unknown(n *model.Node, known []string) {
	for _, m := range n.Members() {
		if slices.Contains(known, m.Key) {
			continue
		}
		at := n.Field(m)
		if at.Within(MaxPlace) == at && p.Told(at.Pointer()) {
			continue
		}
		fix := "remove it; known are " + strings.Join(known, ", ")
		var changes []edit.Change
		if hint := hintFor(m.Key, known); hint != "" {
			fix = "remove it; " + hint
		} else if near, ok := words.Closest(m.Key, known); ok {
			fix = "did you mean " + strconv.Quote(near) + "?"
			if !n.Get(near).Exists() {
				changes = append(changes, RenameKey(at, near))
			}
		}
		p.Report(at, "unknown field", fix).Fixed(false, changes...)
	}
}

// maxDescription is how many characters a description has at most.
const maxDescription = 1024

// TooLong reports a description that is longer than that.
func (p *Pass) TooLong(at *model.Node, fix string) {
	if n := utf8.RuneCountInString(at.Str()); n > maxDescription {
		p.Report(at, "found "+strconv.Itoa(n)+" characters, expected at most "+strconv.Itoa(maxDescription), fix)
	}
}

// Trimmed is a string without the blanks around it, which readers strip.
func Trimmed(v ordjson.Value) string { return strings.TrimSpace(v.Str()) }

// MinTests is the least number of tests (chapter 10, "Test Count Guidelines").
const MinTests = 3

// TestDescription is the one key of a test that is not a parameter's.
const TestDescription = "_description"

// ExpectVersion reports a version that is not the one wanted; one of the legacy ones is
// deprecated (decision "Versions of primitives").
func (p *Pass) ExpectVersion(known []string, want string, legacy ...string) {
	v, fix := p.Root.Get("version"), "write version: '"+want+"'"
	switch {
	case v.Str() == want:
	case !slices.Contains(legacy, v.Str()):
		found := p.Expect(p.Root, "version", known, Quote(want), fix)
		if v.Exists() { // perhaps the author's own
			found.Fixed(ToSemver(v.Str()) == "4.0.0", SetText(p.Root.At("version"), want))
		}
		found.Added(p.Root, "version", ordjson.NewString(want), "name", "namespace")
	case p.Spec >= Spec42:
		p.ReportAs(min(record.SeverityWarning, p.Severity()), p.Root.At("version"),
			Found(v)+", which is deprecated; expected "+Quote(want), fix).
			Fixed(true, SetText(p.Root.At("version"), want))
	}
}

// Severity is that of the rule at work.
func (p *Pass) Severity() record.Severity { return p.Rule.Severity(p.Ctx.ProfileInForce()) }
