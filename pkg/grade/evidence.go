package grade

import (
	"cmp"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/record"
)

// Evidence is all that is known of a schema when it is graded. It does not depend
// on the order in which that became known.
type Evidence struct {
	Load        *record.Load // whole, but for Text; nil where its record did not come
	ID          string       // Schema-File-ID
	Path        string       // by which the file can be opened
	FileHash    string       // "" where the record did not come
	SchemaHash  string       // computed; "" where the record did not come
	Primitives  []Primitive  // in the order of the source
	Findings    []*record.Diagnostic
	Runs        []Run         // of the tests of its primitives, in the order of their IDs and numbers
	Scores      *Scores       // nil where there are none
	StaleScores *Scores       // of another version of the file; nil for none, or where there are Scores
	Before      *record.Grade // the report that it had; nil where there is none
	Registered  bool          // a registry.json of its catalog names the file
}

// Primitive is a part of a schema that is called or delivered by its ID.
type Primitive struct {
	ID      string      // Spec-ID
	Kind    record.Type // tool, resource or prompt
	Pointer string      // into main
}

// Run is one test of a primitive, and how it came out.
type Run struct {
	ID      string // Spec-ID of a tool or a prompt; of a query that of its resource, / and its name
	Index   int    // of the test, from 0
	Name    string // its description
	Outcome Outcome
	Why     string // "" where it passed
	At      string // when it was made, as an ISO 8601 time; "" where that is not known
}

// Outcome is how tests came out.
type Outcome string

// The outcomes of a test. An answer that is not what output.schema says is a
// failure in the lifecycle (chapter 21, "What Counts as Failing"; decision
// "Output mismatch"); what was not tried is none.
const (
	Pass     Outcome = "pass"
	Fail     Outcome = "fail"
	Skipped  Outcome = "skipped"
	Mismatch Outcome = "mismatch"
)

// NewRun makes the run of an envelope, nil where that says nothing of one test.
func NewRun(e *record.Envelope) *Run {
	t := e.Test
	if t == nil || t.Index < 0 {
		return nil
	}
	r := &Run{ID: e.ID, Index: t.Index, Name: t.Description, Outcome: Pass, Why: strings.Join(e.Messages, "; "),
		At: e.At}
	mismatches := e.Mismatches()
	switch {
	case t.Outcome == record.TestFailed && slices.ContainsFunc(e.Messages, unsent):
		r.Outcome = Skipped
	case t.Outcome == record.TestFailed:
		r.Outcome, r.Why = Fail, cmp.Or(r.Why, "the test failed")
	case t.Mode == record.TestDryRun:
		r.Outcome, r.Why = Skipped, "a dry run sends nothing"
	case t.Outcome != record.TestPassed:
		r.Outcome = Skipped
	case len(mismatches) > 0:
		r.Outcome, r.Why = Mismatch, strings.Join(mismatches, "; ")
	default:
		r.Why = "" // messages of a success
	}
	return r
}

// unsent says whether a message is that of a call which the policy of this machine
// refused, or which the user ended. It says nothing about the API.
func unsent(message string) bool {
	code, _, _ := strings.Cut(message, " ")
	return code == "EXE030" || code == "EXE031" || code == "EXE036"
}

// Compare orders runs totally.
func (r Run) Compare(o Run) int {
	return cmp.Or(cmp.Compare(r.ID, o.ID), cmp.Compare(r.Index, o.Index), cmp.Compare(r.Name, o.Name),
		cmp.Compare(r.Outcome, o.Outcome), cmp.Compare(r.Why, o.Why), cmp.Compare(r.At, o.At))
}

// Tested is how the tests of a tool, a query or a prompt came out together.
type Tested struct {
	ID      string // of the runs
	Outcome Outcome
	Why     string // of the first test that failed; of skipped ones the first's
}

// Tested says of each tool, query and prompt that has runs how it did, in the order
// of their IDs. One passes if at least one of its tests does, and fails if none does
// and at least one was made (chapter 21, "What Counts as Failing").
func (e *Evidence) Tested() []Tested {
	var list []Tested
	for _, r := range e.Runs {
		n := len(list)
		if n == 0 || list[n-1].ID != r.ID {
			list = append(list, Tested{ID: r.ID, Outcome: r.Outcome, Why: r.Why})
			continue
		}
		t := &list[n-1]
		if t.Outcome != Pass && r.Outcome == Pass || t.Outcome == Skipped && r.Outcome != Skipped {
			t.Outcome, t.Why = r.Outcome, r.Why
		}
	}
	return list
}

// PrimitiveOf is the Spec-ID of the primitive that a run is of: of a query its resource.
func PrimitiveOf(id string) string {
	if parts := strings.Split(id, "/"); len(parts) > 3 && parts[1] == string(record.TypeResource) {
		return strings.Join(parts[:3], "/")
	}
	return id
}

// Failing are those of Tested that fail.
func (e *Evidence) Failing() []Tested {
	return slices.DeleteFunc(e.Tested(), func(t Tested) bool { return t.Outcome != Fail && t.Outcome != Mismatch })
}

// Errors are the findings by which the schema fails.
func (e *Evidence) Errors() []*record.Diagnostic { return e.found(record.SeverityError) }

// found are the findings of a severity.
func (e *Evidence) found(s record.Severity) []*record.Diagnostic {
	return slices.DeleteFunc(slices.Clone(e.Findings), func(d *record.Diagnostic) bool { return d.Severity != s })
}

// Callable is a tool or a query of a schema.
type Callable struct {
	ID    string // as runs have it
	Tests int
	HTTP  bool // a tool, or a query of a file of the network
	Tool  bool
}

// Callables are those of a schema, in the order of the source.
func Callables(l *record.Load) []Callable {
	var list []Callable
	main, ns := model.NewSchema(l.Data), catalog.NamespaceOf(l)
	for _, t := range main.Tools() {
		id := catalog.ID{Namespace: ns, Type: catalog.TypeTool, Name: t.Name}
		list = append(list, Callable{ID: id.String(), Tests: t.Get("tests").Len(), HTTP: true, Tool: true})
	}
	for _, r := range main.Resources() {
		id := catalog.ID{Namespace: ns, Type: catalog.TypeResource, Name: r.Name}
		for _, q := range r.Queries() {
			list = append(list, Callable{ID: id.String() + "/" + q.Name, Tests: q.Get("tests").Len(),
				HTTP: r.Source == model.HTTP})
		}
	}
	return list
}
