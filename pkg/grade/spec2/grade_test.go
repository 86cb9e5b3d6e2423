package spec2

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/pkg/grade"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/record/recordtest"
)

func parse(s string) ordjson.Value {
	v, err := ordjson.Parse(s)
	if err != nil {
		panic(err)
	}
	return v
}

var now = time.Date(2026, 5, 29, 15, 34, 0, 0, time.UTC)

const hash = "a1b2c3d4"

// evidence is that of a schema with one tool, which is valid and well scored.
func evidence(change ...func(*grade.Evidence)) *grade.Evidence {
	e := &grade.Evidence{
		Load: &record.Load{Data: parse(`{"namespace":"demo","version":"4.0.0","root":"https://api.demo.org",` +
			`"requiredServerParams":["DEMO_API_KEY"]}`)},
		ID: "demo/prices", SchemaHash: hash,
		Primitives: []grade.Primitive{{ID: "demo/tool/a", Kind: record.TypeTool}},
		Scores: &grade.Scores{
			Harness:   parse(`{"name":"claude-code","version":"1.0.0","model":"claude-opus-4-7"}`),
			Timestamp: "2026-05-29T15:00:00Z",
			Dimensions: []grade.Dimension{{Name: "whenToUse", Score: 4, Reasoning: "clear"},
				{Name: "parameters", Score: 3}},
		},
	}
	for _, f := range change {
		f(e)
	}
	return e
}

func options() *Options { return &Options{Now: now, Persona: "schema-maintainer"} }

func ran(outcomes ...grade.Outcome) func(*grade.Evidence) {
	return func(e *grade.Evidence) {
		for i, o := range outcomes {
			e.Runs = append(e.Runs, grade.Run{ID: "demo/tool/a", Index: i, Outcome: o})
		}
	}
}

func found(code, message string) func(*grade.Evidence) {
	return func(e *grade.Evidence) {
		e.Findings = append(e.Findings, &record.Diagnostic{Code: code, Severity: record.SeverityError, Message: message,
			Loc: record.Loc{Line: 7}})
	}
}

func scored(scores ...float64) func(*grade.Evidence) {
	return func(e *grade.Evidence) {
		e.Scores.Dimensions = e.Scores.Dimensions[:len(scores)]
		for i, s := range scores {
			e.Scores.Dimensions[i].Score = s
		}
	}
}

func keyed(key string) func(*grade.Evidence) {
	return func(e *grade.Evidence) {
		e.Load.Data = e.Load.Data.With("requiredServerParams", ordjson.Strings([]string{key}))
	}
}

func unscored(e *grade.Evidence) { e.Scores = nil }

// shown is a grading as the tests want it: the grade, the band before it, and the
// answers with their weights.
func shown(g *record.Grading) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", g.Grade, g.Raw)
	for _, v := range g.Entry.Get("gradings").Elems() {
		fmt.Fprintf(&b, " %s=%s*%s", strings.TrimPrefix(v.Get("questionId").Str(), "Q-"),
			strings.Trim(ordjson.Text(v.Get("score")), `"`), v.Get("weight").NumberText())
		if why := v.Get("naReason"); why.Exists() {
			b.WriteString("(" + why.Str() + ")")
		}
	}
	return b.String()
}

const (
	open = "schema-structure=pass*0 security=pass*0 "
	shut = "api-availability=n/a*1(blocked-by-precondition) when-to-use=n/a*1(blocked-by-precondition) " +
		"parameters=n/a*1(blocked-by-precondition)"
	untested = "api-availability=n/a*1(blocked-by-precondition) "
)

