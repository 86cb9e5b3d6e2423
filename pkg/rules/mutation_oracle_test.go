package rules_test

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// shape says what the chapters ask of a value, as far as a rule of theirs has a
// code. It knows nothing of the rules: the mutation test asks it whether a file
// that was damaged violates the specification at all.
type shape struct {
	kind     ordjson.Kind // Missing is any
	pattern  *regexp.Regexp
	required []string
	fields   map[string]*shape
	closed   bool           // other fields than those are a fault
	keys     *regexp.Regexp // pattern of the keys of an object whose values are all alike
	values   *shape         // of such an object
	items    *shape
	min, max int                            // elements or members; max 0 is any number
	family   string                         // of the codes; nothing is asked while they have no rows
	more     func(v ordjson.Value) []string // fields that fail for the sake of others
}

func like(pattern string) *shape {
	return &shape{kind: ordjson.String, pattern: regexp.MustCompile(pattern)}
}

func oneOf(values ...string) *shape { return like("^(" + strings.Join(values, "|") + ")$") }

func array(items *shape) *shape { return &shape{kind: ordjson.Array, items: items} }

var (
	anyText    = &shape{kind: ordjson.String}
	filled     = like(`\S`)
	boolean    = &shape{kind: ordjson.Bool}
	stringList = array(anyText)
)

// Chapters 01, 02, 04, 10 and 19.
var (
	outputShape = &shape{kind: ordjson.Object, required: []string{"mimeType", "schema"}, closed: false,
		fields: map[string]*shape{
			"mimeType": oneOf("application/json", "image/png", "text/plain"),
			"schema": {kind: ordjson.Object, required: []string{"type"}, fields: map[string]*shape{
				"type":       oneOf("string", "number", "boolean", "object", "array"),
				"properties": {kind: ordjson.Object, values: propertyShape}, "items": propertyShape,
			}},
		}}
	propertyShape = &shape{kind: ordjson.Object,
		fields: map[string]*shape{"type": oneOf("string", "number", "boolean", "object", "array")}}
	zShape = &shape{kind: ordjson.Object, required: []string{"primitive", "options"}, fields: map[string]*shape{
		"primitive": like(`^(string\(\)|number\(\)|boolean\(\)|array\(\)|object\(\)|enum\([^,)\s].*\))$`),
		"options":   array(like(`^(min|max|length)\(-?[0-9.]+\)$|^optional\(\)$|^default\(.*\)$`)),
	}}
	parameterShape = &shape{kind: ordjson.Object, required: []string{"position", "z"}, fields: map[string]*shape{
		"position": {kind: ordjson.Object, required: []string{"key", "value", "location"}, fields: map[string]*shape{
			"key": filled, "value": anyText, "location": oneOf("insert", "query", "body"),
		}},
		"z": zShape,
	}}
	testShape = &shape{kind: ordjson.Object, required: []string{"_description"},
		fields: map[string]*shape{"_description": filled}}
	metaShape = &shape{kind: ordjson.Object,
		required: []string{"isReadOnly", "isConcurrencySafe", "isDestructive", "searchHint", "aliases", "alwaysLoad"},
		fields: map[string]*shape{
			"isReadOnly": boolean, "isConcurrencySafe": boolean, "isDestructive": boolean, "searchHint": filled,
			"aliases": stringList, "alwaysLoad": boolean,
		}}
	toolShape = &shape{kind: ordjson.Object,
		required: []string{"method", "path", "description", "parameters", "output", "meta", "tests"},
		fields: map[string]*shape{
			"method": oneOf("GET", "POST", "PUT", "DELETE"), "path": like("^/"), "description": filled,
			"parameters": array(parameterShape),
			"output":     outputShape, "meta": metaShape, "tests": {kind: ordjson.Array, items: testShape, min: 3},
			"headers": {kind: ordjson.Object, values: anyText},
		}, more: testFaults}
	mainShape = &shape{kind: ordjson.Object, required: []string{"namespace", "name", "description", "version", "tools"},
		closed: true, fields: map[string]*shape{
			"namespace": like(`^[a-z][a-z0-9-]*$`), "name": filled, "description": filled,
			"version":       like(`^[34]\.\d+\.\d+$`),
			"schemaVersion": like(`^\d+\.\d+\.\d+$`), "schemaHash": like(`^[0-9a-f]{8}$`),
			"root":  like(`^https://.*[^/]$`),
			"tools": {kind: ordjson.Object, keys: regexp.MustCompile(`^[a-z][a-zA-Z0-9]*$`), values: toolShape, max: 8},
			"docs":  stringList, "tags": stringList, "requiredServerParams": stringList,
			"requiredLibraries": array(like(`^(ethers|moment|indicatorts|@erc725/erc725.js|ccxt|axios)$`)),
			"headers":           {kind: ordjson.Object, values: anyText},
			"sharedLists": array(&shape{kind: ordjson.Object, required: []string{"ref", "version"},
				fields: map[string]*shape{
					"ref": filled, "version": like(`^\d+\.\d+\.\d+$`),
					"filter": {kind: ordjson.Object, required: []string{"key"},
						fields: map[string]*shape{"key": filled}},
				}}),
			"resources": {kind: ordjson.Object, keys: regexp.MustCompile(`^[a-z][a-zA-Z0-9]*$`), values: resourceShape,
				max: 2, family: "RES"},
			"prompts": {}, "meta": {}, "routes": {}, "termsOfService": {}, "termsOfServiceCheckedAt": {},
			"termsOfServiceLanguage": {}, "dataLicense": {}, "dataLicenseName": {},
		}, more: func(main ordjson.Value) []string {
			if main.Get("tools").Len() > 0 && !main.Get("root").Exists() {
				return []string{"/root"}
			}
			return nil
		}}
)

