// Package spec2 grades a schema by the Grading-Spec 2.0.0: its bands and the
// maximum of the tier, its categorical vetoes, the age of answers, and the
// grading entry, which is the lasting artefact of a grading. What is graded is a
// schema by itself: the area tools-aggregate-schema on the tier autonomous
// (docs/decisions.md, "Entries of the Grading-Spec").
package spec2

import "math"

// The versions that an entry carries.
const (
	ScoringSystem = "scoringSystem/1.0.0"
	GradingSystem = "gradingSystem/1.0.0"
)

const (
	area    = "tools-aggregate-schema"
	tier    = "autonomous"
	tierMax = "B" // no entry of the tier autonomous has a better grade
	harness = "claude-code"
)

// bands are the least means of the grades (07, "Score-to-Grade Thresholds").
var bands = []struct {
	grade string
	mean  float64
}{{"A", 4.5}, {"B", 3.5}, {"C", 2.5}, {"D", 1.5}}

// band is the grade of a mean, before the maximum of the tier.
func band(mean float64) string {
	for _, b := range bands {
		if mean >= b.mean {
			return b.grade
		}
	}
	return "F"
}

// trim is what the tier leaves of a grade.
func trim(grade string) string { return max(grade, tierMax) } // "A" < "B"

// meanOf is the weighted mean of the answers, and false where none of them counts
// (08, "Aggregate-Grade Computation"). It is rounded, so that scores whose decimal
// mean is 4.5 are an A though their binary mean is a little less.
func meanOf(answers []answer) (float64, bool) {
	var sum, weights float64
	for _, a := range answers {
		if value, ok := a.value(); ok {
			sum += value * a.weight()
			weights += a.weight()
		}
	}
	if weights == 0 {
		return 0, false
	}
	return math.Round(sum/weights*1e9) / 1e9, true
}
