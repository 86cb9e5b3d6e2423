package spec2

import (
	"strings"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/pkg/grade"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// before makes the options of a grading that comes some time after others.
func before(age time.Duration, entries ...ordjson.Value) *Options {
	return &Options{Now: now.Add(age), Persona: "schema-maintainer", Earlier: entries}
}

// foreign is an entry with an answer of another grader in the place of ours.
func foreign(question, score string) ordjson.Value {
	entry := Grade(evidence(), options()).Entry
	a := parse(`{"questionId":"` + question + `","score":` + score + `,"weight":1,"determinism":"deterministic",` +
		`"graderIdentity":{"kind":"human","name":"anna","version":"1"},"timestamp":"2026-05-29T15:34:00Z"}`)
	return entry.With("gradings", ordjson.NewArray(append(entry.Get("gradings").Elems(), a)...))
}

const day = 24 * time.Hour

func TestAging(t *testing.T) {
	tested := Grade(evidence(ran(grade.Pass)), options()).Entry
	for _, tt := range []struct {
		name  string
		entry ordjson.Value
		age   time.Duration
		want  string // in what is shown of the next grading
		stale string
	}{
		{"API, 13 days", tested, 13 * day, "api-availability=pass*1", ""},
		{"API, 14 days", tested, 14 * day, "api-availability=pass*1", ""},
		{"API, over 14 days", tested, 14*day + time.Second, "B B " + open + "api-availability=stale*1", qAvailability},
		{"API, 15 days", tested, 15 * day, "api-availability=stale*1", qAvailability},
		{"terms, 29 days", foreign(qTOS, `"pass"`), 29 * day, "tos-match=pass*1", ""},
		{"terms, 30 days", foreign(qTOS, `"pass"`), 30 * day, "tos-match=pass*1", ""},
		{"terms, 31 days", foreign(qTOS, `"fail"`), 31 * day, "tos-match=stale*1", qTOS},
		{"law, 31 days", foreign(qLegal, "4"), 31 * day, "legal-assessment=stale*1", qLegal},
		{"no aging", foreign("Q-description-neutrality", "4.5"), 179 * day, "description-neutrality=4.5*1", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := Grade(evidence(unscored), before(tt.age, tt.entry))
			if got := shown(g); !strings.Contains(got, tt.want) {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			if got := strings.Join(g.Stale, " "); got != tt.stale {
				t.Errorf("stale is %q, want %q", got, tt.stale)
			}
			valid(t, g.Entry)
		})
	}
}

func TestRetention(t *testing.T) {
	first := Grade(evidence(ran(grade.Pass)), options()).Entry
	// The scores are of half an hour before the entry.
	if g := Grade(evidence(unscored), before(180*day-34*time.Minute, first)); g.Grade != "B" {
		t.Errorf("after 180 days: %q, missing %q", g.Grade, g.Missing)
	}
	if g := Grade(evidence(unscored), before(180*day, first)); g.Grade != "" || g.Missing == nil {
		t.Errorf("after more than 180 days: %q, missing %q", g.Grade, g.Missing)
	}
}

func TestEarlier(t *testing.T) {
	first := Grade(evidence(ran(grade.Pass), scored(2, 2)), options()).Entry
	newer := evidence(scored(5), func(e *grade.Evidence) { e.Scores.Timestamp = "2026-05-30T00:00:00Z" })
	changed := evidence(unscored, func(e *grade.Evidence) { e.SchemaHash = "00000000" })
	const carried = "api-availability=pass*1 when-to-use=2*1 parameters=2*1"
	for _, tt := range []struct {
		name string
		e    *grade.Evidence
		o    *Options
		want string
	}{
		{"nothing new", evidence(unscored), before(day, first), "C C " + open + carried},
		{"a new score for one dimension", newer, before(day, first),
			"B B " + open + "api-availability=pass*1 when-to-use=5*1 parameters=2*1"},
		{"scores older than those of the entry", evidence(func(e *grade.Evidence) {
			e.Scores.Timestamp = "2026-05-29T14:00:00Z"
		}), before(day, first), "C C " + open + carried},
		{"a new run", evidence(unscored, ran(grade.Fail)), before(day, first),
			"D D " + open + "api-availability=fail*1 when-to-use=2*1 parameters=2*1"},
		{"a gate is shut", evidence(unscored, found("VAL010", "m")), before(day, first, foreign(qTOS, `"pass"`)),
			"F F schema-structure=fail*1 security=pass*0 " + shut},
		{"the newest of two", evidence(unscored), before(day, Grade(evidence(), options()).Entry, first),
			"C C " + open + carried},
		{"other content", changed, before(day, first), " "},
		{"another scoring system", evidence(unscored), before(day,
			first.With("scoringSystem", ordjson.NewString("scoringSystem/1.1.0"))), " "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := Grade(tt.e, tt.o)
			if got := shown(g); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if g.Entry.Exists() {
				valid(t, g.Entry)
			}
		})
	}
}

