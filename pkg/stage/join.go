package stage

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/grade"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Judge makes records of what is known of all schemas, in the order of their IDs and
// paths. It may go through them more than once; the Load of each is there while it is
// its turn.
type Judge func(ctx context.Context, all iter.Seq[*grade.Evidence], emit func(record.Record) bool) error

// Grade is the Judge that makes a report of each schema.
func Grade(report func(*grade.Evidence) (*record.Grade, error)) Judge {
	return func(_ context.Context, all iter.Seq[*grade.Evidence], emit func(record.Record) bool) error {
		for e := range all {
			if r, err := report(e); err != nil || !emit(r) {
				return err
			}
		}
		return nil
	}
}

// Join are the steps that gather what is known of each schema, from load records,
// findings, errors and envelopes of tests, and judge it when the last record has come,
// or, where fmcp-scan watches, at the end of a round what came in that. Nothing
// depends on the order of the input: errors pass at the end too, sorted. Other records
// pass when they come.
func Join(judge Judge) []Step {
	j := &joining{judge: judge}
	j.reset()
	return []Step{
		{Do: func(_ context.Context, it *Item) Batch { return Batch{pack(it)} }},
		{InOrder: j.inOrder, Finish: j.finish},
	}
}

// joining is a Join at work.
type joining struct {
	judge      Judge
	files      map[string]*packedFile          // whose records came
	found      map[string][]*record.Diagnostic // by file
	runs       map[string][]grade.Run          // by ID
	before     map[string][]*record.Grade      // by schema
	registered map[string]bool                 // files
	errors     []*Item
	foreign    *record.Diagnostic // about runs, nil for nothing
	records    records            // of schemas, compressed
}

func (j *joining) reset() {
	*j = joining{judge: j.judge, files: map[string]*packedFile{}, found: map[string][]*record.Diagnostic{},
		runs: map[string][]grade.Run{}, before: map[string][]*record.Grade{}, registered: map[string]bool{}}
}

func (j *joining) inOrder(it *Item) (Batch, error) {
	switch rec := it.Rec.(type) {
	case *packedFile:
		if rec.line != nil {
			var err error
			if rec.kept, err = j.records.Add(rec.line); err != nil {
				return nil, err
			}
			rec.line, rec.schema = nil, true
		}
		j.files[rec.evidence.Path] = rec
		for _, file := range rec.registers {
			j.registered[file] = true
		}
	case *record.Diagnostic:
		j.found[rec.Loc.Path] = append(j.found[rec.Loc.Path], owned(rec))
	case *record.Error:
		j.errors = append(j.errors, it)
	case *record.Envelope:
		if run := grade.NewRun(rec); run != nil {
			j.runs[run.ID] = append(j.runs[run.ID], *run)
		} else if rec.Test == nil {
			it.Rec = nil // a call that is no test says nothing of a schema
			return Batch{it}, nil
		}
	case *record.Grade:
		g := ownedGrade(rec)
		j.before[g.SchemaID] = append(j.before[g.SchemaID], g)
	case *record.Scan:
	case *record.Round:
		var out Batch
		err := j.finish(context.Background(), func(b Batch) bool { out = append(out, b...); return true })
		return append(out, it), err
	default:
		return Batch{it}, nil
	}
	return nil, nil
}

// owned is a finding that keeps no part of the record that it is about: texts of that
// share its memory.
func owned(d *record.Diagnostic) *record.Diagnostic {
	own := *d
	for _, s := range []*string{
		&own.Message, &own.Fix, &own.Subject, &own.Loc.Path, &own.Loc.Pointer, &own.Loc.FileHash,
	} {
		*s = strings.Clone(*s)
	}
	return &own
}

// ownedGrade is owned for grades.
func ownedGrade(r *record.Grade) *record.Grade {
	g := *r
	texts := []*string{&g.SchemaID, &g.FileHash, &g.Grade, &g.Timestamp, &g.Harness}
	g.Dimensions = slices.Clone(r.Dimensions)
	for i := range g.Dimensions {
		texts = append(texts, &g.Dimensions[i].Name, &g.Dimensions[i].Reasoning)
	}
	for _, s := range texts {
		*s = strings.Clone(*s)
	}
	return &g
}

// finish judges what has come, and forgets it.
func (j *joining) finish(ctx context.Context, emit func(Batch) bool) error {
	slices.SortFunc(j.errors, func(a, b *Item) int { return bytes.Compare(a.AppendJSON(nil), b.AppendJSON(nil)) })
	if len(j.errors) > 0 && !emit(j.errors) {
		return nil
	}
	list := j.evidence()
	if j.foreign != nil && !emit(Batch{New(j.foreign)}) {
		return nil
	}
	all := func(yield func(*grade.Evidence) bool) {
		for _, e := range list {
			if file := j.files[e.Path]; file != nil {
				if e.Load = j.open(file); e.Load == nil {
					return
				}
			}
			more := yield(e)
			if e.Load = nil; !more {
				return
			}
		}
	}
	err := j.judge(ctx, all, func(r record.Record) bool { return emit(Batch{New(r)}) })
	err = errors.Join(j.records.err, err, j.records.Close())
	j.reset()
	return err
}

// evidence is that of all schemas, without their records.
func (j *joining) evidence() []*grade.Evidence {
	j.findTwice()
	list := j.unloaded()
	for _, file := range j.files {
		if file.schema {
			list = append(list, file.evidence)
		}
	}
	owners := map[string][]*grade.Evidence{}
	for _, e := range list {
		e.Findings, e.Registered = inOrder(j.found[e.Path]), j.registered[filepath.Clean(e.Path)]
		e.Had(j.before[e.ID])
		for _, p := range e.Primitives {
			owners[p.ID] = append(owners[p.ID], e)
		}
	}
	matched, calls := false, []string{}
	for id, runs := range j.runs {
		primitive := grade.PrimitiveOf(id)
		for _, e := range owners[primitive] {
			e.Runs, matched = append(e.Runs, runs...), true
		}
		// Tests of skills and agents are of no schema.
		if p, err := catalog.ParseID(primitive); err == nil && slices.Contains(callables, p.Type) {
			calls = append(calls, id)
		}
	}
	if slices.Sort(calls); len(calls) > 0 && !matched {
		j.foreign = foreignRuns(calls)
	}
	for _, e := range list {
		slices.SortFunc(e.Runs, grade.Run.Compare)
		e.Runs = slices.Compact(e.Runs) // one file of runs was given twice
	}
	slices.SortFunc(list, func(a, b *grade.Evidence) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Path, b.Path))
	})
	return list
}

// callables are the types of primitives that tests call.
var callables = []string{catalog.TypeTool, catalog.TypeResource}

// foreignRuns says that there are runs, and none is of a schema that came.
func foreignRuns(ids []string) *record.Diagnostic {
	return &record.Diagnostic{
		Code: "GRD011", Severity: record.SeverityWarning, Subject: ids[0], Loc: record.Loc{Path: "test runs"},
		Message: "found test runs of " + words.List(ids) + "; expected some of a tool or a query that the schemas of " +
			"the input define",
		Fix: "give the test runs of this catalog",
	}
}
