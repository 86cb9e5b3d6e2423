package cli

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/report"
	"github.com/flowmcp/fmcp/pkg/rules"
	"github.com/flowmcp/fmcp/pkg/words"
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
		fmt.Fprintf(app.IO.Stderr, "%s: %s more than --max-diagnostics %d: not shown\n", app.Name,
			words.Count(s.held, "finding"), s.known.Max)
	}
	notes, files := s.notes()
	switch s.cmd.Summary {
	case "never":
		return
	case "always":
	default:
		shown := len(s.total)+s.tests.Tests > 0 && (s.cmd.Format == FormatText || s.aside())
		if !app.IO.StderrTTY || shown || len(s.total)+len(notes)+len(files)+s.tests.Tests == 0 {
			if s.hiddenFail {
				fmt.Fprintf(app.IO.Stderr, "%s: %s\n", app.Name, s.hiddenNote())
			}
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
	fmt.Fprintf(app.IO.Stderr, "%s: %s%s\n", app.Name, files, severities(p, s.total))
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

// notes are what the summary says beside the findings, and files begins it:
// "9 files checked, ".
func (s *streamRun) notes() (notes []string, files string) {
	if s.known != nil {
		notes = s.known.Notes()
		if s.known.Files > 0 {
			files = words.Count(s.known.Files, "file") + " checked, "
		}
	}
	if note := s.hiddenNote(); note != "" {
		notes = append(notes, note)
	}
	return notes, files
}

// severities is "2 errors, 1 warning".
func severities(p Palette, n map[record.Severity]int) string {
	return cmp.Or(report.Counts(p, n), "no findings")
}
