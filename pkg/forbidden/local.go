package forbidden

import (
	"cmp"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/module"
)

// localNames are the globals that a module may well have names of its own for.
var localNames = []string{"process", "global", "fs", "XMLHttpRequest", "WebSocket"}

// dropLocals takes back findings of localNames where these are names that the
// module declares itself: a const, let or var, with a pattern or
// without, of a block around the use, or a parameter of a function around it.
// What is not certain to be such a declaration is none, so that a finding too
// many is the worst that can happen.
func dropLocals(t *module.Tokens, out []Finding) []Finding {
	src := t.Src
	global := func(f Finding) bool {
		return slices.Contains(localNames, src[f.Start:f.End])
	}
	if !slices.ContainsFunc(out, global) {
		return out
	}
	found := readLocals(t)
	slices.SortFunc(found, func(a, b local) int {
		return cmp.Or(strings.Compare(a.name, b.name), cmp.Compare(a.from, b.from))
	})
	for i := 1; i < len(found); i++ { // to is where all that began before ends
		if before := found[i-1]; before.name == found[i].name {
			found[i].to = max(found[i].to, before.to)
		}
	}
	return slices.DeleteFunc(out, func(f Finding) bool {
		if !global(f) {
			return false
		}
		i, _ := slices.BinarySearchFunc(found, f, func(v local, f Finding) int {
			return cmp.Or(strings.Compare(v.name, src[f.Start:f.End]), cmp.Compare(v.from, f.Start+1))
		})
		return i > 0 && found[i-1].name == src[f.Start:f.End] && f.End <= found[i-1].to
	})
}

// local is a name and where in the source it is what was declared.
type local struct {
	name     string
	from, to int
}

// localScan reads declarations from the tokens of a module.
type localScan struct {
	*module.Tokens
	found  []local
	bodies map[int]body // the last in each bracket
}

// body is that of an arrow function without braces: the token where what was
// read of it begins, and the offset where it ends.
type body struct{ from, to int }

// readLocals finds the declarations of a source; none where it cannot be read or
// has a class, whose fields may be called const, let and var.
func readLocals(t *module.Tokens) []local {
	l := &localScan{Tokens: t, bodies: map[int]body{}}
	for i := range t.List {
		if t.Name(i) == "class" {
			return nil
		}
	}
	if t.Err == nil {
		l.declarations()
	}
	return l.found
}

// start and end are offsets of token i.
func (l *localScan) start(i int) int { return int(l.List[i].Start) }
func (l *localScan) end(i int) int   { return int(l.List[i].End) }

// close is the index of the bracket that closes the one at i.
func (l *localScan) close(i int) int { return int(l.List[i].Match) }

// declarations notes what is declared, with the bracket that it holds in.
func (l *localScan) declarations() {
	open := []int{-1} // -1 is the file itself
	for i := range l.List {
		if l.Closes(i) {
			open = open[:len(open)-1]
		}
		within := open[len(open)-1]
		if l.Opens(i) {
			if l.Is(i, "(") {
				l.parameters(i, within)
			}
			open = append(open, i)
		}
		switch {
		case l.Keyword(i, "const", "let", "var"):
			from, to := l.block(within)
			l.pattern(i+1, from, to)
		case l.Kind(i) == module.Ident && l.Is(i+1, "=>") && !l.Dot(i-1):
			l.pattern(i, l.start(i), l.bodyEnd(i+2, within))
		}
	}
}

// block is where a name holds that is declared inside the bracket open.
func (l *localScan) block(open int) (from, to int) {
	if open < 0 {
		return 0, len(l.Src)
	}
	end := l.close(open)
	if l.Is(open, "(") && l.Is(end+1, "{") { // for( const x of … ) { … }
		end = l.close(end + 1)
	}
	return l.start(open), l.end(end)
}

// parameters reads the parentheses at i, where they are those of a function, a
// method or a catch. They stand in the bracket within.
func (l *localScan) parameters(i, within int) {
	end := l.close(i)
	body, to := end+1, 0
	switch {
	case l.Is(body, "=>"):
		to = l.bodyEnd(body+1, within)
	case l.Is(body, "{") && !l.List[body].NewlineBefore && l.Kind(i-1) == module.Ident &&
		!slices.Contains([]string{"if", "while", "for", "switch", "with", "await"}, l.Text(i-1)):
		to = l.end(l.close(body))
	default:
		return
	}
	l.elements(i+1, end, l.start(i), to)
}

// elements reads patterns with commas between them up to the token end.
func (l *localScan) elements(i, end, from, to int) {
	for i < end {
		if !l.Is(i, ",") {
			if l.Is(i, "...") {
				i++
			}
			i = l.pattern(i, from, to)
		}
		i = l.skip(i) + 1 // a default value
	}
}

// pattern reads the target of a declaration at token i, notes the names in it,
// and returns the index after it.
func (l *localScan) pattern(i, from, to int) int {
	switch {
	case l.Kind(i) == module.Ident:
		l.found = append(l.found, local{l.Name(i), from, to})
		return i + 1
	case l.Is(i, "["):
		l.elements(i+1, l.close(i), from, to)
		return l.close(i) + 1
	case l.Is(i, "{"):
		for k := i + 1; k < l.close(i); k = l.skip(k) + 1 {
			key := k
			if l.Is(k, "...") {
				key++
			}
			if l.Opens(key) { // computed
				key = l.close(key)
			}
			if l.Is(key+1, ":") {
				k = l.pattern(key+2, from, to)
			} else if l.Kind(key) == module.Ident {
				k = l.pattern(key, from, to)
			}
		}
		return l.close(i) + 1
	}
	return i
}

// skip returns the index of the comma or the closing bracket that ends what is
// at token i.
func (l *localScan) skip(i int) int {
	for !l.Is(i, ",") && !l.Closes(i) && l.Kind(i) != module.EOF {
		i = l.After(i)
	}
	return i
}

// bodyEnd is the offset where the body of an arrow function ends that begins at
// token i, in the bracket within. A body that begins in another ends with it, so
// that a chain of arrows is read once.
func (l *localScan) bodyEnd(i, within int) int {
	if l.Is(i, "{") {
		return l.end(l.close(i))
	}
	if outer, ok := l.bodies[within]; ok && i > outer.from && l.start(i) < outer.to {
		return outer.to
	}
	begin := i
	for l.Kind(i) != module.EOF && !l.Closes(i) && !endsBody(l.Tokens, i) {
		i = l.After(i)
	}
	l.bodies[within] = body{begin, l.start(i)}
	return l.start(i)
}

// endsBody reports whether token i ends the body of an arrow function without
// braces, beside the bracket around it. Where a line ends, a statement may.
func endsBody(t *module.Tokens, i int) bool {
	return t.Is(i, ",") || t.Is(i, ";") || t.List[i].NewlineBefore && !t.Is(i-1, "=>") &&
		(t.Kind(i) != module.Punct || t.Is(i, "{") || t.Is(i, "++") || t.Is(i, "--"))
}
