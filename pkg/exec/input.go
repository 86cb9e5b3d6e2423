package exec

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
	"github.com/flowmcp/fmcp/pkg/zod"
)

// Input holds the checked parameters of one call, defaults included.
type Input struct {
	values map[string]ordjson.Value
}

// Get returns the value of a user parameter, or Missing where it was left out.
func (in Input) Get(key string) ordjson.Value { return in.values[key] }

// maxInputErrors is how much of what is wrong with parameters is reported: a caller
// may send a million.
const maxInputErrors = 50

// CheckInput holds the caller's parameters (an object, or Missing for none)
// against the tool: unknown keys, hidden ones, missing ones, the z-block of
// each; defaults are applied (decision "Defaults"). All errors are returned at once, as far
// as anybody reads them.
func CheckInput(t Target, params ordjson.Value) (Input, []*words.Problem) {
	if params.Exists() && !params.Is(ordjson.Object) {
		return Input{}, []*words.Problem{fail(CodeBadValue,
			`the parameters must be a JSON object such as {"key":"value"}, got %s`, params.Kind())}
	}
	values, issues := zod.CheckInput(t.inputs().fields, params)
	var errs []*words.Problem
	for i, issue := range issues {
		if i == maxInputErrors {
			errs = append(errs, fail(CodeUnknownParam, "%d more parameters are unknown, missing or wrong",
				len(issues)-i))
			break
		}
		errs = append(errs, t.inputs().inputError(issue))
	}
	return Input{values}, errs
}

func (in *params) inputError(issue zod.InputIssue) *words.Problem {
	key := in.bothKeys(words.Quote(issue.Key), issue.Key)
	switch issue.Kind {
	case zod.HiddenKey:
		return fail(CodeHiddenParam, "parameter %s is set by the schema (%s) and not accepted from the caller: "+
			"leave it out", key, issue.Field.Source)
	case zod.MissingKey:
		return fail(CodeMissingParam, "required parameter %s is missing: give %s", key, issue.Msg)
	case zod.RefusedValue:
		return fail(CodeBadValue, "parameter %s: %s", key, issue.Msg)
	}
	keys := in.UserKeys()
	if len(keys) == 0 {
		return fail(CodeUnknownParam, "unknown parameter %s: this tool takes none", key)
	}
	if own := in.ownKey(issue.Key); own != issue.Key {
		return fail(CodeUnknownParam, "parameter %s is given twice, as %s too: leave one out",
			in.bothKeys(words.Quote(own), own), issue.Key)
	}
	near, known := slices.Clone(keys), make([]string, len(keys))
	for i, own := range keys {
		known[i] = in.bothKeys(own, own)
		if safe, ok := in.safe[own]; ok {
			near = append(near, safe)
		}
	}
	return fail(CodeUnknownParam, "unknown parameter %s%s; known are %s", key, words.DidYouMean(issue.Key, near),
		strings.Join(known, ", "))
}

// bothKeys is how a text names a parameter: as the schema does, and as MCP
// clients have it where that differs.
func (in *params) bothKeys(text, own string) string {
	if safe, ok := in.safe[own]; ok {
		text += " (" + safe + " over MCP)"
	}
	return text
}

// ParamsFromText makes the parameters of a call of command-line words of the
// form key=value, each value typed by the parameter's primitive. A key that the
// tool does not have is kept as text, so that CheckInput reports it with the
// others.
func ParamsFromText(t Target, args []string) (ordjson.Value, error) {
	return paramsOf(args, t.inputs().ownKey, func(key, text string) (ordjson.Value, error) {
		if p, ok := t.inputs().User(key); ok {
			return p.Z.FromText(text)
		}
		return ordjson.NewString(text), nil
	})
}

// Texts makes an object of words of the form key=value.
func Texts(args []string) (ordjson.Value, error) {
	return paramsOf(args, func(key string) string { return key },
		func(_, text string) (ordjson.Value, error) { return ordjson.NewString(text), nil })
}

func paramsOf(args []string, own func(string) string,
	typed func(key, text string) (ordjson.Value, error)) (ordjson.Value, error) {
	var members []ordjson.Member
	for _, w := range args {
		key, text, ok := strings.Cut(w, "=")
		if !ok || key == "" {
			return ordjson.Value{}, fail(CodeBadValue, "%s is not of the form key=value", words.Quote(w))
		}
		if !utf8.ValidString(w) { // no request could hold it as it is
			return ordjson.Value{}, fail(CodeBadValue, "%s is not UTF-8", words.Quote(w))
		}
		key = own(key)
		for _, m := range members {
			if m.Key == key {
				return ordjson.Value{}, fail(CodeBadValue,
					`parameter %s is given twice; for a list give a JSON array: %s=["a","b"]`, words.Quote(key), key)
			}
		}
		v, err := typed(key, text)
		if err != nil {
			return ordjson.Value{}, fail(CodeBadValue, "parameter %s: %s", words.Quote(key), err)
		}
		members = append(members, ordjson.Field(key, v))
	}
	return ordjson.NewObject(members...), nil
}
