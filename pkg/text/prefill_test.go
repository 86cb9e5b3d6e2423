package text

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/progress"
	"github.com/flowmcp/fmcp/pkg/record"
)

// prefilled is a skill with calls, of which each line is an ID and parameters.
func prefilled(t *testing.T, content string, calls ...string) *catalog.Skill {
	s := skill(content)
	for _, line := range calls {
		id, params, _ := strings.Cut(line, " ")
		call := catalog.Prefill{Tool: id}
		if params != "" {
			call.Params = parse(t, params)
		}
		s.Prefill = append(s.Prefill, call)
	}
	return s
}

// answers notes the calls and answers each with the same data.
func answers(calls *[]string, e record.Envelope) Runner {
	return func(_ context.Context, id string, params ordjson.Value) *record.Envelope {
		*calls = append(*calls, id+" "+ordjson.Text(params))
		return &e
	}
}

// TestPrefillParams: inputs are filled in, also in what is nested; a value that is
// one placeholder keeps its type, and one that was left out takes its key with it.
func TestPrefillParams(t *testing.T) {
	inputs := []catalog.Input{
		{Key: "n", Type: model.InputNumber, Required: true}, {Key: "b", Type: model.InputBoolean},
		{Key: "s", Type: model.InputString}, {Key: "none", Type: model.InputString},
	}
	for params, want := range map[string]string{
		``:                        `{}`,
		`{"a":"{{input:n}}"}`:     `{"a":2.50}`,
		`{"a":"{{ input : n }}"}`: `{"a":2.50}`,
		`{"a":" {{input:n}}"}`:    `{"a":" 2.50"}`,
		`{"a":"{{input:b}}"}`:     `{"a":true}`,
		`{"a":"{{input:s}}/{{input:n}}/{{input:none}}"}`:                   `{"a":"x y/2.50/"}`,
		`{"a":"{{input:none}}","b":1}`:                                     `{"b":1}`,
		`{"a":{"b":["{{input:n}}","{{input:none}}",{"c":"{{input:s}}"}]}}`: `{"a":{"b":[2.50,{"c":"x y"}]}}`,
		`{"a":"{{tool:x}} {{x:y}} {{x}}","b":null}`:                        `{"a":"{{tool:x}} {{x:y}} {{x}}","b":null}`,
		`{"{{input:n}}":1}`:                                                `{"{{input:n}}":1}`,
	} {
		var calls []string
		s := prefilled(t, "{{prefill:shop/tool/getPrice}}", "shop/tool/getPrice "+params)
		s.Inputs = inputs
		d := deliver(t, s, `{"n":"2.50","b":true,"s":"x y"}`,
			Options{Run: answers(&calls, record.Envelope{Status: true, Data: ordjson.NewInt(7)})})
		if want := []string{"shop/tool/getPrice " + want}; !slices.Equal(calls, want) || d.Text != "7" {
			t.Errorf("%s: %s %q, want %q", params, d.Text, calls, want)
		}
	}
}

// TestPrefillAnswers: what is inserted of an answer, and of a failure.
func TestPrefillAnswers(t *testing.T) {
	long := strings.Repeat("ä", maxResult)
	for _, tt := range []struct {
		name string
		e    record.Envelope
		want string
	}{
		{"object", record.Envelope{Status: true, Data: parse(t, `{"a":[1.50,"x"]}`)}, `{"a":[1.50,"x"]}`},
		{"string", record.Envelope{Status: true, Data: parse(t, `"a\nb"`)}, "a\nb"},
		{"null", record.Envelope{Status: true, Data: ordjson.NewNull()}, "null"},
		{"incomplete", record.Envelope{Status: true, Data: ordjson.NewInt(1), Messages: []string{"EXE080 x: 3 of 9"}},
			"1\n[INCOMPLETE: EXE080 x: 3 of 9]"},
		{"long", record.Envelope{Status: true, Data: ordjson.NewString(long)},
			long[:maxResult-4] + "…\n[CUT: 65536 of 131072 bytes]"},
		{"status", record.Envelope{HTTPStatus: 503, Messages: []string{"EXE041 x: api answered 503: {{input:x}}"}},
			"[ERROR: Prefill execution failed: HTTP 503]"},
		{"failure", record.Envelope{Messages: []string{"EXE020 getPrice: KEY is not set", "EXE010 getPrice: b"}},
			"[ERROR: Prefill execution failed: KEY is not set; b]"},
	} {
		var calls []string
		d := deliver(t, prefilled(t, "{{prefill:shop/tool/getPrice}}", "shop/tool/getPrice"), "",
			Options{Run: answers(&calls, tt.e)})
		if tt.e.HTTPStatus != 0 && !strings.Contains(d.Problems[0].Message, tt.e.Messages[0]) {
			t.Errorf("%s: %v", tt.name, d.Problems)
		}
		if d.Text != tt.want || len(calls) != 1 || (len(d.Problems) == 0) != tt.e.Status {
			t.Errorf("%s: %.200s %v\nwant %.200s", tt.name, d.Text, d.Problems, tt.want)
		}
	}
}

