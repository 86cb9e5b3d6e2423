package protocol

import (
	"fmt"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

const hash = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

// scoresJSON is a scores.json with some fields set to other JSON; "" leaves one out.
func scoresJSON(t testing.TB, changes ...string) string {
	t.Helper()
	v, err := ordjson.Parse(`{"schemaIdSlug":"a_b","scoringProtocol":"v1","schemaHash":"` + hash + `",
"creator":{"skill":"s"},"harness":{"name":"claude-code"},"timestamp":"2026-05-18T03:15:00Z",
"scores":[{"dimension":"whenToUse","score":4.0,"reasoning":"r"},{"dimension":"parameters","score":3.5}]}`)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(changes); i += 2 {
		if changes[i+1] == "" {
			v = v.Without(changes[i])
			continue
		}
		to, err := ordjson.Parse(changes[i+1])
		if err != nil {
			t.Fatal(err)
		}
		v = v.With(changes[i], to)
	}
	return ordjson.Pretty(v, "")
}

func TestReadScores(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"as in chapter 22", scoresJSON(t, "schemaHash", ""), "whenToUse 4, parameters 3.5"},
		{"with a hash, a byte order mark and unknown fields", "\uFEFF" + scoresJSON(t, "x", `1`),
			"whenToUse 4, parameters 3.5"},
		{"the ends of the scale", scoresJSON(t, "scores", `[{"dimension":"parameters","score":1},`+
			`{"dimension":"whenToUse","score":5.0}]`), "parameters 1, whenToUse 5"},
		{"in the order of the prompts", scoresJSON(t, "scores", `[{"score":2},{"score":3}]`),
			"whenToUse 2, parameters 3"},
		{"a partial set", scoresJSON(t, "scores", `[{"dimension":"parameters","score":2}]`),
			"parameters 2, without whenToUse"},
		{"an empty set", scoresJSON(t, "scores", `[]`), ", without whenToUse, parameters"},

		{"no JSON", `{"a":1,}`, "1:8 GRD001 is not JSON: "},
		{"nothing", ``, "1:1 GRD001 is not JSON: "},
		{"no object", `[]`, "1:1 GRD001 the file: found [], expected an object with schemaIdSlug, "},
		{"another protocol", scoresJSON(t, "scoringProtocol", `"v2"`, "scores", "1"),
			`3:5 GRD002 scoringProtocol: found "v2", expected "v1"`},
		{"no protocol", scoresJSON(t, "scoringProtocol", ""),
			`1:1 GRD002 scoringProtocol: found none, expected "v1"`},
		{"no slug", scoresJSON(t, "schemaIdSlug", ""), "1:1 GRD001 schemaIdSlug: found none, expected the slug of "},
		{"a hash of 8 digits", scoresJSON(t, "schemaHash", `"0a1b2c3d"`),
			`4:5 GRD001 schemaHash: found "0a1b2c3d", expected that of prompts.json: sha256: and 64 hexadecimal `},
		{"a hash that is a number", scoresJSON(t, "schemaHash", `7`), `4:5 GRD001 schemaHash: found 7, expected `},
		{"no creator", scoresJSON(t, "creator", ""), "1:1 GRD001 creator: found none, expected an object"},
		{"an empty creator", scoresJSON(t, "creator", "{}"), "5:5 GRD001 creator: found {}, expected an object"},
		{"a creator that is a text", scoresJSON(t, "creator", `"x"`), `5:5 GRD001 creator: found "x", expected an obj`},
		{"no harness", scoresJSON(t, "harness", ""), "1:1 GRD001 harness: found none, expected an object"},
		{"a harness without a name", scoresJSON(t, "harness", `{"model":"m"}`),
			"8:5 GRD001 harness.name: found none, expected what gave the scores"},
		{"no timestamp", scoresJSON(t, "timestamp", ""), "1:1 GRD001 timestamp: found none, expected a time such as "},
		{"a timestamp that is no time", scoresJSON(t, "timestamp", `"yesterday"`),
			`11:5 GRD001 timestamp: found "yesterday", expected a time such as `},
		{"a start that is no time", scoresJSON(t, "startedAt", `"x"`), `startedAt: found "x", expected a time such`},
		{"no scores", scoresJSON(t, "scores", ""), "1:1 GRD001 scores: found none, expected an array of "},
		{"a score that is no object", scoresJSON(t, "scores", `[4]`), "13:9 GRD001 scores[0]: found 4, expected an "},
		{"an unknown dimension", scoresJSON(t, "scores", `[{"dimension":"whentouse","score":2}]`),
			`14:13 GRD001 scores[0].dimension: found "whentouse", expected whenToUse, parameters (did you mean ` +
				`"whenToUse"?)`},
		{"a third score", scoresJSON(t, "scores", `[{"score":2},{"score":2},{"score":2}]`),
			`GRD001 scores[2].dimension: found none, expected whenToUse, parameters`},
		{"a dimension twice", scoresJSON(t, "scores", `[{"dimension":"parameters","score":2},`+
			`{"dimension":"parameters","score":2}]`),
			`17:9 GRD001 scores[1]: found a second score of parameters, expected one for each dimension`},
		{"below the scale", scoresJSON(t, "scores", `[{"score":0.99}]`),
			"14:13 GRD001 scores[0].score: found 0.99, expected a number from 1.0 to 5.0"},
		{"above the scale", scoresJSON(t, "scores", `[{"score":5.01}]`), "scores[0].score: found 5.01, expected"},
		{"beyond all scales", scoresJSON(t, "scores", `[{"score":1e999}]`), "scores[0].score: found 1e999, expected"},
		{"a score in a text", scoresJSON(t, "scores", `[{"score":"4"}]`), `scores[0].score: found "4", expected`},
		{"no score", scoresJSON(t, "scores", `[{"dimension":"whenToUse"}]`), "scores[0].score: found none, expected"},
		{"reasoning that is no text", scoresJSON(t, "scores", `[{"score":4,"reasoning":[]}]`),
			"GRD001 scores[0].reasoning: found [], expected a text"},
	} {
		r := reader{path: "s.json"}
		s := r.read(tt.text)
		var got []string
		if s != nil {
			var list []string
			for _, d := range s.Dimensions {
				list = append(list, fmt.Sprint(d.Name, " ", d.Score))
			}
			got = append(got, strings.Join(list, ", "))
			if len(s.Missing) > 0 {
				got[0] += ", without " + strings.Join(s.Missing, ", ")
			}
		}
		for _, d := range r.found {
			got = append(got, fmt.Sprintf("%d:%d %s %s", d.Loc.Line, d.Loc.Col, d.Code, d.Message))
		}
		if len(got) != 1 || !strings.Contains(got[0], tt.want) || s != nil && got[0] != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// All mistakes of a file are found at once.
func TestReadScoresAll(t *testing.T) {
	r := reader{path: "s.json"}
	s := r.read(scoresJSON(t, "creator", "", "timestamp", "1", "scores", `[{"score":9},{"score":0}]`))
	if s != nil || len(r.found) != 4 {
		t.Errorf("%v, %v", s, r.found)
	}
}

func TestReadScoresFields(t *testing.T) {
	r := reader{path: "s.json"}
	s := r.read(scoresJSON(t, "startedAt", `"2026-05-18T03:00:00Z"`))
	if s == nil || s.Slug != "a_b" || s.SchemaHash != hash || s.StartedAt != "2026-05-18T03:00:00Z" ||
		s.Timestamp != "2026-05-18T03:15:00Z" || s.HarnessName() != "claude-code" ||
		ordjson.Text(s.Creator) != `{"skill":"s"}` || s.Dimensions[0].Reasoning != "r" {
		t.Errorf("%+v, %v", s, r.found)
	}
}

// Whatever a grader writes is read or refused with a place, and what is read is on
// the scale.
func FuzzScores(f *testing.F) {
	f.Add(scoresJSON(f))
	f.Add(scoresJSON(f, "scores", `[{"score":9,"dimension":3},{"score":1e400},null,{"reasoning":{}}]`))
	f.Add("\uFEFF{\"scores\":[\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		r := reader{path: "s.json"}
		s := r.read(text)
		if (s == nil) != (len(r.found) > 0) {
			t.Fatalf("%v, %v", s, r.found)
		}
		if s != nil && len(s.Dimensions)+len(s.Missing) != len(dimensions) {
			t.Errorf("%+v", s)
		}
		for _, d := range r.found {
			line, col := module.NewLines(strings.TrimPrefix(text, "\uFEFF")).Position(len(text))
			if d.Severity != record.SeverityError || d.Loc.Line < 1 || d.Loc.Line > line ||
				d.Loc.Line == line && d.Loc.Col > col {
				t.Errorf("%+v is outside of %q", d, text)
			}
		}
		if s != nil {
			for _, d := range s.Dimensions {
				if d.Score < 1 || d.Score > 5 {
					t.Errorf("%+v", d)
				}
			}
		}
	})
}
