package rules

import (
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
	"github.com/flowmcp/fmcp/pkg/zod"
)

// parameterRules are VAL040–VAL050: position and z of a parameter (chapters 02
// and 09).
var parameterRules = []Rule{
	{
		Code: "VAL040", Name: "parameter-blocks", Spec: record.SeverityError, Community: record.SeverityError, Since: "2.0.0", Chapter: "09",
		Summary: "Each parameter is an object with the objects position and z.",
		Why:     "position says where the value goes, z what it may be; without either a parameter cannot be sent or checked.",
		Fix:     "Write { position: { key, value, location }, z: { primitive, options } }.",
		Check:   checkParameterBlocks,
	},
	{
		Code: "VAL041", Name: "position-key", Spec: record.SeverityError, Community: record.SeverityError, Since: "2.0.0", Chapter: "09",
		Summary: "position.key is a string.",
		Why:     "The key is the name of the parameter, for the AI client and in the request.",
		Fix:     "Write key: 'address'.",
		Check: func(p *Pass) {
			p.eachPosition(func(_ *tool, q *param) {
				p.expectTextIn(q.Node, "position", "key", positionFields, "name the parameter: key: 'address'")
			})
		},
	},
	{
		Code: "VAL042", Name: "position-value", Spec: record.SeverityError, Community: record.SeverityError, Since: "2.0.0", Chapter: "09",
		Summary: "position.value is a string: {{USER_PARAM}}, {{SERVER_PARAM:KEY}}, or a fixed text, which passes its own z block.",
		Why:     "The value decides who supplies it; a fixed one that z refuses can never be sent.",
		Fix:     "Write value: '{{USER_PARAM}}', or the fixed value as text.",
		Check:   checkValue,
	},
	{
		Code: "VAL043", Name: "position-location", Spec: record.SeverityError, Community: record.SeverityError, Since: "2.0.0", Chapter: "09",
		Summary: "position.location is insert, query or body.",
		Why:     "It says where in the request the value goes.",
		Fix:     "Write location: 'query'.",
		Check:   checkLocation,
	},
	{
		Code: "VAL044", Name: "z-primitive", Spec: record.SeverityError, Community: record.SeverityError, Since: "2.0.0", Chapter: "09",
		Summary: "z.primitive is string(), number(), boolean(), enum(A,B), array() or object().",
		Why:     "The primitive is the type in the tool's input schema and the first check of every call.",
		Fix:     "Write primitive: 'string()'.",
		Check: func(p *Pass) {
			p.eachParam(func(_ *tool, q *param) {
				if q.z.Is(ordjson.Object) && q.block == nil {
					p.expect(q.At("z"), "primitive", zFields, "a primitive such as 'string()'", "write primitive: 'string()', or the type that the API expects")
				}
			})
			p.zProblems(zod.BadPrimitive)
		},
	},
	{
		Code: "VAL045", Name: "z-options", Spec: record.SeverityError, Community: record.SeverityError, Since: "2.0.0", Chapter: "09",
		Summary: "z.options is an array of the strings min(n), max(n), length(n), optional() and default(value), which agree with each other and the primitive.",
		Why:     "An option that is not understood checks nothing; a default that is refused fails every call that relies on it.",
		Fix:     "Write options: [ 'min(1)', 'max(100)' ], or options: [].",
		Check: func(p *Pass) {
			p.eachParam(func(_ *tool, q *param) { p.options(q) })
			p.zProblems(zod.BadOption, zod.BadDefault, zod.Contradiction)
			p.listDefaults()
		},
	},
	{
		Code: "VAL046", Name: "enum-empty", Spec: record.SeverityError, Community: record.SeverityError, Since: "2.0.0", Chapter: "09",
		Summary: "enum() has values, also when its lists are filtered, and none of them is empty.",
		Why:     "An enum without values accepts nothing: the tool could not be called.",
		Fix:     "Write primitive: 'enum(A,B)'.",
		Check: func(p *Pass) {
			p.zProblems(zod.EmptyEnum)
			p.listProblems("VAL046")
		},
	},
	{
		Code: "VAL047", Name: "interpolation-place", Spec: record.SeverityError, Community: record.SeverityError, Since: "2.0.0", Chapter: "09",
		Summary: "{{listName:fieldName}} stands inside enum() only, alone between commas.",
		Why:     "A list is a set of values to choose from; anywhere else the placeholder would be sent as it stands.",
		Fix:     "Write primitive: 'enum({{listName:fieldName}})'.",
		Check:   checkInterpolationPlace,
	},
	{
		Code: "VAL048", Name: "interpolation-declared", Spec: record.SeverityError, Community: record.SeverityError, Since: "2.0.0", Chapter: "09",
		Summary: "The list of {{listName:fieldName}} is declared in main.sharedLists.",
		Why:     "Only declared lists are resolved, in the declared version.",
		Fix:     "Add { ref: 'listName', version: '1.0.0' } to main.sharedLists.",
		Check:   checkInterpolationDeclared,
	},
	{
		Code: "VAL049", Name: "interpolation-field", Spec: record.SeverityError, Community: record.SeverityError, Since: "2.0.0", Chapter: "09",
		Summary: "A placeholder in enum() is {{listName:fieldName}}, and the field one of the list's meta.fields.",
		Why:     "A field that the list does not have gives an enum without values.",
		Fix:     "Use a field of the list.",
		Check:   checkInterpolationField,
	},
	{
		Code: "VAL050", Name: "insert-placeholder", Spec: record.SeverityError, Community: record.SeverityError, Since: "2.0.0", Chapter: "09",
		Summary: "Each insert parameter has its {{key}} in tool.path, and each {{key}} of the path its insert parameter.",
		Why:     "Without its counterpart a value goes nowhere, or a placeholder is sent as it stands.",
		Fix:     "Put {{key}} into the path, or change the parameter's location.",
		Check:   checkInsert,
	},
}

