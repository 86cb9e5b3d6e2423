package exec

import (
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/suggest"
)

// Input holds the checked parameters of one call, defaults included.
type Input struct {
	values map[string]ordjson.Value
}

// Get returns the value of a user parameter, or Missing where it was left out.
func (in Input) Get(key string) ordjson.Value { return in.values[key] }

// CheckInput holds the caller's parameters (an object, or Missing for none)
// against the tool: unknown keys, hidden ones, missing ones, the z-block of
// each; defaults are applied (READINGS 21). All errors are returned at once.
func CheckInput(t *Tool, params ordjson.Value) (Input, []*Error) {
	in := Input{values: map[string]ordjson.Value{}}
	if params.Exists() && !params.Is(ordjson.Object) {
		return in, []*Error{fail(CodeBadValue, `the parameters must be a JSON object such as {"key":"value"}, got %s`, params.Kind())}
	}
	var errs []*Error
	for _, m := range params.Members() {
		if _, ok := t.User(m.Key); ok {
			in.values[m.Key] = m.Value
			continue
		}
		errs = append(errs, unexpected(t, m.Key))
	}
	seen := map[string]bool{}
	for i := range t.Params {
		p := &t.Params[i]
		if p.Source != model.User || seen[p.Key] {
			continue
		}
		seen[p.Key] = true
		errs = append(errs, in.check(p)...)
	}
	return in, errs
}

func unexpected(t *Tool, key string) *Error {
	for _, p := range t.Params {
		if p.Key == key {
			return fail(CodeHiddenParam, "parameter %s is set by the schema (%s) and not accepted from the caller: leave it out", strconv.Quote(key), p.Source)
		}
	}
	keys := t.UserKeys()
	if len(keys) == 0 {
		return fail(CodeUnknownParam, "unknown parameter %s: this tool takes none", strconv.Quote(key))
	}
	return fail(CodeUnknownParam, "unknown parameter %s%s; known are %s", strconv.Quote(key), suggest.DidYouMean(key, keys), strings.Join(keys, ", "))
}

func (in Input) check(p *Param) []*Error {
	v := in.values[p.Key]
	if !v.Exists() {
		if d, ok := p.Z.Default(); ok {
			in.values[p.Key] = d
		} else if !p.Z.Optional() {
			return []*Error{fail(CodeMissingParam, "required parameter %s is missing: give %s", strconv.Quote(p.Key), wanted(p))}
		}
		return nil
	}
	var errs []*Error
	for _, issue := range p.Z.Check(v) {
		hint := ""
		if v.Is(ordjson.Null) && p.Z.Optional() {
			hint = "; leave an optional parameter out instead"
		}
		errs = append(errs, fail(CodeBadValue, "parameter %s: %s%s", strconv.Quote(p.Key), issue.Msg, hint))
	}
	return errs
}

// wanted describes what a parameter takes, for the message that it is missing.
func wanted(p *Param) string {
	values := p.Z.Values()
	switch {
	case len(values) > 6:
		return "one of " + strings.Join(values[:6], ", ") + ", …"
	case len(values) > 0:
		return "one of " + strings.Join(values, ", ")
	case p.Z.Type() == "":
		return "a value"
	case strings.ContainsAny(string(p.Z.Type()[:1]), "aeo"):
		return "an " + string(p.Z.Type())
	}
	return "a " + string(p.Z.Type())
}

// ParamsFromText makes the parameters of a call of command-line words of the
// form key=value, each value typed by the parameter's primitive. A key that the
// tool does not have is kept as text, so that CheckInput reports it with the
// others.
func ParamsFromText(t *Tool, words []string) (ordjson.Value, error) {
	var members []ordjson.Member
	for _, w := range words {
		key, text, ok := strings.Cut(w, "=")
		if !ok || key == "" {
			return ordjson.Value{}, fail(CodeBadValue, "%s is not of the form key=value", strconv.Quote(w))
		}
		for _, m := range members {
			if m.Key == key {
				return ordjson.Value{}, fail(CodeBadValue, `parameter %s is given twice; for a list give a JSON array: %s=["a","b"]`, strconv.Quote(key), key)
			}
		}
		v := ordjson.NewString(text)
		if p, ok := t.User(key); ok {
			typed, err := p.Z.FromText(text)
			if err != nil {
				return ordjson.Value{}, fail(CodeBadValue, "parameter %s: %s", strconv.Quote(key), err)
			}
			v = typed
		}
		members = append(members, ordjson.Field(key, v))
	}
	return ordjson.NewObject(members...), nil
}
