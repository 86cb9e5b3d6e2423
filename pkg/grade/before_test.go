package grade

import (
	"slices"
	"strings"
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

func TestReadReport(t *testing.T) {
	const whole = `{"schemaId":"a/b","schemaHash":"sha256:x","grade":"B","score":3.75,"scoringProtocol":"v1",` +
		`"harness":{"name":"claude-code"},` +
		`"timestamps":{"gradedAt":"2026-05-18T03:16:00Z"}}`
	read := func(text string) *record.Grade {
		v, err := ordjson.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		g, err := ReadReport(v)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	g := read(whole)
	if g == nil || g.SchemaID != "a/b" || g.FileHash != "sha256:x" || g.Grade != "B" || *g.Score != 3.75 ||
		g.Harness != "claude-code" || g.Timestamp != "2026-05-18T03:16:00Z" {
		t.Errorf("%+v", g)
	}
	for text, want := range map[string]string{
		strings.Replace(whole, "3.75", "9", 1):    "score: found 9, expected a number from 1.0 to 5.0",
		strings.Replace(whole, "3.75", "0.9", 1):  "score: found 0.9, expected a number from 1.0 to 5.0",
		strings.Replace(whole, "3.75", `"4"`, 1):  `score: found "4", expected a number from 1.0 to 5.0`,
		strings.Replace(whole, `"v1"`, `"v9"`, 1): `scoringProtocol: found "v9", expected "v1"`,
	} {
		v, _ := ordjson.Parse(text)
		if g, err := ReadReport(v); g != nil || err == nil || err.Error() != want {
			t.Errorf("%s: %+v, %v; want %s", text, g, err, want)
		}
	}
	for _, text := range []string{`{}`, `[]`, `{"schemaId":"a/b","scoringProtocol":"v1"}`,
		`{"schemaId":"a/b","schemaHash":"12345678","grade":"B"}`} {
		if g := read(text); g != nil {
			t.Errorf("%s: %+v", text, g)
		}
	}
}
