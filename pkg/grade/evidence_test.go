package grade

import (
	"reflect"
	"testing"

	"github.com/flowmcp/fmcp/pkg/record"
)

func TestNewRun(t *testing.T) {
	test := func(mode record.TestMode, outcome record.TestOutcome, mismatches ...string) *record.Test {
		return &record.Test{Index: 1, Description: "d", Mode: mode, Outcome: outcome, Mismatches: mismatches}
	}
	for _, tt := range []struct {
		name     string
		envelope record.Envelope
		outcome  Outcome
		why      string
	}{
		{"passed", record.Envelope{Status: true, Messages: []string{"1 row is left out"},
			Test: test(record.TestRun, record.TestPassed)}, Pass, ""},
		{"failed", record.Envelope{Messages: []string{"EXE041 a.example: 404", "b"},
			Test: test(record.TestRun, record.TestFailed)}, Fail, "EXE041 a.example: 404; b"},
		{"refused here", record.Envelope{Messages: []string{"EXE031 a.example is loopback"},
			Test: test(record.TestRun, record.TestFailed)}, Skipped, "EXE031 a.example is loopback"},
		{"skipped", record.Envelope{Messages: []string{"no key"}, Test: test(record.TestRun, record.TestSkipped)},
			Skipped, "no key"},
		{"checked, not asked", record.Envelope{Status: true, Test: test(record.TestRun, record.TestChecked)},
			Skipped, ""},
		{"mismatch", record.Envelope{Status: true,
			Test: test(record.TestValidate, record.TestPassed, "output schema: data is array, expected object")},
			Mismatch, "output schema: data is array, expected object"},
		{"mismatch of a run, among the warnings", record.Envelope{Status: true,
			Warnings: []string{"slow", "output schema: data is null, expected object"},
			Test:     test(record.TestRun, record.TestPassed)},
			Mismatch, "output schema: data is null, expected object"},
		{"dry run", record.Envelope{Status: true, Test: test(record.TestDryRun, record.TestPassed)}, Skipped,
			"a dry run sends nothing"},
		{"dry run that fails", record.Envelope{Messages: []string{"no"},
			Test: test(record.TestDryRun, record.TestFailed)}, Fail, "no"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.envelope.ID = "a/tool/b"
			want := &Run{ID: "a/tool/b", Index: 1, Name: "d", Outcome: tt.outcome, Why: tt.why}
			if got := NewRun(&tt.envelope); !reflect.DeepEqual(got, want) {
				t.Errorf("%+v, want %+v", got, want)
			}
		})
	}
	for _, e := range []*record.Envelope{{Status: true}, {Test: &record.Test{Index: -1}}} {
		if r := NewRun(e); r != nil {
			t.Errorf("%+v is a run: %+v", e.Test, r)
		}
	}
}

func TestPrimitiveOf(t *testing.T) {
	for id, want := range map[string]string{"n/tool/a": "n/tool/a", "n/resource/r/q": "n/resource/r",
		"n/resource/r": "n/resource/r", "n/resource/r/q/w": "n/resource/r", "n/tool/a/b": "n/tool/a/b", "": ""} {
		if got := PrimitiveOf(id); got != want {
			t.Errorf("%q is of %q, want %q", id, got, want)
		}
	}
}

func TestTested(t *testing.T) {
	run := func(id string, o Outcome, why string) Run { return Run{ID: id, Outcome: o, Why: why} }
	e := &Evidence{
		Primitives: []Primitive{{ID: "n/tool/a", Kind: record.TypeTool},
			{ID: "n/resource/r", Kind: record.TypeResource},
			{ID: "n/tool/aa", Kind: record.TypeTool}, {ID: "n/tool/b", Kind: record.TypeTool}},
		Runs: []Run{
			run("n/resource/r/q", Skipped, "s"), run("n/resource/r/q", Fail, "f"), run("n/resource/r/q", Mismatch, "m"),
			run("n/resource/r/w", Pass, ""),
			run("n/tool/a", Fail, "f"), run("n/tool/a", Pass, ""), run("n/tool/a", Mismatch, "m"),
			run("n/tool/aa", Skipped, "first"), run("n/tool/aa", Skipped, "second"),
		},
	}
	want := []Tested{
		{"n/resource/r/q", Fail, "f"},
		{"n/resource/r/w", Pass, ""},
		{"n/tool/a", Pass, ""},
		{"n/tool/aa", Skipped, "first"},
	}
	if got := e.Tested(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	if got := e.Failing(); len(got) != 1 || got[0].ID != "n/resource/r/q" {
		t.Errorf("failing: %+v", got)
	}
}
