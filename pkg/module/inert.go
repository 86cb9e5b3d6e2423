package module

import (
	"slices"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// inert reports whether the initializer at the cursor only makes a function:
// an arrow function or a function expression that is not called.
func (s *scan) inert() bool {
	ahead := *s
	return ahead.function() == nil && ahead.ends(ahead.i)
}

// function skips a function expression or an arrow function with a block or
// parenthesised body. Any other arrow body ends with its expression.
func (s *scan) function() error {
	if s.isWord("async") {
		if err := s.next(); err != nil {
			return err
		}
	}
	if s.isWord("function") {
		_, err := s.functionOrClass()
		return err
	}
	if err := s.arrowHead(); err != nil {
		return err
	}
	return s.skipExpression()
}

// arrowHead skips the parameters and the => of an arrow function.
func (s *scan) arrowHead() error {
	var err error
	switch {
	case s.isPunct("("):
		err = s.past()
	case s.tok.Kind == Ident:
		err = s.next()
	default:
		return s.unexpected("a function")
	}
	if err != nil {
		return err
	}
	if !s.isPunct("=>") {
		return s.unexpected("=>")
	}
	return s.next()
}

// checkMentions makes exports non-literal that code at the top level could
// have changed: const main = {…}; main.tools.x = …. Where no statement runs
// code, nothing can have.
func (s *scan) checkMentions() {
	if !s.executes {
		return
	}
	names, known := map[string]int{}, s.known
	for i, t := range s.List {
		if len(known) > 0 && i >= known[0].end {
			known = known[1:]
		}
		if t.Kind != Ident || len(known) > 0 && i >= known[0].start {
			continue
		}
		name := s.Name(i)
		if _, ok := names[name]; !ok && (!s.Member(i) || name == "toJSON") {
			names[name] = int(t.Start)
		}
	}
	s.markMentioned(names)
}

// markMentioned moves the constants among names from the literal exports to
// the others, with those they are made of and those made of these: they share
// objects, and a change through one name shows in all. A toJSON that code sets
// on a prototype changes everything.
func (s *scan) markMentioned(names map[string]int) {
	changed := map[string]int{}
	for local, c := range s.mod.values {
		at, ok := names[local]
		if !ok || !c.value.Is(ordjson.Object) && !c.value.Is(ordjson.Array) {
			continue // a const that holds no object stays what it is
		}
		changed[local] = at
	}
	// A constant names only those before it.
	for _, local := range slices.Backward(s.literals) {
		if at, ok := changed[local]; ok {
			for _, name := range s.mod.values[local].used {
				changed[name] = at
			}
		}
	}
	for _, name := range []string{"eval", "toJSON"} {
		if at, ok := names[name]; ok {
			for local := range s.mod.values {
				changed[local] = at
			}
		}
	}
	for _, local := range s.literals {
		for _, name := range append([]string{local}, s.mod.values[local].used...) {
			if at, ok := changed[name]; ok {
				changed[local] = at
				s.mod.reasons[local] = &NotLiteralError{at, "`" + local + "`, which code at the top level may change,"}
				break
			}
		}
	}
}
