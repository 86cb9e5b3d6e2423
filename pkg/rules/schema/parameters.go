package schema

import (
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/words"
	"github.com/flowmcp/fmcp/pkg/zod"
)

func checkParameterBlocks(p *engine.Pass) {
	p.EachCallable(func(t *engine.Tool) {
		shape := "{ position: { key, value, location }, z: { primitive, options } }"
		if t.IsQuery() {
			shape = "{ position: { key, value }, z: { primitive, options } }"
		}
		for i, e := range t.Get("parameters").Elems() {
			if !e.Is(ordjson.Object) {
				p.Report(t.At("parameters").Item(i), engine.Found(e)+", expected an object", "write "+shape)
			}
		}
	})
}

func checkValue(p *engine.Pass) {
	p.EachPosition(func(_ *engine.Tool, q *engine.Param) {
		if q.Value.Is(ordjson.String) && q.Source == model.Fixed {
			fixedValue(p, q)
		}
	})
}

// fixedValue checks a fixed value against its own z block (chapter 02, "Fixed
// Parameter Rules" 2).
func fixedValue(p *engine.Pass, q *engine.Param) {
	text := q.Value.Str()
	if whole := strings.TrimSpace(text); strings.HasPrefix(whole, "{{") && strings.Index(whole, "}}") == len(whole)-2 {
		if ph := model.Placeholders(whole); len(ph) == 1 && ph[0].Bare() {
			fix := "write '{{USER_PARAM}}' for user input, '{{SERVER_PARAM:KEY}}' for a value of the environment"
			if suggestion, ok := words.Closest(ph[0].Name, []string{"USER_PARAM"}); ok {
				fix = "did you mean {{" + suggestion + "}}?"
			}
			p.Report(q.At("position").At("value"),
				"found "+engine.Quote(text)+", which stands for nothing and would be sent as it stands", fix)
		}
		return
	}
	if q.Block == nil || engine.HasProblem(q, zod.BadPrimitive) {
		return
	}
	block := p.Block(q)
	v, err := block.FromText(text)
	if err != nil {
		p.Report(q.At("position").At("value"), "the fixed value does not pass z: "+err.Error(),
			"change the value or z.primitive")
		return
	}
	if issues := block.Check(v); len(issues) > 0 {
		p.Report(q.At("position").At("value"), "the fixed value does not pass z: "+issues[0].Msg,
			"change the value or the z block")
	}
}
