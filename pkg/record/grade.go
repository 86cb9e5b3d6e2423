package record

import (
	"strconv"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// Grade is the grade report of a schema (chapter 20, "Grade Report Format").
type Grade struct {
	SchemaID   string // Schema-File-ID
	Path       string // of the file, by which it can be opened
	FileHash   string // of the file that was graded; "" where its record did not come
	Validator  string // "validation/4.2"
	Timestamp  string // ISO 8601; "" leaves it out, so that reports can be compared
	Errors     []GradeFinding
	Warnings   []GradeFinding
	Score      *float64 // of the probabilistic layer, 1 to 5; nil if not scored
	Harness    string   // the name of what gave the score; "" where that is not known
	Dimensions []GradeDimension
	Missing    []string // what a grade still needs
	Primitives []string // Spec-IDs
	Failing    []GradeFailing
	Grade      string   // "A" to "F", or GradeRejected; "" where something is missing
	Grading    *Grading // how it came about; nil where that was chapter 20
	Stage      string   // label of the stage that the schema is in (chapter 21), "stage:api-test"
	Next       []GradeStep
	Stale      []GradeStale
}

// GradeFailing is a tool, a query or a prompt of which no test passes, and one fails
// (chapter 21, "What Counts as Failing").
type GradeFailing struct {
	ID  string // as its test runs have it
	Why string // of the first test that failed
}

// GradeStep is something that a schema needs to leave its stage.
type GradeStep struct {
	Needs   string // in words
	Command string // that gives it, for a POSIX shell
}

// GradeStale is something that was said of another version of the file, and so
// counts for nothing.
type GradeStale struct {
	What     string   // StaleGrade, StaleScores
	Grade    string   // that it had; "" of scores
	Score    *float64 // nil for none
	FileHash string   // of the version that it was said of
}

// What can be stale.
const (
	StaleGrade  = "grade"
	StaleScores = "scores"
)

// String says what is stale, wherever that is said.
func (s GradeStale) String() string {
	if s.What == StaleScores {
		return "the scores that it had are of another version of the file"
	}
	return "the grade that it had, " + s.Grade + ", is of another version of the file"
}

// GradeDimension is the score of one dimension (chapter 22).
type GradeDimension struct {
	Name      string
	Score     float64
	Reasoning string
}

// Grades are those of both gradings, the worst first.
var Grades = []string{GradeRejected, "F", "D", "C", "B", "A"}

// IsScore reports whether a value is a number from 1.0 to 5.0, as chapter 22 has them
// (decision "Score range").
func IsScore(v ordjson.Value) bool { return v.Is(ordjson.Number) && v.Float() >= 1 && v.Float() <= 5 }

// DimensionsOf reads the dimensions of a grade record, or of a report of chapter 22.
func DimensionsOf(v ordjson.Value) []GradeDimension {
	var list []GradeDimension
	for _, d := range v.Elems() {
		list = append(list, GradeDimension{Name: d.Get("dimension").Str(), Score: d.Get("score").Float(),
			Reasoning: d.Get("reasoning").Str()})
	}
	return list
}

// GradeFinding is a finding of the deterministic layer.
type GradeFinding struct {
	Code    string
	Message string
	Pointer string
	Line    int // in the file; 0 where none is known
}

// Status is PASS where the deterministic layer found no errors, else FAIL.
func (g *Grade) Status() string {
	if len(g.Errors) > 0 {
		return "FAIL"
	}
	return "PASS"
}

// AppendJSON implements Record.
func (g *Grade) AppendJSON(b []byte) []byte {
	b = head(b, KindGrade)
	b = str(b, "id", g.SchemaID)
	b = str(b, "schemaId", g.SchemaID)
	b = optional(b, "path", g.Path)
	b = optional(b, "fileHash", g.FileHash)
	b = str(b, "validatorVersion", g.Validator)
	b = optional(b, "timestamp", g.Timestamp)
	b = append(b, `,"deterministic":{`...)
	b = append(b, str(nil, "status", g.Status())[1:]...)
	b = appendFindings(b, "errors", g.Errors)
	b = appendFindings(b, "warnings", g.Warnings)
	b = append(b, '}')
	if g.Score != nil {
		b = append(b, `,"probabilistic":{"score":`...)
		b = strconv.AppendFloat(b, *g.Score, 'f', -1, 64)
		b = append(optional(b, "harness", g.Harness), '}')
	}
	b = appendObjects(b, "dimensions", g.Dimensions, appendDimension)
	if len(g.Missing) > 0 {
		b = append(b, `,"missing":`...)
		b = ordjson.Append(b, ordjson.Strings(g.Missing))
	}
	b = append(b, `,"primitives":`...)
	b = ordjson.Append(b, ordjson.Strings(g.Primitives))
	b = appendObjects(b, "failing", g.Failing, appendFailing)
	b = optional(b, "grade", g.Grade)
	if g.Grading != nil {
		b = g.Grading.append(b)
	}
	b = optional(b, "stage", g.Stage)
	b = appendObjects(b, "next", g.Next, appendNext)
	b = appendObjects(b, "stale", g.Stale, appendStale)
	return append(b, '}')
}

func appendDimension(b []byte, d GradeDimension) []byte {
	b = append(b, str(nil, "dimension", d.Name)[1:]...)
	b = strconv.AppendFloat(append(b, `,"score":`...), d.Score, 'f', -1, 64)
	return str(b, "reasoning", d.Reasoning)
}

func appendFailing(b []byte, f GradeFailing) []byte {
	b = append(b, str(nil, "id", f.ID)[1:]...)
	return str(b, "why", f.Why)
}

func appendNext(b []byte, n GradeStep) []byte {
	b = append(b, str(nil, "needs", n.Needs)[1:]...)
	return str(b, "command", n.Command)
}

func appendStale(b []byte, s GradeStale) []byte {
	b = append(b, str(nil, "what", s.What)[1:]...)
	b = optional(b, "grade", s.Grade)
	if s.Score != nil {
		b = append(b, `,"score":`...)
		b = strconv.AppendFloat(b, *s.Score, 'f', -1, 64)
	}
	return str(b, "fileHash", s.FileHash)
}

// appendObjects appends a list of objects, of which members appends what is inside;
// nothing where it is empty.
func appendObjects[T any](b []byte, key string, list []T, members func([]byte, T) []byte) []byte {
	for i, e := range list {
		if i == 0 {
			b = append(ordjson.AppendKey(append(b, ','), key), '[')
		} else {
			b = append(b, ',')
		}
		b = append(members(append(b, '{'), e), '}')
	}
	if len(list) > 0 {
		b = append(b, ']')
	}
	return b
}

func appendFindings(b []byte, key string, list []GradeFinding) []byte {
	b = append(b, ',')
	b = append(ordjson.AppendKey(b, key), '[')
	for i, f := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, '{')
		b = append(b, str(nil, "code", f.Code)[1:]...)
		b = str(b, "message", f.Message)
		b = str(b, "pointer", f.Pointer)
		if f.Line > 0 {
			b = strconv.AppendInt(append(b, `,"line":`...), int64(f.Line), 10)
		}
		b = append(b, '}')
	}
	return append(b, ']')
}
