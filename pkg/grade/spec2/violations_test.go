package spec2

import (
	"fmt"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// violations says what of chapter 08 an entry breaks, in our own words: the
// published schema is not in this repository (FMCP_GRADING_SCHEMA tests against it).
func violations(entry ordjson.Value) []string {
	var c checker
	c.known(entry, "gradingId", "schemaId", "area", "version", "schemaHash", "gradingMode", "gradingTier", "harness",
		"scoringSystem", "gradingSystem", "gradings", "categoricalVeto", "regradingTrigger", "aggregateGrade",
		"maxAttainableGrade")
	for key, pattern := range map[string]string{
		"gradingId": `^[a-f0-9]{8}--.+$`, "schemaId": `^[a-zA-Z0-9_-]+\.[a-zA-Z0-9_-]+$`,
		"area": `^tools-aggregate-schema$`, "version": `^flowmcp/4\.[0-9]+\.[0-9]+$`, "schemaHash": `^[a-f0-9]{8}$`,
		"gradingMode": `^(partial|full)$`, "gradingTier": `^autonomous$`, "harness": `^claude-code$`,
		"scoringSystem": `^scoringSystem/\d+\.\d+\.\d+$`, "gradingSystem": `^gradingSystem/\d+\.\d+\.\d+$`,
		"aggregateGrade": `^([A-DF]|REJECTED)$`, "maxAttainableGrade": `^B$`,
	} {
		c.matches(entry, key, pattern)
	}
	if entry.Get("gradings").Len() == 0 {
		c.bad("gradings is empty")
	}
	for _, a := range entry.Get("gradings").Elems() {
		c.answer(a)
	}
	c.veto(entry)
	if trigger := entry.Get("regradingTrigger"); trigger.Exists() {
		c.known(trigger, "triggeredBy", "previousGradingId", "timestamp")
		c.matches(trigger, "triggeredBy", `^(scheduled|scoring-system-bump|grading-system-bump)$`)
		c.matches(trigger, "previousGradingId", `.`)
		c.time(trigger)
	}
	return c
}

type checker []string

func (c *checker) bad(format string, args ...any) { *c = append(*c, fmt.Sprintf(format, args...)) }

func (c *checker) matches(v ordjson.Value, key, pattern string) {
	if !regexp.MustCompile(pattern).MatchString(v.Get(key).Str()) {
		c.bad("%s is %s, want %s", key, ordjson.Shown(v.Get(key)), pattern)
	}
}

func (c *checker) known(v ordjson.Value, keys ...string) {
	for _, m := range v.Members() {
		if !slices.Contains(keys, m.Key) {
			c.bad("the field %s is not one of %v", m.Key, keys)
		}
	}
}

func (c *checker) time(v ordjson.Value) {
	if _, err := time.Parse(time.RFC3339, v.Get("timestamp").Str()); err != nil {
		c.bad("timestamp: %v", err)
	}
}

func (c *checker) grader(v ordjson.Value) {
	g := v.Get("graderIdentity")
	c.known(g, "kind", "name", "version")
	c.matches(g, "kind", `^(llm|human|script)$`)
	c.matches(g, "name", `.`)
	c.matches(g, "version", `.`)
	if g.Get("kind").Str() == "llm" && v.Get("questionId").Exists() {
		c.matches(v, "llmModel", `.`)
	}
	c.time(v)
}

func (c *checker) answer(a ordjson.Value) {
	c.known(a, "questionId", "score", "naReason", "weight", "determinism", "graderIdentity", "llmModel",
		"selectionContext", "timestamp", "evidence", "reasoning")
	c.matches(a, "questionId", `^Q-.+$`)
	c.matches(a, "determinism", `^(non-)?deterministic$`)
	c.grader(a)
	score := a.Get("score")
	switch {
	case !score.Is(ordjson.Number):
		c.matches(a, "score", `^(pass|fail|stale|n/a)$`)
	case score.Float() < 1 || score.Float() > 5:
		c.bad("score is %v", score.Float())
	}
	if w := a.Get("weight"); !w.Is(ordjson.Number) || w.Float() < 0 {
		c.bad("weight is %s", ordjson.Shown(w))
	}
	if score.Str() == na {
		c.matches(a, "naReason", `^(not-applicable-to-tool-type|requires-private-data|blocked-by-precondition|`+
			`out-of-scope-(resource|prompt|procedure))$`)
	}
	if context := a.Get("selectionContext"); a.Get("determinism").Str() == "non-deterministic" {
		c.known(context, "groupId", "personaIds", "domainDocId")
		c.matches(context, "groupId", `.`)
		if context.Get("personaIds").Len() == 0 {
			c.bad("personaIds is empty")
		}
	}
}

func (c *checker) veto(entry ordjson.Value) {
	veto := entry.Get("categoricalVeto")
	if veto.Is(ordjson.Null) {
		if entry.Get("aggregateGrade").Str() == record.GradeRejected {
			c.bad("rejected without a veto")
		}
		return
	}
	c.known(veto, "triggeredBy", "graderIdentity", "evidence", "reasoning", "timestamp")
	c.matches(veto, "triggeredBy", `^(malicious-module|api-key-domain-mismatch|illegal-content|ai-security-veto)$`)
	c.matches(veto, "evidence", `.`)
	c.matches(entry, "aggregateGrade", `^REJECTED$`)
	c.grader(veto)
	if veto.Get("triggeredBy").Str() == "ai-security-veto" && !veto.Get("reasoning").Is(ordjson.String) {
		c.bad("an ai-security-veto has no reasoning")
	}
}

// The test of the entries must see what is wrong with one.
func TestViolations(t *testing.T) {
	good := Grade(evidence(), options()).Entry
	first := good.Get("gradings").Index(0)
	with := func(key string, v ordjson.Value) ordjson.Value {
		return good.With("gradings", ordjson.NewArray(first.With(key, v)))
	}
	text := ordjson.NewString
	for name, entry := range map[string]ordjson.Value{
		"an unknown field": good.With("x", text("y")), "no version": good.Without("version"),
		"another harness": good.With("harness", text("fmcp-heuristic")),
		"better than B":   good.With("maxAttainableGrade", text("A")),
		"no veto field":   good.Without("categoricalVeto"),
		"rejected":        good.With("aggregateGrade", text(record.GradeRejected)),
		"no answers":      good.With("gradings", ordjson.NewArray()),
		"n/a without why": with("score", text(na)), "a score of 5.1": with("score", ordjson.NewNumber(5.1)),
		"a score as text": with("score", text("3.0")), "no time": with("timestamp", text("")),
		"no persona": with("determinism", text("non-deterministic")),
		"no model": with("graderIdentity", ordjson.NewObject(ordjson.Field("kind", text("llm")),
			ordjson.Field("name", text("x")), ordjson.Field("version", text("1")))),
	} {
		if len(violations(entry)) == 0 {
			t.Errorf("%s: nothing was reported", name)
		}
	}
}
