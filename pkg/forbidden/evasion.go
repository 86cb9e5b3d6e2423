package forbidden

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/module"
)

// constructorScan follows what is done with a `constructor` that was taken of
// something: that of any function is Function, so f.constructor('…')() runs
// text. Comparing it, or asking its name, is what honest code does.
type constructorScan struct {
	state    ctorState
	start    int  // of the access: the name, or the bracket of a computed one
	end      int  // of the access
	computed bool // a string 'constructor' waits for its closing bracket
	key      bool // that string is a key of an object or of a pattern, or alone in an array
	chained  bool // the access is the next link of one that was reported
}

type ctorState uint8

const (
	ctorNone    ctorState = iota
	ctorTaken             // .constructor
	ctorDot               // .constructor.
	ctorBracket           // .constructor[
)

// constructor notes that the token at hand ends an access to a constructor.
func (s *tokenScan) constructor(start int) {
	s.ctor = constructorScan{state: ctorTaken, start: start, end: s.t.End, chained: s.ctor.chained}
}

// afterConstructor looks at the token after an access to a constructor.
func (s *tokenScan) afterConstructor() {
	state := s.ctor.state
	s.ctor.state = ctorNone
	switch state {
	case ctorTaken:
		s.constructorUse()
	case ctorDot:
		switch {
		case s.t.Kind == module.Ident:
			s.constructorMember(s.t.Name)
		case s.is(s.t, '('):
			s.reportConstructor(false)
		case s.is(s.t, '['):
			s.ctor.state = ctorBracket
		}
	case ctorBracket:
		if v, ok := s.lex.StringValue(s.t); ok {
			s.constructorMember(v)
		} else {
			s.reportConstructor(false) // a computed name may be any
		}
	}
}

// constructorUse looks at the token right after `x.constructor`.
func (s *tokenScan) constructorUse() {
	switch {
	case s.dot(s.t):
		s.ctor.state = ctorDot
	case s.is(s.t, '['):
		s.ctor.state = ctorBracket
	case s.is(s.t, '('), s.t.Kind == module.Template:
		s.reportConstructor(false)
	case s.compares(), s.comparedBefore():
		s.ctor.chained = false
	default:
		s.reportConstructor(false) // it is kept: const F = f.constructor
	}
}

// compares reports whether the token at hand asks something of the value
// before it and does not pass it on.
func (s *tokenScan) compares() bool {
	switch s.src[s.t.Start:s.t.End] {
	case "===", "!==", "==", "!=", "&&", "?", "instanceof":
		return true
	}
	return false
}

// comparedBefore reports whether the access is the right side of a
// comparison: Object === a.b.constructor.
func (s *tokenScan) comparedBefore() bool {
	head := s.src[:s.ctor.start]
	receiver := strings.TrimRightFunc(head, func(r rune) bool {
		return r == '.' || r == '?' || r == '_' || r == '$' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
	})
	return len(receiver) < len(head) && strings.HasSuffix(strings.TrimRight(receiver, " \t\r\n"), "==")
}

// constructorMember looks at a member that is taken of a constructor: through
// these, Function is reached or called.
func (s *tokenScan) constructorMember(name string) {
	switch name {
	case "constructor":
		s.reportConstructor(true)
	case "call", "apply", "bind":
		s.reportConstructor(false)
	default:
		s.ctor.chained = false
	}
}

// reportConstructor reports the access, once for a chain of them; more says
// that the token at hand is the next link.
func (s *tokenScan) reportConstructor(more bool) {
	if !s.ctor.chained {
		s.report("SEC004", s.ctor.start, s.ctor.end)
	}
	s.ctor.chained = more
}

// unread reports where the scan came to its end before the source did.
func (s *tokenScan) unread(err error) {
	var at *module.SyntaxError
	errors.As(err, &at)
	s.out = append(s.out, Finding{
		Code: "LOD048", Start: at.Offset, End: at.Offset,
		Msg: "cannot be read from here on: " + at.Msg,
	})
}