func TestRegradingTrigger(t *testing.T) {
	first := Grade(evidence(), options()).Entry
	for _, tt := range []struct{ field, value, want string }{
		{"schemaHash", "00000000", "scheduled"}, {"scoringSystem", "scoringSystem/1.1.0", "scoring-system-bump"},
		{"gradingSystem", "gradingSystem/0.9.0", "grading-system-bump"},
	} {
		g := Grade(evidence(), before(day, first.With(tt.field, ordjson.NewString(tt.value))))
		want := `{"triggeredBy":"` + tt.want + `","previousGradingId":"a1b2c3d4--2026-05-29T15-34-00Z",` +
			`"timestamp":"2026-05-30T15:34:00Z"}`
		if got := ordjson.Text(g.Entry.Get("regradingTrigger")); got != want {
			t.Errorf("%s: got %s", tt.field, got)
		}
		valid(t, g.Entry)
	}
}

func TestVetoStands(t *testing.T) {
	first := Grade(evidence(), options()).Entry
	vetoed := func(trigger string) ordjson.Value {
		return first.With("categoricalVeto", parse(`{"triggeredBy":"`+trigger+`","graderIdentity":{"kind":"llm",`+
			`"name":"x","version":"1"},"evidence":"e","reasoning":"r","timestamp":"2026-05-29T15:34:00Z"}`)).
			With("aggregateGrade", ordjson.NewString(record.GradeRejected))
	}
	other := evidence(unscored, func(e *grade.Evidence) { e.SchemaHash = "00000000" })
	for _, tt := range []struct {
		name    string
		e       *grade.Evidence
		trigger string
		want    string
	}{
		{"of a model", evidence(unscored), "ai-security-veto", record.GradeRejected},
		{"of a model, long ago", evidence(unscored), "illegal-content", record.GradeRejected},
		{"of a model, and a new evaluation", evidence(), "ai-security-veto", "B"},
		{"of a model, on other content", other, "ai-security-veto", ""},
		{"ours, which is no longer found", evidence(unscored), "malicious-module", "B"},
	} {
		o := before(day, vetoed(tt.trigger))
		if strings.Contains(tt.name, "long ago") {
			o = before(400*day, vetoed(tt.trigger))
		}
		g := Grade(tt.e, o)
		if g.Grade != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, g.Grade, tt.want)
		}
		if g.Entry.Exists() {
			valid(t, g.Entry)
		}
	}
}

// The answer on the API is as old as the tests.
func TestAgeOfTests(t *testing.T) {
	at := func(age time.Duration) string { return stamp(now.Add(-age)) }
	run := func(tool string, o grade.Outcome, at string) grade.Run {
		return grade.Run{ID: "demo/tool/" + tool, Outcome: o, At: at}
	}
	two := func(runs ...grade.Run) *grade.Evidence {
		return evidence(func(e *grade.Evidence) {
			e.Primitives = append(e.Primitives, grade.Primitive{ID: "demo/tool/b", Kind: record.TypeTool})
			e.Runs = runs
		})
	}
	for _, tt := range []struct {
		name string
		e    *grade.Evidence
		want string // score and time
	}{
		{"13 days", two(run("a", grade.Pass, at(13*day)), run("b", grade.Pass, "")), "pass " + at(13*day)},
		{"14 days", two(run("a", grade.Pass, at(14*day)), run("b", grade.Pass, "")), "pass " + at(14*day)},
		{"15 days", two(run("a", grade.Pass, at(15*day)), run("b", grade.Pass, "")), "stale " + at(15*day)},
		{"not known", two(run("a", grade.Pass, ""), run("b", grade.Pass, "")), "pass " + at(0)},
		{"the newest of a tool", two(run("a", grade.Pass, at(20*day)), run("a", grade.Pass, at(day)),
			run("b", grade.Mismatch, "")), "pass " + at(day)},
		{"what failed since is of another test", two(run("a", grade.Pass, at(2*day)), run("a", grade.Fail, at(day)),
			run("b", grade.Pass, "")), "pass " + at(2*day)},
		{"a failure is as old", two(run("a", grade.Fail, at(15*day)), run("b", grade.Pass, at(20*day))),
			"stale " + at(15*day)},
		{"milliseconds", two(run("a", grade.Pass, "2026-05-29T15:33:00.250Z"), run("b", grade.Pass, "")),
			"pass 2026-05-29T15:33:00Z"},
	} {
		a := answer{Grade(tt.e, options()).Entry.Get("gradings").Index(2)}
		got := a.Get("score").Str() + " " + a.Get("timestamp").Str()
		if got != tt.want || a.question() != qAvailability {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
}
