package stage

import (
	"context"
	"slices"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/resolve"
)

// Resolve is the step that gathers a stream and makes a catalog of it. Records
// that are not loaded objects pass; what is resolved follows at the end, since no
// name is certain before the last tool is known. The error is about the options; that
// the catalog does not have what is wanted is a *catalog.NarrowError at the end.
func Resolve(opts resolve.Options, wanted catalog.Narrowing) (Step, error) {
	opts.Source = sourceOf
	opts.Read = func(dir, name string) []byte { return (&folder{dir: dir}).Read(name) }
	r, err := resolve.NewResolver(opts)
	loads := map[string]*record.Load{} // by file, to find lines again
	return Step{
		InOrder: func(it *Item) (Batch, error) {
			switch rec := it.Rec.(type) {
			case *record.Load:
				rec.HashMain()
				r.Add(rec)
				loads[rec.Src.File()] = rec
				return nil, nil
			case *record.Scan:
				return nil, nil
			case *record.Diagnostic:
				r.AddDiagnostic(rec)
			case *record.Error:
				r.AddError(rec)
			}
			return Batch{it}, nil
		},
		Finish: func(_ context.Context, emit func(Batch) bool) error {
			recs, diags := r.Resolve()
			place(diags, loads)
			slices.SortStableFunc(diags, (*record.Diagnostic).Compare)
			inBatches(diags, emit)
			recs, err := wanted.Of(recs)
			inBatches(recs, emit)
			return err
		},
	}, err
}

// sourceOf reads a module again, and tells whether it is still what was loaded.
func sourceOf(src record.Source) (string, bool) {
	text, hash, err := readModule(src.File())
	return text, err == nil && hash == src.FileHash
}

// place gives findings their lines and columns.
func place(diags []*record.Diagnostic, loads map[string]*record.Load) {
	places := map[string]*record.Finder{}
	for _, d := range diags {
		load := loads[d.Loc.Path]
		if load == nil {
			continue
		}
		if places[d.Loc.Path] == nil {
			places[d.Loc.Path] = load.Find()
		}
		d.Loc.Line, d.Loc.Col = places[d.Loc.Path].Value(d.Loc.Pointer)
	}
}
