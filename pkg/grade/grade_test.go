package grade

import (
	"testing"

	"github.com/flowmcp/fmcp/pkg/record"
)

func TestBaseline(t *testing.T) {
	score := func(f float64) *float64 { return &f }
	for _, tt := range []struct {
		passed bool
		score  *float64
		want   string
	}{
		{false, nil, "F"},
		{false, score(5), "F"},
		{true, nil, ""},
		{true, score(5), "A"},
		{true, score(4), "A"},
		{true, score(3.999), "B"},
		{true, score(3), "B"},
		{true, score(2.5), "C"},
		{true, score(2), "C"},
		{true, score(1.9), "D"},
		{true, score(0), "D"},
	} {
		if got := Baseline(tt.passed, tt.score); got != tt.want {
			t.Errorf("Baseline(%v, %v) = %q, want %q", tt.passed, tt.score, got, tt.want)
		}
	}
}

func TestReport(t *testing.T) {
	warning := &record.Diagnostic{Code: "VAL036", Severity: record.SeverityWarning, Message: "m",
		Loc: record.Loc{Pointer: "/tools/a", Line: 12}}
	failure := &record.Diagnostic{Code: "VAL010", Severity: record.SeverityError}
	info := &record.Diagnostic{Code: "VAL037", Severity: record.SeverityInfo}

	e := &Evidence{ID: "ns/file", Primitives: []Primitive{{ID: "ns/tool/a", Kind: record.TypeTool}},
		Findings: []*record.Diagnostic{warning, info}}
	g := Report(e)
	if g.Status() != "PASS" || len(g.Warnings) != 1 || g.Warnings[0].Pointer != "/tools/a" ||
		g.Warnings[0].Line != 12 || g.Grade != "" || len(g.Missing) != 1 || g.Primitives[0] != "ns/tool/a" {
		t.Errorf("without a score: %+v", g)
	}
	e.Scores = &Scores{Dimensions: []Dimension{{Score: 3}, {Score: 4.5}}}
	if g = Report(e); g.Grade != "B" || *g.Score != 3.75 || len(g.Missing) != 0 {
		t.Errorf("with scores: %+v", g)
	}
	e.Findings = append(e.Findings, failure)
	if g = Report(e); g.Status() != "FAIL" || g.Grade != "F" || *g.Score != 3.75 {
		t.Errorf("with an error: %+v", g)
	}
	e.Scores = nil
	if g = Report(e); g.Grade != "F" || len(g.Missing) != 0 {
		t.Errorf("with an error nothing is missing for an F: %+v", g)
	}
}