// Chapter 13.
var (
	queryShape = &shape{kind: ordjson.Object, required: []string{"sql", "description", "parameters", "output", "tests"},
		fields: map[string]*shape{
			"sql": filled, "description": filled, "output": outputShape,
			"tests": {kind: ordjson.Array, items: testShape, min: 3},
			"parameters": array(&shape{kind: ordjson.Object, required: []string{"position", "z"},
				fields: map[string]*shape{
					"position": {kind: ordjson.Object, required: []string{"key", "value"},
						fields: map[string]*shape{"key": filled, "value": anyText}},
					"z": {kind: ordjson.Object, required: []string{"primitive", "options"}, fields: map[string]*shape{
						"primitive": like(`^(string\(\)|number\(\)|boolean\(\)|enum\([^,)\s].*\))$`),
						"options":   zShape.fields["options"],
					}},
				}}),
		}, more: testFaults}
	resourceShape = &shape{kind: ordjson.Object, required: []string{"source", "description"}, fields: map[string]*shape{
		"source": oneOf("sqlite", "markdown", "http", "sqlite-gtfs"), "description": filled,
		"mode":   oneOf("in-memory", "file-based"),
		"origin": oneOf("global", "project", "inline"), "name": filled,
		"queries": {kind: ordjson.Object, keys: regexp.MustCompile(`^[a-z][a-zA-Z0-9]*$`), values: queryShape},
	}, more: func(r ordjson.Value) []string {
		needs := map[string][]string{
			"sqlite": {"mode", "origin", "name"}, "markdown": {"origin", "name"}, "http": {"url", "path"},
			"sqlite-gtfs": {"addon", "mode"},
		}
		return missing(r, needs[r.Get("source").Str()])
	}}
)

