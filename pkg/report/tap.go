package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// tap is the Test Anything Protocol, version 14: a test point for each finding,
// which has failed where the finding is an error or --fail-on counts it, and
// one for each file that comes by without any. The plan stands at the end, since
// only then the number is known; a report of nothing has one point that is ok.
type tap struct {
	w    *bufio.Writer
	opts Options
	n    int    // test points
	path string // of the last finding
}

func newTAP(w io.Writer, opts Options) *tap { return &tap{w: bufio.NewWriter(w), opts: opts} }

func (t *tap) Flush() error { return t.w.Flush() }

// Close writes the plan.
func (t *tap) Close() error {
	if t.n == 0 {
		t.point(true, "no findings", "")
	}
	fmt.Fprintf(t.w, "1..%d\n", t.n)
	return t.w.Flush()
}

// point writes a test point, with a directive such as " # SKIP why"; an error
// stays in the writer, for Flush.
func (t *tap) point(ok bool, description, directive string) {
	if t.n == 0 {
		fmt.Fprintln(t.w, "TAP version 14")
	}
	t.n++
	state := "ok"
	if !ok {
		state = "not ok"
	}
	fmt.Fprintf(t.w, "%s %d - %s%s\n", state, t.n, tapText.Replace(description), directive)
}

// tapText keeps a # from starting a directive, such as # SKIP.
var tapText = strings.NewReplacer(`\`, `\\`, "#", `\#`)

func (t *tap) Record(rec record.Record, _ []byte) error {
	if e := testOf(rec); e != nil {
		t.test(e)
		return nil
	}
	f, ok := findingOf(rec)
	if !ok {
		if path := fileOf(rec); path != "" && path != t.path {
			t.point(true, slashed(path), "")
		}
		return nil
	}
	t.path = f.Loc.Path
	t.point(!f.fails(&t.opts), strings.TrimPrefix(location(&f.Loc)+" ", " ")+f.Code+": "+f.Message, "")
	t.details(&f)
	return nil
}

// field writes a line of a YAML block, unless the value is empty.
func (t *tap) field(indent, name, value string) {
	if value != "" {
		fmt.Fprintf(t.w, "%s%s: %s\n", indent, name, ordjson.AppendString(nil, value))
	}
}

// details writes the YAML block of a finding. A string of JSON is one of YAML.
func (t *tap) details(f *finding) {
	const indent = "  "
	fmt.Fprintln(t.w, indent+"---")
	t.field(indent, "code", f.Code)
	t.field(indent, "severity", f.Severity.String())
	t.field(indent, "message", f.Message)
	t.field(indent, "fix", f.Fix)
	t.field(indent, "subject", f.Subject)
	if f.Loc.Path != "" {
		fmt.Fprintln(t.w, indent+"at:")
		t.field(indent+indent, "file", slashed(f.Loc.Path))
		if f.Loc.Line > 0 {
			fmt.Fprintf(t.w, "%sline: %d\n%scolumn: %d\n", indent+indent, f.Loc.Line, indent+indent, f.Loc.Col)
		}
		t.field(indent+indent, "pointer", f.Loc.Pointer)
	}
	fmt.Fprintln(t.w, indent+"...")
}
