package sandbox

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/words"
)

// Library is a package that handlers are given (chapter 01, "Injected
// Dependencies"): a CommonJS script that sets module.exports.library to the
// package's namespace. Handlers get the default export, where there is one, or
// the namespace, as the reference implementation gives it to them.
type Library struct {
	Hash   string // tells scripts apart: same hash, same script
	Script string // "" where it is damaged
}

// ownLibraries are parts of Node that the sandbox has itself (docs/handlers.md).
var ownLibraries = []string{"crypto", "zlib"}

// Own reports whether the sandbox has a library itself.
func Own(library string) bool { return slices.Contains(ownLibraries, library) }

// Builtins are the parts of Node that libraries may import; libraries.js has
// them.
var Builtins = []string{"buffer", "crypto", "url", "zlib"}

// missing returns the error of a script whose libraries are not all there.
func (s *Script) missing() *HandlerError {
	for _, name := range s.Libraries {
		if lib := s.Bundles[name]; lib != nil && lib.Script == "" {
			return LibraryFailure(name, "the catalog's record of it is damaged: resolve the catalog again")
		} else if lib == nil && !Own(name) {
			return &HandlerError{Code: CodeLibrary, Msg: "the schema requires the library " + words.Quote(name) +
				", which the catalog does not carry: resolve it with fmcp-resolve --libraries node_modules, with the " +
				"package installed there, and --library " + name + " if no allowlist has it; " +
				strings.Join(ownLibraries, " and ") + " are built in"}
		}
	}
	return nil
}

// uses are the hashes of a script's libraries by name.
func (s *Script) uses() map[string]string {
	m := map[string]string{}
	for _, name := range s.Libraries {
		if l := s.Bundles[name]; l != nil {
			m[name] = l.Hash
		}
	}
	return m
}

// fits says how well a worker suits a script: 2 where it knows it, 1 where it
// has compiled all its libraries, 0 otherwise.
func (w *process) fits(s *Script) int {
	if w.known[s.Key] {
		return 2
	}
	if len(s.Bundles) == 0 {
		return 0
	}
	for _, lib := range s.Bundles {
		if !w.compiled[lib.Hash] {
			return 0
		}
	}
	return 1
}

// prepare has the worker compile the libraries of a script that it does not
// know yet. After an error it is of no use.
func (r *run) prepare(ctx context.Context, s *Script) error {
	for _, name := range s.Libraries {
		lib := s.Bundles[name]
		if lib == nil || r.compiled[lib.Hash] {
			continue
		}
		go func() { _ = r.send(Request{Library: &LibraryScript{lib.Hash, lib.Script}}) }()
		r.start(r.pool.limits.Load, r.pool.limits.Wait)
		r.loading = true
		last, err := r.wait(ctx, Call{})
		switch {
		case err != nil:
			return r.blame(err, name)
		case last.Error != nil:
			return LibraryFailure(name, last.Error.Msg)
		}
		r.compiled[lib.Hash] = true
	}
	return nil
}

// blame says of a limit that was reached while libraries were loaded that it is
// theirs.
func (r *run) blame(err error, library string) error {
	var failure *HandlerError
	if !r.loading || !errors.As(err, &failure) {
		return err
	}
	if failure.Code == CodeTime {
		return LibraryFailure(library,
			"it takes longer than "+r.pool.limits.Load.String()+" of processor time, or waits for "+
				r.pool.limits.Wait.String())
	}
	return LibraryFailure(library, "it takes too much memory or stack")
}

func LibraryFailure(name, why string) *HandlerError {
	return &HandlerError{Code: CodeLibrary, Msg: "the library " + words.Quote(name) + " cannot be loaded: " + why}
}

// LibraryScript goes to a worker that does not know it yet.
type LibraryScript struct {
	Hash   string `json:"hash"`
	Script string `json:"script"`
}
