package text

import (
	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// InputSchema is the JSON Schema of what a text asks for. An input that becomes a
// parameter of a call of prefill as it is has the values of that parameter as
// examples.
func InputSchema(x *catalog.Index, t catalog.Delivered) ordjson.Value {
	schema := catalog.InputSchema(t.Asks())
	skill, ok := t.(*catalog.Skill)
	if !ok {
		return schema
	}
	f := &filler{index: x, text: t.Body()}
	properties := schema.Get("properties")
	for _, call := range skill.Prefill {
		callee := f.callee(call)
		if callee == nil {
			continue
		}
		for _, m := range call.Params.Members() {
			key := inputAlone(m.Value.Str())
			property, parameter := properties.Get(key), callee.InputSchema.Get("properties").Get(m.Key)
			values := parameter.Get("enum")
			if !values.Exists() {
				values = parameter.Get("examples")
			}
			if property.Exists() && !property.Get("enum").Exists() && values.Len() > 0 {
				properties = properties.With(key, property.With("examples", values))
			}
		}
	}
	return schema.With("properties", properties)
}

// inputAlone is the input that all of a text stands for, "" where there is none.
func inputAlone(text string) string {
	for _, ph := range model.Placeholders(text) {
		if ph.Type == model.RefInput && ph.Start == 0 && ph.End == len(text) {
			return ph.Name
		}
	}
	return ""
}
