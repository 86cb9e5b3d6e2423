package spec2

import (
	"slices"
	"strings"
	"time"

	"github.com/flowmcp/fmcp/pkg/grade"
	"github.com/flowmcp/fmcp/pkg/lazy"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// Options are what a grading needs beside the evidence.
type Options struct {
	Now time.Time
	// Persona is the base persona under which the scores were given, which their
	// files do not say; "" where the user does not know it.
	Persona string
	Earlier []ordjson.Value // the schema's entries before Now, oldest first
}

// Grade grades a schema (08, "Aggregate-Grade Computation").
func Grade(e *grade.Evidence, o *Options) *record.Grading {
	w := &grading{e: e, o: o, at: stamp(o.Now)}
	if e.Scores != nil {
		w.refused = refuse(e.Scores, o)
	}
	w.veto = w.raised()
	w.gates()
	w.score()
	w.scope()
	w.aggregate()
	w.entry()
	w.out.Max = tierMax
	return &w.out
}

// Report makes the report of a schema, with the grade of the Grading-Spec. Scores that
// it refuses are not part of it, and neither are those of an earlier report, which does
// not say what an entry needs.
func Report(e *grade.Evidence, o *Options) *record.Grade {
	counted := *e
	counted.Before = nil
	if e.Scores != nil && refuse(e.Scores, o) != "" {
		counted.Scores = nil
	}
	r := grade.Report(&counted)
	r.Grading = Grade(e, o)
	r.Grade, r.Missing, r.Stale = r.Grading.Grade, r.Grading.Missing, nil
	if r.Grade == "" {
		r.Stale = e.Stale()
	}
	return r
}

// grading is a Grade at work.
type grading struct {
	e       *grade.Evidence
	o       *Options
	at      string // now
	veto    ordjson.Value
	closed  string // why what depends on the gates is not graded; "" where they are open
	refused string // why the scores were not taken
	answers []answer
	out     record.Grading
}

// gates answers what has to hold before anything else is graded: a schema with
// errors is not loadable (chapter 20), and dependent grading stops at a gate (04,
// "Cascade Stop / Veto").
func (w *grading) gates() {
	var rules, security []string
	for _, d := range w.e.Errors() {
		if strings.HasPrefix(d.Code, "SEC") {
			security = append(security, d.Code)
		} else {
			rules = append(rules, d.Code)
		}
	}
	if !w.veto.Is(ordjson.Null) {
		security = append(security, w.veto.Get("triggeredBy").Str())
	}
	w.gate(qStructure, "no errors of the schema rules", rules)
	w.gate(qSecurity, "no forbidden code, no key of another company", security)
}

func (w *grading) gate(question, good string, bad []string) {
	if bad == nil {
		w.add(scripted(question, pass, 0, w.at, good))
		return
	}
	slices.Sort(bad)
	reason := strings.Join(slices.Compact(bad), ", ")
	w.closed = strings.TrimPrefix(w.closed+"; "+question+": "+reason, "; ")
	w.add(scripted(question, fail, 1, w.at, reason))
}

func (w *grading) add(a answer) { w.answers = append(w.answers, a) }

// score answers what tests and graders say.
func (w *grading) score() {
	if w.closed != "" {
		for _, q := range []string{qAvailability, qWhenToUse, qParameters} {
			w.add(notGraded(q, naPrecondition, w.at, w.closed))
		}
		return
	}
	w.add(availability(w.e, w.o.Now))
	if w.e.Scores != nil && w.refused == "" {
		for _, d := range w.e.Scores.Dimensions {
			w.add(w.judged(d))
		}
	}
	w.carry()
}

// carry takes over what earlier entries of the same content say on questions that
// have no answer as new (08, "Multi-Grader Rule"), and lets answers age.
func (w *grading) carry() {
	for _, a := range w.earlierAnswers() {
		i := slices.IndexFunc(w.answers, func(b answer) bool { return b.question() == a.question() })
		switch {
		case i < 0:
			w.add(a)
		case w.answers[i].is(na) || a.at().After(w.answers[i].at()):
			w.answers[i] = a
		}
	}
	for i, a := range w.answers {
		if w.answers[i] = a.aged(w.o.Now); w.answers[i].is(stale) {
			w.out.Stale = append(w.out.Stale, a.question())
		}
	}
}

// scope says of what the Grading-Spec leaves out that it was not graded (17,
// "Consequences"). The resource about is in an area of its own.
func (w *grading) scope() {
	for _, p := range w.e.Primitives {
		switch {
		case p.Kind == record.TypeResource && !strings.HasSuffix(p.ID, "/about"):
			w.outOfScope(qResources, naResource)
		case p.Kind == record.TypePrompt:
			w.outOfScope(qPrompts, naPrompt)
		}
	}
}

func (w *grading) outOfScope(question, why string) {
	if !slices.ContainsFunc(w.answers, func(a answer) bool { return a.question() == question }) {
		w.add(notGraded(question, why, w.at, "out of the scope of the Grading-Spec"))
	}
}

// aggregate makes the grade of the answers, or says what is missing for one.
func (w *grading) aggregate() {
	if !w.veto.Is(ordjson.Null) {
		w.out.Grade = record.GradeRejected
		w.out.Veto = w.veto.Get("triggeredBy").Str() + ": " + w.veto.Get("evidence").Str()
		return
	}
	if w.closed == "" {
		w.out.Missing = w.missing()
	}
	mean, ok := meanOf(w.answers)
	if len(w.out.Missing) > 0 || !ok {
		return
	}
	w.out.Mean, w.out.Raw = &mean, band(mean)
	w.out.Grade = trim(w.out.Raw)
}

// missing says what a grade still needs. Scores are among it: a deterministic
// block alone is no grading of an area (08, "Answers per Area").
func (w *grading) missing() []string {
	if !slices.ContainsFunc(w.e.Primitives, func(p grade.Primitive) bool { return p.Kind == record.TypeTool }) {
		return []string{"tools: the Grading-Spec grades tools, and the schema has none (its chapter 17)"}
	}
	var missing []string
	for _, q := range []string{qWhenToUse, qParameters} {
		if !slices.ContainsFunc(w.answers, func(a answer) bool { return a.question() == q }) {
			missing = append(missing, q)
		}
	}
	switch {
	case missing == nil:
		return nil
	case w.refused != "":
		return []string{"scores: " + w.refused}
	case w.e.Scores == nil:
		return []string{"scores: none were given, and a grade of the Grading-Spec needs them: give --scores"}
	}
	return []string{"scores: none for " + strings.Join(missing, " and ")}
}

// entry makes the grading entry, or says why there cannot be one.
func (w *grading) entry() {
	id, version := entryID(w.e.ID), w.version()
	switch {
	case w.out.Grade == "":
		return
	case w.e.Load == nil:
		w.out.NoEntry = "the record of the schema did not come: it cannot be loaded, or was held back, " +
			"which fmcp-validate --pass=all does not do"
	case version == "":
		w.out.NoEntry = "an entry is of a schema of version 4, and this one is of version " +
			ordjson.Shown(w.e.Load.Data.Get("version")) + ": migrate it"
	case !idPattern().MatchString(id):
		w.out.NoEntry = "an entry names a schema as namespace.name, of letters, digits, _ and -, and this one is " + id
	default:
		w.out.Entry = w.fields(id, version)
	}
}

// entryID is a Schema-File-ID as entries write it.
func entryID(schemaID string) string { return strings.ReplaceAll(schemaID, "/", ".") }

var (
	idPattern      = lazy.Regexp(`^[a-zA-Z0-9_-]+\.[a-zA-Z0-9_-]+$`)
	versionPattern = lazy.Regexp(`^(?:flowmcp/)?(4\.[0-9]+\.[0-9]+)$`)
)

// version is that of the schema as entries write it, "" where they cannot.
func (w *grading) version() string {
	if w.e.Load == nil {
		return ""
	}
	if m := versionPattern().FindStringSubmatch(w.e.Load.Data.Get("version").Str()); m != nil {
		return "flowmcp/" + m[1]
	}
	return ""
}

// fields are those of the entry (08, "Data Model — Top-Level Fields").
func (w *grading) fields(id, version string) ordjson.Value {
	answers := make([]ordjson.Value, len(w.answers))
	for i, a := range w.answers {
		answers[i] = a.Value
	}
	members := []ordjson.Member{
		text("gradingId", w.e.SchemaHash+"--"+fileTime(w.o.Now)), text("schemaId", id), text("area", area),
		text("version", version), text("schemaHash", w.e.SchemaHash), text("gradingMode", "full"),
		text("gradingTier", tier), text("harness", harness), text("scoringSystem", ScoringSystem),
		text("gradingSystem", GradingSystem), ordjson.Field("gradings", ordjson.NewArray(answers...)),
		ordjson.Field("categoricalVeto", w.veto),
	}
	if trigger := w.regrading(); trigger.Exists() {
		members = append(members, ordjson.Field("regradingTrigger", trigger))
	}
	members = append(members, text("aggregateGrade", w.out.Grade), text("maxAttainableGrade", tierMax))
	return ordjson.NewObject(members...)
}