// Chapters 03, 06, 14, 12 and 17.
var (
	listShape = &shape{kind: ordjson.Object, family: "LST", required: []string{"meta", "entries"},
		fields: map[string]*shape{
			"meta": {kind: ordjson.Object, required: []string{"name", "version", "fields"}, fields: map[string]*shape{
				"name": filled, "version": like(`^\d+\.\d+\.\d+$`),
				"fields": {kind: ordjson.Array, min: 1,
					items: &shape{kind: ordjson.Object, required: []string{"key", "type", "description"},
						fields: map[string]*shape{
							"key": filled, "type": oneOf("string", "number", "boolean"), "description": anyText,
						}}},
			}},
			"entries": {kind: ordjson.Array, min: 1, items: &shape{kind: ordjson.Object}},
		}, more: entryFaults}
	agentShape = &shape{kind: ordjson.Object, family: "AGT",
		required: []string{"name", "description", "model", "version", "systemPrompt", "tools", "tests"},
		fields: map[string]*shape{
			"name": like(`^[a-z][a-z0-9-]*$`), "description": filled, "model": like("/"),
			"version": like(`^flowmcp/[34]\.0\.0$`), "systemPrompt": filled,
			"tools": {kind: ordjson.Object, min: 1}, "prompts": {kind: ordjson.Object},
			"skills": {kind: ordjson.Object}, "resources": {kind: ordjson.Object},
			"tests": {kind: ordjson.Array, min: 3,
				items: &shape{kind: ordjson.Object, required: []string{"_description", "input", "expectedTools"},
					fields: map[string]*shape{
						"_description": filled, "input": anyText,
						"expectedTools": {kind: ordjson.Array, min: 1, items: like(`./.`)},
					}}},
		}}
	skillShape = &shape{kind: ordjson.Object, family: "SKL",
		required: []string{"name", "version", "description", "content", "output"}, fields: map[string]*shape{
			"name": like(`^[a-z][a-z0-9-]{0,63}$`), "version": like(`^flowmcp(-skill)?/[134]\.0\.0$`),
			"description": filled, "content": filled, "output": filled,
			"input": array(&shape{kind: ordjson.Object, required: []string{"key", "type", "description", "required"},
				fields: map[string]*shape{
					"key": like(`^[a-z][a-zA-Z0-9]*$`), "type": oneOf("string", "number", "boolean", "enum"),
					"description": filled, "required": boolean, "values": array(nil),
				}, more: func(in ordjson.Value) []string {
					if (in.Get("type").Str() == "enum") != in.Get("values").Exists() {
						return []string{"/values"}
					}
					return nil
				}}),
		}}
	promptShape = &shape{kind: ordjson.Object, family: "PRM", required: []string{"name", "version", "references"},
		fields: map[string]*shape{
			"name": like(`^[a-z][a-z0-9-]*$`), "version": like(`^flowmcp-prompt/1\.0\.0$`),
			"references": {kind: ordjson.Array}, "content": filled, "testedWith": like("/"),
		}, more: func(p ordjson.Value) []string {
			if p.Get("agent").Exists() {
				return missing(p, []string{"testedWith", "content"})
			}
			return missing(p, []string{"namespace", "contentFile"})
		}}
	selectionShape = &shape{kind: ordjson.Object, family: "SEL", required: []string{"whenToUse"},
		fields: map[string]*shape{"whenToUse": filled},
		more: func(s ordjson.Value) []string {
			if s.Get("tools").Len()+s.Get("skills").Len()+s.Get("resources").Len()+s.Get("prompts").Len() == 0 {
				return []string{""}
			}
			return nil
		}}
)

// shapes are those of the exports.
var shapes = map[string]*shape{
	"main": mainShape, "list": listShape, "agent": agentShape, "skill": skillShape, "prompt": promptShape,
	"selection": selectionShape,
}

func missing(v ordjson.Value, fields []string) []string {
	var list []string
	for _, f := range fields {
		if !v.Get(f).Exists() {
			list = append(list, ordjson.Pointer(f))
		}
	}
	return list
}

