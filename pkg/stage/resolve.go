package stage

import (
	"context"
	"iter"
	"slices"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/resolve"
)

// Resolve is the step that gathers a stream and makes a catalog of it. Records
// that are not loaded objects pass; what is resolved follows at the end, since no
// name is certain before the last tool is known. The error is about the options; that
// the catalog does not have what is wanted is a *catalog.NarrowError at the end. A
// catalog that comes in whole is narrowed like what is made here.
func Resolve(opts resolve.Options, wanted catalog.Narrowing) (Step, error) {
	opts.Source = sourceOf
	opts.Read = func(dir, name string) []byte { return (&folder{dir: dir}).Read(name) }
	r, err := resolve.NewResolver(opts)
	var whole []*record.Resolved
	return Step{
		InOrder: func(it *Item) (Batch, error) {
			switch rec := it.Rec.(type) {
			case *record.Load:
				if rec.Type != record.TypeSchema { // it has that once it is packed
					rec.HashMain()
				}
				r.Add(rec)
				return nil, nil
			case *record.Scan:
				return nil, nil
			case *record.Resolved:
				if !wanted.All() {
					whole = append(whole, rec)
					return nil, nil
				}
			case *record.Diagnostic:
				r.AddDiagnostic(rec)
			case *record.Error:
				r.AddError(rec)
			}
			return Batch{it}, nil
		},
		Finish: func(_ context.Context, emit func(Batch) bool) error {
			recs, diags := r.Resolve()
			place(diags, r.Loaded)
			slices.SortStableFunc(diags, (*record.Diagnostic).Compare)
			inBatches(diags, emit)
			return encode(whole, recs, wanted, emit)
		},
	}, err
}

// encode emits what is wanted of catalogs that came in whole and of the one that is
// made, each record when its turn comes.
func encode(whole []*record.Resolved, recs iter.Seq[catalog.Record], wanted catalog.Narrowing,
	emit func(Batch) bool,
) error {
	if !wanted.All() {
		left, err := wanted.Narrow(func(yield func(*record.Resolved, error) bool) {
			for _, rec := range whole {
				if !yield(rec, nil) {
					return
				}
			}
			for rec := range recs {
				if !yield(catalog.Encode(rec), nil) {
					return
				}
			}
		})
		inBatches(left, emit)
		return err
	}
	var b Batch
	for rec := range recs {
		if b = append(b, New(catalog.Encode(rec))); len(b) == batchItems {
			if !emit(b) {
				return nil
			}
			b = nil
		}
	}
	if len(b) > 0 {
		emit(b)
	}
	return nil
}

// sourceOf is the text of a module, which is read again where another process has
// loaded it, and whether it is still what was loaded.
func sourceOf(l *record.Load) (string, bool) {
	if l.Text != "" {
		return l.Text, true
	}
	text, hash, err := readModule(l.Src.File())
	return text, err == nil && hash == l.Src.FileHash
}

// place gives findings their lines and columns.
func place(diags []*record.Diagnostic, loaded func(file string) *record.Load) {
	places := map[string]*record.Finder{}
	for _, d := range diags {
		if places[d.Loc.Path] == nil {
			load := loaded(d.Loc.Path)
			if load == nil {
				continue
			}
			places[d.Loc.Path] = load.Find()
		}
		d.Loc.Line, d.Loc.Col = places[d.Loc.Path].Value(d.Loc.Pointer)
	}
}
