package schema

import (
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/words"
	"github.com/flowmcp/fmcp/pkg/zod"
)

// parameterRules are VAL040–VAL050: position and z of a parameter (chapters 02
// and 09).
var parameterRules = []engine.Rule{
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
		Check: func(p *engine.Pass) {
			p.EachPosition(func(_ *engine.Tool, q *engine.Param) {
				p.ExpectTextIn(q.Node, "position", "key", engine.PositionFields, "name the parameter: key: 'address'")
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
		Check: func(p *engine.Pass) {
			p.EachParam(func(_ *engine.Tool, q *engine.Param) {
				if q.Z.Is(ordjson.Object) && q.Block == nil {
					p.Expect(q.At("z"), "primitive", engine.ZFields, "a primitive such as 'string()'", "write primitive: 'string()', or the type that the API expects")
				}
			})
			p.ZProblems(zod.BadPrimitive)
		},
	},
	{
		Code: "VAL045", Name: "z-options", Spec: record.SeverityError, Community: record.SeverityError, Since: "2.0.0", Chapter: "09",
		Summary: "z.options is an array of the strings min(n), max(n), length(n), optional() and default(value), which agree with each other and the primitive.",
		Why:     "An option that is not understood checks nothing; a default that is refused fails every call that relies on it.",
		Fix:     "Write options: [ 'min(1)', 'max(100)' ], or options: [].",
		Check: func(p *engine.Pass) {
			p.EachParam(func(_ *engine.Tool, q *engine.Param) { options(p, q) })
			p.ZProblems(zod.BadOption, zod.BadDefault, zod.Contradiction)
			p.ListDefaults()
		},
	},
	{
		Code: "VAL046", Name: "enum-empty", Spec: record.SeverityError, Community: record.SeverityError, Since: "2.0.0", Chapter: "09",
		Summary: "enum() has values, also when its lists are filtered, and none of them is empty.",
		Why:     "An enum without values accepts nothing: the tool could not be called.",
		Fix:     "Write primitive: 'enum(A,B)'.",
		Check: func(p *engine.Pass) {
			p.ZProblems(zod.EmptyEnum)
			p.ListProblems("VAL046")
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

func checkParameterBlocks(p *engine.Pass) {
	p.EachCallable(func(t *engine.Tool) {
		position := "position: { key: 'name', value: '{{USER_PARAM}}', location: 'query' }"
		shape := "{ position: { key, value, location }, z: { primitive, options } }"
		if t.IsQuery() {
			position, shape = "position: { key: 'name', value: '{{USER_PARAM}}' }", "{ position: { key, value }, z: { primitive, options } }"
		}
		elems := t.Get("parameters").Elems()
		if len(elems) != len(t.Params) {
			for i, e := range elems {
				if !e.Is(ordjson.Object) {
					p.Report(t.At("parameters").Item(i), engine.Found(e)+", expected an object", "write "+shape)
				}
			}
		}
		for i := range t.Params {
			q := &t.Params[i]
			if !q.Position.Is(ordjson.Object) {
				p.Expect(q.Node, "position", engine.ParameterFields, "an object", "write "+position)
			}
			if !q.Z.Is(ordjson.Object) {
				p.Expect(q.Node, "z", engine.ParameterFields, "an object", "write z: { primitive: 'string()', options: [] }")
			}
		}
	})
}

func checkValue(p *engine.Pass) {
	p.EachPosition(func(_ *engine.Tool, q *engine.Param) {
		switch {
		case !q.Value.Is(ordjson.String):
			fix := "write value: '{{USER_PARAM}}', or a fixed value in quotes"
			if q.Value.Is(ordjson.Number) || q.Value.Is(ordjson.Bool) {
				fix = "write value: '" + ordjson.Text(q.Value) + "'"
			}
			p.Expect(q.At("position"), "value", engine.PositionFields, "a string", fix)
		case q.Source == model.Fixed:
			fixedValue(p, q)
		}
	})
}

// fixedValue holds a fixed value against its own z block (chapter 02, "Fixed
// Parameter Rules" 2).
func fixedValue(p *engine.Pass, q *engine.Param) {
	text := q.Value.Str()
	if whole := strings.TrimSpace(text); strings.HasPrefix(whole, "{{") && strings.Index(whole, "}}") == len(whole)-2 {
		if ph := model.Placeholders(whole); len(ph) == 1 && ph[0].Bare() {
			fix := "write '{{USER_PARAM}}' for user input, '{{SERVER_PARAM:KEY}}' for a value of the environment"
			if suggestion, ok := words.Closest(ph[0].Name, []string{"USER_PARAM"}); ok {
				fix = "did you mean {{" + suggestion + "}}?"
			}
			p.Report(q.At("position").At("value"), "found "+engine.Quote(text)+", which stands for nothing and would be sent as it stands", fix)
		}
		return
	}
	if q.Block == nil || engine.HasProblem(q, zod.BadPrimitive) {
		return
	}
	v, err := q.Block.FromText(text)
	if err != nil {
		p.Report(q.At("position").At("value"), "the fixed value does not pass z: "+err.Error(), "change the value or z.primitive")
		return
	}
	if issues := q.Block.Check(v); len(issues) > 0 {
		p.Report(q.At("position").At("value"), "the fixed value does not pass z: "+issues[0].Msg, "change the value or the z block")
	}
}

// locations are those of chapter 02, "Location Types".
var locations = []string{string(model.Insert), string(model.Query), string(model.Body)}

// locationHints are words of other formats, and what they are called here.
var locationHints = map[string]string{"path": "insert", "url": "insert", "param": "insert", "params": "query", "querystring": "query", "json": "body", "data": "body"}

func checkLocation(p *engine.Pass) {
	p.EachPosition(func(t *engine.Tool, q *engine.Param) {
		if t.IsQuery() || slices.Contains(locations, string(q.Location)) && q.Position.Get("location").Is(ordjson.String) {
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
		p.Expect(q.At("position"), "location", engine.PositionFields, "insert, query or body", fix)
	})
}

func options(p *engine.Pass, q *engine.Param) {
	options := q.Z.Get("options")
	switch {
	case !q.Z.Is(ordjson.Object):
	case !options.Is(ordjson.Array):
		p.Expect(q.At("z"), "options", engine.ZFields, "an array of strings", "write options: [], or options: [ 'optional()' ]")
	case options.Len() != len(q.Options):
		p.ArrayOfStrings(q.At("z").At("options"), "write each option in quotes: 'min(1)'; remove empty places")
	}
}
