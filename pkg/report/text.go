package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// text is the format for a terminal: a line for each record, and for a
// finding the source that it is about. Findings of one file stand together, and
// an empty line parts them from those of the next. Each begins with
// PATH:LINE:COL, which terminals and editors make a link of; in a terminal
// the rest is wrapped to its width.
type text struct {
	w     *bufio.Writer
	group *string // the file that the last line was a finding of, nil where it was none
	many  bool    // findings of several files were shown
	opts  Options
	pal   Palette
	path  string // of the source whose lines are at hand
	lines Lines
	row   row
	total map[record.Severity]int
	since sinceRound
	tests Tests
	texts map[string][]*record.Test // of skills and prompts, by Spec-ID

	grades []graded // until they are shown

	answered bool // an envelope was shown
}

func newText(w io.Writer, opts Options) *text {
	return &text{w: bufio.NewWriter(w), opts: opts, pal: opts.Palette, total: map[record.Severity]int{}}
}

func (t *text) Flush() error { return t.w.Flush() }

// Close writes the totals where there were findings.
func (t *text) Close() error {
	if len(t.grades) > 0 && len(t.total) > 0 {
		t.println()
	}
	t.showGrades()
	if len(t.total) > 0 {
		if t.many {
			t.println()
		}
		t.println(Counts(t.pal, t.total))
	}
	if t.tests.Tests > 0 {
		t.println(t.tests.Text(t.pal))
	}
	return t.w.Flush()
}

// Counts is "2 errors, 1 warning", "" where there is nothing.
func Counts(p Palette, total map[record.Severity]int) string {
	var parts []string
	for _, s := range []record.Severity{record.SeverityError, record.SeverityWarning, record.SeverityInfo} {
		if n := total[s]; n > 0 {
			parts = append(parts, p.Severity(s, words.Count(n, s.String())))
		}
	}
	return strings.Join(parts, ", ")
}

func (t *text) Record(rec record.Record, line []byte) error {
	t.since.note(rec)
	switch r := rec.(type) {
	case *record.Diagnostic:
		t.turnTo(r.Loc.Path)
		t.diagnostic(r)
		return nil
	case *record.Error:
		t.turnTo(locOf(r).Path)
		t.failure(r)
		return nil
	}
	t.group = nil
	switch r := rec.(type) {
	case *record.Scan:
		t.scan(r)
	case *record.Load:
		t.load(r)
	case *record.Resolved:
		t.resolved(r)
	case *record.Envelope:
		t.envelope(r)
	case *record.Grade:
		t.grades = append(t.grades, gradeOf(r))
	case *record.Round:
		t.showGrades()
		t.roundEnd(r)
	default:
		// A record of another command: shown as it is.
		t.println(clean(string(line)))
	}
	return nil
}

// turnTo begins a finding about a file.
func (t *text) turnTo(path string) {
	if t.group != nil && *t.group != path {
		t.println()
		t.many = true
	}
	path = strings.Clone(path) // the record's line is not kept for it
	t.group = &path
}

func (t *text) diagnostic(d *record.Diagnostic) {
	t.total[d.Severity]++
	t.headline(location(&d.Loc), d.Severity, d.Severity.String(), d.Code, d.Message)
	t.snippet(&d.Loc)
	t.fix(d.Fix)
}

func (t *text) fix(fix string) {
	if fix != "" {
		const label = "    fix: "
		t.println("   ", t.pal.Good("fix:"), Wrap(clean(fix), t.opts.Width, len(label), len(label)))
	}
}

// headline is the line of a finding, which hangs where it is wrapped.
func (t *text) headline(where string, sev record.Severity, what, code, message string) {
	start := where + ": " + what + " " + clean(code) + ": "
	t.println(t.pal.Bold(where)+":", t.pal.Severity(sev, what), clean(code)+":",
		Wrap(clean(message), t.opts.Width, utf8.RuneCountInString(start), len("    ")))
}

func (t *text) failure(e *record.Error) {
	t.total[record.SeverityError]++
	where := clean(e.Input)
	if e.Loc != nil {
		where = location(e.Loc)
	}
	t.headline(where, record.SeverityError, "failed", e.Code, e.Message)
	if e.Loc != nil {
		t.snippet(e.Loc)
	}
	t.fix(e.Fix)
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
// of untrusted files stand too.
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

// clean makes control characters visible, and bytes that are not UTF-8: text of
// an untrusted catalog must not drive the reader's terminal, nor turn around
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
			b.WriteString(escape(r))
		default:
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

// escape is a character as JavaScript writes it.
func escape(r rune) string {
	if r > 0xffff {
		return fmt.Sprintf("\\u{%x}", r)
	}
	return fmt.Sprintf("\\u%04x", r)
}

// isControl reports whether r does something to a terminal, or to the order
// in which it shows text, or is not seen at all but read by a model, as tags and
// selectors of variants are, or is no character at all; tabs are welcome.
func isControl(r rune) bool {
	switch {
	case r < ' ':
		return r != '\t'
	case r >= 0x7f && r < 0xa0, r == '\u061c', r == '\u200e', r == '\u200f', r >= '\u2028' && r <= '\u202e',
		r >= '\u2066' && r <= '\u2069':
		return true
	}
	return r >= 0xe0000 && r <= 0xe0fff || r == '\ufeff' || r == '\ufffe' || r == '\uffff'
}

// maxSnippet is the longest source line that is shown whole, in characters,
// where no terminal is narrower, and minSnippet what is shown in any.
const (
	maxSnippet = 120
	minSnippet = 20
)

// snippet shows the line that a finding is about and points at the column.
func (t *text) snippet(l *record.Loc) {
	if l.Line == 0 || t.opts.Source == nil {
		return
	}
	if t.path != l.Path {
		t.path, t.lines, t.row = l.Path, nil, row{}
		if lines, ok := t.opts.Source(l); ok {
			t.lines = lines
		}
	}
	if t.lines == nil {
		return
	}
	if t.row.number != l.Line {
		t.row = newRow(l.Line, t.lines.Text(l.Line))
	}
	num := strconv.Itoa(l.Line)
	gutter := strings.Repeat(" ", len(num))
	room := maxSnippet
	if t.opts.Width > 0 {
		room = min(room, max(t.opts.Width-len("    "+num+" | "), minSnippet))
	}
	before, rest := t.row.excerpt(l.Col, room)
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
// cuts one that is longer than room around it.
func (r row) excerpt(col, room int) (before, rest string) {
	line, starts, n := r.text, r.starts, len(r.starts)-1
	at := min(max(col-1, 0), n)
	start, end := 0, n
	if n > room {
		start = max(0, min(at-room/2, n-room))
		end = start + room
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

// tame takes the start of a line from what the runner of GitHub Actions takes
// for a command to it: a file called ::error::a.mjs is none.
func tame(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if rest := strings.TrimLeft(line, " \t"); strings.HasPrefix(rest, "::") {
			lines[i] = line[:len(line)-len(rest)] + escape(':') + rest[1:]
		}
	}
	return strings.Join(lines, "\n")
}

// println writes a line of words; one that is empty takes no room.
func (t *text) println(words ...string) {
	line := strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " ")
	if strings.Contains(line, "::") {
		line = tame(line)
	}
	_, _ = t.w.WriteString(line) // an error stays in the writer, for Flush
	_ = t.w.WriteByte('\n')
}
