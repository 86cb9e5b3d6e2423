package record

import (
	"strconv"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// GradeRejected is the grade of a schema with a veto of the Grading-Spec.
const GradeRejected = "REJECTED"

// Grading is what a grade by the Grading-Spec is made of (decision "Entries
// of the Grading-Spec"). Its Grade and Missing are those of the report around it.
type Grading struct {
	Grade   string        // "A" to "F", or "REJECTED"; "" where something is missing
	Missing []string      // what a grade still needs
	Mean    *float64      // weighted, of the answers; nil where they were not aggregated
	Raw     string        // the band of the mean, before the maximum of the tier
	Max     string        // the maximum of the tier
	Veto    string        // its trigger and evidence; "" where there is none
	Stale   []string      // questions whose answers are too old to count
	NoEntry string        // why there is a grade and no entry
	Entry   ordjson.Value // the grading entry; Missing where there is none
}

func (g *Grading) append(b []byte) []byte {
	b = append(b, `,"grading":{`...)
	b = append(b, str(nil, "spec", "gradingSpec/2.0.0")[1:]...)
	if g.Mean != nil {
		b = append(b, `,"mean":`...)
		b = strconv.AppendFloat(b, *g.Mean, 'f', -1, 64)
	}
	b = optional(b, "rawGrade", g.Raw)
	b = str(b, "maxAttainableGrade", g.Max)
	b = optional(b, "veto", g.Veto)
	if len(g.Stale) > 0 {
		b = append(b, `,"stale":`...)
		b = ordjson.Append(b, ordjson.Strings(g.Stale))
	}
	b = optional(b, "noEntry", g.NoEntry)
	if g.Entry.Exists() {
		b = append(b, `,"entry":`...)
		b = ordjson.Append(b, g.Entry)
	}
	return append(b, '}')
}
