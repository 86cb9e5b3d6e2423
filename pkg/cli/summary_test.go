package cli

import (
	"bytes"
	"testing"

	"github.com/flowmcp/fmcp/pkg/config"
	"github.com/flowmcp/fmcp/pkg/record"
)

// TestSummaryOnTerminal: someone who sees no finding learns that files were
// looked at.
func TestSummaryOnTerminal(t *testing.T) {
	found := map[record.Severity]int{record.SeverityError: 1}
	tests := []struct {
		name   string
		format string
		tty    bool
		total  map[record.Severity]int
		files  int
		hidden int
		want   string
	}{
		{"clean", FormatText, true, nil, 9, 0, "fmcp-probe: 9 files checked, no findings\n"},
		{"clean into a file", FormatNDJSON, true, nil, 1, 0, "fmcp-probe: 1 file checked, no findings\n"},
		{"clean, no terminal", FormatText, false, nil, 9, 0, ""},
		{"another command", FormatText, true, nil, 0, 0, ""},
		{"the report has the count", FormatText, true, found, 9, 0, ""},
		{"found into a file", FormatNDJSON, true, found, 9, 0, "fmcp-probe: 9 files checked, 1 error\n"},
		{"all hidden", FormatText, true, nil, 9, 2,
			"fmcp-probe: 9 files checked, no findings\n  2 findings not shown (--severity, --select, --deselect)\n"},
	}
	for _, tt := range tests {
		var b bytes.Buffer
		app := &App{Info: probeInfo, IO: IO{Stderr: &b, StderrTTY: tt.tty, Getenv: func(string) string { return "" }},
			Common: &Common{Color: "never"}}
		s := &streamRun{cmd: &StreamCommand{}, total: tt.total, hidden: tt.hidden,
			known: &Known{Filter: config.NewFilter(nil, nil), Files: tt.files}}
		s.cmd.Format, s.cmd.Summary = tt.format, "auto"
		s.summary(app)
		if b.String() != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, b.String(), tt.want)
		}
	}
}