// testFaults checks tests against the parameters of the simplest kind: a test
// needs every required key and has no other, and its values have the type.
func testFaults(tool ordjson.Value) []string {
	required, known := []string{}, []string{"_description"}
	kinds := map[string]ordjson.Kind{}
	for _, p := range tool.Get("parameters").Elems() {
		key, value := p.Get("position").Get("key"), p.Get("position").Get("value")
		if !key.Is(ordjson.String) || !value.Is(ordjson.String) || !p.Get("z").Get("options").Is(ordjson.Array) ||
			strings.Contains(value.Str(), "{{") && value.Str() != "{{USER_PARAM}}" &&
				!strings.Contains(value.Str(), "{{SERVER_PARAM:") {
			return nil // something else is wrong, or only warned about
		}
		if value.Str() != "{{USER_PARAM}}" {
			continue
		}
		known = append(known, key.Str())
		options := ordjson.Text(p.Get("z").Get("options"))
		if !strings.Contains(options, "optional()") && !strings.Contains(options, "default(") {
			required = append(required, key.Str())
		}
		switch primitive := p.Get("z").Get("primitive").Str(); {
		case primitive == "string()", strings.HasPrefix(primitive, "enum("):
			kinds[key.Str()] = ordjson.String
		case primitive == "number()":
			kinds[key.Str()] = ordjson.Number
		case primitive == "boolean()":
			kinds[key.Str()] = ordjson.Bool
		}
	}
	var faults []string
	for i, test := range tool.Get("tests").Elems() {
		at := "/tests/" + strconv.Itoa(i)
		for _, m := range test.Members() {
			if kind, typed := kinds[m.Key]; !slices.Contains(known, m.Key) || typed && !m.Value.Is(kind) {
				faults = append(faults, at+ordjson.Pointer(m.Key))
			}
		}
		if !test.Is(ordjson.Object) {
			continue
		}
		for _, f := range missing(test, required) {
			faults = append(faults, at+f)
		}
	}
	return faults
}

// entryFaults checks the entries of a list against its fields (chapter 03).
func entryFaults(list ordjson.Value) []string {
	kinds := map[string]ordjson.Kind{"string": ordjson.String, "number": ordjson.Number, "boolean": ordjson.Bool}
	var faults []string
	for i, entry := range list.Get("entries").Elems() {
		for _, f := range list.Get("meta").Get("fields").Elems() {
			key, kind := f.Get("key").Str(), kinds[f.Get("type").Str()]
			v := entry.Get(key)
			if absent := !v.Exists() || v.Is(ordjson.Null); absent && !f.Get("optional").True() ||
				!absent && kind != ordjson.Missing && !v.Is(kind) {
				faults = append(faults, "/entries/"+strconv.Itoa(i)+ordjson.Pointer(key))
			}
		}
	}
	return faults
}

// faults returns the pointers of what is wrong with a value.
func (s *shape) faults(v ordjson.Value, at string, hasRows func(family string) bool) []string {
	if s == nil || s.family != "" && !hasRows(s.family) {
		return nil
	}
	if s.kind != ordjson.Missing && !v.Is(s.kind) || s.pattern != nil && !s.pattern.MatchString(v.Str()) ||
		v.Len() < s.min || s.max > 0 && v.Len() > s.max {
		return []string{at}
	}
	var list []string
	for _, f := range missing(v, s.required) {
		list = append(list, at+f)
	}
	for _, m := range v.Members() {
		field := s.fields[m.Key]
		if field == nil && s.values != nil {
			field = s.values
		}
		if s.closed && field == nil || s.keys != nil && !s.keys.MatchString(m.Key) {
			list = append(list, at+ordjson.Pointer(m.Key))
			continue
		}
		list = append(list, field.faults(m.Value, at+ordjson.Pointer(m.Key), hasRows)...)
	}
	for i, e := range v.Elems() {
		list = append(list, s.items.faults(e, at+"/"+strconv.Itoa(i), hasRows)...)
	}
	if s.more != nil {
		for _, f := range s.more(v) {
			list = append(list, at+f)
		}
	}
	return list
}
