package forbidden

import (
	"cmp"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/module"
)

// dropLocals takes back findings of process, global and fs where these are
// names that the module declares itself: a const, let or var, with a pattern or
// without, of a block around the use, or a parameter of a function around it.
// What is not certain to be such a declaration is none, so that a finding too
// many is the worst that can happen.
func dropLocals(src string, out []Finding) []Finding {
	global := func(f Finding) bool {
		name := src[f.Start:f.End]
		return name == "process" || name == "global" || name == "fs"
	}
	if !slices.ContainsFunc(out, global) {
		return out
	}
	found := readLocals(src)
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
	src    string
	tokens []module.Token // the last is EOF
	match  []int          // by index of a token that opens a bracket: that of the one that closes it
	found  []local
}

// readLocals finds the declarations of a source; none where it cannot be read or
// has a class, whose fields may be called const, let and var.
func readLocals(src string) []local {
	l := &localScan{src: src}
	lex := module.NewLexer(src)
	for {
		t, err := lex.Next()
		if err != nil || t.Kind == module.Ident && t.Name == "class" {
			return nil
		}
		l.tokens = append(l.tokens, t)
		if t.Kind == module.EOF {
			break
		}
	}
	l.match = make([]int, len(l.tokens))
	open := []int{-1} // -1 is the file itself
	for i := range l.tokens {
		if l.closes(i) {
			l.match[open[len(open)-1]] = i
			open = open[:len(open)-1]
		}
		if l.opens(i) {
			open = append(open, i)
		}
	}
	l.declarations()
	return l.found
}

func (l *localScan) text(i int) string {
	if i < 0 || i >= len(l.tokens) {
		return ""
	}
	return l.src[l.tokens[i].Start:l.tokens[i].End]
}

func (l *localScan) opens(i int) bool {
	switch l.tokens[i].Kind {
	case module.Template:
		return l.src[l.tokens[i].End-1] == '{'
	case module.Punct:
		return l.text(i) == "(" || l.text(i) == "[" || l.text(i) == "{"
	}
	return false
}

func (l *localScan) closes(i int) bool {
	switch l.tokens[i].Kind {
	case module.Template:
		return l.src[l.tokens[i].Start] == '}'
	case module.Punct:
		return l.text(i) == ")" || l.text(i) == "]" || l.text(i) == "}"
	}
	return false
}

// declarations notes what is declared, with the bracket that it holds in.
func (l *localScan) declarations() {
	open := []int{-1}
	for i, t := range l.tokens {
		if l.closes(i) {
			open = open[:len(open)-1]
		}
		if l.opens(i) {
			if l.text(i) == "(" {
				l.parameters(i)
			}
			open = append(open, i)
		}
		if t.Kind != module.Ident || l.text(i-1) == "." || l.text(i-1) == "?." {
			continue
		}
		switch t.Name {
		case "const", "let", "var":
			from, to := l.block(open[len(open)-1])
			l.pattern(i+1, from, to)
		default:
			if l.text(i+1) == "=>" {
				l.pattern(i, t.Start, l.bodyEnd(i+2))
			}
		}
	}
}

// block is where a name holds that is declared inside the bracket open.
func (l *localScan) block(open int) (from, to int) {
	if open < 0 {
		return 0, len(l.src)
	}
	from, to = l.tokens[open].Start, l.tokens[l.match[open]].End
	if after := l.match[open] + 1; l.text(open) == "(" && l.text(after) == "{" { // for( const x of … ) { … }
		to = l.tokens[l.match[after]].End
	}
	return from, to
}

// parameters reads the parentheses at i, where they are those of a function, a
// method or a catch.
func (l *localScan) parameters(i int) {
	end := l.match[i]
	to := 0
	switch body := l.text(end + 1); {
	case body == "=>":
		to = l.bodyEnd(end + 2)
	case body == "{" && !l.tokens[end+1].NewlineBefore && i > 0 && l.tokens[i-1].Kind == module.Ident && !heads(l.text(i-1)):
		to = l.tokens[l.match[end+1]].End
	default:
		return
	}
	l.elements(i+1, end, l.tokens[i].Start, to)
}

// heads reports whether parentheses after a keyword hold an expression.
func heads(keyword string) bool {
	switch keyword {
	case "if", "while", "for", "switch", "with", "await":
		return true
	}
	return false
}

// elements reads patterns with commas between them up to the token end.
func (l *localScan) elements(i, end, from, to int) {
	for i < end {
		if l.text(i) != "," {
			if l.text(i) == "..." {
				i++
			}
			i = l.pattern(i, from, to)
		}
		i = l.skip(i) + 1 // a default value
	}
}

// pattern reads the target of a declaration at token i, notes the names in it,
// and returns the index behind it.
func (l *localScan) pattern(i, from, to int) int {
	t := l.tokens[i]
	switch {
	case t.Kind == module.Ident:
		l.found = append(l.found, local{t.Name, from, to})
		return i + 1
	case t.Kind == module.Punct && l.text(i) == "[":
		l.elements(i+1, l.match[i], from, to)
		return l.match[i] + 1
	case t.Kind == module.Punct && l.text(i) == "{":
		for k := i + 1; k < l.match[i]; k = l.skip(k) + 1 {
			key := k
			if l.text(k) == "..." {
				key++
			}
			if l.opens(key) { // computed
				key = l.match[key]
			}
			if l.text(key+1) == ":" {
				k = l.pattern(key+2, from, to)
			} else if l.tokens[key].Kind == module.Ident {
				k = l.pattern(key, from, to)
			}
		}
		return l.match[i] + 1
	}
	return i
}

// skip returns the index of the comma or the closing bracket that ends what
// stands at token i.
func (l *localScan) skip(i int) int {
	for l.text(i) != "," && !l.closes(i) && l.tokens[i].Kind != module.EOF {
		i = l.next(i)
	}
	return i
}

// next is the index behind the token i, or behind the bracket that it opens.
func (l *localScan) next(i int) int {
	for l.opens(i) {
		i = l.match[i]
	}
	return i + 1
}

// bodyEnd is the offset where the body of an arrow function ends that begins at
// token i.
func (l *localScan) bodyEnd(i int) int {
	if l.text(i) == "{" {
		return l.tokens[l.match[i]].End
	}
	for start := i; ; i = l.next(i) {
		t := l.tokens[i]
		switch text := l.text(i); {
		case t.Kind == module.EOF, text == ",", text == ";", l.closes(i):
			return t.Start
		case t.NewlineBefore && i > start && (t.Kind != module.Punct || text == "{" || text == "++" || text == "--"):
			return t.Start // where a line ends, a statement may
		}
	}
}
