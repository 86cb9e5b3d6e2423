package spec2

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/flowmcp/fmcp/pkg/grade"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// Personas are the base personas (12, "Source of Truth").
var Personas = []string{"ai-engineer", "decision-maker", "hackathon-builder", "schema-maintainer"}

// script is who gives deterministic answers.
var script = ordjson.NewObject(text("kind", "script"), text("name", "fmcp-grade"),
	text("version", grade.ValidatorVersion))

// questions are those that the dimensions of chapter 22 answer.
var questions = map[string]string{"whenToUse": qWhenToUse, "parameters": qParameters}

// refuse says why scores cannot be in an entry, "" where they can: the harness is
// one of a closed list, and an answer that depends on a model names it and the
// persona that it was given under.
func refuse(s *grade.Scores, o *Options) string {
	at, err := time.Parse(time.RFC3339, s.Timestamp)
	switch {
	case s.HarnessName() != harness:
		return fmt.Sprintf("those of %s have no place in a Grading-Spec entry, whose harness is %s: grade them with "+
			"--grading baseline", s.HarnessName(), harness)
	case s.Harness.Get("model").Str() == "" || s.Harness.Get("version").Str() == "":
		return "the harness names no model or no version of its own, which an answer of a model has to"
	case err != nil:
		return fmt.Sprintf("their timestamp is %q, expected one such as 2026-05-11T09:00:00Z", s.Timestamp)
	case older(at, retentionDays, o.Now):
		return fmt.Sprintf("they are of %s, and count for %d days: score the schema again", s.Timestamp, retentionDays)
	case o.Persona == "":
		return "they were given by a model, and an entry says under which persona: give --persona"
	}
	return ""
}

// judged is the answer that the score of a dimension is.
func (w *grading) judged(d grade.Dimension) answer {
	namespace, _, _ := strings.Cut(w.e.ID, "/")
	return answer{ordjson.NewObject(
		text("questionId", questions[d.Name]), ordjson.Field("score", ordjson.NewNumber(d.Score)),
		ordjson.Field("weight", ordjson.NewInt(1)), text("determinism", "non-deterministic"),
		ordjson.Field("graderIdentity", identity(w.e.Scores)), text("llmModel", w.e.Scores.Harness.Get("model").Str()),
		ordjson.Field("selectionContext", ordjson.NewObject(text("groupId", namespace),
			ordjson.Field("personaIds", ordjson.Strings([]string{w.o.Persona})))),
		text("timestamp", w.e.Scores.Timestamp), text("reasoning", d.Reasoning))}
}

// identity is who gave scores.
func identity(s *grade.Scores) ordjson.Value {
	return ordjson.NewObject(text("kind", "llm"), text("name", s.HarnessName()),
		text("version", cmp.Or(s.Harness.Get("version").Str(), "unknown"))) // of a veto: scores have one
}
