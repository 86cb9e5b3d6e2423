package zod

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

func value(t testing.TB, json string) ordjson.Value {
	t.Helper()
	v, err := ordjson.Parse(json)
	if err != nil {
		t.Fatalf("%s: %v", json, err)
	}
	return v
}

// found lists problems as "kind@index".
func found(problems []Problem) string {
	var list []string
	for _, p := range problems {
		list = append(list, fmt.Sprintf("%s@%d", p.Kind, p.Index))
	}
	return strings.Join(list, " ")
}

func TestParse(t *testing.T) {
	tests := []struct {
		primitive string
		options   []string
		problems  string
		schema    string // JSON Schema
		optional  bool
	}{
		{"string()", nil, "", `{"type":"string"}`, false},
		{"string()", []string{"min(42)", "max(42)"}, "", `{"type":"string","minLength":42,"maxLength":42}`, false},
		{"string()", []string{"length(3)"}, "", `{"type":"string","minLength":3,"maxLength":3}`, false},
		{"string()", []string{"min(2.5)", "max(7.5)"}, "", `{"type":"string","minLength":3,"maxLength":7}`, false},
		{"string()", []string{"min(0)"}, "", `{"type":"string"}`, false},
		{"number()", []string{"min(-90)", "max(0.5)"}, "", `{"type":"number","minimum":-90,"maximum":0.5}`, false},
		{"number()", []string{"min(1)", "min(3)"}, "", `{"type":"number","minimum":3}`, false},
		{"number()", []string{"optional()", "default(100)"}, "", `{"type":"number","default":100}`, true},
		{"number()", []string{"default(12345678901234567890)"}, "",
			`{"type":"number","default":12345678901234567890}`, true},
		{"boolean()", []string{"default(true)"}, "", `{"type":"boolean","default":true}`, true},
		{"enum(GET,POST)", nil, "", `{"type":"string","enum":["GET","POST"]}`, false},
		{"enum(1,5,137)", []string{"default(5)"}, "", `{"type":"string","enum":["1","5","137"],"default":"5"}`, true},
		{"enum(a b,Survey (FNDDS),x)", nil, "", `{"type":"string","enum":["a b","Survey (FNDDS)","x"]}`, false},
		{"enum(GET, POST)", nil, "enum-spaces@-1", `{"type":"string","enum":["GET","POST"]}`, false},
		{"enum(['asc','desc'])", nil, "quoted@-1", `{"type":"string","enum":["asc","desc"]}`, false},
		{"enum(a,,b)", nil, "empty-enum@-1", `{"type":"string","enum":["a","b"]}`, false},
		{"enum(a,b,a)", nil, "repeated-value@-1", `{"type":"string","enum":["a","b"]}`, false},
		{"enum()", nil, "empty-enum@-1", `{"type":"string"}`, false},
		{"enum()", []string{"values(a,b)", "default(a)"}, "values-option@0",
			`{"type":"string","enum":["a","b"],"default":"a"}`, true},
		{"enum(a)", []string{"values(a,b)"}, "bad-option@0", `{"type":"string","enum":["a"]}`, false},
		{"enum({{evmChains:alias}})", []string{"default(x)"}, "", `{"type":"string","default":"x"}`, true},
		{"enum(custom,{{evmChains:alias}})", nil, "", `{"type":"string"}`, false},
		{"string({{evmChains:alias}})", nil, "misplaced-list@-1", `{"type":"string"}`, false},
		{"array()", []string{"length(2)"}, "", `{"type":"array","items":{},"minItems":2,"maxItems":2}`, false},
		{"array()", []string{"min(1)"}, "ignored-option@0", `{"type":"array","items":{}}`, false},
		{"array()", []string{`default(["ofac"])`}, "", `{"type":"array","items":{},"default":["ofac"]}`, true},
		{"array(string())", nil, "bad-primitive@-1", `{"type":"array","items":{}}`, false},
		{"object()", []string{`default({"a":1})`}, "", `{"type":"object","default":{"a":1}}`, true},
		{"string()", []string{"default(a,b)"}, "", `{"type":"string","default":"a,b"}`, true},
		{"string()", []string{"default(f(x(1),2))"}, "", `{"type":"string","default":"f(x(1),2)"}`, true},
		{"string()", []string{"default()"}, "", `{"type":"string","default":""}`, true},
		{"string()", []string{"default([])"}, "", `{"type":"string","default":"[]"}`, true},
		{"string()", []string{`default("43114")`}, "quoted-default@0", `{"type":"string","default":"43114"}`, true},
		{"string()", []string{"default('USD')"}, "quoted-default@0", `{"type":"string","default":"USD"}`, true},
		{"string()", []string{`default({"adult":1})`}, "", `{"type":"string","default":"{\"adult\":1}"}`, true},
		{"number()", []string{"default(abc)"}, "bad-default@0", `{"type":"number"}`, true},
		{"number()", []string{"default(5)", "max(3)"}, "bad-default@0",
			`{"type":"number","maximum":3,"default":5}`, true},
		{"enum(a,b)", []string{"default(c)"}, "bad-default@0",
			`{"type":"string","enum":["a","b"],"default":"c"}`, true},
		{"number()", []string{"optional(), default(1000)"}, "joined-options@0",
			`{"type":"number","default":1000}`, true},
		{"string()", []string{"regex(^0x[a-f]{2}$)"}, "regex-option@0", `{"type":"string","pattern":"^0x[a-f]{2}$"}`,
			false},
		{"string()", []string{`regex(/^NCT\d{8}$/)`}, "regex-option@0", `{"type":"string","pattern":"^NCT\\d{8}$"}`,
			false},
		{"string()", []string{"regex(/^a$/i)"}, "regex-option@0", `{"type":"string"}`, false},
		{"string()", []string{"regex(^(a|b),(c)$)"}, "regex-option@0", `{"type":"string","pattern":"^(a|b),(c)$"}`,
			false},
		{"string()", []string{"regex((?=a))"}, "regex-option@0 bad-regex@0", `{"type":"string"}`, false},
		{"string()", []string{"regex(" + strings.Repeat("(a|b)", maxPattern/5) + ")"}, "regex-option@0",
			`{"type":"string","pattern":"` + strings.Repeat("(a|b)", maxPattern/5) + `"}`, false},
		{"string()", []string{"regex(" + strings.Repeat("(a|b)", maxPattern/5+1) + ")"}, "regex-option@0 bad-regex@0",
			`{"type":"string"}`, false},
		{"number()", []string{"regex(a)"}, "regex-option@0 ignored-option@0", `{"type":"number"}`, false},
		{"number()", []string{"length(3)"}, "ignored-option@0", `{"type":"number"}`, false},
		{"boolean()", []string{"min(3)"}, "ignored-option@0", `{"type":"boolean"}`, false},
		{"number()", []string{"min(x)"}, "bad-option@0", `{"type":"number"}`, false},
		{"number()", []string{"min"}, "bad-option@0", `{"type":"number"}`, false},
		{"string()", []string{"length(2.5)"}, "bad-option@0", `{"type":"string"}`, false},
		{"number()", []string{"int()"}, "bad-option@0", `{"type":"number"}`, false},
		{"number()", []string{"min(5)", "max(3)"}, "contradiction@-1", `{"type":"number","minimum":5,"maximum":3}`,
			false},
		{"string()", []string{"max(-1)"}, "contradiction@-1", `{"type":"string"}`, false},
		{"string()", []string{"optional(x)"}, "bad-option@0", `{"type":"string"}`, true},
		{"int()", []string{"min(1)"}, "bad-primitive@-1", `{}`, false},
		{"string", nil, "bad-primitive@-1", `{"type":"string"}`, false},
		{"enum(a", nil, "bad-primitive@-1", `{}`, false},
		{"", nil, "bad-primitive@-1", `{}`, false},
		{"  ", nil, "bad-primitive@-1", `{}`, false},
	}
	for _, tt := range tests {
		s, problems := Parse(tt.primitive, tt.options)
		if got := found(problems); got != tt.problems {
			t.Errorf("%s %q: problems %q, want %q", tt.primitive, tt.options, got, tt.problems)
		}
		if got := ordjson.Text(s.JSONSchema()); got != tt.schema {
			t.Errorf("%s %q:\n got %s\nwant %s", tt.primitive, tt.options, got, tt.schema)
		}
		if s.Optional() != tt.optional {
			t.Errorf("%s %q: optional %v", tt.primitive, tt.options, s.Optional())
		}
		for _, p := range problems {
			if p.Msg == "" || p.Fix == "" {
				t.Errorf("%s %q: a problem needs message and fix: %+v", tt.primitive, tt.options, p)
			}
		}
	}
}

