package report

import (
	"encoding/xml"
	"strings"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// tested are the envelopes of a run of tests.
var tested = []record.Record{
	&record.Envelope{ID: "a/tool/b", Status: true, Data: ordjson.NewBool(true),
		Request: &record.HTTPRequest{Method: "GET", URL: "https://x"}, Duration: 1250 * time.Millisecond,
		Test: &record.Test{Index: 0, Description: "One", Mode: record.TestValidate, Outcome: record.TestPassed}},
	&record.Envelope{ID: "a/tool/b", Status: true, Warnings: []string{"w"},
		Test: &record.Test{Index: 1, Description: "Two # not a directive", Mode: record.TestValidate,
			Outcome: record.TestPassed, Mismatches: []string{"data.x is null", "data.y too"}}},
	&record.Envelope{ID: "a/tool/c", Messages: []string{"EXE041 c: h answered 500", "EXE012 c: <b>"},
		Test: &record.Test{Index: 0, Description: "Three", Mode: record.TestValidate, Outcome: record.TestFailed}},
	&record.Envelope{ID: "a/tool/d", Messages: []string{"EXE060 d: no KEY"},
		Test: &record.Test{Index: -1, Mode: record.TestValidate, Outcome: record.TestSkipped,
			Missing: []string{"KEY"}}},
	&record.Envelope{ID: "a/agent/e", Status: true,
		Test: &record.Test{Index: 0, Description: "Four", Mode: record.TestValidate, Outcome: record.TestChecked}},
}

func TestTestedAsText(t *testing.T) {
	want := `passed  a/tool/b 0 One 1.25s
passed  a/tool/b 1 Two # not a directive
  warning: data.x is null
  warning: data.y too
  warning: w
failed  a/tool/c 0 Three
  error: EXE041 c: h answered 500
  error: EXE012 c: <b>
skipped a/tool/d tests
  EXE060 d: no KEY
checked a/agent/e 0 Four
5 tests: 2 passed, 1 failed, 1 checked, 1 skipped, 1 unlike output.schema
`
	if got := write(t, "text", options, tested...); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func TestTestedAsTAP(t *testing.T) {
	want := `TAP version 14
ok 1 - a/tool/b 0 One
ok 2 - a/tool/b 1 Two \# not a directive
  ---
  message: "data.x is null; data.y too"
  ...
not ok 3 - a/tool/c 0 Three
  ---
  message: "EXE041 c: h answered 500; EXE012 c: <b>"
  ...
ok 4 - a/tool/d tests # SKIP EXE060 d: no KEY
ok 5 - a/agent/e 0 Four # SKIP checked: no model was asked, so what it calls and answers is not known
1..5
`
	if got := write(t, "tap", options, tested...); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if got := write(t, "tap", strict, tested...); !strings.Contains(got, "\nnot ok 2 - ") ||
		strings.Contains(got, "not ok 4") {
		t.Errorf("--fail-on warning: %s", got)
	}
}

func TestTestedAsJUnit(t *testing.T) {
	want := xml.Header + `<testsuites name="fmcp-validate">
  <testsuite name="a/tool/b" tests="2" failures="0" errors="0">
    <testcase classname="a/tool/b" name="0 One" time="1.250"/>
    <testcase classname="a/tool/b" name="1 Two # not a directive" time="0.000"><system-out>data.x is null; data.y too</system-out></testcase>
  </testsuite>
  <testsuite name="a/tool/c" tests="1" failures="1" errors="0">
    <testcase classname="a/tool/c" name="0 Three" time="0.000"><failure type="EXE041" message="EXE041 c: h answered 500; EXE012 c: &lt;b&gt;"/></testcase>
  </testsuite>
  <testsuite name="a/tool/d" tests="1" failures="0" errors="0" skipped="1">
    <testcase classname="a/tool/d" name="tests" time="0.000"><skipped message="EXE060 d: no KEY"/></testcase>
  </testsuite>
  <testsuite name="a/agent/e" tests="1" failures="0" errors="0" skipped="1">
    <testcase classname="a/agent/e" name="0 Four" time="0.000"><skipped message="checked: no model was asked, so what it calls and answers is not known"/></testcase>
  </testsuite>
</testsuites>
`
	if got := write(t, "junit", options, tested...); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if got := write(t, "junit", strict, tested...); !strings.Contains(got,
		`<failure type="output.schema" message="data.x is null; data.y too"/>`) {
		t.Errorf("--fail-on warning: %s", got)
	}
}

// TestAggregate: what the members of a selection come to is shown as a tree, and
// is no test of its own.
func TestAggregate(t *testing.T) {
	aggregate := &record.Envelope{ID: "a/selection/s", Messages: []string{"EXE059 a/selection/s: m"},
		Test: &record.Test{Index: -1, Mode: record.TestRun, Outcome: record.TestFailed, Members: []record.TestMember{
			{ID: "a/tool/b", Type: record.TypeTool, Outcome: record.TestPassed,
				TestCounts: record.TestCounts{Tests: 4, Passed: 3, Skipped: 1}},
			{ID: "a/resource/r", Type: record.TypeResource, Outcome: record.TestFailed,
				TestCounts: record.TestCounts{Tests: 2, Passed: 1, Failed: 1}},
			{ID: "a/skill/k", Type: record.TypeSkill, Outcome: record.TestFailed,
				TestCounts: record.TestCounts{Tests: 2, Passed: 1, Failed: 1}},
			{ID: "a/tool/long", Type: record.TypeTool, Outcome: record.TestSkipped,
				TestCounts: record.TestCounts{Tests: 1, Skipped: 1}},
			{ID: "a/agent/s", Type: record.TypeAgent, Outcome: record.TestChecked,
				TestCounts: record.TestCounts{Tests: 3, Checked: 3}},
		}}}
	skill := func(i int, description string, outcome record.TestOutcome) *record.Envelope {
		return &record.Envelope{ID: "a/skill/k", Status: outcome == record.TestPassed,
			Test: &record.Test{Index: i, Description: description, Mode: record.TestRun, Outcome: outcome}}
	}
	want := `passed  a/skill/k 0 Structural (Placeholder-Resolution)
failed  a/skill/k 1 Prefill executed (2 Resources)
┌─ Selection: a/selection/s
│  ├─ SEL003: all member IDs resolvable  ✓
│  │
│  ├─ Tools (2)
│  │   ├─ a/tool/b     3/3 PASS
│  │   └─ a/tool/long  skipped
│  │
│  ├─ Resources (1)
│  │   └─ a/resource/r  1/2 FAIL
│  │
│  ├─ Skills (1)
│  │   └─ a/skill/k
│  │      ├─ Structural (Placeholder-Resolution)  ✓
│  │      └─ Prefill executed (2 Resources)       ✗
│  │
│  └─ Tests of the agent (1)
│      └─ a/agent/s  3 tests checked
│
└─ Selection Aggregate: 1/5 Members PASS, 1 checked, 1 skipped
2 tests: 1 passed, 1 failed
`
	got := write(t, "text", options, skill(0, "Structural (Placeholder-Resolution)", record.TestPassed),
		skill(1, "Prefill executed (2 Resources)", record.TestFailed), aggregate)
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	aggregate.ID, aggregate.Test.Members, aggregate.Test.Missing = "a/agent/s",
		[]record.TestMember{}, []string{"a/tool/x", "a/tool/y"}
	want = `┌─ Agent: a/agent/s
│  └─ not found: a/tool/x, a/tool/y  ✗
│
└─ Agent Aggregate: 0/0 Members PASS
`
	if got := write(t, "text", options, aggregate); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	for _, format := range []string{"tap", "junit"} {
		if a, b := write(t, format, options, tested[0], aggregate), write(t, format, options, tested[0]); a != b {
			t.Errorf("%s: %s\nwant\n%s", format, a, b)
		}
	}
}

// TestTestedIsHostile: what a stranger's test says breaks no format.
func TestTestedIsHostile(t *testing.T) {
	var recs []record.Record
	for _, outcome := range []record.TestOutcome{record.TestPassed, record.TestFailed, record.TestSkipped} {
		recs = append(recs, &record.Envelope{ID: hostile, Messages: []string{hostile}, Warnings: []string{hostile},
			Test: &record.Test{Description: hostile, Outcome: outcome, Mismatches: []string{hostile}}})
	}
	if n := len(parseTAP(t, write(t, "tap", strict, recs...))); n != len(recs) {
		t.Errorf("TAP: %d points", n)
	}
	parseJUnit(t, write(t, "junit", strict, recs...))
	for _, format := range []string{"text", "tap", "junit"} {
		out := write(t, format, strict, recs...)
		if i := strings.IndexFunc(out, func(r rune) bool { return r != '\n' && isControl(r) }); i >= 0 {
			t.Errorf("%s: a control character: %q", format, out[i:i+4])
		}
	}
}