// eachParam calls f for every parameter that is an object, of tools and of the
// queries of resources.
func (p *Pass) eachParam(f func(*tool, *param)) {
	p.eachCallable(func(t *tool) {
		for j := range t.params {
			f(t, &t.params[j])
		}
	})
}

// eachPosition is eachParam for those that have a position object.
func (p *Pass) eachPosition(f func(*tool, *param)) {
	p.eachParam(func(t *tool, q *param) {
		if q.position.Is(ordjson.Object) {
			f(t, q)
		}
	})
}

// expectTextIn is expectText for n.block.field; it makes no node where all is
// well.
func (p *Pass) expectTextIn(n *model.Node, block, field string, known []string, fix string) {
	if v := n.Get(block).Get(field); !v.Is(ordjson.String) || strings.TrimSpace(v.Str()) == "" {
		p.expectText(n.At(block), field, known, fix)
	}
}

// zProblems reports what zod found of the given kinds.
func (p *Pass) zProblems(kinds ...zod.Kind) {
	p.eachParam(func(_ *tool, q *param) {
		for _, pr := range q.problems {
			if slices.Contains(kinds, pr.Kind) {
				p.report(q.problemNode(pr), strings.TrimPrefix(pr.Msg, "z.primitive "), pr.Fix)
			}
		}
	})
}

// problemNode is the field that a problem is about. Elements of options that
// are no strings do not count in its index.
func (q *param) problemNode(pr zod.Problem) *model.Node {
	z := q.At("z")
	if pr.Kind == zod.Contradiction {
		return z.At("options")
	}
	if pr.Index < 0 {
		return z.At("primitive")
	}
	at := pr.Index
	for _, item := range z.At("options").Items() {
		if !item.Is(ordjson.String) {
			continue
		}
		if at--; at < 0 {
			return item
		}
	}
	return z.At("options")
}

