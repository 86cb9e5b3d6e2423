package spec2

import (
	"time"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// The questions that are answered here, and those of other graders that age. The
// Grading-Spec leaves the questions of an area to its implementations; the names
// are those of its examples where these have one.
const (
	qStructure    = "Q-schema-structure"
	qSecurity     = "Q-security"
	qAvailability = "Q-api-availability"
	qWhenToUse    = "Q-when-to-use"
	qParameters   = "Q-parameters"
	qResources    = "Q-resources"
	qPrompts      = "Q-prompts"
	qTOS          = "Q-tos-match"
	qLegal        = "Q-legal-assessment"
)

// What an answer says in the place of a number.
const (
	pass  = "pass"
	fail  = "fail"
	stale = "stale"
	na    = "n/a"
)

// Why an answer is n/a (08, "n/a Convention with Standard Reasons").
const (
	naPrecondition = "blocked-by-precondition"
	naResource     = "out-of-scope-resource"
	naPrompt       = "out-of-scope-prompt"
)

// answer is an element of gradings, as it stands in the entry: one of an earlier
// entry keeps what its grader wrote.
type answer struct{ ordjson.Value }

func (a answer) question() string { return a.Get("questionId").Str() }
func (a answer) weight() float64  { return a.Get("weight").Float() }

// at is when the question was answered; the zero time where that cannot be read,
// which is too old for everything.
func (a answer) at() time.Time {
	at, _ := time.Parse(time.RFC3339, a.Get("timestamp").Str())
	return at
}

// value is what the answer adds to the mean, and false where it is left out of it:
// stale and n/a (07, "Score-to-Grade Thresholds").
func (a answer) value() (float64, bool) {
	score := a.Get("score")
	switch {
	case score.Is(ordjson.Number):
		return score.Float(), true
	case score.Str() == pass:
		return 5, true
	case score.Str() == fail:
		return 1, true
	}
	return 0, false
}

func (a answer) is(score string) bool { return a.Get("score").Str() == score }

// scripted is an answer of ours, without a model. A gate that is passed weighs
// nothing: that a schema is valid is no merit of it.
func scripted(question, score string, weight float64, at, reasoning string) answer {
	return answer{ordjson.NewObject(
		text("questionId", question), text("score", score), ordjson.Field("weight", ordjson.NewNumber(weight)),
		text("determinism", "deterministic"), ordjson.Field("graderIdentity", script), text("timestamp", at),
		text("reasoning", reasoning))}
}

// notGraded is the answer to a question that was not put, and why.
func notGraded(question, why, at, reasoning string) answer {
	return answer{scripted(question, na, 1, at, reasoning).With("naReason", ordjson.NewString(why))}
}

func text(key, s string) ordjson.Member { return ordjson.Field(key, ordjson.NewString(s)) }
