package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/plural"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/report"
	"github.com/flowmcp/fmcp/pkg/rules"
)

// count notes a finding for the summary.
func (s *streamRun) count(code string, sev record.Severity) {
	s.total[sev]++
	if s.codes[code] == nil {
		s.codes[code] = map[record.Severity]int{}
	}
	s.codes[code][sev]++
}

// summary tells a person at a terminal what went by into a pipe or a file, by
// code, and in any case how much was held back.
func (s *streamRun) summary(app *App) {
	if s.held > 0 {
		fmt.Fprintf(app.IO.Stderr, "%s: %s more than --max-diagnostics %d: not shown\n", app.Name, plural.Of(s.held, "finding"), s.known.Max)
	}
	var notes []string
	if s.known != nil {
		notes = s.known.Notes()
	}
	switch s.cmd.Summary {
	case "never":
		return
	case "always":
	default:
		if !app.IO.StderrTTY || s.cmd.Format == FormatText || len(s.total)+len(notes)+s.tests.Tests == 0 {
			return
		}
	}
	p := app.ErrPalette()
	if s.tests.Tests > 0 {
		fmt.Fprintf(app.IO.Stderr, "%s: %s\n", app.Name, s.tests.Text(p))
		if len(s.total) == 0 {
			return
		}
	}
	fmt.Fprintf(app.IO.Stderr, "%s: %s\n", app.Name, severities(p, s.total))
	for _, code := range slices.Sorted(maps.Keys(s.codes)) {
		name := ""
		if r, ok := rules.Lookup(code); ok {
			name = r.Name
		}
		fmt.Fprintf(app.IO.Stderr, "  %-7s %s %s\n", report.Visible(code), severities(p, s.codes[code]), p.Dim(name))
	}
	for _, n := range notes {
		fmt.Fprintf(app.IO.Stderr, "  %s\n", n)
	}
}

// severities is "2 errors, 1 warning".
func severities(p Palette, n map[record.Severity]int) string {
	var parts []string
	for _, sev := range []record.Severity{record.SeverityError, record.SeverityWarning, record.SeverityInfo} {
		if n[sev] > 0 {
			parts = append(parts, p.Severity(sev, plural.Of(n[sev], sev.String())))
		}
	}
	if parts == nil {
		return "no findings"
	}
	return strings.Join(parts, ", ")
}
