package spec2

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/flowmcp/fmcp/pkg/grade"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// flaw says what keeps an entry of another program from being graded on, "" where
// nothing does: its answers and its veto are taken over as they are, and have to be
// valid in the entry that they come to.
func flaw(entry ordjson.Value) string {
	if id := entry.Get("gradingId"); id.Str() == "" {
		return "gradingId: found " + ordjson.Shown(id) + ", expected the hash of the schema and the time"
	}
	for i, v := range entry.Get("gradings").Elems() {
		if problem := (answer{v}).flaw(); problem != "" {
			return fmt.Sprintf("gradings[%d].%s", i, problem)
		}
	}
	if veto := entry.Get("categoricalVeto"); veto.Exists() && !veto.Is(ordjson.Null) {
		if problem := vetoFlaw(veto); problem != "" {
			return "categoricalVeto." + problem
		}
	}
	return ""
}

// check is what a field of an object has to be.
type check struct {
	field    string // names joined by points
	ok       func(ordjson.Value) bool
	expected string
}

// first is the first field of an object that is not as it has to be, "" for none.
func first(v ordjson.Value, checks []check) string {
	for _, c := range checks {
		found, _ := ordjson.Lookup(v, "/"+strings.ReplaceAll(c.field, ".", "/"))
		if !c.ok(found) {
			return c.field + ": found " + ordjson.Shown(found) + ", expected " + c.expected
		}
	}
	return ""
}

func oneOf(words ...string) func(ordjson.Value) bool {
	return func(v ordjson.Value) bool { return slices.Contains(words, v.Str()) }
}

func given(v ordjson.Value) bool { return v.Str() != "" }

func isTime(v ordjson.Value) bool {
	_, err := time.Parse(time.RFC3339, v.Str())
	return err == nil
}

// graded are the fields that an answer and a veto have.
var graded = []check{
	{"timestamp", isTime, "a time such as 2026-05-11T09:00:00Z"},
	{"graderIdentity.kind", oneOf("llm", "human", "script"), "llm, human or script"},
	{"graderIdentity.name", given, "who answered"},
	{"graderIdentity.version", given, "the version of who answered"},
}

// fields are those that an answer may have.
var fields = []string{"questionId", "score", "naReason", "weight", "determinism", "graderIdentity", "llmModel",
	"selectionContext", "timestamp", "evidence", "reasoning"}

func (a answer) flaw() string {
	for _, m := range a.Members() {
		if !slices.Contains(fields, m.Key) {
			return m.Key + ": no field of an answer"
		}
	}
	checks := append(slices.Clone(graded),
		check{"questionId", func(v ordjson.Value) bool { return strings.HasPrefix(v.Str(), "Q-") }, "Q- and a name"},
		check{"score", func(v ordjson.Value) bool {
			return v.Is(ordjson.Number) && v.Float() >= 1 && v.Float() <= 5 || oneOf(pass, fail, stale, na)(v)
		}, "1.0 to 5.0, or pass, fail, stale or n/a"},
		check{"weight", func(v ordjson.Value) bool { return v.Is(ordjson.Number) && v.Float() >= 0 },
			"a number that is not negative"},
		check{"determinism", oneOf("deterministic", "non-deterministic"), "deterministic or non-deterministic"})
	if a.Get("determinism").Str() == "non-deterministic" {
		checks = append(checks, check{"selectionContext.groupId", given, "the group that it was asked for"},
			check{"selectionContext.personaIds", func(v ordjson.Value) bool { return len(v.Elems()) > 0 },
				"the persona that it was asked for"})
	}
	if a.Get("graderIdentity").Get("kind").Str() == "llm" {
		checks = append(checks, check{"llmModel", given, "the model that answered"})
	}
	return first(a.Value, checks)
}

func vetoFlaw(veto ordjson.Value) string {
	checks := append(slices.Clone(graded),
		check{"triggeredBy", oneOf(grade.Triggers...), "one of " + strings.Join(grade.Triggers, ", ")},
		check{"evidence", given, "what shows it"})
	if veto.Get("triggeredBy").Str() == grade.VetoAI {
		checks = append(checks, check{"reasoning", given, "why that is a risk"})
	}
	return first(veto, checks)
}
