package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Tests counts the tests of chapter 10 by how they came out.
type Tests struct {
	record.TestCounts
	Mismatched int // passed, but with data that is not what output.schema says
}

// Add counts a test; what the members of a selection come to is none.
func (n *Tests) Add(t *record.Test) {
	if t.Members != nil {
		return
	}
	n.TestCounts.Add(t.Outcome)
	if len(t.Mismatches) > 0 {
		n.Mismatched++
	}
}

// Text is "3 tests: 2 passed, 1 failed".
func (n *Tests) Text(p Palette) string {
	parts := []string{p.Good(strconv.Itoa(n.Passed) + " passed")}
	if n.Failed > 0 {
		parts = append(parts, p.Severity(record.SeverityError, strconv.Itoa(n.Failed)+" failed"))
	}
	if n.Checked > 0 {
		parts = append(parts, strconv.Itoa(n.Checked)+" checked")
	}
	if n.Skipped > 0 {
		parts = append(parts, p.Severity(record.SeverityInfo, strconv.Itoa(n.Skipped)+" skipped"))
	}
	if n.Mismatched > 0 {
		parts = append(parts, p.Severity(record.SeverityWarning, strconv.Itoa(n.Mismatched)+" unlike output.schema"))
	}
	return words.Count(n.Tests, "test") + ": " + strings.Join(parts, ", ")
}

// testOf is the envelope of a test, nil where the record is none.
func testOf(rec record.Record) *record.Envelope {
	if e, ok := rec.(*record.Envelope); ok && e.Test != nil {
		return e
	}
	return nil
}

// testName names a test among those of its tool: "0 Single coin in USD".
func testName(t *record.Test) string {
	if t.Index < 0 {
		return "tests"
	}
	return strings.TrimSpace(strconv.Itoa(t.Index) + " " + clean(t.Description))
}

// why is what a test that did not pass says of itself, or where its data is
// not what the schema says.
func why(e *record.Envelope) string {
	if e.Test.Outcome == record.TestChecked {
		return "checked: no model was asked, so what it calls and answers is not known"
	}
	return clean(strings.Join(append(append([]string{}, e.Messages...), e.Test.Mismatches...), "; "))
}

// test writes the line of a test; the data is in NDJSON, or in --capture.
func (t *text) test(e *record.Envelope) {
	if e.Test.Members != nil {
		t.members(e)
		return
	}
	t.tests.Add(e.Test)
	t.noteText(e)
	took := ""
	if e.Request != nil && !e.DryRun {
		took = t.pal.Dim(e.Duration.Round(time.Millisecond).String())
	}
	t.println(t.outcome(e.Test.Outcome), t.pal.Bold(clean(e.ID)), testName(e.Test), took)
	label := t.messageLabel(e)
	if e.Test.Outcome == record.TestSkipped {
		label = ""
	}
	for _, m := range e.Messages {
		t.println(" ", label, clean(m))
	}
	for _, m := range append(append([]string{}, e.Test.Mismatches...), e.Warnings...) {
		t.println(" ", t.pal.Severity(record.SeverityWarning, "warning:"), clean(m))
	}
}

// outcome is how a test came out, in a column.
func (t *text) outcome(o record.TestOutcome) string {
	switch o {
	case record.TestPassed:
		return t.pal.Good("passed ")
	case record.TestSkipped:
		return t.pal.Severity(record.SeverityInfo, "skipped")
	case record.TestChecked:
		return string(o)
	}
	return t.pal.Severity(record.SeverityError, "failed ")
}

// isSkipped says whether a test did not run to a format that knows no checked ones.
func isSkipped(t *record.Test) bool {
	return t.Outcome == record.TestSkipped || t.Outcome == record.TestChecked
}

// testFails says whether a test is a failed one to a format that knows passed
// and failed only.
func testFails(t *record.Test, opts *Options) bool {
	return t.Outcome == record.TestFailed || t.Outcome == record.TestPassed && opts.Fails != nil &&
		opts.Fails(t.Severity())
}

// test writes a test as one of the suite of its tool.
func (j *junit) test(e *record.Envelope) {
	if e.Test.Members != nil {
		return
	}
	j.turnTo(e.ID)
	inner := ""
	switch text := escaped(why(e)); {
	case isSkipped(e.Test):
		j.suite.skipped++
		inner = fmt.Sprintf(`<skipped message="%s"/>`, text)
	case testFails(e.Test, &j.opts):
		j.suite.failures++
		code, _, _ := strings.Cut(why(e), " ")
		if e.Test.Outcome == record.TestPassed {
			code = "output.schema"
		}
		inner = fmt.Sprintf(`<failure type="%s" message="%s"/>`, escaped(code), text)
	case text != "":
		inner = "<system-out>" + text + "</system-out>"
	}
	j.suite.testCase(testName(e.Test), nil, fmt.Sprintf(` time="%.3f"`, e.Duration.Seconds()), inner)
}

// test writes a test as a test point.
func (t *tap) test(e *record.Envelope) {
	if e.Test.Members != nil {
		return
	}
	reason, directive := why(e), ""
	if isSkipped(e.Test) {
		reason, directive = "", " # SKIP "+reason
	}
	ok := !testFails(e.Test, &t.opts)
	t.point(ok, clean(e.ID)+" "+testName(e.Test), directive)
	if reason != "" {
		fmt.Fprintln(t.w, "  ---")
		t.field("  ", "message", reason)
		fmt.Fprintln(t.w, "  ...")
	}
}
