package text

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
	"github.com/flowmcp/fmcp/pkg/zod"
)

// Inputs are what the user of a text gives, checked.
type Inputs struct {
	given  ordjson.Value
	values map[string]ordjson.Value  // Missing for an optional one that was left out
	wrong  map[string]*words.Problem // why there is no value
}

// Get is the value of an input, Missing for an optional one that was left out
// (decision "Missing inputs"), or why it has none.
func (in Inputs) Get(key string) (ordjson.Value, *words.Problem) {
	if p := in.wrong[key]; p != nil {
		return ordjson.Value{}, p
	}
	v, ok := in.values[key]
	if !ok {
		return v, words.Problemf(CodePlaceholder, "Input '%s' not found", key)
	}
	return v, nil
}

// CheckInputs checks an object of inputs, Missing for none. A value may be the text
// of one of the input's type, which is all that command lines and MCP clients
// have. Those of texts beside it may be given too.
func CheckInputs(t catalog.Delivered, given ordjson.Value, beside ...catalog.Delivered) (Inputs, []*words.Problem) {
	in := Inputs{given: given, values: map[string]ordjson.Value{}, wrong: map[string]*words.Problem{}}
	var problems []*words.Problem
	if given.Exists() && !given.Is(ordjson.Object) {
		problems = append(problems, words.Problemf(CodeInput,
			`the inputs must be a JSON object such as {"key":"value"}, got %s`, given.Kind()))
	}
	var keys []string
	for _, ask := range t.Asks() {
		keys = append(keys, ask.Key)
		v := given.Get(ask.Key)
		empty := v.Is(ordjson.Null) || ask.Type != model.InputString && v.Is(ordjson.String) && v.Str() == ""
		switch {
		case v.Exists() && !empty:
			value, wrong := typed(ask, v)
			if wrong == "" {
				in.values[ask.Key] = value
				continue
			}
			in.wrong[ask.Key] = words.Problemf(CodeInput, "Input '%s' %s", ask.Key, wrong)
		case !ask.Required:
			in.values[ask.Key] = ordjson.Value{}
			continue
		default:
			in.wrong[ask.Key] = words.Problemf(CodeInput, "Input '%s' missing", ask.Key)
			in.wrong[ask.Key].Fix = "give " + ask.Key + "=" + hint(ask)
		}
		problems = append(problems, in.wrong[ask.Key])
	}
	for _, b := range beside {
		for _, ask := range b.Asks() {
			keys = append(keys, ask.Key)
		}
	}
	for _, m := range given.Members() {
		if !slices.Contains(keys, m.Key) {
			known := "; it takes none"
			if keys != nil {
				known = "; known are " + words.List(keys)
			}
			problems = append(problems, words.Problemf(CodeInput, "Input %s unknown%s%s", words.Quote(m.Key),
				words.DidYouMean(m.Key, keys), known))
		}
	}
	return in, problems
}

func hint(ask catalog.Input) string {
	if ask.Type == model.InputEnum {
		return strings.Join(ask.Values, "|")
	}
	return strings.ToUpper(ask.Key)
}

// typed is a value of the input's type, or what is wrong with it.
func typed(ask catalog.Input, v ordjson.Value) (value ordjson.Value, wrong string) {
	text, scalar := ordjson.ScalarText(v)
	if !scalar {
		return v, "is " + v.Kind().String() + ", expected " + string(ask.Type)
	}
	switch ask.Type {
	case model.InputEnum:
		if !slices.Contains(ask.Values, text) {
			return v, "is " + words.Quote(text) + ", expected one of " + words.List(ask.Values) +
				words.DidYouMean(text, ask.Values)
		}
	case model.InputNumber, model.InputBoolean:
		z, _ := zod.Parse(string(ask.Type)+"()", nil)
		value, err := z.FromText(text)
		if err != nil {
			return v, err.Error()
		}
		return value, ""
	}
	return ordjson.NewString(text), ""
}
