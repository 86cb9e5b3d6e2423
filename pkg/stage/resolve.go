package stage

import (
	"slices"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/resolve"
)

// Resolve gathers a stream and makes a catalog of it. Records that are not
// loaded objects pass; what is resolved follows at the end, since no name is
// certain before the last tool is known.
type Resolve struct {
	resolver *resolve.Resolver
	loads    map[string]*record.Load // by file, to find lines again
}

// NewResolve returns a Resolve, or an error about the options.
func NewResolve(opts resolve.Options) (*Resolve, error) {
	opts.Source = sourceOf
	opts.Read = func(dir, name string) []byte { return (&folder{dir: dir}).Read(name) }
	r, err := resolve.NewResolver(opts)
	if err != nil {
		return nil, err
	}
	return &Resolve{resolver: r, loads: map[string]*record.Load{}}, nil
}

// sourceOf reads a module again, and tells whether it is still what was loaded.
func sourceOf(src record.Source) (string, bool) {
	text, hash, err := readModule(src.File())
	return text, err == nil && hash == src.FileHash
}

// Sink takes the next item; next gets those that pass.
func (r *Resolve) Sink(next func(*Item) error) func(*Item) error {
	return func(it *Item) error {
		switch rec := it.Rec.(type) {
		case *record.Load:
			r.resolver.Add(rec)
			r.loads[rec.Src.File()] = rec
			return nil
		case *record.Scan:
			return nil
		case *record.Diagnostic:
			r.resolver.AddDiagnostic(rec)
		case *record.Error:
			r.resolver.AddError(rec)
		}
		return next(it)
	}
}

// Finish emits the findings of resolving and the catalog.
func (r *Resolve) Finish(emit func(*Item) error) error {
	recs, diags := r.resolver.Resolve()
	r.place(diags)
	slices.SortStableFunc(diags, (*record.Diagnostic).Compare)
	for _, d := range diags {
		if err := emit(New(d)); err != nil {
			return err
		}
	}
	for _, rec := range recs {
		if err := emit(New(rec)); err != nil {
			return err
		}
	}
	return nil
}

// place gives findings their lines and columns.
func (r *Resolve) place(diags []*record.Diagnostic) {
	places := map[string]*record.Finder{}
	for _, d := range diags {
		load := r.loads[d.Loc.Path]
		if load == nil {
			continue
		}
		if places[d.Loc.Path] == nil {
			places[d.Loc.Path] = load.Find()
		}
		d.Loc.Line, d.Loc.Col = places[d.Loc.Path].Value(d.Loc.Pointer)
	}
}
