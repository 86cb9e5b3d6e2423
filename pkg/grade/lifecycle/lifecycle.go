// Package lifecycle says in which of the six stages of chapter 21 a schema is, what
// it needs to leave that stage, and what is left to do in a catalog.
package lifecycle

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/grade"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/walk"
	"github.com/flowmcp/fmcp/pkg/words"
)

// The labels of the stages (chapter 21, "Lifecycle Stages").
const (
	Research   = "stage:research"
	Creation   = "stage:creation"
	APITest    = "stage:api-test"
	Validation = "stage:validation"
	Grade      = "stage:grade"
	Production = "stage:production"
)

// stages are the six in their order. A schema is in the first whose exit condition
// the evidence does not show: that is what it needs. Production is the last, so that
// a schema without needs is in it, and deployed.
var stages = []struct {
	label string
	needs func(*schema) []record.GradeStep
}{
	{Research, (*schema).research},
	{Creation, (*schema).creation},
	{APITest, (*schema).apiTest},
	{Validation, (*schema).validation},
	{Grade, (*schema).graded},
	{Production, (*schema).production},
}

// Of says in which stage a schema is that has this report, and what it needs to leave
// it, which is nothing only where it is deployed. Where its record did not come there
// is no telling, but of a file that cannot be read.
func Of(e *grade.Evidence, g *record.Grade, c Commands) (stage string, next []record.GradeStep) {
	if e.Load == nil {
		for _, d := range e.Errors() {
			if strings.HasPrefix(d.Code, "LOD") {
				return Creation, step("a file that can be read ("+d.Code+")", c.validate(e.Path))
			}
		}
		return "", nil
	}
	s := newSchema(e, g, c)
	for _, st := range stages {
		if stage, next = st.label, st.needs(s); len(next) > 0 {
			break
		}
	}
	return stage, next
}

// schema is a schema as its stages see it.
type schema struct {
	*grade.Evidence
	report *record.Grade
	run    Commands
	calls  []grade.Callable
	tested map[string]grade.Tested
}

func newSchema(e *grade.Evidence, g *record.Grade, c Commands) *schema {
	s := &schema{Evidence: e, report: g, run: c, tested: map[string]grade.Tested{}}
	for _, t := range e.Tested() {
		s.tested[t.ID] = t
	}
	if e.Load != nil {
		s.calls = grade.Callables(e.Load)
	}
	return s
}

// migrated reports whether the schema comes from version 3, so that research and
// creation are complete (chapter 21, "Migration Special Rule"; decision "Migrated
// schemas").
func (s *schema) migrated() bool {
	return strings.HasPrefix(s.Load.Data.Get("version").Str(), "3.")
}

// research ends with a first primitive: it can be written once the API is understood.
func (s *schema) research() []record.GradeStep {
	if s.migrated() || len(s.Primitives) > 0 || !s.Load.Data.Is(ordjson.Object) {
		return nil
	}
	return step("a tool, a resource or a prompt: it defines none", s.run.validate(s.Path))
}

// creation ends when there is something to test.
func (s *schema) creation() []record.GradeStep {
	switch {
	case s.migrated():
		return nil
	case !s.Load.Data.Is(ordjson.Object):
		return step("an exported main: the file has none that can be read", s.run.validate(s.Path))
	case len(s.calls) > 0 && s.tests(func(grade.Callable) bool { return true }) == 0:
		return step("a test: its tools and queries have none", s.run.validate(s.Path))
	}
	return nil
}

// tests counts those of some callables.
func (s *schema) tests(of func(grade.Callable) bool) (n int) {
	for _, c := range s.calls {
		if of(c) {
			n += c.Tests
		}
	}
	return n
}

// apiTest ends with one PASS. Schemas without HTTP pass it, but for their queries,
// all of which must pass (decision "Schemas without HTTP tools").
func (s *schema) apiTest() []record.GradeStep {
	if !slices.ContainsFunc(s.calls, func(c grade.Callable) bool { return c.HTTP }) {
		if left := s.untested(); len(left) > 0 {
			return step("queries that pass: "+s.how(left), s.run.test(s.Path))
		}
		return nil
	}
	var calls []string
	for _, t := range s.Tested() {
		if !slices.ContainsFunc(s.calls, func(c grade.Callable) bool { return c.HTTP && c.ID == t.ID }) {
			continue
		}
		if t.Outcome == grade.Pass {
			return nil
		}
		calls = append(calls, t.ID)
	}
	return step("a test that passes: "+s.how(calls), s.run.test(s.Path))
}

// untested are the callables that do not pass.
func (s *schema) untested() (ids []string) {
	for _, c := range s.calls {
		if s.tested[c.ID].Outcome != grade.Pass {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// how says how the first of some callables did, none of which passes.
func (s *schema) how(ids []string) string {
	tried := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return s.tested[id].ID == "" })
	if len(tried) == 0 {
		return "none was run"
	}
	first := s.tested[tried[0]]
	did := map[grade.Outcome]string{grade.Fail: "failed", grade.Mismatch: "did not answer as output.schema says",
		grade.Skipped: "was skipped"}[first.Outcome]
	text := first.ID + " " + did
	if first.Why != "" {
		text += " (" + first.Why + ")"
	}
	if n := len(ids) - 1; n > 0 {
		text += ", and " + strconv.Itoa(n) + " more did not pass"
	}
	return text
}

// validation ends without errors.
func (s *schema) validation() []record.GradeStep {
	if n := len(s.Errors()); n > 0 {
		return step("no errors: it has "+strconv.Itoa(n), s.run.validate(s.Path))
	}
	return nil
}

// graded ends with grade B or better.
func (s *schema) graded() []record.GradeStep {
	switch s.report.Grade {
	case "A", "B":
		return nil
	case "":
		return step("a grade of B or better: "+s.unscored(), promptsOf(s.Path))
	case record.GradeRejected:
		return step("a grade of B or better: it is rejected, "+s.report.Grading.Veto, s.run.grade(s.Path))
	}
	return step("a grade of B or better: it has "+s.report.Grade+"; improve its descriptions, then have it scored "+
		"again", promptsOf(s.Path))
}

// production ends when the schema is deployed, without primitives that fail (chapter
// 21, "Partial Schema Policy").
func (s *schema) production() (next []record.GradeStep) {
	if failing := s.Failing(); len(failing) > 0 {
		var ids []string
		for _, t := range failing {
			ids = append(ids, t.ID)
		}
		next = step("no primitive that fails: "+words.List(ids), s.run.trim(s.root()))
	}
	root, ns := s.root(), catalog.NamespaceOf(s.Load)
	if at := filepath.Join("providers", ns); !inFolder(s.Path, at) {
		where := "its place in the catalog, " + filepath.ToSlash(at)
		if main := s.Load.Data; main.Get("resources").Len()+main.Get("prompts").Len() > 0 {
			where += ", with the files that it names"
		}
		next = append(next, record.GradeStep{Needs: where, Command: move(s.Path, filepath.Join(root, at))})
	}
	if !s.Registered {
		next = append(next, record.GradeStep{Needs: "its entry in registry.json", Command: register(root)})
	}
	return next
}

// newSchemas is where schemas are before they are deployed (chapter 21, "Stage
// Details").
const newSchemas = "/tests/new-schemas/"

// root is the folder of the catalog in which the schema is deployed.
func (s *schema) root() string {
	file := "/" + filepath.ToSlash(s.Path)
	if at := strings.Index(file, newSchemas); at >= 0 {
		return filepath.Clean(s.Path[:max(0, at-1)])
	}
	return walk.Root(s.Load.Src)
}