// fork is another reading of a source: whether a slash starts a regular
// expression or divides cannot always be told without a full parser, and who
// gets it wrong takes code for text.
type fork struct {
	at    int  // offset of the slash
	regex bool // the other reading is that of a regular expression
}

// maxForks bounds the other readings that are followed. Honest code has none,
// or a few; where there are more, what is left unread is reported (LOD012).
const maxForks = 32

// slash notes a slash that could also be read the other way.
func (s *tokenScan) slash() {
	regex := s.t.Kind == module.Regex
	before, member := s.p1, s.member
	if text := s.src[s.p1.Start:s.p1.End]; text == "++" || text == "--" {
		before, member = s.p2, s.member2 // a value before it makes the slash divide
	}
	ambiguous := s.is(before, '}') || (regex || before != s.p1) && s.is(before, ')') ||
		s.t.NewlineBefore && s.p1.Kind == module.Ident || // let a, b and then /re/ in a line of its own
		before.Kind == module.Ident && !member && (before.Name == "of" || before.Name == "yield" || before.Name == "await")
	switch {
	case !ambiguous:
	case len(s.forks) < maxForks:
		s.forks = append(s.forks, fork{s.t.Start, !regex})
	case s.unclear < 0:
		s.unclear = s.t.Start
	}
}

// scanForks follows the other readings and adds what they find. The wrong
// reading of a source soon ends in an unclosed string or bracket, so only one
// that is JavaScript to the end counts. unclear is the first slash of the main
// reading that was not followed, or -1.
func scanForks(src string, list bool, out []Finding, forks []fork, unclear int) []Finding {
	for i := 0; i < len(forks); i++ {
		f := forks[i]
		head, ok := openBrackets(src, forks[i].at)
		if !ok {
			continue
		}
		from := f.at
		if f.regex {
			head += ";" // after which only a regular expression can start with /
		} else {
			head += "0/"
			from++
		}
		text := head + src[from:]
		s := tokenScan{src: text, lex: module.NewLexer(text), list: list, exportAt: -1, stage: noStage, unclear: -1}
		if s.run() != nil {
			continue
		}
		shift := from - len(head)
		for _, found := range s.out {
			found.Start, found.End = found.Start+shift, found.End+shift
			if found.Start >= from && !slices.ContainsFunc(out, found.samePlace) {
				out = append(out, found)
			}
		}
		for _, g := range s.forks {
			g.at += shift
			switch {
			case g.at <= f.at || slices.Contains(forks, g):
			case len(forks) < maxForks:
				forks = append(forks, g)
			case unclear < 0:
				unclear = g.at
			}
		}
	}
	if unclear >= 0 {
		out = append(out, Finding{
			Code: "LOD012", Start: unclear, End: unclear + 1,
			Msg: "more than " + strconv.Itoa(maxForks) + " slashes up to this one may each divide or start a regular expression: what is code cannot be told for sure",
		})
	}
	return out
}

func (f Finding) samePlace(o Finding) bool {
	return cmp.Or(cmp.Compare(f.Start, o.Start), cmp.Compare(f.Code, o.Code)) == 0
}

// openBrackets returns the brackets that are open at the token at offset at.
func openBrackets(src string, at int) (string, bool) {
	var open []string
	lex := module.NewLexer(src)
	for {
		t, err := lex.Next()
		if err != nil {
			return "", false
		}
		if t.Start >= at {
			return strings.Join(open, ""), true
		}
		text := lex.Text(t)
		if t.Kind != module.Punct && t.Kind != module.Template {
			continue
		}
		if len(open) > 0 && (text == ")" || text == "]" || text[0] == '}') {
			open = open[:len(open)-1]
		}
		switch {
		case t.Kind == module.Template && strings.HasSuffix(text, "${"):
			open = append(open, "`${")
		case text == "(" || text == "[" || text == "{":
			open = append(open, text)
		}
	}
}
