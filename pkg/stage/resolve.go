package stage

import (
	"cmp"
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
				if rec.Type != record.TypeSchema { // its line has that
					rec.HashMain()
				}
				r.Add(rec, it.Line)
				return nil, r.Err()
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
			defer func() { _ = r.Close() }()
			lines, diags := r.Resolve()
			place(diags, r.Loaded)
			slices.SortStableFunc(diags, (*record.Diagnostic).Compare)
			inBatches(diags, emit)
			return cmp.Or(encode(whole, lines, wanted, emit), r.Err())
		},
	}, err
}

// encode emits what is wanted of catalogs that came in whole and of the one that is
// made, each record when its turn comes.
func encode(whole []*record.Resolved, lines iter.Seq2[record.Type, []byte], wanted catalog.Narrowing,
	emit func(Batch) bool,
) error {
	if !wanted.All() {
		left, err := wanted.Narrow(func(yield func(*record.Resolved, error) bool) {
			for _, rec := range whole {
				if !yield(rec, nil) {
					return
				}
			}
			for _, line := range lines {
				if rec := resolvedOf(line); !yield(rec, nil) {
					return
				}
			}
		})
		inBatches(left, emit)
		return err
	}
	var b Batch
	for typ, line := range lines {
		it := &Item{Line: line}
		if typ == record.TypeCatalog { // what is left out is in it
			it.Rec = resolvedOf(line)
		}
		if b = append(b, it); len(b) == batchItems {
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

// resolvedOf is the record of a line that is one.
func resolvedOf(line []byte) *record.Resolved {
	_, rec, _, _ := record.Decode(string(line))
	return rec.(*record.Resolved)
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