func TestGrade(t *testing.T) {
	for _, tt := range []struct {
		name string
		e    *grade.Evidence
		want string
	}{
		{"no tests", evidence(), "B B " + open + untested + "when-to-use=4*1 parameters=3*1"},
		{"trimmed", evidence(scored(4.6, 4.4)), "B A " + open + untested + "when-to-use=4.6*1 parameters=4.4*1"},
		{"tests pass", evidence(ran(grade.Fail, grade.Pass)),
			"B B " + open + "api-availability=pass*1 when-to-use=4*1 parameters=3*1"},
		{"answers are not as promised", evidence(ran(grade.Mismatch)),
			"B B " + open + "api-availability=pass*1 when-to-use=4*1 parameters=3*1"},
		{"one answers", evidence(ran(grade.Skipped, grade.Fail, grade.Mismatch)),
			"B B " + open + "api-availability=pass*1 when-to-use=4*1 parameters=3*1"},
		{"tests fail", evidence(ran(grade.Skipped, grade.Fail)),
			"C C " + open + "api-availability=fail*1 when-to-use=4*1 parameters=3*1"},
		{"tests are skipped", evidence(ran(grade.Skipped)),
			"B B " + open + untested + "when-to-use=4*1 parameters=3*1"},
		{"errors", evidence(found("VAL010", "m"), ran(grade.Pass)),
			"F F schema-structure=fail*1 security=pass*0 " + shut},
		{"errors and no scores", evidence(found("VAL010", "m"), unscored),
			"F F schema-structure=fail*1 security=pass*0 " + shut},
		{"forbidden code is an error and no veto", evidence(found("SEC006", `forbidden "process."`)),
			"F F schema-structure=pass*0 security=fail*1 " + shut},
		{"import.meta is no import", evidence(found("SEC001", `forbidden "import.": a schema imports nothing`)),
			"F F schema-structure=pass*0 security=fail*1 " + shut},
		{"a word of a comment is no import", evidence(found("SEC001", `forbidden pattern "import " in the text`)),
			"F F schema-structure=pass*0 security=fail*1 " + shut},
		{"an import", evidence(found("SEC001", `forbidden "import {" of "x.": a schema imports nothing`)),
			"REJECTED  schema-structure=pass*0 security=fail*1 " + shut},
		{"a key of another company", evidence(keyed("FACEBOOK_API_KEY"), ran(grade.Pass)),
			"REJECTED  schema-structure=pass*0 security=fail*1 " + shut},
		{"a resource and a prompt", evidence(func(e *grade.Evidence) {
			e.Primitives = append(e.Primitives, grade.Primitive{ID: "demo/resource/about", Kind: record.TypeResource},
				grade.Primitive{ID: "demo/resource/x", Kind: record.TypeResource},
				grade.Primitive{ID: "demo/resource/y", Kind: record.TypeResource},
				grade.Primitive{ID: "demo/prompt/z", Kind: record.TypePrompt})
		}), "B B " + open + untested + "when-to-use=4*1 parameters=3*1 resources=n/a*1(out-of-scope-resource) " +
			"prompts=n/a*1(out-of-scope-prompt)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := Grade(tt.e, options())
			if got := shown(g); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if len(g.Missing) > 0 || g.NoEntry != "" {
				t.Errorf("missing %q, no entry: %q", g.Missing, g.NoEntry)
			}
			valid(t, g.Entry)
		})
	}
}

// valid checks an entry against the constraints of chapter 08, and against the
// published schema where FMCP_GRADING_SCHEMA is its path.
func valid(t *testing.T, entry ordjson.Value) {
	t.Helper()
	for _, broken := range violations(entry) {
		t.Error(broken)
	}
	path := os.Getenv("FMCP_GRADING_SCHEMA")
	if path == "" {
		return
	}
	if err := recordtest.Against(path, []byte(ordjson.Text(entry))); err != nil {
		t.Error(err)
	}
}

func TestMissing(t *testing.T) {
	harness := func(text string) func(*grade.Evidence) {
		return func(e *grade.Evidence) { e.Scores.Harness = parse(text) }
	}
	for _, tt := range []struct {
		name string
		e    *grade.Evidence
		o    *Options
		want string
	}{
		{"no scores", evidence(unscored), options(), "scores: none were given"},
		{"a dimension", evidence(scored(4)), options(), "scores: none for Q-parameters"},
		{"no persona", evidence(), &Options{Now: now}, "give --persona"},
		{"the heuristic scorer", evidence(harness(`{"name":"fmcp-heuristic","version":"1"}`)), options(),
			"those of fmcp-heuristic have no place in a Grading-Spec entry"},
		{"no model", evidence(harness(`{"name":"claude-code","version":"1"}`)), options(), "harness names no model"},
		{"no version", evidence(harness(`{"name":"claude-code","model":"m"}`)), options(), "no version"},
		{"no timestamp", evidence(func(e *grade.Evidence) { e.Scores.Timestamp = "yesterday" }), options(),
			`their timestamp is "yesterday"`},
		{"old scores", evidence(func(e *grade.Evidence) { e.Scores.Timestamp = "2025-11-30T15:33:59Z" }), options(),
			"they are of 2025-11-30T15:33:59Z, and count for 180 days"},
		{"no tools", evidence(func(e *grade.Evidence) { e.Primitives = nil }), options(), "tools: "},
	} {
		g := Grade(tt.e, tt.o)
		if g.Grade != "" || g.Entry.Exists() || !strings.Contains(strings.Join(g.Missing, "\n"), tt.want) {
			t.Errorf("%s: grade %q, missing %q, want %q", tt.name, g.Grade, g.Missing, tt.want)
		}
	}
}

