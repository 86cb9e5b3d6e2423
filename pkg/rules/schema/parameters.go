package schema

import (
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/words"
	"github.com/flowmcp/fmcp/pkg/zod"
)

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