// TestPrefillRefused: only what reads is called, and only of the own scope.
func TestPrefillRefused(t *testing.T) {
	groups := []catalog.Record{
		&catalog.Group{ID: "desk/agent/desk", Type: record.TypeAgent,
			Selections: []string{"desk/selection/all", "x/selection/y"}},
		&catalog.Group{ID: "desk/selection/all", Type: record.TypeSelection, Selections: []string{"desk/selection/all"},
			Members: [4][]string{{"bank/tool/getRate"}, nil, {"shop/resource/stock"}, nil}},
	}
	namespace := catalog.Scope{Type: catalog.ScopeNamespace, Of: []string{"shop"}}
	agent := catalog.Scope{Type: catalog.ScopeAgent, Of: []string{"desk/agent/desk"}}
	for _, tt := range []struct {
		scope      catalog.Scope
		call, want string // "" is called
	}{
		{namespace, "shop/tool/getPrice", ""},
		{namespace, "shop/tool/bare", ""}, // GET without handlers
		{namespace, "shop/tool/order", "Tool 'shop/tool/order' may change something"},
		{namespace, "bank/tool/getRate", "Tool 'bank/tool/getRate' is not of the skill's namespace"},
		{namespace, "shop/tool/none", "Tool 'shop/tool/none' not found"},
		{namespace, "shop/prompt/about", "Tool 'shop/prompt/about' not found"},
		{namespace, "shop/tool/getPrice/x", "Tool 'shop/tool/getPrice/x' not found"},
		{namespace, "getPrice", "Tool 'getPrice' not found"},
		{namespace, `shop/resource/stock {"query":"byName"}`, ""},
		{namespace, "shop/resource/stock/byName", ""},
		{namespace, `shop/resource/stock {"query":"sell"}`, "Tool 'shop/resource/stock' may change something"},
		{namespace, "shop/resource/stock/sell", "Tool 'shop/resource/stock/sell' may change something"},
		{namespace, "shop/resource/stock", "Tool 'shop/resource/stock' may change something"},
		{agent, "bank/tool/getRate", ""},
		{agent, "shop/resource/stock/byName", ""},
		{agent, "shop/tool/getPrice", "Tool 'shop/tool/getPrice' is not of the skill's agent"},
		{catalog.Scope{Type: catalog.ScopeSelection}, "bank/tool/getRate",
			"Tool 'bank/tool/getRate' is not of the skill's selection"},
	} {
		id, _, _ := strings.Cut(tt.call, " ")
		s := prefilled(t, "{{prefill:"+id+"}}", tt.call)
		s.Scope = tt.scope
		var calls []string
		d := Deliver(t.Context(), shop(t, append(groups, s)...), s, ordjson.Value{},
			Options{Run: answers(&calls, record.Envelope{Status: true, Data: ordjson.NewInt(1)})})
		want, made := "1", 1
		if tt.want != "" {
			want, made = "[ERROR: Prefill execution failed: "+tt.want+"]", 0
		}
		if id == "getPrice" || id == "shop/prompt/about" { // the placeholder does not name a tool either
			want = "[ERROR: Prefill '" + id + "' not found]"
		}
		if d.Text != want || len(calls) != made {
			t.Errorf("%s: %s %q, want %s", tt.call, d.Text, calls, want)
		}
	}
}

