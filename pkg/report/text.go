package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/flowmcp/fmcp/pkg/plural"
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
	row   row
	total map[record.Severity]int
	since sinceRound
	tests Tests
}

func newText(w io.Writer, opts Options) *text {
	return &text{w: bufio.NewWriter(w), opts: opts, pal: opts.Palette, total: map[record.Severity]int{}}
}

func (t *text) Flush() error { return t.w.Flush() }

// Close writes the totals where there were findings.
func (t *text) Close() error {
	if len(t.total) > 0 {
		t.println(t.counts(t.total))
	}
	if t.tests.Tests > 0 {
		t.println(t.tests.Text(t.pal))
	}
	return t.w.Flush()
}

// counts is "2 errors, 1 warning", "" where there is nothing.
func (t *text) counts(total map[record.Severity]int) string {
	var parts []string
	for _, s := range []record.Severity{record.SeverityError, record.SeverityWarning, record.SeverityInfo} {
		if n := total[s]; n > 0 {
			parts = append(parts, t.pal.Severity(s, plural.Of(n, s.String())))
		}
	}
	return strings.Join(parts, ", ")
}

func (t *text) Record(rec record.Record, line []byte) error {
	t.since.note(rec)
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
	case *record.Round:
		t.roundEnd(r)
	default:
		// A record of another command: shown as it is.
		t.println(clean(string(line)))
	}
	return nil
}

func (t *text) diagnostic(d *record.Diagnostic) {
	t.total[d.Severity]++
	t.println(t.pal.Bold(location(&d.Loc))+":", t.pal.Severity(d.Severity, d.Severity.String()), clean(d.Code)+":", clean(d.Message))
	t.snippet(&d.Loc)
	if d.Fix != "" {
		t.println("   ", t.pal.Good("fix:"), clean(d.Fix))
	}
}

func (t *text) failure(e *record.Error) {
	t.total[record.SeverityError]++
	where := clean(e.Input)
	if e.Loc != nil {
		where = location(e.Loc)
	}
	t.println(t.pal.Bold(where)+":", t.pal.Severity(record.SeverityError, "failed"), clean(e.Code)+":", clean(e.Message))
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

// Visible makes control characters of a message on stderr visible, where names
// of a stranger's files stand too.
func Visible(s string) string { return clean(s) }

// VisibleLines is Visible for a text of several lines, such as a patch that is
// printed to a terminal.
func VisibleLines(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		text, end := strings.CutSuffix(line, "\n")
		b.WriteString(clean(text))
		if end {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// clean makes control characters visible, and bytes that are no UTF-8: text of
// a stranger's catalog must not drive the reader's terminal, nor turn around
// what stands beside it.
func clean(s string) string {
	if !strings.ContainsFunc(s, isControl) && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, "\\x%02x", s[i])
		case isControl(r):
			fmt.Fprintf(&b, "\\u%04x", r)
		default:
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

// isControl reports whether r does something to a terminal, or to the order
// in which it shows text, or is no character at all; tabs are welcome.
func isControl(r rune) bool {
	switch {
	case r < ' ':
		return r != '\t'
	case r >= 0x7f && r < 0xa0, r == '\u200e', r == '\u200f', r >= '\u2028' && r <= '\u202e', r >= '\u2066' && r <= '\u2069':
		return true
	}
	return r == '\ufeff' || r == '\ufffe' || r == '\uffff'
}

// maxSnippet is the longest source line that is shown whole, in characters.
const maxSnippet = 120

// snippet shows the line that a finding is about and points at the column.
func (t *text) snippet(l *record.Loc) {
	if l.Line == 0 || t.opts.Source == nil {
		return
	}
	if t.path != l.Path {
		t.path, t.lines, t.row = l.Path, nil, row{}
		if lines, ok := t.opts.Source(l.Path); ok {
			t.lines = lines
		}
	}
	if t.lines == nil {
		return
	}
	if t.row.number != l.Line {
		t.row = newRow(l.Line, t.lines.Text(l.Line))
	}
	before, rest := t.row.excerpt(l.Col)
	num := strconv.Itoa(l.Line)
	gutter := strings.Repeat(" ", len(num))
	t.println("   ", t.pal.Dim(num+" |"), before+rest)
	t.println("   ", t.pal.Dim(gutter+" |"), pad(before)+t.pal.Severity(record.SeverityError, "^"))
}

// row is a line of the source. Many findings of a line, which may be all of a
// file, are shown without counting its characters for each.
type row struct {
	number int
	text   string
	starts []int // of its characters, and the end
}

func newRow(number int, text string) row {
	starts := make([]int, 0, len(text)+1)
	for i := range text {
		starts = append(starts, i)
	}
	return row{number, text, append(starts, len(text))}
}

// excerpt splits the line in front of the column, which counts from 1, and
// cuts a long one around it.
func (r row) excerpt(col int) (before, rest string) {
	line, starts, n := r.text, r.starts, len(r.starts)-1
	at := min(max(col-1, 0), n)
	start, end := 0, n
	if n > maxSnippet {
		start = max(0, min(at-maxSnippet/2, n-maxSnippet))
		end = start + maxSnippet
	}
	return clean(line[starts[start]:starts[at]]), clean(line[starts[at]:starts[end]])
}

// pad is white space as wide as text, with its own tabs.
func pad(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, text)
}

// println writes a line of words; one that is empty takes no room.
func (t *text) println(words ...string) {
	line := strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " ")
	_, _ = t.w.WriteString(line) // an error stays in the writer, for Flush
	_ = t.w.WriteByte('\n')
}
