package report

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"

	"github.com/flowmcp/fmcp/pkg/record"
)

// junit is JUnit's XML: a test suite for each file, in it a test case for each
// finding. An error is a failure, and so is what --fail-on counts; other
// findings are tests that passed, with the finding as their output; an error
// record is an error. A file that comes by without a finding (of what
// fmcp-scan, fmcp-load and fmcp-validate --pass emit) is a test that passed,
// and so is a report of nothing, since CI services take no tests for a mistake.
//
// A suite is held back until its file is done, since its counts stand in front.
// Findings that come later, of rules that need the whole catalog, make a second
// suite of the same name, which services join.
type junit struct {
	w     *bufio.Writer
	opts  Options
	begun bool
	suite suite
}

// suite is the suite of one file under construction.
type suite struct {
	path            string
	tests           int
	failures, fails int // failures of the rules; errors, where there was nothing to judge
	skipped         int
	cases           bytes.Buffer
	names           map[string]int // how often each name occurs
}

func newJUnit(w io.Writer, opts Options) *junit { return &junit{w: bufio.NewWriter(w), opts: opts} }

// Flush does not end the suite: its file may have more findings.
func (j *junit) Flush() error { return j.w.Flush() }

// Close ends the document.
func (j *junit) Close() error {
	if !j.begun && j.suite.tests == 0 {
		j.suite.path = j.opts.Tool
		j.suite.testCase("no findings", nil, "", "")
	}
	j.endSuite()
	fmt.Fprintln(j.w, "</testsuites>")
	return j.w.Flush()
}

func (j *junit) Record(rec record.Record, _ []byte) error {
	if e := testOf(rec); e != nil {
		j.test(e)
		return nil
	}
	f, ok := findingOf(rec)
	if !ok {
		if path := fileOf(rec); path != "" && (path != j.suite.path || j.suite.tests == 0) {
			j.turnTo(path)
			j.suite.testCase("no findings", nil, "", "")
		}
		return nil
	}
	j.turnTo(f.Loc.Path)
	name := f.title()
	if f.Loc.Pointer != "" {
		name += " " + f.Loc.Pointer
	}
	text := escaped(f.Message)
	switch {
	case f.failed:
		j.suite.fails++
		j.suite.testCase(name, &f.Loc, "",
			fmt.Sprintf(`<error type="%s" message="%s">%s</error>`, escaped(f.Code), text, content(&f)))
	case f.fails(&j.opts):
		j.suite.failures++
		j.suite.testCase(name, &f.Loc, "",
			fmt.Sprintf(`<failure type="%s" message="%s">%s</failure>`, escaped(f.Code), text, content(&f)))
	default:
		j.suite.testCase(name, &f.Loc, "", "<system-out>"+content(&f)+"</system-out>")
	}
	return nil
}

// content is all of a finding, as the text format says it.
func content(f *finding) string {
	return escaped(location(&f.Loc) + ": " + f.Severity.String() + " " + f.Code + ": " + f.text())
}

// turnTo starts the suite of a file, unless it has been started.
func (j *junit) turnTo(path string) {
	if path != j.suite.path {
		j.endSuite()
		j.suite.path = path
	}
}

// testCase adds a test case. Its name is that of the rule and the place in the
// object, which stay when lines move: services compare runs by it. attrs are
// further attributes, inner what the element holds.
func (s *suite) testCase(name string, loc *record.Loc, attrs, inner string) {
	if s.names == nil {
		s.names = map[string]int{}
	}
	s.tests++
	if s.names[name]++; s.names[name] > 1 {
		name += " (" + strconv.Itoa(s.names[name]) + ")"
	}
	path := escaped(slashed(s.path))
	fmt.Fprintf(&s.cases, `    <testcase classname="%s" name="%s"`, path, escaped(name))
	if loc != nil && loc.Path != "" {
		fmt.Fprintf(&s.cases, ` file="%s"`, path)
		if loc.Line > 0 {
			fmt.Fprintf(&s.cases, ` line="%d"`, loc.Line)
		}
	}
	s.cases.WriteString(attrs)
	if inner == "" {
		s.cases.WriteString("/>\n")
		return
	}
	s.cases.WriteString(">" + inner + "</testcase>\n")
}

// endSuite writes the suite, if there is one, and before the first the head of
// the document. An error stays in the writer, for Flush.
func (j *junit) endSuite() {
	if !j.begun {
		fmt.Fprintf(j.w, "%s<testsuites name=\"%s\">\n", xml.Header, escaped(j.opts.Tool))
		j.begun = true
	}
	if s := &j.suite; s.tests > 0 {
		skipped := ""
		if s.skipped > 0 {
			skipped = fmt.Sprintf(` skipped="%d"`, s.skipped)
		}
		fmt.Fprintf(j.w, "  <testsuite name=\"%s\" tests=\"%d\" failures=\"%d\" errors=\"%d\"%s>\n%s  </testsuite>\n",
			escaped(slashed(s.path)), s.tests, s.failures, s.fails, skipped, s.cases.Bytes())
	}
	j.suite = suite{}
}

// escaped is clean text in XML, as an attribute or as content.
func escaped(text string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(text)) // a buffer takes all
	return b.String()
}
