package record

import (
	"strconv"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// Grade is the grade report of a schema (chapter 20, "Grade Report Format").
type Grade struct {
	SchemaID   string // Schema-File-ID
	Validator  string // "validation/4.2"
	Timestamp  string // ISO 8601; "" leaves it out, so that reports can be compared
	Errors     []GradeFinding
	Warnings   []GradeFinding
	Score      *float64 // of the probabilistic layer, 0 to 5; nil if not scored
	Missing    []string // what a grade still needs
	Primitives []string // Spec-IDs
	Grade      string   // "A" to "F"; "" where something is missing
}

// GradeFinding is a finding of the deterministic layer.
type GradeFinding struct {
	Code    string
	Message string
	Pointer string
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
		b = append(b, '}')
	}
	if len(g.Missing) > 0 {
		b = append(b, `,"missing":`...)
		b = ordjson.Append(b, ordjson.Strings(g.Missing))
	}
	b = append(b, `,"primitives":`...)
	b = ordjson.Append(b, ordjson.Strings(g.Primitives))
	b = optional(b, "grade", g.Grade)
	return append(b, '}')
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
		b = append(b, '}')
	}
	return append(b, ']')
}
