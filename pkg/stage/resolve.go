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
	r, err := resolver(opts)
	var whole []*record.Resolved
	return Step{
		InOrder: func(it *Item) (Batch, error) {
			switch rec := it.Rec.(type) {
			case *record.Load:
				return nil, add(r, it)
			case *record.Resolved:
				if !wanted.All() {
					whole = append(whole, rec)
					return nil, nil
				}
			case nil:
				if record.KindIn(it.Line) == record.KindPart {
					return nil, r.AddPart(it.input, it.Line)
				}
			}
			return pass(r, it), nil
		},
		Finish: func(_ context.Context, emit func(Batch) bool) error {
			defer func() { _ = r.Close() }()
			lines, diags := r.Resolve()
			if r.Err() != nil {
				return r.Err()
			}
			place(diags, r)
			slices.SortStableFunc(diags, (*record.Diagnostic).Compare)
			inBatches(diags, emit)
			return cmp.Or(encode(whole, lines, wanted, emit), r.Err())
		},
	}, err
}

// Part is the step that makes a part of a catalog, for a Resolve that gets all of them.
// Records that are not schemas pass: who has all parts needs them too.
func Part(opts resolve.Options) (Step, error) {
	r, err := resolver(opts)
	return Step{
		InOrder: func(it *Item) (Batch, error) {
			load, ok := it.Rec.(*record.Load)
			if !ok {
				return pass(r, it), nil
			}
			if err := add(r, it); err != nil || load.Type == record.TypeSchema {
				return nil, err
			}
			return Batch{it}, nil
		},
		Finish: func(_ context.Context, emit func(Batch) bool) error {
			defer func() { _ = r.Close() }()
			lines, diags := r.Parts()
			place(diags, r)
			inBatches(diags, emit)
			for line := range lines {
				if !emit(Batch{{Line: line}}) {
					return nil
				}
			}
			return r.Err()
		},
	}, err
}

func resolver(opts resolve.Options) (*resolve.Resolver, error) {
	opts.Source = sourceOf
	opts.Read = func(dir, name string) []byte { return (&folder{dir: dir}).Read(name) }
	return resolve.NewResolver(opts)
}

// add takes a load record.
func add(r *resolve.Resolver, it *Item) error {
	load := it.Rec.(*record.Load)
	if load.Type != record.TypeSchema { // its line has that
		load.HashMain()
	}
	r.Add(load, it.Line)
	return r.Err()
}

// pass takes what an earlier stage says of files, and passes on what is not used up.
func pass(r *resolve.Resolver, it *Item) Batch {
	switch rec := it.Rec.(type) {
	case *record.Scan:
		return nil
	case *record.Diagnostic:
		r.AddDiagnostic(rec, it.input)
	case *record.Error:
		r.AddError(rec)
	}
	return Batch{it}
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
func place(diags []*record.Diagnostic, r *resolve.Resolver) {
	places := map[string]func(pointer string) (line, col int){}
	for _, d := range diags {
		if d.Loc.Line > 0 {
			continue
		}
		if places[d.Loc.Path] == nil {
			if places[d.Loc.Path] = r.Find(d.Loc.Path); places[d.Loc.Path] == nil {
				continue
			}
		}
		d.Loc.Line, d.Loc.Col = places[d.Loc.Path](d.Loc.Pointer)
	}
}
