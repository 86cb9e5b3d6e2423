package stage

import (
	"context"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/grade"
	"github.com/flowmcp/fmcp/pkg/record"
)

// Grade is the step that makes a report of each schema from the findings that
// come before its record. A schema whose record does not come, because
// fmcp-validate --pass held it back, is reported at the end. Reports carry the
// timestamp unless it is "".
func Grade(timestamp string) Step {
	g := &grader{timestamp: timestamp, findings: map[string]*heldFindings{}, reported: map[string]bool{}}
	return Step{InOrder: g.inOrder, Finish: g.finish}
}

// grader is a Grade at work.
type grader struct {
	timestamp string
	findings  map[string]*heldFindings // by file, until its record comes
	order     []string
	reported  map[string]bool // files whose report has left
}

// heldFindings are those of a file, each once.
type heldFindings struct {
	list []*record.Diagnostic
	seen map[[3]string]bool // code, pointer, message
}

func (g *grader) inOrder(it *Item) (Batch, error) {
	switch rec := it.Rec.(type) {
	case *record.Diagnostic:
		g.add(rec)
		return nil, nil
	case *record.Scan:
		return nil, nil
	case *record.Load:
		findings := g.take(rec.Src.File())
		g.reported[rec.Src.File()] = true
		if rec.Type != record.TypeSchema {
			return nil, nil
		}
		var primitives []grade.Primitive
		for _, p := range catalog.PrimitiveIDs(rec) {
			primitives = append(primitives, grade.Primitive{ID: p.ID.String(), Kind: record.Type(p.ID.Type)})
		}
		return Batch{New(g.report(&grade.Evidence{ID: rec.ID, Path: rec.Src.File(), FileHash: rec.Src.FileHash,
			Primitives: primitives, Findings: findings}))}, nil
	}
	return Batch{it}, nil
}

// add keeps a finding, once: this command validates what it is given, and
// fmcp-validate before it may have said the same. What is said of a file at the
// end, when its report may have left, is about the catalog; so is that two
// schemas have one ID.
func (g *grader) add(d *record.Diagnostic) {
	file := d.Loc.Path
	if g.reported[file] || d.Code == catalog.CodeDuplicateID {
		return
	}
	held := g.findings[file]
	if held == nil {
		held = &heldFindings{seen: map[[3]string]bool{}}
		g.findings[file] = held
		g.order = append(g.order, file)
	}
	if key := [3]string{d.Code, d.Loc.Pointer, d.Message}; !held.seen[key] {
		held.seen[key] = true
		held.list = append(held.list, d)
	}
}

// take returns the findings of a file, and holds them no longer.
func (g *grader) take(file string) []*record.Diagnostic {
	held := g.findings[file]
	if held == nil {
		return nil
	}
	delete(g.findings, file)
	return held.list
}

func (g *grader) report(e *grade.Evidence) *record.Grade {
	r := grade.Report(e)
	r.Timestamp = g.timestamp
	return r
}

// finish reports the schemas whose records did not come.
func (g *grader) finish(_ context.Context, emit func(Batch) bool) error {
	var reports []*record.Grade
	for _, file := range g.order {
		findings := g.take(file)
		if len(findings) == 0 {
			continue
		}
		id := findings[len(findings)-1].Subject
		// a list, an agent: only schemas are graded so far
		if parsed, err := catalog.ParseID(id); err == nil && parsed.IsFile() {
			reports = append(reports, g.report(&grade.Evidence{ID: id, Path: file, Findings: findings}))
		}
	}
	inBatches(reports, emit)
	return nil
}
