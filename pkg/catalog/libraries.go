package catalog

import (
	"strconv"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// Library is a package as one script, for the handlers that need it.
type Library struct {
	Version string // "" where its package.json names none
	Hash    string // "sha256:…" of Script
	Script  string
}

const requiredLibraries = "requiredLibraries"

// checkLibraries looks for libraries that a schema may not have, or that are
// not there: without them its factory cannot be called, so the schema is left
// out (chapter 05, "Library Loading Sequence").
func (s *session) checkLibraries(schema model.Schema) []Problem {
	if s.opts.Library == nil {
		return nil
	}
	var problems []Problem
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

// libraries are the records of a schema's libraries, but for those that the
// stream has already.
func (s *session) libraries(schema model.Schema) []*record.Resolved {
	if s.opts.Library == nil {
		return nil
	}
	var recs []*record.Resolved
	for _, name := range record.StringsOf(schema.Get(requiredLibraries)) {
		lib, _ := s.opts.Library(name)
		if lib == nil || s.carried[name] {
			continue
		}
		s.carried[name] = true
		f := fields{}
		if lib.Version != "" {
			f.str("version", lib.Version)
		}
		f.str("hash", lib.Hash)
		f.str("script", lib.Script)
		recs = append(recs, &record.Resolved{ID: name, Type: record.TypeLibrary, Data: ordjson.NewObject(f...)})
	}
	return recs
}
