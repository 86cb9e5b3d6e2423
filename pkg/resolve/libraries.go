package resolve

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/spool"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Allowlist are the packages that requiredLibraries may name (chapter 05,
// "Library Allowlist").
type Allowlist []string

// Refuse says why a package may not be named, nil where it may.
func (a Allowlist) Refuse(name string) *words.Problem {
	if slices.Contains(a, name) {
		return nil
	}
	allowed := slices.Compact(slices.Sorted(slices.Values(a)))
	p := &words.Problem{
		Code:    catalog.CodeNotAllowed,
		Message: "the library " + strconv.Quote(name) + " is not on the allowlist: " + strings.Join(allowed, ", "),
		Fix: "use one of these, or allow it by --library " + name +
			" or under libraries in a file of --config, if you trust it",
	}
	if near, ok := words.Closest(name, allowed); ok {
		p.Fix = "did you mean " + strconv.Quote(near) + "?"
	}
	return p
}

// NoLibrary implements Options.Library for a catalog that carries none: what is
// not allowed is refused all the same.
func (a Allowlist) NoLibrary(name string) (*catalog.Library, *words.Problem) {
	return nil, a.Refuse(name)
}

const requiredLibraries = "requiredLibraries"

// checkLibraries looks for libraries that a schema may not have, or that are
// not there: without them its factory cannot be called, so the schema is left
// out (chapter 05, "Library Loading Sequence").
func (s *session) checkLibraries(schema model.Schema) []words.Problem {
	if s.opts.Library == nil {
		return nil
	}
	var problems []words.Problem
	for i, n := range schema.At(requiredLibraries).Items() {
		if !n.Is(ordjson.String) {
			continue // VAL025
		}
		if _, p := s.opts.Library(n.Str()); p != nil {
			q := *p
			q.Message = "main." + requiredLibraries + "[" + strconv.Itoa(i) + "]: " + q.Message
			q.Pointer = n.Pointer()
			problems = append(problems, q)
		}
	}
	return problems
}

// libraries are those of a schema that the catalog has to carry.
func (s *session) libraries(schema model.Schema) []string {
	if s.opts.Library == nil {
		return nil
	}
	var names []string
	for _, name := range record.StringsOf(schema.Get(requiredLibraries)) {
		if lib, _ := s.opts.Library(name); lib != nil {
			names = append(names, name)
		}
	}
	return names
}

// library keeps the record of a library.
func (s *session) library(name string) spool.Place {
	if s.parts != nil {
		at := s.parts.libraries[name]
		in := catalog.DecodePart(s.text(at, nil), &catalog.Part{})
		if len(in) != 1 {
			s.err = cmp.Or(s.err, mismatch("no part has the library %s: make the parts again", words.Quote(name)))
			return at
		}
		return at.Part(in[0][0], in[0][1])
	}
	lib, _ := s.opts.Library(name)
	return s.keep(lib)
}