func TestScoresOf180DaysCount(t *testing.T) {
	e := evidence(func(e *grade.Evidence) { e.Scores.Timestamp = "2025-11-30T15:34:00Z" })
	if g := Grade(e, options()); g.Grade != "B" {
		t.Errorf("grade %q, missing %q", g.Grade, g.Missing)
	}
}

func TestNoEntry(t *testing.T) {
	for _, tt := range []struct {
		name        string
		e           *grade.Evidence
		grade, want string
	}{
		{"version 3", evidence(func(e *grade.Evidence) {
			e.Load.Data = e.Load.Data.With("version", ordjson.NewString("3.0.0"))
		}), "B", `version "3.0.0": migrate it`},
		{"a version with more", evidence(func(e *grade.Evidence) {
			e.Load.Data = e.Load.Data.With("version", ordjson.NewString("4.0.0-rc1"))
		}), "B", `version "4.0.0-rc1"`},
		{"a name with a dot", evidence(func(e *grade.Evidence) { e.ID = "demo/prices.v2" }), "B", "demo.prices.v2"},
		{"held back", evidence(found("VAL010", "m"), func(e *grade.Evidence) { e.Load, e.SchemaHash = nil, "" }), "F",
			"the record of the schema did not come"},
	} {
		g := Grade(tt.e, options())
		if g.Grade != tt.grade || g.Entry.Exists() || !strings.Contains(g.NoEntry, tt.want) {
			t.Errorf("%s: grade %q, no entry: %q, want %q", tt.name, g.Grade, g.NoEntry, tt.want)
		}
	}
}

const wantEntry = `{
    "gradingId": "a1b2c3d4--2026-05-29T15-34-00Z",
    "schemaId": "demo.prices",
    "area": "tools-aggregate-schema",
    "version": "flowmcp/4.0.0",
    "schemaHash": "a1b2c3d4",
    "gradingMode": "full",
    "gradingTier": "autonomous",
    "harness": "claude-code",
    "scoringSystem": "scoringSystem/1.0.0",
    "gradingSystem": "gradingSystem/1.0.0",
    "gradings": [
        {
            "questionId": "Q-schema-structure",
            "score": "pass",
            "weight": 0,
            "determinism": "deterministic",
            "graderIdentity": {
                "kind": "script",
                "name": "fmcp-grade",
                "version": "validation/4.2"
            },
            "timestamp": "2026-05-29T15:34:00Z",
            "reasoning": "no errors of the schema rules"
        },
        {
            "questionId": "Q-security",
            "score": "pass",
            "weight": 0,
            "determinism": "deterministic",
            "graderIdentity": {
                "kind": "script",
                "name": "fmcp-grade",
                "version": "validation/4.2"
            },
            "timestamp": "2026-05-29T15:34:00Z",
            "reasoning": "no forbidden code, no key of another company"
        },
        {
            "questionId": "Q-api-availability",
            "score": "pass",
            "weight": 1,
            "determinism": "deterministic",
            "graderIdentity": {
                "kind": "script",
                "name": "fmcp-grade",
                "version": "validation/4.2"
            },
            "timestamp": "2026-05-29T15:34:00Z",
            "reasoning": "a test got an answer of each tool"
        },
        {
            "questionId": "Q-when-to-use",
            "score": 4,
            "weight": 1,
            "determinism": "non-deterministic",
            "graderIdentity": {
                "kind": "llm",
                "name": "claude-code",
                "version": "1.0.0"
            },
            "llmModel": "claude-opus-4-7",
            "selectionContext": {
                "groupId": "demo",
                "personaIds": [
                    "schema-maintainer"
                ]
            },
            "timestamp": "2026-05-29T15:00:00Z",
            "reasoning": "clear"
        },
        {
            "questionId": "Q-parameters",
            "score": 3,
            "weight": 1,
            "determinism": "non-deterministic",
            "graderIdentity": {
                "kind": "llm",
                "name": "claude-code",
                "version": "1.0.0"
            },
            "llmModel": "claude-opus-4-7",
            "selectionContext": {
                "groupId": "demo",
                "personaIds": [
                    "schema-maintainer"
                ]
            },
            "timestamp": "2026-05-29T15:00:00Z",
            "reasoning": ""
        }
    ],
    "categoricalVeto": null,
    "aggregateGrade": "B",
    "maxAttainableGrade": "B"
}
`

