package forbidden

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/module"
)

// fetches are the uses of fetch in a source, and what tells whether they are
// in executeRequest (decision "Fetch in handlers"). What is not called where it
// stands is passed on, to be called by somebody else.
type fetches struct {
	uses     []fetchUse
	own      bool // the file has a function fetch
	executes bool // it has a handler executeRequest
	stageEnd int  // where the preRequest or postRequest ends that has begun
	allowed  bool // executeRequest may make one of the uses
	factory  int  // after the word that exports the handlers, or 0
}

type fetchUse struct {
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
	case s.declared(), s.Keyword(s.i-1, "import"), s.Is(s.i+1, "=>"), s.inPattern():
		s.fetch.own = true
	case s.Keyword(s.i-1, "typeof") && !s.accessed(), s.method():
	default:
		s.fetch.uses = append(s.fetch.uses, fetchUse{s.i, s.i < s.fetch.stageEnd})
	}
}

// Fetches reports whether executeRequest of a handler may call fetch.
func Fetches(t *module.Tokens) bool {
	if !strings.Contains(t.Src, "fetch") {
		return false
	}
	s := scan{Tokens: t}
	s.run()
	return s.fetch.allowed
}

// inPattern reports whether the name at hand is, as far as the brackets around it
// tell, a parameter, or taken out of an object or a module.
func (s *scan) inPattern() bool {
	f := functions{Tokens: s.Tokens}
	around := s.open[max(0, len(s.open)-2):]
	return slices.ContainsFunc(around, func(i int) bool {
		return f.head(i) || s.Is(s.After(i), "=") || s.Keyword(i-1, "import")
	})
}

// reportFetches reports the uses that executeRequest cannot make: those of the
// other stages, all of a file without executeRequest, and those outside of every
// function but the factory, which run before the first call of a tool. Any other
// function may be one that executeRequest calls.
func (s *scan) reportFetches() {
	uses := s.fetch.uses
	if s.fetch.own || len(uses) == 0 {
		return
	}
	f := functions{Tokens: s.Tokens, factory: s.fetch.factory, levels: []level{{}}}
	for i := 0; len(uses) > 0; i++ {
		f.next(i)
		if i != uses[0].at {
			continue
		}
		if uses[0].inStage || !s.fetch.executes || s.Err == nil && f.depth == 0 {
			s.i = i
			s.reportToken("SEC100")
		} else {
			s.fetch.allowed = true
		}
		uses = uses[1:]
	}
}

// functions goes through tokens and knows how many functions are around the one
// at hand; the factory of handlers is none.
type functions struct {
	*module.Tokens
	levels  []level // the brackets around the token
	depth   int     // how many functions are there
	factory int     // where the factory is looked for, or 0
	arrow   int     // that of the factory
	body    int     // the token that its body begins with
}

// level is what is known of a bracket.
type level struct {
	function bool // it holds the parameters or the body of a function
	arrow    bool // an arrow function without braces has begun in it
}

func (f *functions) next(i int) {
	if f.Closes(i) {
		top := f.levels[len(f.levels)-1]
		f.levels = f.levels[:len(f.levels)-1]
		f.count(top.function, -1)
		f.count(top.arrow, -1)
	}
	top := &f.levels[len(f.levels)-1]
	if top.arrow && endsBody(f.Tokens, i) {
		top.arrow = false
		f.depth--
	}
	head := f.head(i)
	if head && f.factory > 0 && i >= f.factory {
		f.factory = 0
		f.arrow = i
		if f.Is(i, "(") {
			f.arrow = int(f.List[i].Match) + 1
		}
		f.body = f.arrow
		if f.Is(f.arrow, "=>") {
			f.body++
		}
		head = false
	}
	switch {
	case f.Is(i, "=>") && i != f.arrow && !f.Is(i+1, "{") && !top.arrow:
		top.arrow = true
		f.depth++
	case f.Opens(i):
		function := head || i != f.body && f.Is(i, "{") &&
			(f.Is(i-1, "=>") || f.Is(i-1, ")") && f.head(int(f.List[i-1].Match)))
		f.levels = append(f.levels, level{function: function})
		f.count(function, 1)
	}
}

func (f *functions) count(function bool, n int) {
	if function {
		f.depth += n
	}
}

// head reports whether a function begins with token i: with its parameters, or
// with the arrow after a single one.
func (f *functions) head(i int) bool {
	if !f.Is(i, "(") {
		return f.Is(i, "=>") && f.Kind(i-1) == module.Ident
	}
	after := int(f.List[i].Match) + 1
	return f.Is(after, "=>") || f.Is(after, "{") &&
		!f.Keyword(i-1, "if", "while", "for", "await", "switch", "with", "catch")
}
