package spec2

import (
	"time"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// How many days answers and entries count (08, "Timeline Rule + Aging"). What is
// as old as that still does.
const (
	apiDays       = 14
	tosDays       = 30
	retentionDays = 180
)

// days are those after which the answers to questions that depend on time are
// stale. All others keep until the entry is archived.
var days = map[string]int{qAvailability: apiDays, qTOS: tosDays, qLegal: tosDays}

// aged is an answer as it counts now: stale where it is of a question that
// depends on time and too old for it.
func (a answer) aged(now time.Time) answer {
	limit, ages := days[a.question()]
	if !ages || a.is(na) || !older(a.at(), limit, now) {
		return a
	}
	return answer{a.With("score", ordjson.NewString(stale))}
}

func older(at time.Time, days int, now time.Time) bool {
	return now.Sub(at) > time.Duration(days)*24*time.Hour
}
