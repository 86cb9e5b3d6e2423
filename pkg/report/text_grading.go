package report

import (
	"strings"

	"github.com/flowmcp/fmcp/pkg/record"
)

// grading says what a grade of the Grading-Spec does not show by itself.
func (t *text) grading(g *record.Grading) {
	if g.Veto != "" {
		t.println("   ", t.pal.Severity(record.SeverityError, "veto:"), clean(g.Veto))
	}
	if g.Raw != "" && g.Raw != g.Grade {
		t.println("   ", t.pal.Dim("band:"), clean(g.Raw+", of which a schema that is graded by itself gets "+g.Max))
	}
	if len(g.Stale) > 0 {
		t.println("   ", t.pal.Severity(record.SeverityWarning, "stale:"), clean(strings.Join(g.Stale, ", ")))
	}
	if g.NoEntry != "" {
		t.println("   ", t.pal.Severity(record.SeverityWarning, "no entry:"), clean(g.NoEntry))
	}
}