func TestLists(t *testing.T) {
	s, _ := Parse("enum(custom,{{evmChains:alias}})", nil)
	if len(s.Lists()) != 1 || s.Lists()[0].Type != "evmChains" || s.Lists()[0].Name != "alias" ||
		!slices.Equal(s.Values(), []string{"custom"}) {
		t.Errorf("lists %+v values %q", s.Lists(), s.Values())
	}
	if issues := s.Check(ordjson.NewString("anything")); issues != nil {
		t.Errorf("an enum with an unresolved list refused a string: %v", issues)
	}
	if issues := s.Check(ordjson.NewBool(true)); len(issues) != 1 {
		t.Errorf("an enum with an unresolved list accepted a boolean: %v", issues)
	}
}

func TestSuggestedPrimitive(t *testing.T) {
	for primitive, want := range map[string]string{"int()": `"number()"`, "strng()": `"string()"`,
		"bool()": `"boolean()"`, "literal(a)": `"enum(A,B)"`, "enum(a,b": `"enum(a,b)"`,
		"enum": `"enum(A,B)"`, "string().min(3)": `"string()", and "min(3)" into z.options`} {
		_, problems := Parse(primitive, nil)
		if len(problems) != 1 || !strings.Contains(problems[0].Fix, want) {
			t.Errorf("%s: %+v, want a fix with %s", primitive, problems, want)
		}
	}
}

