package grade

import (
	"slices"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// A grade of the file as it is now counts on, the last of several; one of another
// version is stale, and says so where the schema has no new one.
func TestHad(t *testing.T) {
	score := func(f float64) *float64 { return &f }
	now := &record.Grade{Grade: "A", Score: score(4.5), FileHash: "sha256:now"}
	later := &record.Grade{Grade: "C", Score: score(2), FileHash: "sha256:now", Timestamp: "2026-05-11T09:00:00Z"}
	old := &record.Grade{Grade: "B", Score: score(3.5), FileHash: "sha256:old", Timestamp: "2026-06-11T09:00:00Z"}
	older := &record.Grade{Grade: "D", Score: score(1), FileHash: "sha256:older"}
	failed := &record.Diagnostic{Code: "VAL010", Severity: record.SeverityError, Message: "m"}
	for _, tt := range []struct {
		name   string
		had    []*record.Grade
		scores *Scores
		found  []*record.Diagnostic
		grade  string
		stale  string // grades
	}{
		{"none", nil, nil, nil, "", ""},
		{"of this version", []*record.Grade{now}, nil, nil, "A", ""},
		{"the last of this version", []*record.Grade{later, old, now}, nil, nil, "C", ""},
		{"of this version, but it fails now", []*record.Grade{now}, nil, []*record.Diagnostic{failed}, "F", ""},
		{"of other versions", []*record.Grade{older, old}, nil, nil, "", "B"},
		{"of other versions, and scored again", []*record.Grade{older, old},
			&Scores{Dimensions: []Dimension{{Score: 2}}}, nil, "C", ""},
		{"of other versions, and it fails now", []*record.Grade{old}, nil, []*record.Diagnostic{failed}, "F", ""},
		{"new scores count more", []*record.Grade{now}, &Scores{Dimensions: []Dimension{{Score: 2}}}, nil, "C", ""},
		{"of no known version", []*record.Grade{{Grade: "A", Score: score(4)}}, nil, nil, "", ""},
		{"no grade", []*record.Grade{{FileHash: "sha256:old"}}, nil, nil, "", ""},
	} {
		for range 2 {
			e := &Evidence{FileHash: "sha256:now", Scores: tt.scores, Findings: tt.found}
			e.Had(tt.had)
			g := Report(e)
			stale := ""
			for _, s := range g.Stale {
				stale += s.Grade
			}
			if g.Grade != tt.grade || stale != tt.stale {
				t.Errorf("%s: grade %q, stale %q", tt.name, g.Grade, stale)
			}
			slices.Reverse(tt.had) // whatever their order
		}
	}
}

// A report says what gave the score, also where that was before.
func TestHarness(t *testing.T) {
	score := 3.0
	harness := ordjson.NewObject(ordjson.Field("name", ordjson.NewString("fmcp-heuristic")))
	for _, e := range []*Evidence{
		{Scores: &Scores{Harness: harness, Dimensions: []Dimension{{Score: score}}}},
		{Before: &record.Grade{Score: &score, Harness: "fmcp-heuristic"}},
	} {
		if g := Report(e); g.Harness != "fmcp-heuristic" {
			t.Errorf("got %q", g.Harness)
		}
	}
}
