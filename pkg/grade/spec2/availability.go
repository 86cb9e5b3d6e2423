package spec2

import (
	"strings"
	"time"

	"github.com/flowmcp/fmcp/pkg/grade"
	"github.com/flowmcp/fmcp/pkg/record"
)

// answered is how the API answered a tool at best, and when that was so last.
type answered struct {
	passed bool
	at     time.Time
}

// availability answers whether the API does, by the tests of the tools: an answer
// that is not as output.schema says is one nevertheless. It is as old as the oldest of
// the tests that it goes by; those whose time is not known are of now.
func availability(e *grade.Evidence, now time.Time) answer {
	tools := map[string]answered{}
	for _, r := range e.Runs {
		if r.Outcome == grade.Skipped {
			continue
		}
		run := answered{r.Outcome != grade.Fail, now}
		if at, err := time.Parse(time.RFC3339, r.At); err == nil {
			run.at = at
		}
		if was, known := tools[r.ID]; !known || run.passed && !was.passed ||
			run.passed == was.passed && run.at.After(was.at) {
			tools[r.ID] = run
		}
	}
	var silent, untried []string
	passed, failed := now, now
	for _, p := range e.Primitives {
		switch t, known := tools[p.ID]; {
		case p.Kind != record.TypeTool:
		case !known:
			untried = append(untried, p.ID)
		case t.passed:
			passed = earlier(passed, t.at)
		default:
			silent, failed = append(silent, p.ID), earlier(failed, t.at)
		}
	}
	switch {
	case silent != nil:
		return scripted(qAvailability, fail, 1, stamp(failed), "no test got an answer of "+strings.Join(silent, ", "))
	case untried != nil:
		return notGraded(qAvailability, naPrecondition, stamp(now), "no test was run of "+strings.Join(untried, ", "))
	}
	return scripted(qAvailability, pass, 1, stamp(passed), "a test got an answer of each tool")
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// stamp is a time as answers have it.
func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
