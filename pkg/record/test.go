package record

import (
	"strconv"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// Test says which test of a schema a call was made for, and how it came out
// (chapter 10).
type Test struct {
	Index       int // in tests, from 0; negative where it is about the tool as a whole
	Description string
	Mode        TestMode
	Outcome     TestOutcome
	Missing     []string // server parameters for want of which it was skipped, or members that are not there
	Mismatches  []string // TestValidate: where data is not as output.schema says; they never change Status

	ExpectedTools []string     // of a test of an agent: the Spec-IDs that it expects to be called
	CalledTools   []string     // … and that its model called
	Answer        string       // of the model, "" where none was asked
	Members       []TestMember // of the aggregate of a selection or an agent (chapter 17); it is no test itself
}

// TestMember is how the tests of a member of a selection or an agent came out.
type TestMember struct {
	ID      string
	Type    Type
	Outcome TestOutcome
	TestCounts
}

// TestCounts says how many tests there were, and how they came out.
type TestCounts struct{ Tests, Passed, Failed, Skipped, Checked int }

// Add counts a test. What is none of passed, skipped and checked has failed.
func (n *TestCounts) Add(o TestOutcome) {
	n.Tests++
	switch o {
	case TestPassed:
		n.Passed++
	case TestSkipped:
		n.Skipped++
	case TestChecked:
		n.Checked++
	default:
		n.Failed++
	}
}

// TestMode is what is done with a test (chapter 10, "Test Execution Modes").
type TestMode string

// The modes of chapter 10.
const (
	TestRun      TestMode = "run"      // the call is made
	TestValidate TestMode = "validate" // and its data held against output.schema
	TestDryRun   TestMode = "dry-run"  // the test is checked, nothing is sent
)

// TestOutcome is how a test came out.
type TestOutcome string

// The outcomes of a test. A skipped one has Status false, since there is no
// answer, and is no failure. One of an agent is checked as far as that needs no
// model, which is not to pass.
const (
	TestPassed  TestOutcome = "passed"
	TestFailed  TestOutcome = "failed"
	TestSkipped TestOutcome = "skipped"
	TestChecked TestOutcome = "checked"
)

// Severity is how bad the outcome is as a finding: a failed test is an error,
// data that is not what output.schema says a warning ("Non-Blocking
// Validation"), a skipped test worth knowing of. SeverityOff
// is none.
func (t *Test) Severity() Severity {
	switch {
	case t.Outcome == TestFailed:
		return SeverityError
	case len(t.Mismatches) > 0:
		return SeverityWarning
	case t.Outcome == TestSkipped:
		return SeverityInfo
	}
	return SeverityOff
}

func (t *Test) append(b []byte) []byte {
	b = append(b, '{')
	if t.Index >= 0 {
		b = append(b, `"index":`...)
		b = strconv.AppendInt(b, int64(t.Index), 10)
		b = str(b, "description", t.Description)
		b = append(b, ',')
	}
	b = append(b, str(nil, "mode", string(t.Mode))[1:]...)
	b = str(b, "outcome", string(t.Outcome))
	for _, list := range []struct {
		key   string
		texts []string
	}{{"missing", t.Missing}, {"mismatches", t.Mismatches}, {"expectedTools", t.ExpectedTools},
		{"calledTools", t.CalledTools}} {
		if len(list.texts) > 0 {
			b = append(b, ',')
			b = ordjson.AppendKey(b, list.key)
			b = ordjson.Append(b, ordjson.Strings(list.texts))
		}
	}
	if t.Answer != "" {
		b = str(b, "answer", t.Answer)
	}
	if t.Members != nil {
		b = append(b, `,"members":[`...)
		for i, m := range t.Members {
			if i > 0 {
				b = append(b, ',')
			}
			b = m.append(b)
		}
		b = append(b, ']')
	}
	return append(b, '}')
}

func (m *TestMember) append(b []byte) []byte {
	b = append(b, '{')
	b = append(b, str(nil, "id", m.ID)[1:]...)
	b = str(b, "type", string(m.Type))
	b = str(b, "outcome", string(m.Outcome))
	for _, n := range []struct {
		key   string
		count int
	}{{"tests", m.Tests}, {"passed", m.Passed}, {"failed", m.Failed}, {"skipped", m.Skipped}, {"checked", m.Checked}} {
		b = append(b, ',')
		b = ordjson.AppendKey(b, n.key)
		b = strconv.AppendInt(b, int64(n.count), 10)
	}
	return append(b, '}')
}
