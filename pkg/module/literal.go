package module

import (
	"strings"
	"unicode/utf8"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// NotLiteralError names the construct because of which an export is not pure
// data: reading it needs code to run.
type NotLiteralError struct {
	Offset    int
	Construct string // "function call", "spread …", "template literal with ${…}"
}

func (e *NotLiteralError) Error() string { return e.Construct + " is not literal data" }

// literal reads a JavaScript expression that is pure data: objects, arrays,
// strings, numbers, booleans, null, templates without expressions, unary minus
// and plus, + of literals, array holes, and references to constants that are
// literal themselves.
//
// It allocates for objects, arrays and escaped strings and for nothing else:
// plain strings are pieces of the source.
type literal struct {
	*Tokens
	i       int // the token at hand
	depth   int // brackets that are open in the expression
	deepest int // levels of brackets that it has
	consts  map[string]constant
	used    []string        // names of the constants that were referenced, each once
	refers  map[string]bool // the same
	weight  int             // bytes of source that those stand for
	data    int             // weight of all expressions

	elems   []ordjson.Value  // of the arrays that are open
	members []ordjson.Member // of the objects that are open

	overwritten []Overwritten
}

// constant is a top-level const whose initializer is literal.
type constant struct {
	value  ordjson.Value
	used   []string // names of the constants in its initializer
	weight int      // bytes of source, those of the constants in it counted each time
	depth  int      // levels of brackets
}

func (l *literal) notLiteral(offset int, construct string) error {
	return &NotLiteralError{offset, construct}
}

// pos is where the token at hand starts.
func (l *literal) pos() int { return int(l.List[l.i].Start) }

// char is the first byte of the token at hand, also where no token can be read;
// 0 at the end of the source.
func (l *literal) char() byte {
	if pos := l.pos(); pos < len(l.Src) {
		return l.Src[pos]
	}
	return 0
}

// at reports whether the token at hand is the punctuator of one character c.
func (l *literal) at(c byte) bool {
	t := &l.List[l.i]
	return t.Kind == Punct && t.End-t.Start == 1 && l.Src[t.Start] == c
}

// expression reads operands joined by +.
func (l *literal) expression() (ordjson.Value, error) {
	v, err := l.unary()
	var text []byte // of v, where it is a string that has been added to
	for err == nil && l.at('+') {
		at := l.pos()
		l.i++
		var right ordjson.Value
		if right, err = l.unary(); err == nil {
			v, text, err = l.add(v, text, right, at)
		}
	}
	if err != nil || text == nil {
		return v, err
	}
	return ordjson.NewString(string(text)).At(v.Pos()), nil
}

// unary reads an operand with its signs. A sign in front of anything but a
// number would convert it; that is not data as anybody writes it.
func (l *literal) unary() (ordjson.Value, error) {
	if !l.at('-') && !l.at('+') {
		return l.operand()
	}
	start, negative := l.pos(), false
	for ; l.at('-') || l.at('+'); l.i++ {
		negative = negative != l.at('-')
	}
	v, err := l.operand()
	if err != nil {
		return v, err
	}
	if !v.Is(ordjson.Number) {
		return v, l.notLiteral(start, "a sign before a "+v.Kind().String())
	}
	if negative {
		v = newNumber(-v.Float())
	}
	return v.At(start), nil
}

func (l *literal) operand() (ordjson.Value, error) {
	switch l.Kind(l.i) {
	case String:
		return l.stringValue()
	case Number:
		return l.number()
	case Template:
		return l.template()
	case Ident:
		return l.name()
	case Punct:
		switch {
		case l.at('{'):
			return l.object()
		case l.at('['):
			return l.array()
		}
	}
	return ordjson.Value{}, l.unexpected()
}

// unexpected says why no value starts at the cursor.
func (l *literal) unexpected() error {
	pos := l.pos()
	if text := l.Text(l.i); text == "--" || text == "++" {
		return l.notLiteral(pos, text)
	}
	switch c := l.char(); c {
	case '(':
		return l.notLiteral(pos, "a parenthesis")
	case '/':
		return l.notLiteral(pos, "a regular expression")
	case '!', '~':
		return l.notLiteral(pos, "the operator "+string(c))
	case '.':
		return l.notLiteral(pos, "spread ...")
	}
	return l.wrong(", expected a value")
}

// wrong says that what is at the cursor is not what was expected. Where no
// token can be read, its own error often says more.
func (l *literal) wrong(expected string) error {
	pos := l.pos()
	switch {
	case pos == len(l.Src):
		e := &words.SyntaxError{Offset: pos, Message: "unexpected end of file" + expected}
		if open, ok := l.Err.(*words.SyntaxError); ok {
			e.Fix = open.Fix
		}
		return e
	case l.Kind(l.i) == EOF && strings.IndexByte("'\"`\\/([{)]}.0123456789", l.char()) >= 0:
		return l.Err
	}
	r, _ := utf8.DecodeRuneInString(l.Src[pos:])
	return &words.SyntaxError{Offset: pos, Message: "unexpected " + quoteRune(r) + expected, Fix: l.mistake(expected)}
}

func (l *literal) stringValue() (ordjson.Value, error) {
	start := l.pos()
	s, isPlain, err := l.str()
	if isPlain {
		return ordjson.NewPlain(s).At(start), nil
	}
	return ordjson.NewString(s).At(start), err
}

// str reads a string; isPlain is that of ordjson.NewPlain.
func (l *literal) str() (s string, isPlain bool, err error) {
	t := l.List[l.i]
	l.i++
	s = l.Src[t.Start+1 : t.End-1]
	if t.form == escaped {
		s, err = decodeString(s, int(t.Start)+1)
	}
	return s, t.form == plain, err
}

func (l *literal) template() (ordjson.Value, error) {
	t := l.List[l.i]
	if l.Opens(l.i) {
		return ordjson.Value{}, l.notLiteral(int(t.End)-2, "a template literal with ${…}")
	}
	l.i++
	s, err := decodeString(l.Src[t.Start+1:t.End-1], int(t.Start)+1)
	return ordjson.NewString(s).At(int(t.Start)), err
}

func (l *literal) number() (ordjson.Value, error) {
	start, text := l.pos(), l.Text(l.i)
	l.i++
	if len(text) < 16 && decimal(text) {
		return ordjson.NewNumberText(text).At(start), nil
	}
	if text[len(text)-1] == 'n' {
		return ordjson.Value{}, l.notLiteral(start, "a BigInt")
	}
	return newNumber(numberValue(text)).At(start), nil
}

// decimal reports whether text is an integer that JavaScript prints as it is.
func decimal(text string) bool {
	for i := 0; i < len(text); i++ {
		if !isDigit(text[i]) {
			return false
		}
	}
	return text[0] != '0' || len(text) == 1
}

// name reads a keyword that is a value, or a reference to a constant.
func (l *literal) name() (ordjson.Value, error) {
	start, name := l.pos(), l.Name(l.i)
	written := l.Text(l.i)
	l.i++
	if len(written) != len(name) && reserved(name) && name != "eval" && name != "arguments" {
		return ordjson.Value{}, &words.SyntaxError{Offset: start, Message: "the keyword `" + name +
			"` must not be written with escapes"}
	}
	switch name {
	case "true", "false":
		return ordjson.NewBool(name == "true").At(start), nil
	case "null":
		return ordjson.NewNull().At(start), nil
	case "NaN", "Infinity":
		return ordjson.NewNumberText(name).At(start), nil
	case "function", "async", "class", "new", "typeof", "void", "await", "delete", "import", "this", "super", "yield":
		return ordjson.Value{}, l.notLiteral(start, "`"+name+"`")
	}
	return l.reference(name, start)
}

func (l *literal) reference(name string, start int) (ordjson.Value, error) {
	c, ok := l.consts[name]
	if !ok {
		return ordjson.Value{}, l.notLiteral(start, "the name `"+name+"`")
	}
	if !l.refers[name] {
		if l.refers == nil {
			l.refers = map[string]bool{}
		}
		l.refers[name] = true
		l.used = append(l.used, name)
	}
	l.weight, l.data = l.weight+c.weight, l.data+c.weight
	if l.data > maxData {
		return ordjson.Value{}, &words.SyntaxError{Offset: start,
			Message: "constants stand for more than 8 MiB of data"}
	}
	if l.deepest = max(l.deepest, l.depth+c.depth); l.deepest > maxNesting {
		return ordjson.Value{}, &words.SyntaxError{Offset: start, Message: tooDeep}
	}
	return c.value, nil
}
