package rules

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// The fields that objects of a schema may have (chapters 01, 02, 03, 04, 19).
// prompts and async are known though no table lists them (decision "Known fields of main" and "Descriptions of parameters").
var (
	mainFields = []string{
		"namespace", "name", "description", "version", "schemaVersion", "schemaHash", "root", "tools",
		"docs", "termsOfService", "termsOfServiceCheckedAt", "termsOfServiceLanguage", "dataLicense", "dataLicenseName",
		"tags", "requiredServerParams", "requiredLibraries", "headers", "sharedLists", "resources", "meta", "prompts", "routes",
	}
	mainFields30 = append(slices.Clone(mainFields), "skills") // VAL016 speaks about it in version 4
	mainFields20 = []string{
		"namespace", "name", "description", "version", "root", "routes", "docs", "tags",
		"requiredServerParams", "requiredLibraries", "headers", "sharedLists",
	}
	toolFields      = []string{"method", "path", "description", "parameters", "output", "preload", "tests", "headers", "meta", "async"}
	parameterFields = []string{"position", "z", "description"}
	positionFields  = []string{"key", "value", "location"}
	zFields         = []string{"primitive", "options", "description"}
	outputFields    = []string{"mimeType", "schema", "description"}
	metaFields      = []string{"isReadOnly", "isConcurrencySafe", "isDestructive", "searchHint", "aliases", "alwaysLoad"}
	refFields       = []string{"ref", "version", "filter"}
	filterFields    = []string{"key", "exists", "value", "in"}
)

// fieldHints are fields of other formats, and where their content belongs.
var fieldHints = map[string]string{
	"outputSchema": "describe the answer in output: { mimeType, schema }",
	"flowMCP":      "migrate the schema; version 4 says version: '4.0.0'",
	"handlers":     "make it an export of its own: export const handlers = …",
	"enum":         "write the values into z.primitive: 'enum(A,B)'",
	"required":     "a parameter is required unless z.options holds 'optional()'",
	"default":      "write it into z.options: 'default(value)'",
	"type":         "write it as z.primitive",
	"lifecycle":    "mode says whether queries may write: 'in-memory', or 'file-based'",
}

// found describes a value for a message.
func found(v ordjson.Value) string {
	switch v.Kind() {
	case ordjson.Missing:
		return "found nothing"
	case ordjson.String:
		return "found " + quote(v.Str())
	case ordjson.Array:
		if v.Len() == 0 {
			return "found an empty array"
		}
		return "found an array of " + strconv.Itoa(v.Len())
	case ordjson.Object:
		return "found an object"
	}
	return "found " + ordjson.Text(v)
}

// maxQuoted is how much of a string a message shows, in bytes.
const maxQuoted = 60

func quote(s string) string {
	if len(s) <= maxQuoted {
		return strconv.Quote(s)
	}
	cut := maxQuoted
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return strconv.Quote(s[:cut]) + "… (" + strconv.Itoa(len(s)) + " bytes)"
}

// maxShort is how many bytes of a text that is to be recognised a message shows.
const maxShort = 1000

// short cuts a text where a stranger made it long.
func short(s string) string {
	if len(s) <= maxShort {
		return s
	}
	return strings.Clone(strings.ToValidUTF8(s[:maxShort], "")) + "…"
}

// didYouMean is a fix that names the nearest candidate, or else otherwise.
func (p *Pass) didYouMean(word string, candidates []string, otherwise string) string {
	if near, ok := p.speller.Closest(word, candidates); ok {
		return "did you mean " + strconv.Quote(near) + "?" // whole: it is to be copied
	}
	return otherwise
}

// maxCompared is how many pairs of words are compared to find the one that is
// misspelt. Objects are asked for each field that they lack.
const maxCompared = 10_000

// misspelt returns the unknown key of obj that is most likely meant to be
// field, which obj lacks; or "".
func misspelt(obj ordjson.Value, field string, known []string) string {
	if obj.Get(field).Exists() || obj.Len()*len(known) > maxCompared {
		return ""
	}
	for _, m := range obj.Members() {
		if slices.Contains(known, m.Key) {
			continue
		}
		if near, ok := words.Closest(m.Key, known); ok && near == field {
			return m.Key
		}
	}
	return ""
}

// expect reports that n.field is not what it must be: missing, misspelt, or
// something else. It is one finding, whichever it is.
func (p *Pass) expect(n *model.Node, field string, known []string, expected, fix string) {
	v := n.Get(field)
	if v.Exists() {
		p.report(n.At(field), found(v)+", expected "+expected, fix)
		return
	}
	if key := misspelt(n.Value, field, known); key != "" {
		p.report(n.At(key), "unknown field; expected "+field+", "+expected, "rename "+key+" to "+field+" (did you mean "+strconv.Quote(field)+"?)")
		return
	}
	p.report(n.At(field), "missing; expected "+expected, fix)
}

// expectText is expect where n.field must be a string that is not blank.
func (p *Pass) expectText(n *model.Node, field string, known []string, fix string) {
	if v := n.Get(field); v.Is(ordjson.String) && strings.TrimSpace(v.Str()) != "" {
		return
	}
	p.expect(n, field, known, "a string that is not empty", fix)
}

// camelKey reports the key of n, a tool, resource or query as noun says, that is
// not in camelCase; example is one that is.
func (p *Pass) camelKey(n *model.Node, noun, example string) {
	if isCamel(n.Key()) {
		return
	}
	fix := "use camelCase, such as " + example
	if name := toCamel(n.Key()); name != "" {
		fix = "rename the " + noun + " to " + name
	}
	p.report(n, "found the name "+quote(n.Key())+", expected letters and digits, a lower-case letter first", fix)
}

// arrayOfStrings reports that n is not one; of its elements the first wrong
// one.
func (p *Pass) arrayOfStrings(n *model.Node, fix string) {
	if !n.Is(ordjson.Array) {
		p.report(n, found(n.Value)+", expected an array of strings", fix)
		return
	}
	for i, e := range n.Elems() {
		if !e.Is(ordjson.String) {
			p.report(n.Item(i), found(e)+", expected a string", fix)
			return
		}
	}
}

// maxUnknown is how many unknown fields of one object are told one by one.
const maxUnknown = 100

// unknown reports the fields of n that are not known, but for those that
// another finding is about already, as a misspelt one (see expect) is. It
// belongs into late rules only.
func (p *Pass) unknown(n *model.Node, known []string) {
	told := 0
	for _, m := range n.Members() {
		if slices.Contains(known, m.Key) {
			continue
		}
		if told == maxUnknown {
			p.report(n, "more than "+strconv.Itoa(maxUnknown)+" unknown fields", "remove them; known are "+strings.Join(known, ", "))
			return
		}
		at := n.Field(m)
		if at.Within(maxPlace) == at && p.told(at.Pointer()) {
			continue
		}
		told++
		fix := "remove it; known are " + strings.Join(known, ", ")
		if hint := fieldHints[m.Key]; hint != "" {
			fix = "remove it; " + hint
		} else if near, ok := words.Closest(m.Key, known); ok {
			fix = "did you mean " + strconv.Quote(near) + "?"
		}
		p.report(at, "unknown field", fix)
	}
}