func TestEntry(t *testing.T) {
	g := Grade(evidence(ran(grade.Pass)), options())
	if got := ordjson.Pretty(g.Entry, ""); got != wantEntry {
		t.Errorf("got %s", got)
	}
}

func TestVeto(t *testing.T) {
	for _, tt := range []struct {
		e    *grade.Evidence
		want string
	}{
		{evidence(keyed("FACEBOOK_API_KEY")), "api-key-domain-mismatch: requiredServerParams[0]: FACEBOOK_API_KEY is " +
			"named after facebook; the root is https://api.demo.org"},
		{evidence(found("SEC001", `forbidden "import(" of "crypto": a schema imports nothing`)),
			`malicious-module: line 7: forbidden "import(" of "crypto": a schema imports nothing`},
		{evidence(func(e *grade.Evidence) {
			e.Scores.Veto = &grade.Veto{Trigger: "ai-security-veto", Evidence: "line 9", Reasoning: "it is sent on"}
		}), "ai-security-veto: line 9"},
	} {
		g := Grade(tt.e, options())
		valid(t, g.Entry)
		if g.Veto != tt.want || !strings.HasSuffix(tt.want, g.Entry.Get("categoricalVeto").Get("evidence").Str()) {
			t.Errorf("got %q, want %q", g.Veto, tt.want)
		}
	}
}

func TestReport(t *testing.T) {
	r := Report(evidence(), options())
	if r.Grade != "B" || r.Grading == nil || r.Score == nil || *r.Score != 3.5 || r.Missing != nil {
		t.Errorf("got %+v", r)
	}
	heuristic := evidence(func(e *grade.Evidence) { e.Scores.Harness = parse(`{"name":"fmcp-heuristic"}`) })
	score := 5.0
	heuristic.Before = &record.Grade{Grade: "A", Score: &score}
	if r = Report(heuristic, options()); r.Grade != "" || r.Score != nil || r.Harness != "" || r.Dimensions != nil ||
		len(r.Missing) != 1 || r.Stale != nil {
		t.Errorf("of refused scores: %+v", r)
	}
	heuristic.Before.FileHash = record.Hash(nil)
	if r = Report(heuristic, options()); len(r.Stale) != 1 {
		t.Errorf("of another version: %+v", r)
	}
	heuristic.Scores = evidence().Scores
	if r = Report(heuristic, options()); r.Grade != "B" || r.Stale != nil {
		t.Errorf("scored again: %+v", r)
	}
	rejected := Report(evidence(keyed("FACEBOOK_KEY")), options())
	for _, r := range []*record.Grade{Report(evidence(), options()), r, rejected} {
		if err := recordtest.Check(r.AppendJSON(nil)); err != nil {
			t.Error(err)
		}
	}
}

// The veto of a grader needs nothing that its scores lack.
func TestVetoOfRefusedScores(t *testing.T) {
	for _, harness := range []string{`{"name":"claude-code","version":"1","model":"m"}`, `{"name":"mine"}`} {
		e := evidence(func(e *grade.Evidence) {
			e.Scores.Harness = parse(harness)
			e.Scores.Veto = &grade.Veto{Trigger: grade.VetoIllegal, Evidence: "line 9"}
		})
		g := Grade(e, &Options{Now: now})
		if g.Grade != record.GradeRejected || g.Missing != nil {
			t.Errorf("%s: grade %q, missing %q", harness, g.Grade, g.Missing)
		}
		valid(t, g.Entry)
	}
}