func TestSuggestedOption(t *testing.T) {
	for option, want := range map[string]string{"minLength(3)": `"min(3)"`, "maximum(9)": `"max(9)"`,
		"lenght(4)": `"length(4)"`, "mni": `"min(…)"`, "nullable()": `"optional()"`, "Optional(true)": `"optional()"`} {
		_, problems := Parse("string()", []string{option})
		if len(problems) != 1 || problems[0].Fix != "write "+want {
			t.Errorf("%s: %+v, want the fix write %s", option, problems, want)
		}
	}
}

func TestCheck(t *testing.T) {
	chains := []string{"ethereum", "polygon", "arbitrum"}
	tests := []struct {
		primitive string
		options   []string
		value     string
		rule      string // of the only issue, "" for none
		msg       []string
	}{
		{"string()", nil, `"x"`, "", nil},
		{"string()", nil, `5`, "type", []string{"a string", "the number 5", `send "5" in quotes`}},
		{"string()", nil, `null`, "type", []string{"got null"}},
		{"number()", nil, `5`, "", nil},
		{"number()", nil, `1e999`, "type", nil},
		{"number()", nil, `"5"`, "type", []string{"a number", `the string "5"`, "send 5 without the quotes"}},
		{"number()", nil, `"abc"`, "type", []string{`got the string "abc"`}},
		{"boolean()", nil, `"true"`, "type", []string{"send true without the quotes"}},
		{"boolean()", nil, `false`, "", nil},
		{"array()", nil, `[1]`, "", nil},
		{"array()", nil, `"[1]"`, "type", []string{"an array", "send [1] without the quotes"}},
		{"object()", nil, `{}`, "", nil},
		{"object()", nil, `[]`, "type", []string{"an object"}},
		{"enum(" + strings.Join(chains, ",") + ")", nil, `"polygon"`, "", nil},
		{"enum(" + strings.Join(chains, ",") + ")", nil, `"poligon"`, "enum",
			[]string{`"ethereum", "polygon", "arbitrum"`, `got the string "poligon"`, `did you mean "polygon"?`}},
		{"enum(" + strings.Join(chains, ",") + ")", nil, `"Polygon"`, "enum", []string{`did you mean "polygon"?`}},
		{"enum(1,5)", nil, `5`, "type", []string{`one of "1", "5"`, `send "5" in quotes`}},
		{"number()", []string{"min(1)", "max(10)"}, `0`, "min", []string{"at least 1", "the number 0"}},
		{"number()", []string{"min(1)", "max(10)"}, `10.5`, "max", []string{"at most 10"}},
		{"number()", []string{"min(1)", "max(10)"}, `10`, "", nil},
		{"string()", []string{"min(3)"}, `"ab"`, "min", []string{"at least 3 characters, got 2", `"ab"`}},
		{"string()", []string{"length(2)"}, `"😀"`, "", nil},
		{"string()", []string{"length(1)"}, `"\ud800"`, "", nil},
		{"string()", []string{"length(1)"}, `"é"`, "", nil},
		{"string()", []string{"length(2)"}, `"abc"`, "length", []string{"exactly 2 characters, got 3"}},
		{"array()", []string{"length(2)"}, `[1]`, "length", []string{"exactly 2 items, got 1"}},
		{"array()", []string{"min(2)"}, `[1]`, "", nil},
		{"string()", []string{"regex(^0x[0-9a-f]+$)"}, `"0xff"`, "", nil},
		{"string()", []string{"regex(^0x[0-9a-f]+$)"}, `"zz"`, "regex", []string{"^0x[0-9a-f]+$", `"zz"`}},
		{"string()", []string{"regex(/^a$/i)"}, `"A"`, "", nil},
		{"string()", []string{`regex(^\u00e9$)`}, `"é"`, "", nil},
		{"date()", nil, `[]`, "", nil},
	}
	for _, tt := range tests {
		s, _ := Parse(tt.primitive, tt.options)
		issues := s.Check(value(t, tt.value))
		if tt.rule == "" {
			if len(issues) > 0 {
				t.Errorf("%s %q refuses %s: %v", tt.primitive, tt.options, tt.value, issues)
			}
			continue
		}
		if len(issues) != 1 || issues[0].Rule != tt.rule {
			t.Errorf("%s %q with %s: %v, want one issue of %s", tt.primitive, tt.options, tt.value, issues, tt.rule)
			continue
		}
		for _, want := range tt.msg {
			if !strings.Contains(issues[0].Msg, want) {
				t.Errorf("%s %q with %s: message %q lacks %q", tt.primitive, tt.options, tt.value, issues[0].Msg, want)
			}
		}
	}
}

