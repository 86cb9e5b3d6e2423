package report

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/flowmcp/fmcp/pkg/record"
)

// text is the format for a terminal: a line for each record, and for a
// finding the source that it is about.
type text struct {
	w     *bufio.Writer
	opts  Options
	pal   Palette
	path  string // of the source whose lines are at hand
	lines Lines
	total map[record.Severity]int
}

func newText(w io.Writer, opts Options) *text {
	return &text{w: bufio.NewWriter(w), opts: opts, pal: opts.Palette, total: map[record.Severity]int{}}
}

func (t *text) Flush() error { return t.w.Flush() }

// Close writes the totals where there were findings.
func (t *text) Close() error {
	if len(t.total) > 0 {
		fmt.Fprintln(t.w, t.summary())
	}
	return t.w.Flush()
}

func (t *text) summary() string {
	var parts []string
	for _, s := range []record.Severity{record.SeverityError, record.SeverityWarning, record.SeverityInfo} {
		if n := t.total[s]; n > 0 {
			parts = append(parts, t.pal.Severity(s, plural(n, s.String())))
		}
	}
	return strings.Join(parts, ", ")
}

func plural(n int, noun string) string {
	if n != 1 && noun != "info" {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}

func (t *text) Record(rec record.Record, line []byte) error {
	switch r := rec.(type) {
	case *record.Diagnostic:
		t.diagnostic(r)
	case *record.Error:
		t.failure(r)
	case *record.Scan:
		t.scan(r)
	case *record.Load:
		t.load(r)
	case *record.Resolved:
		t.resolved(r)
	case *record.Envelope:
		t.envelope(r)
	case *record.Grade:
		t.grade(r)
	default:
		// A record of another command: shown as it is.
		_, _ = t.w.Write(line)
		return t.w.WriteByte('\n')
	}
	return nil
}

func (t *text) diagnostic(d *record.Diagnostic) {
	t.total[d.Severity]++
	fmt.Fprintf(t.w, "%s: %s %s: %s\n", t.pal.Bold(location(&d.Loc)),
		t.pal.Severity(d.Severity, d.Severity.String()), d.Code, clean(d.Message))
	t.snippet(&d.Loc)
	if d.Fix != "" {
		fmt.Fprintf(t.w, "    %s %s\n", t.pal.Good("fix:"), clean(d.Fix))
	}
}

func (t *text) failure(e *record.Error) {
	t.total[record.SeverityError]++
	where := clean(e.Input)
	if e.Loc != nil {
		where = location(e.Loc)
	}
	fmt.Fprintf(t.w, "%s: %s %s: %s\n", t.pal.Bold(where), t.pal.Severity(record.SeverityError, "failed"), e.Code, clean(e.Message))
	if e.Loc != nil {
		t.snippet(e.Loc)
	}
}

// location is PATH:LINE:COL, what an editor jumps to; where the line is not
// known, the JSON pointer.
func location(l *record.Loc) string {
	path := clean(l.Path)
	switch {
	case l.Line > 0:
		return path + ":" + strconv.Itoa(l.Line) + ":" + strconv.Itoa(l.Col)
	case l.Pointer != "":
		return path + "#" + clean(l.Pointer)
	}
	return path
}

// clean makes control characters visible: text of a stranger's catalog must
// not drive the reader's terminal.
func clean(s string) string {
	if !strings.ContainsFunc(s, isControl) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if isControl(r) {
			fmt.Fprintf(&b, "\\u%04x", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func isControl(r rune) bool {
	return r < ' ' && r != '\t' || r >= 0x7f && r < 0xa0 || r == '\u202e' || r == '\u2028'
}

// maxSnippet is the longest source line that is shown whole, in characters.
const maxSnippet = 120

// snippet shows the line that a finding is about and points at the column.
func (t *text) snippet(l *record.Loc) {
	if l.Line == 0 || t.opts.Source == nil {
		return
	}
	if t.path != l.Path {
		t.lines, _ = t.opts.Source(l.Path)
		t.path = l.Path
	}
	if t.lines == nil {
		return
	}
	line, col := excerpt(t.lines.Text(l.Line), l.Col)
	line = clean(line)
	num := strconv.Itoa(l.Line)
	gutter := strings.Repeat(" ", len(num))
	fmt.Fprintf(t.w, "    %s %s\n", t.pal.Dim(num+" |"), line)
	fmt.Fprintf(t.w, "    %s %s%s\n", t.pal.Dim(gutter+" |"), pad(line, col), t.pal.Severity(record.SeverityError, "^"))
}

// excerpt cuts a long line around the column, which counts from 1.
func excerpt(line string, col int) (string, int) {
	if utf8.RuneCountInString(line) <= maxSnippet {
		return line, col
	}
	runes := []rune(line)
	start := max(0, min(col-1-maxSnippet/2, len(runes)-maxSnippet))
	end := min(len(runes), start+maxSnippet)
	return string(runes[start:end]), col - start
}

// pad is the white space in front of the column, with the line's own tabs.
func pad(line string, col int) string {
	var b strings.Builder
	for _, r := range line {
		if col--; col <= 0 {
			break
		}
		if r == '\t' {
			b.WriteByte('\t')
		} else {
			b.WriteByte(' ')
		}
	}
	return b.String()
}
