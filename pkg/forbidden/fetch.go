package forbidden

import (
	"slices"

	"github.com/flowmcp/fmcp/pkg/module"
)

// fetches are the calls of fetch in a source, and what tells whether they are
// in executeRequest (decision "Fetch in handlers").
type fetches struct {
	calls    []fetchCall
	own      bool // the file has a function fetch
	executes bool // it has a handler executeRequest
	stageEnd int  // where the preRequest or postRequest ends that has begun
	factory  int  // after the word that exports the handlers, or 0
}

type fetchCall struct {
	at      int
	inStage bool // in a preRequest or postRequest
}

// stageWord notes where a stage ends whose name is at hand: at the comma or the
// bracket that ends its member of the object.
func (s *scan) stageWord(string) {
	begins := s.keyStart(s.i) || s.Keyword(s.i-1, "async")
	if !begins || !s.Is(s.i+1, ":") && !s.Is(s.i+1, "(") {
		return
	}
	end := s.i
	for s.Kind(end) != module.EOF && !s.Is(end, ",") && !s.Closes(end) {
		end = s.After(end)
	}
	s.fetch.stageEnd = max(s.fetch.stageEnd, end)
}

// executeWord notes that there is a handler that may call fetch.
func (s *scan) executeWord(string) { s.fetch.executes = true }

func (s *scan) fetchWord(string) {
	switch {
	case s.declared():
		s.fetch.own = true
	case s.Is(s.i+1, "("):
		s.fetch.calls = append(s.fetch.calls, fetchCall{s.i, s.i < s.fetch.stageEnd})
	}
}

// reportFetches reports the calls that executeRequest cannot make: those of the
// other stages, all of a file without executeRequest, and those outside of every
// function but the factory, which run before the first call of a tool. Any other
// function may be one that executeRequest calls.
func (s *scan) reportFetches() {
	if s.fetch.own || len(s.fetch.calls) == 0 {
		return
	}
	inner := s.innerFunctions()
	for _, c := range s.fetch.calls {
		around := func(f span) bool { return f.start < c.at && c.at < f.end }
		if c.inStage || !s.fetch.executes || s.Err == nil && !slices.ContainsFunc(inner, around) {
			s.i = c.at
			s.reportToken("SEC100")
		}
	}
}

// innerFunctions are the functions of a source, from their parameters or arrow
// to the end of their body, but for the factory of handlers.
func (s *scan) innerFunctions() []span {
	var found []span
	bodies := localScan{Tokens: s.Tokens}
	for i, t := range s.List {
		end := 0
		switch {
		case s.Is(i, "=>"):
			end = s.At(bodies.bodyEnd(i + 1))
		case s.Is(i, "(") && s.Opens(i) && s.Is(int(t.Match)+1, "{") &&
			!s.Keyword(i-1, "if", "while", "for", "await", "switch", "with", "catch"):
			end = s.After(int(t.Match) + 1)
		default:
			continue
		}
		if s.fetch.factory > 0 && i >= s.fetch.factory {
			s.fetch.factory = 0 // the first function of the export is the factory
			continue
		}
		found = append(found, span{i, end})
	}
	return found
}