// TestPrefillOrder: calls are made in the order of the array, each once, whatever
// the content refers to, and no more than a skill may make.
func TestPrefillOrder(t *testing.T) {
	var calls, want, list []string
	for i := range maxCalls + 2 {
		list = append(list, fmt.Sprintf(`shop/tool/getPrice {"n":%d}`, i))
	}
	want = append(append([]string{}, list[:maxCalls-1]...), "shop/tool/bare {}")
	list = slices.Insert(list, maxCalls-1, "shop/tool/bare")
	d := deliver(t, prefilled(t, "{{prefill:shop/tool/bare}}", list...), "",
		Options{Run: answers(&calls, record.Envelope{Status: true, Data: ordjson.NewInt(1)})})
	if !slices.Equal(calls, want) || d.Text != "1" {
		t.Errorf("%s %q\nwant %q", d.Text, calls, want)
	}
	const most = "prefill[10] shop/tool/getPrice: a skill makes 10 calls at most"
	if len(d.Problems) != 3 || d.Problems[0].Message != most {
		t.Error(d.Problems)
	}
}

// TestPrefillMissingInput: a call that lacks what it needs is not made.
func TestPrefillMissingInput(t *testing.T) {
	for _, tt := range []struct{ given, want string }{
		{``, "[ERROR: Prefill execution failed: Input 'n' missing]"},
		{`{"n":"x"}`, `[ERROR: Prefill execution failed: Input 'n' expected a number such as 5 or 0.25, got "x"]`},
	} {
		s := prefilled(t, "{{prefill:shop/tool/getPrice}}", `shop/tool/getPrice {"a":["{{input:n}}"]}`)
		s.Inputs = []catalog.Input{{Key: "n", Type: model.InputNumber, Required: true}}
		if d := deliver(t, s, tt.given, Options{Run: refuse(t)}); d.Text != tt.want || len(d.Problems) != 1 {
			t.Errorf("%s: %s %v, want %s", tt.given, d.Text, d.Problems, tt.want)
		}
	}
}

// TestPrefillDryRun: what would be called stands in the place of the result.
func TestPrefillDryRun(t *testing.T) {
	s := prefilled(t, "{{prefill:shop/tool/getPrice}} {{prefill:shop/tool/order}}",
		`shop/tool/getPrice {"a":"{{input:n}}"}`, "shop/tool/order")
	s.Inputs = []catalog.Input{{Key: "n", Type: model.InputNumber, Required: true}}
	d := deliver(t, s, `{"n":3}`, Options{})
	if want := `[DRY RUN: shop/tool/getPrice {"a":3}] ` +
		`[ERROR: Prefill execution failed: Tool 'shop/tool/order' may change something]`; d.Text != want || !d.DryRun {
		t.Errorf("%s, want %s", d.Text, want)
	}
}

// TestPrefillDeadline: all calls of a skill have one deadline.
func TestPrefillDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start, calls := time.Now(), 0
		run := func(ctx context.Context, id string, _ ordjson.Value) *record.Envelope {
			calls++
			select {
			case <-ctx.Done():
				return &record.Envelope{ID: id, Messages: []string{"EXE034 x: cancelled"}}
			case <-time.After(20 * time.Second):
				return &record.Envelope{ID: id, Status: true, Data: ordjson.NewInt(calls)}
			}
		}
		d := deliver(t, prefilled(t, "{{prefill:shop/tool/bare}} {{prefill:shop/tool/getPrice}}",
			"shop/tool/bare", "shop/tool/getPrice", "shop/tool/bare"), "", Options{Run: run})
		if want := "1 [ERROR: Prefill execution failed: the calls of the skill took more than 30s]"; d.Text != want {
			t.Errorf("%s, want %s", d.Text, want)
		}
		if took := time.Since(start); took != prefillTime || calls != 2 {
			t.Error(took, calls)
		}
	})
}

// TestPrefillProgress: each call of a skill is a step, and what is inside of one is
// none.
func TestPrefillProgress(t *testing.T) {
	var told []string
	ctx := progress.With(t.Context(), func(done, total int64, what string) {
		told = append(told, fmt.Sprintf("%d of %d: %s", done, total, what))
	})
	run := func(ctx context.Context, _ string, _ ordjson.Value) *record.Envelope {
		progress.Report(ctx, 500, -1, "bytes")
		return &record.Envelope{Status: true, Data: ordjson.NewInt(1)}
	}
	s := prefilled(t, "x", "shop/tool/getPrice", "shop/tool/bare")
	Deliver(ctx, shop(t, s), s, ordjson.Value{}, Options{Run: run})
	want := []string{"0 of 2: calling shop/tool/getPrice", "1 of 2: calling shop/tool/bare",
		"2 of 2: all calls have been made"}
	if !slices.Equal(told, want) {
		t.Errorf("%q, want %q", told, want)
	}
}