func TestCheckKeepsOptionOrder(t *testing.T) {
	for _, options := range [][]string{{"max(3)", "length(2)", "min(9)"}, {"min(9)", "max(3)", "length(2)"}} {
		s, _ := Parse("string()", options)
		issues := s.Check(ordjson.NewString("abcde"))
		for i, issue := range issues {
			if len(issues) != 3 || !strings.HasPrefix(options[i], issue.Rule) {
				t.Fatalf("options %q gave %v", options, issues)
			}
		}
	}
}

func TestLongMessagesAreCut(t *testing.T) {
	var many []string
	for i := range 200 {
		many = append(many, fmt.Sprintf("value%d", i))
	}
	s, _ := Parse("enum("+strings.Join(many, ",")+")", nil)
	issues := s.Check(ordjson.NewString(strings.Repeat("é", 5000)))
	if len(issues) != 1 || len(issues[0].Msg) > 600 || !strings.Contains(issues[0].Msg, "and 170 more") {
		t.Errorf("message of %d bytes: %.700s", len(issues[0].Msg), issues[0].Msg)
	}
}

func TestFromText(t *testing.T) {
	tests := []struct{ primitive, text, want string }{
		{"number()", "5", "5"},
		{"number()", "-0.25", "-0.25"},
		{"number()", "12345678901234567890", "12345678901234567890"},
		{"number()", "five", ""},
		{"number()", "1e999", ""},
		{"number()", "", ""},
		{"boolean()", "true", "true"},
		{"boolean()", "yes", ""},
		{"string()", "5", `"5"`},
		{"string()", "", `""`},
		{"enum(1,5)", "5", `"5"`},
		{"array()", `["a",1]`, `["a",1]`},
		{"array()", "a,b", ""},
		{"array()", "{}", ""},
		{"object()", `{"b":1,"a":2}`, `{"b":1,"a":2}`},
		{"object()", "x", ""},
	}
	for _, tt := range tests {
		s, _ := Parse(tt.primitive, nil)
		v, err := s.FromText(tt.text)
		if tt.want == "" {
			if err == nil || !strings.Contains(err.Error(), "expected") {
				t.Errorf("%s %q: %v, want an error that says what is expected", tt.primitive, tt.text, err)
			}
		} else if got := ordjson.Text(v); err != nil || got != tt.want {
			t.Errorf("%s %q: %s %v, want %s", tt.primitive, tt.text, got, err, tt.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("enum(a, b,'c')", "default(b)", `"b"`)
	f.Add("number()", "optional(), default(5)", "5")
	f.Add("string()", "regex(/^a(b)$/i)", `"ab"`)
	f.Add("enum({{l:f}},x)", "values(a)", `[1]`)
	f.Add("array()", "length(1e3)", `{}`)
	f.Fuzz(func(t *testing.T, primitive, option, text string) {
		s, problems := Parse(primitive, []string{option})
		for _, p := range problems {
			if p.Index < -1 || p.Index > 0 || p.Msg == "" || p.Fix == "" {
				t.Fatalf("problem %+v", p)
			}
		}
		if _, err := ordjson.Parse(ordjson.Text(s.JSONSchema())); err != nil &&
			strings.ToValidUTF8(primitive+option, "") == primitive+option {
			t.Fatalf("JSON Schema of %q %q: %v", primitive, option, err)
		}
		if d, ok := s.Default(); ok && len(s.Check(d)) > 0 && len(problems) == 0 {
			t.Fatalf("%q %q: a refused default is not a problem", primitive, option)
		}
		if v, err := s.FromText(text); err == nil {
			for _, issue := range s.Check(v) {
				if issue.Rule == "type" {
					t.Fatalf("FromText(%q) has the wrong type: %v", text, issue)
				}
			}
		}
		if v, err := ordjson.Parse(text); err == nil {
			s.Check(v)
		}
	})
}
