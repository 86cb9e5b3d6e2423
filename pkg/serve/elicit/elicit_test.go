package elicit

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/serve/seal"
)

func parse(t testing.TB, text string) ordjson.Value {
	t.Helper()
	v, err := ordjson.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

const (
	schema = `{"type":"object","properties":{` +
		`"city":{"type":"string","description":"Which","pattern":"^.","minLength":2,"examples":["Bonn"]},` +
		`"unit":{"type":"string","enum":["kilo","pound"],"minLength":4},` +
		`"days":{"type":"integer","enum":[1,7],"default":7},` +
		`"when":{"type":"string","format":"date"},"color":{"type":"string","format":"hex"},` +
		`"list":{"type":"array","items":{"type":"string"}},"password":{"type":"string"}},` +
		`"required":["city","unit","days"]}`
	forms = `,"requestedSchemas":[` +
		`{"message":"Which key?","requestedSchema":{"type":"object","properties":{"API_KEY":{"type":"string"}}}},` +
		`{"message":"When?","requestedSchema":{"type":"object","properties":{"when":{"type":"string"}},` +
		`"required":["when"]}},` +
		`{"message":"Where?","requestedSchema":{"type":"object","title":"place","properties":{` +
		`"city":{"type":"string","title":"City"},"when":{"type":"string"},"API_KEY":{"type":"string"}},` +
		`"required":["when","API_KEY"]}}]`
)

// TestForm: the first form of the agent that asks for something missing, with what is
// missing and nothing that the tool does not know; else one of the input schema.
func TestForm(t *testing.T) {
	const city = `"city":{"type":"string","title":"City"}`
	for _, tc := range []struct{ forms, given, want string }{
		{forms, `{}`, `place: Where? {"type":"object","properties":{` + city + `,"when":{"type":"string"}},` +
			`"required":["city","when"]}`},
		{forms, `{"when":"x"}`, `place: Where? {"type":"object","properties":{` + city + `},"required":["city"]}`},
		{forms, `{"city":"x"}`, `input: rain needs unit, days. {"type":"object","properties":{` +
			`"unit":{"type":"string","enum":["kilo","pound"]},` +
			`"days":{"type":"string","default":"7","enum":["1","7"]}},` +
			`"required":["unit","days"]}`},
		{"", `{"unit":"kilo","days":1,"city":null}`, `input: rain needs city. {"type":"object","properties":{` +
			`"city":{"type":"string","description":"Which; such as Bonn","minLength":2}},"required":["city"]}`},
		{forms, `{"city":"x","unit":"kilo","days":1}`, ""},
	} {
		p := NewPolicy(parse(t, `{"enabled":true,"maxRounds":2`+tc.forms+`}`))
		got := ""
		if f, ok := p.Form("rain", parse(t, schema), parse(t, tc.given)); ok {
			got = f.Key + ": " + f.Message + " " + ordjson.Text(f.Schema)
		}
		if got != tc.want {
			t.Errorf("given %s:\ngot  %s\nwant %s", tc.given, got, tc.want)
		}
	}
}

// TestNoForm: nobody is asked in vain: for nothing, where something else is missing that
// no form can ask for.
func TestNoForm(t *testing.T) {
	p := NewPolicy(parse(t, `{"enabled":true,"maxRounds":2`+forms+`}`))
	for also, asks := range map[string]bool{"unit": true, "list": false, "password": false, "unknown": false} {
		required := parse(t, schema).With("required", ordjson.Strings([]string{"city", also}))
		if _, ok := p.Form("rain", required, parse(t, `{}`)); ok != asks {
			t.Errorf("asks where %s is missing too: %v", also, ok)
		}
	}
}

func TestNewPolicy(t *testing.T) {
	for text, want := range map[string]int{
		`{"enabled":true,"maxRounds":3}`:   3,
		`{"enabled":false,"maxRounds":3}`:  0,
		`{"enabled":"yes","maxRounds":3}`:  0,
		`{"enabled":true}`:                 0,
		`{"enabled":true,"maxRounds":0}`:   0,
		`{"enabled":true,"maxRounds":"3"}`: 0,
		`null`:                             0,
	} {
		got := 0
		if p := NewPolicy(parse(t, text)); p != nil {
			got = p.MaxRounds
		}
		if got != want {
			t.Errorf("%s: %d rounds, want %d", text, got, want)
		}
	}
	if NewPolicy(ordjson.Value{}) != nil {
		t.Error("an agent without elicitation asks")
	}
}

// TestWritten: only what was asked for is taken, and a number that was shown as a
// text of an enum is a number again.
func TestWritten(t *testing.T) {
	f, _ := NewPolicy(parse(t, `{"enabled":true,"maxRounds":1}`)).Form("rain", parse(t, schema), parse(t, `{}`))
	got := f.Written(parse(t, schema), parse(t, `{"city":"Bonn","days":"7","unit":null,"when":"now","API_KEY":"x"}`))
	if text := ordjson.Text(got); text != `{"city":"Bonn","days":7}` {
		t.Errorf("got %s", text)
	}
	if text := ordjson.Text(With(parse(t, `{"a":1,"city":null}`), got)); text != `{"a":1,"city":"Bonn","days":7}` {
		t.Errorf("with what was given %s", text)
	}
}

// TestState: a state is good for its request and its user, for an hour, and as it
// is.
func TestState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		key := seal.New()
		of := Of{Who: "ann", Method: "tools/call", Params: parse(t, `{"name":"rain","arguments":{"a":1}}`)}
		sealed := State{Round: 2, Given: parse(t, `{"city":"Bonn"}`)}.Seal(key, of)
		same := of
		same.Params = parse(t, `{"arguments":{"a":1},"name":"rain"}`)
		st, err := Open(key, sealed, same)
		if err != nil || st.Round != 2 || ordjson.Text(st.Given) != `{"city":"Bonn"}` {
			t.Fatalf("opened as %d, %s, %v", st.Round, ordjson.Text(st.Given), err)
		}
		head, tail, _ := strings.Cut(sealed, ".")
		open := func(of Of) func() (State, error) {
			return func() (State, error) { return Open(key, sealed, of) }
		}
		for name, open := range map[string]func() (State, error){
			"of another user":     open(Of{"bob", of.Method, of.Params}),
			"of another method":   open(Of{of.Who, "prompts/get", of.Params}),
			"of other params":     open(Of{of.Who, of.Method, parse(t, `{}`)}),
			"of another server":   func() (State, error) { return Open(seal.New(), sealed, of) },
			"changed":             func() (State, error) { return Open(key, "A"+head+"."+tail, of) },
			"with another mark":   func() (State, error) { return Open(key, head+".A"+tail[1:]+"A", of) },
			"without a mark":      func() (State, error) { return Open(key, head, of) },
			"with a wrong mark  ": func() (State, error) { return Open(key, head+".%", of) },
			"empty":               func() (State, error) { return Open(key, "", of) },
		} {
			if _, err := open(); err == nil || !strings.Contains(err.Error(), "not what this server gave") {
				t.Errorf("a state %s: %v", name, err)
			}
		}
		time.Sleep(lifetime + time.Second)
		if _, err := Open(key, sealed, of); err == nil || !strings.Contains(err.Error(), "expired") {
			t.Errorf("an hour later: %v", err)
		}
	})
}