func checkParameterBlocks(p *Pass) {
	p.eachCallable(func(t *tool) {
		position := "position: { key: 'name', value: '{{USER_PARAM}}', location: 'query' }"
		shape := "{ position: { key, value, location }, z: { primitive, options } }"
		if t.isQuery() {
			position, shape = "position: { key: 'name', value: '{{USER_PARAM}}' }", "{ position: { key, value }, z: { primitive, options } }"
		}
		elems := t.Get("parameters").Elems()
		if len(elems) != len(t.params) {
			for i, e := range elems {
				if !e.Is(ordjson.Object) {
					p.report(t.At("parameters").Item(i), found(e)+", expected an object", "write "+shape)
				}
			}
		}
		for i := range t.params {
			q := &t.params[i]
			if !q.position.Is(ordjson.Object) {
				p.expect(q.Node, "position", parameterFields, "an object", "write "+position)
			}
			if !q.z.Is(ordjson.Object) {
				p.expect(q.Node, "z", parameterFields, "an object", "write z: { primitive: 'string()', options: [] }")
			}
		}
	})
}

func checkValue(p *Pass) {
	p.eachPosition(func(_ *tool, q *param) {
		switch {
		case !q.Value.Is(ordjson.String):
			fix := "write value: '{{USER_PARAM}}', or a fixed value in quotes"
			if q.Value.Is(ordjson.Number) || q.Value.Is(ordjson.Bool) {
				fix = "write value: '" + ordjson.Text(q.Value) + "'"
			}
			p.expect(q.At("position"), "value", positionFields, "a string", fix)
		case q.Source == model.Fixed:
			p.fixedValue(q)
		}
	})
}

// fixedValue holds a fixed value against its own z block (chapter 02, "Fixed
// Parameter Rules" 2).
func (p *Pass) fixedValue(q *param) {
	text := q.Value.Str()
	if whole := strings.TrimSpace(text); strings.HasPrefix(whole, "{{") && strings.Index(whole, "}}") == len(whole)-2 {
		if ph := model.Placeholders(whole); len(ph) == 1 && ph[0].Bare() {
			fix := "write '{{USER_PARAM}}' for user input, '{{SERVER_PARAM:KEY}}' for a value of the environment"
			if suggestion, ok := words.Closest(ph[0].Name, []string{"USER_PARAM"}); ok {
				fix = "did you mean {{" + suggestion + "}}?"
			}
			p.report(q.At("position").At("value"), "found "+quote(text)+", which stands for nothing and would be sent as it stands", fix)
		}
		return
	}
	if q.block == nil || hasProblem(q, zod.BadPrimitive) {
		return
	}
	v, err := q.block.FromText(text)
	if err != nil {
		p.report(q.At("position").At("value"), "the fixed value does not pass z: "+err.Error(), "change the value or z.primitive")
		return
	}
	if issues := q.block.Check(v); len(issues) > 0 {
		p.report(q.At("position").At("value"), "the fixed value does not pass z: "+issues[0].Msg, "change the value or the z block")
	}
}

func hasProblem(q *param, kind zod.Kind) bool {
	for _, pr := range q.problems {
		if pr.Kind == kind {
			return true
		}
	}
	return false
}

// locations are those of chapter 02, "Location Types".
var locations = []string{string(model.Insert), string(model.Query), string(model.Body)}

// locationHints are words of other formats, and what they are called here.
var locationHints = map[string]string{"path": "insert", "url": "insert", "param": "insert", "params": "query", "querystring": "query", "json": "body", "data": "body"}

func checkLocation(p *Pass) {
	p.eachPosition(func(t *tool, q *param) {
		if t.isQuery() || slices.Contains(locations, string(q.Location)) && q.position.Get("location").Is(ordjson.String) {
			return // a query has none: RES015
		}
		near, ok := locationHints[strings.ToLower(string(q.Location))]
		if !ok {
			near, ok = words.Closest(string(q.Location), locations)
		}
		fix := "write location: 'query', or insert for the path, or body"
		if ok {
			fix = "did you mean " + strconv.Quote(near) + "? write location: '" + near + "'"
		}
		p.expect(q.At("position"), "location", positionFields, "insert, query or body", fix)
	})
}

func (p *Pass) options(q *param) {
	options := q.z.Get("options")
	switch {
	case !q.z.Is(ordjson.Object):
	case !options.Is(ordjson.Array):
		p.expect(q.At("z"), "options", zFields, "an array of strings", "write options: [], or options: [ 'optional()' ]")
	case options.Len() != len(q.Options):
		p.arrayOfStrings(q.At("z").At("options"), "write each option in quotes: 'min(1)'; remove empty places")
	}
}
