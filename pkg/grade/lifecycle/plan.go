package lifecycle

import (
	"cmp"
	"slices"

	"github.com/flowmcp/fmcp/pkg/grade"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// What a schema can be in need of.
const (
	NeedsGrade  = "grade"
	NeedsScores = "scores"
	NeedsTests  = "tests"
)

// prompts is how many prompts it takes to score a schema (chapter 22, "Dimensions").
const prompts = 2

// Task is something to do for a schema, what it costs, and the command that does it.
type Task struct {
	ID, Path string
	Needs    string
	Why      string
	Keys     []string // server parameters that have to be set
	Prompts  int      // that a grader is asked
	Calls    int      // of the API: the tests of tools
	Command  string
}

// Tasks are what there is to do for a schema that has this report. One with errors
// needs no scores: its grade is F.
func Tasks(e *grade.Evidence, g *record.Grade, c Commands) []Task {
	s := newSchema(e, g, c)
	var list []Task
	add := func(t Task) {
		t.ID, t.Path = e.ID, e.Path
		list = append(list, t)
	}
	if g.Grade != "" {
		for _, stale := range e.Stale() {
			add(Task{Needs: NeedsGrade, Why: stale.String(), Command: c.grade(e.Path)})
		}
	}
	if g.Grade == "" {
		add(Task{Needs: NeedsScores, Why: s.unscored(), Prompts: prompts, Command: promptsOf(e.Path)})
	}
	if bare := s.bare(); len(bare) > 0 {
		add(Task{Needs: NeedsTests, Why: "it has no test of " + words.List(bare), Command: c.validate(e.Path)})
	}
	left := slices.DeleteFunc(s.untested(), func(id string) bool { return slices.Contains(s.bare(), id) })
	if len(left) > 0 {
		of := s.tests(func(call grade.Callable) bool { return call.Tool })
		t := Task{Needs: NeedsTests, Why: s.how(left), Calls: of, Command: c.test(e.Path)}
		if of > 0 {
			t.Keys = model.NewSchema(e.Load.Data).RequiredServerParams()
		}
		add(t)
	}
	return list
}

// bare are the callables that have no tests.
func (s *schema) bare() (ids []string) {
	for _, c := range s.calls {
		if c.Tests == 0 {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// unscored says why a schema has no grade.
func (s *schema) unscored() string {
	for _, stale := range s.report.Stale {
		return stale.String()
	}
	return "it was not scored"
}

// Sort puts the cheapest first: what needs no key, which a person has to get, before
// what needs some; then by the prompts, which cost money, and by the calls, which
// cost time.
func Sort(tasks []Task) {
	slices.SortFunc(tasks, func(a, b Task) int {
		return cmp.Or(cmp.Compare(len(a.Keys), len(b.Keys)), cmp.Compare(a.Prompts, b.Prompts),
			cmp.Compare(a.Calls, b.Calls), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Path, b.Path),
			cmp.Compare(a.Needs, b.Needs))
	})
}

// JSON is the task as a line of JSON.
func (t Task) JSON() ordjson.Value {
	members := []ordjson.Member{
		ordjson.Field("id", ordjson.NewString(t.ID)),
		ordjson.Field("path", ordjson.NewString(t.Path)),
		ordjson.Field("needs", ordjson.NewString(t.Needs)),
		ordjson.Field("why", ordjson.NewString(t.Why)),
		ordjson.Field("keys", ordjson.Strings(t.Keys)),
		ordjson.Field("prompts", ordjson.NewInt(t.Prompts)),
		ordjson.Field("calls", ordjson.NewInt(t.Calls)),
		ordjson.Field("command", ordjson.NewString(t.Command)),
	}
	return ordjson.NewObject(members...)
}
