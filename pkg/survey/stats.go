// Package survey says what a catalog has as a whole: how much of what, and who uses
// whom.
package survey

import (
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/record"
)

// Stats are the numbers of a catalog, or of all catalogs of a stream.
type Stats struct {
	Catalogs   []*catalog.Catalog
	Counts     map[record.Type]int
	Queries    Calls // those that schemas define
	Tools      Calls
	Methods    map[string]int // of tools
	Namespaces map[string]map[record.Type]int
	Keys       []catalog.Asked
	LeftOut    []LeftOut // where the catalog was made of files on the way
}

// Calls are the numbers of tools or of queries.
type Calls struct {
	Number, ReadOnly, Handled, WithOutput int
	Parameters, Described                 int // that callers give; that have a description
	Tests, Untested, Few                  int // tests; who has none, and fewer than three
}

// LeftOut is an error that leaves something out of a catalog.
type LeftOut struct{ Code, File, Message string }

// typeSchema counts the files of tools and resources, which have no record.
const typeSchema = record.TypeSchema

// fewTests is how many tests chapter 10 asks for at least.
const fewTests = 3

// Count counts what an Index has. The error is that of a record that cannot be read.
func Count(x *catalog.Index) (*Stats, error) {
	s := &Stats{Counts: map[record.Type]int{}, Methods: map[string]int{},
		Namespaces: map[string]map[record.Type]int{}, Keys: x.Asked()}
	files := map[catalog.File]bool{}
	for r, err := range x.Records {
		if err != nil {
			return nil, err
		}
		switch rec := catalog.Decode(r).(type) {
		case *catalog.Catalog:
			s.Catalogs = append(s.Catalogs, rec)
		case *catalog.Tool:
			s.Methods[rec.Method]++
			s.Tools.add(&rec.Callable, rec.ReadsOnly())
			s.file(files, rec.File())
		case *catalog.Resource:
			for _, q := range rec.Queries {
				if !q.Added {
					s.Queries.add(&q.Callable, q.ReadsOnly())
				}
			}
			s.file(files, catalog.File{Schema: rec.Schema, Hash: rec.Hashes.File})
		}
		s.Counts[r.Type]++
		if strings.Count(r.ID, "/") > 1 { // a Spec-ID
			s.in(r.ID, r.Type)
		}
	}
	return s, nil
}

// file counts a schema once.
func (s *Stats) file(files map[catalog.File]bool, f catalog.File) {
	if !files[f] {
		files[f] = true
		s.Counts[typeSchema]++
		s.in(f.Schema, typeSchema)
	}
}

// in counts something in the namespace of its ID.
func (s *Stats) in(id string, typ record.Type) {
	namespace, _, _ := strings.Cut(id, "/")
	if s.Namespaces[namespace] == nil {
		s.Namespaces[namespace] = map[record.Type]int{}
	}
	s.Namespaces[namespace][typ]++
}

func (c *Calls) add(r *catalog.Callable, readOnly bool) {
	c.Number++
	count := func(n *int, is bool) {
		if is {
			*n++
		}
	}
	tests := r.Tests.Len()
	c.Tests += tests
	count(&c.ReadOnly, readOnly)
	count(&c.Handled, len(r.Handlers) > 0)
	count(&c.WithOutput, r.OutputSchema().Exists())
	count(&c.Untested, tests == 0)
	count(&c.Few, tests > 0 && tests < fewTests)
	for _, p := range r.InputSchema.Get("properties").Members() {
		c.Parameters++
		if p.Value.Get("description").Str() != "" {
			c.Described++
		}
	}
}
