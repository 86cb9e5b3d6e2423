package picture

import (
	"maps"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/report"
	"github.com/flowmcp/fmcp/pkg/rules"
	"github.com/flowmcp/fmcp/pkg/words"
)

// letters are the grades as they are listed, the worst first, with that of a schema that
// could not be read before them, and that of one without a grade after them.
var letters = slices.Concat([]string{notRead}, record.Grades, []string{ungraded})

// What stands where a grade would.
const (
	notRead  = "!"
	ungraded = "–"
)

// named is a grade in words.
func named(letter string) string {
	switch letter {
	case notRead:
		return "not read"
	case record.GradeRejected:
		return "rejected"
	case ungraded:
		return "no grade"
	}
	return letter
}

// schema is what is shown of a schema, or of a file that could not be read.
type schema struct {
	id, path, grade  string // grade is one of letters
	score            ordjson.Value
	stage            string // without "stage:"
	next             []record.GradeStep
	stale            []string
	notes            []string // how the grade came about
	errors, warnings []record.GradeFinding
	failing          []record.GradeFailing
	dimensions       []record.GradeDimension
	harness          string // what gave the score
	missing          []string
	primitives       []string
	failed           int    // how many errors there are
	packed           []byte // what the page has of it; then the rest is not kept
}

// schemaOf is the schema of a grade record.
func schemaOf(v ordjson.Value) *schema {
	s := &schema{
		id: v.Get("id").Str(), path: v.Get("path").Str(), grade: v.Get("grade").Str(),
		score: v.Get("probabilistic").Get("score"), stage: strings.TrimPrefix(v.Get("stage").Str(), "stage:"),
		errors:     findings(v.Get("deterministic").Get("errors")),
		warnings:   findings(v.Get("deterministic").Get("warnings")),
		missing:    record.StringsOf(v.Get("missing")),
		primitives: record.StringsOf(v.Get("primitives")),
		dimensions: record.DimensionsOf(v.Get("dimensions")),
		harness:    v.Get("probabilistic").Get("harness").Str(),
	}
	s.failed = len(s.errors)
	if s.grade == "" {
		s.grade = ungraded
	}
	if grading := v.Get("grading"); grading.Exists() {
		s.grading(grading)
	}
	for _, n := range v.Get("next").Elems() {
		s.next = append(s.next, record.GradeStep{Needs: n.Get("needs").Str(), Command: n.Get("command").Str()})
	}
	for _, f := range v.Get("failing").Elems() {
		s.failing = append(s.failing, record.GradeFailing{ID: f.Get("id").Str(), Why: f.Get("why").Str()})
	}
	for _, old := range v.Get("stale").Elems() {
		is := record.GradeStale{What: old.Get("what").Str(), Grade: old.Get("grade").Str()}
		s.stale = append(s.stale, is.String())
	}
	return s
}

// grading notes how a grade by the Grading-Spec came about.
func (s *schema) grading(v ordjson.Value) {
	if mean := v.Get("mean"); mean.Exists() {
		s.score = mean
	}
	if veto := v.Get("veto").Str(); veto != "" {
		s.notes = append(s.notes, "Veto: "+veto)
	}
	if raw := v.Get("rawGrade").Str(); raw != "" && raw != s.grade {
		s.notes = append(s.notes, "The score alone would be "+raw+"; the maximum of the tier is "+
			v.Get("maxAttainableGrade").Str()+".")
	}
	if old := record.StringsOf(v.Get("stale")); len(old) > 0 {
		s.stale = append(s.stale, "answers that are too old to count: "+strings.Join(old, ", "))
	}
	if why := v.Get("noEntry").Str(); why != "" {
		s.notes = append(s.notes, "No grading entry: "+why)
	}
}

// unread is the schema of a file that could not be read.
func unread(e *record.Error) *schema {
	f := record.GradeFinding{Code: e.Code, Message: e.Message}
	s := &schema{id: e.Input, path: e.Input, grade: notRead}
	if e.Loc != nil {
		s.id, s.path, f.Line = e.Loc.Path, e.Loc.Path, e.Loc.Line
	}
	if e.Fix != "" {
		f.Message += ". Fix: " + e.Fix
	}
	s.errors, s.failed = []record.GradeFinding{f}, 1
	return s
}

func findings(list ordjson.Value) []record.GradeFinding {
	var all []record.GradeFinding
	for _, v := range list.Elems() {
		all = append(all, record.GradeFinding{Code: v.Get("code").Str(), Message: v.Get("message").Str(),
			Line: int(v.Get("line").Float())})
	}
	return all
}

// ruleName is what a code is about, "" where nobody knows.
func ruleName(code string) string {
	if r, ok := rules.Lookup(code); ok {
		return r.Name
	}
	return ""
}

// group is the findings of one code, in their order.
type group struct {
	code string
	list []record.GradeFinding
}

func grouped(list []record.GradeFinding) []group {
	var groups []group
	at := map[string]int{}
	for _, f := range list {
		n, ok := at[f.Code]
		if !ok {
			n = len(groups)
			at[f.Code] = n
			groups = append(groups, group{code: f.Code})
		}
		groups[n].list = append(groups[n].list, f)
	}
	return groups
}

// count is how many schemas have a grade.
type count struct {
	letter string
	n      int
}

// counts are those of the grades that there are: the best first, then what has none.
func (g *grades) counts() []count {
	n := map[string]int{}
	for _, s := range g.schemas {
		n[s.grade]++
	}
	best := slices.Clone(record.Grades)
	slices.Reverse(best)
	var list []count
	for _, letter := range append(best, ungraded, notRead) {
		if n[letter] > 0 {
			list = append(list, count{letter, n[letter]})
		}
	}
	return list
}

// gone are the schemas of an earlier run that are not there now, by ID.
func (g *grades) gone(now map[string]bool) []*schema {
	var list []*schema
	for _, id := range slices.Sorted(maps.Keys(g.before)) {
		if !now[id] {
			list = append(list, g.before[id])
		}
	}
	return list
}

// scored says what gave the scores, "" where nothing did.
func (g *grades) scored() string {
	names := map[string]bool{}
	for _, s := range g.schemas {
		if s.harness != "" {
			names[report.Visible(s.harness)] = true
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "scored by " + words.List(slices.Sorted(maps.Keys(names)))
}

// stale is how many schemas have something stale.
func (g *grades) stale() int {
	n := 0
	for _, s := range g.schemas {
		if len(s.stale) > 0 {
			n++
		}
	}
	return n
}
