package forbidden

import (
	"slices"

	"github.com/flowmcp/fmcp/pkg/module"
)

// The constraints on handlers of chapter 05 that show in the source already.

// stageScan knows whether the token at hand is inside a preRequest or a
// postRequest, by the brackets that were open at its name.
type stageScan struct {
	braces, parens int // -1 outside of a stage
	ownFetch       bool
}

var noStage = stageScan{braces: -1, parens: -1}

// next ends the stage where its member of the object ends: at a comma beside
// its name, or at the brace around it.
func (st *stageScan) next(braces, parens int) {
	if braces < st.braces || braces == st.braces && parens == st.parens {
		st.braces, st.parens = -1, -1
	}
}

// stageWord looks at the name of a stage, which may be the key of one.
func (s *tokenScan) stageWord() {
	begins := s.is(s.p1, '{') || s.is(s.p1, ',') || s.keyword("async")
	if begins && (s.is(s.next, ':') || s.is(s.next, '(')) {
		s.stage.braces, s.stage.parens = s.braces, s.parens
	}
}

// fetch reports a call of fetch where there is none (decision "Fetch in handlers"). What is
// called elsewhere may be called by executeRequest, which has one.
func (s *tokenScan) fetch() {
	if s.declared() {
		s.stage.ownFetch = true // a function of the file
		return
	}
	if s.stage.braces >= 0 && s.is(s.next, '(') {
		s.report("SEC100", s.t.Start, s.t.End)
	}
}

// sharedLists reports what changes the frozen lists.
func (s *tokenScan) sharedLists() {
	if !s.accessed() {
		return
	}
	if end := changeEnd(s.src[s.t.Start:], s.keyword("delete")); end > 0 {
		s.report("SEC102", s.t.Start, s.t.Start+end)
	}
}

// mutators are the methods of arrays that change them.
var mutators = []string{"copyWithin", "fill", "pop", "push", "reverse", "shift", "sort", "splice", "unshift"}

// changeEnd follows the chain of members that src begins with, a.b['c'].d, and
// returns where the operator or method that changes it ends; 0 where nothing
// does. deleted says that delete stands before it.
func changeEnd(src string, deleted bool) int {
	lex := module.NewLexer(src)
	next := func() module.Token {
		t, err := lex.Next()
		if err != nil {
			return module.Token{}
		}
		return t
	}
	name, links, last := "", 0, next()
	for {
		t := next()
		switch text := lex.Text(t); {
		case text == "." || text == "?.":
			if last = next(); last.Kind != module.Ident {
				return 0
			}
			name = last.Name
		case text == "[":
			inner := next()
			name, _ = lex.StringValue(inner)
			if last = next(); lex.Text(last) != "]" {
				return 0
			}
		case text == "(" && links > 1 && slices.Contains(mutators, name):
			return t.End
		case isAssignment(text) || (text == "++" || text == "--") && !t.NewlineBefore:
			return t.End
		case deleted && text != "(":
			return last.End
		default:
			return 0
		}
		links++
	}
}

func isAssignment(operator string) bool {
	switch operator {
	case "=", "+=", "-=", "*=", "/=", "%=", "**=", "<<=", ">>=", ">>>=", "&=", "|=", "^=", "&&=", "||=", "??=":
		return true
	}
	return false
}
