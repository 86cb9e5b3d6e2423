package scaffold

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/flowmcp/fmcp/pkg/lazy"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// number is a text that says the same as a number; 007 and a long id do not.
var number = lazy.Regexp(`^-?(0|[1-9][0-9]{0,14})(\.[0-9]{1,10})?$`)

// typed is the value that a text of a URL stands for.
func typed(s string) ordjson.Value {
	switch {
	case s == "true" || s == "false":
		return ordjson.NewBool(s == "true")
	case number().MatchString(s):
		n := ordjson.NewNumberText(s)
		if string(ordjson.AppendNumber(nil, n.Float())) == s { // 1.50 would be sent as 1.5
			return n
		}
	}
	return ordjson.NewString(s)
}

// primitive is what takes all examples.
func (p *parameter) primitive() string {
	kind := ordjson.Missing
	for _, v := range p.examples {
		switch {
		case !v.Exists():
		case kind == ordjson.Missing || kind == v.Kind():
			kind = v.Kind()
		default:
			kind = ordjson.String
		}
	}
	if kind <= ordjson.Null {
		kind = ordjson.String
	}
	return kind.String() + "()"
}

// ReplaceMe marks values that only the author can know.
const ReplaceMe = "replace-me"

// tests are those of the tool: one of each request, and up to three in all others with
// one value changed, where a value has a neighbour that the API most likely takes too.
func (s *schema) tests() []ordjson.Value {
	var tests []ordjson.Value
	seen := map[string]bool{}
	add := func(description string, values []ordjson.Member) {
		if k := ordjson.Text(ordjson.NewObject(values...)); !seen[k] {
			seen[k] = true
			test := append([]ordjson.Member{text("_description", description)}, values...)
			tests = append(tests, ordjson.NewObject(test...))
		}
	}
	for i := range s.requests {
		add(s.exampleOf(i), s.values(i, nil, ordjson.Value{}))
	}
	users := s.users()
	for round := 1; round <= 2; round++ {
		for _, p := range users {
			if v := neighbour(p.examples[0], round); len(tests) < 3 && v.Exists() && p.examples[0].Exists() {
				add(fmt.Sprintf("The same with %s %s", p.key, ordjson.Unquoted(v)), s.values(0, p, v))
			}
		}
	}
	for n := len(tests); len(tests) < 3; n++ {
		if n > 4 || len(users) == 0 { // no other values are possible
			tests = append(tests, tests[0])
			continue
		}
		for _, p := range users {
			if v := filler(p.primitive(), n); v.Exists() && len(tests) < 3 {
				s.note("tests with " + ReplaceMe + " need values of yours; or give --url once for each test")
				add(fmt.Sprintf("Replace the value of %s by another that the API knows", p.key), s.values(0, p, v))
				break
			}
		}
	}
	return tests
}

// users are the parameters that callers give.
func (s *schema) users() []*parameter {
	var users []*parameter
	for _, p := range s.params {
		if p.value == "" {
			users = append(users, p)
		}
	}
	return users
}

// exampleOf is what the test of a request shows.
func (s *schema) exampleOf(i int) string {
	var parts []string
	for _, p := range s.users() {
		v := p.examples[i]
		if !v.Exists() && p.location == model.Insert {
			return "Replace the value of " + p.key + " by one that the API knows"
		}
		if v.Exists() && !v.Is(ordjson.Array) && !v.Is(ordjson.Object) {
			parts = append(parts, p.key+" "+words.Brief(ordjson.Unquoted(v)))
		}
	}
	if len(parts) == 0 {
		return "A request that is known to work"
	}
	return "The request that is known to work: " + strings.Join(parts, ", ")
}

// values are those of a request, with one of them changed.
func (s *schema) values(i int, changed *parameter, to ordjson.Value) []ordjson.Member {
	var values []ordjson.Member
	for _, p := range s.users() {
		v := p.examples[i]
		switch {
		case p == changed:
			v = to
		case !v.Exists() && p.location == model.Insert:
			v = filler("string()", 0)
			s.note("tests with " + ReplaceMe + " need values of yours; write {" + p.key + "=VALUE} in the URL")
		}
		if v.Exists() && p.primitive() == "string()" && !v.Is(ordjson.String) {
			v = ordjson.NewString(ordjson.Text(v))
		}
		if v.Exists() {
			values = append(values, ordjson.Field(p.key, v))
		}
	}
	return values
}

// neighbour is another value near one: nearer to zero where there is room, since limits
// are above.
func neighbour(v ordjson.Value, round int) ordjson.Value {
	switch v.Kind() {
	case ordjson.Number:
		n := v.Float()
		if math.Abs(n) > 2 {
			return ordjson.NewNumber(round1(n - math.Copysign(float64(round), n)))
		}
		return ordjson.NewNumber(round1(n + float64(round)))
	case ordjson.Bool:
		if round == 1 {
			return ordjson.NewBool(!v.True())
		}
	case ordjson.String:
		for _, layout := range []string{time.DateOnly, time.RFC3339, "20060102"} {
			if t, err := time.Parse(layout, v.Str()); err == nil {
				return ordjson.NewString(t.AddDate(0, 0, -round).Format(layout))
			}
		}
	}
	return ordjson.Value{}
}

// round1 takes away what binary fractions add: 52.3 - 1 is 51.3.
func round1(f float64) float64 { return math.Round(f*1e10) / 1e10 }

// filler is a value of a primitive that the author is to replace.
func filler(primitive string, n int) ordjson.Value {
	mark := ordjson.NewString(ReplaceMe)
	if n > 0 {
		mark = ordjson.NewString(fmt.Sprintf("%s-%d", ReplaceMe, n))
	}
	switch primitive {
	case "string()":
		return mark
	case "array()":
		return ordjson.NewArray(mark)
	case "object()":
		return ordjson.NewObject(ordjson.Field("value", mark))
	}
	return ordjson.Value{}
}
