package module

import (
	"strings"
	"unicode/utf8"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// NotLiteralError names the construct because of which an export is not pure
// data: reading it needs code to run.
type NotLiteralError struct {
	Offset    int
	Construct string // "function call", "spread …", "template literal with ${…}"
}

func (e *NotLiteralError) Error() string { return e.Construct + " is not literal data" }

// literal reads a JavaScript expression that is pure data, straight from the
// bytes of the source: objects, arrays, strings, numbers, booleans, null,
// templates without expressions, unary minus and plus, + of literals, array
// holes, and references to constants that are literal themselves.
//
// It is the hot path of every command that reads a catalog. It allocates for
// objects, arrays and escaped strings and for nothing else: plain strings are
// pieces of the source.
type literal struct {
	src     string
	pos     int
	end     int // where the last complete expression ended
	depth   int
	deepest int // depth of the expression that is read
	consts  map[string]constant
	used    []string        // names of the constants that were referenced, each once
	refers  map[string]bool // the same
	weight  int             // bytes of source that those stand for
	data    int             // weight of all expressions
	*ordjson.Stack

	elemSlab ordjson.Slab[ordjson.Value]
	membSlab ordjson.Slab[ordjson.Member]
}

// constant is a top-level const whose initializer is literal.
type constant struct {
	value  ordjson.Value
	used   []string // names of the constants in its initializer
	weight int      // bytes of source, those of the constants in it counted each time
	depth  int      // levels of brackets
}

func (l *literal) syntax(offset int, msg string) error { return &SyntaxError{offset, msg} }

func (l *literal) notLiteral(offset int, construct string) error {
	return &NotLiteralError{offset, construct}
}

// space skips white space and comments; the common case is inlined.
func (l *literal) space() error {
	for l.pos < len(l.src) {
		c := l.src[l.pos]
		if c == ' ' || c == '\n' {
			l.pos = skipIndent(l.src, l.pos+1)
			continue
		}
		if c > ' ' && c != '/' && c < utf8.RuneSelf {
			return nil
		}
		pos, _, err := skipSpace(l.src, l.pos)
		l.pos = pos
		return err
	}
	return nil
}

// expression reads operands joined by +.
func (l *literal) expression() (ordjson.Value, error) {
	v, err := l.unary()
	if err != nil {
		return v, err
	}
	return l.sum(v)
}

// element is expression inside an object or an array, where most values are
// strings, objects and arrays with no operator before or behind them.
func (l *literal) element() (v ordjson.Value, err error) {
	switch {
	case l.at('\'') || l.at('"'):
		v, err = l.stringValue()
	case l.at('{'):
		v, err = l.object()
	case l.at('['):
		v, err = l.array()
	default:
		return l.expression()
	}
	if err != nil || l.at(',') {
		return v, err
	}
	return l.sum(v)
}

// sum goes on with an expression after its first operand.
func (l *literal) sum(v ordjson.Value) (ordjson.Value, error) {
	var text []byte // of v, where it is a string that has been added to
	for {
		l.end = l.pos
		if l.at(',') {
			return summed(v, text), nil
		}
		if err := l.space(); err != nil {
			return v, err
		}
		if !l.at('+') || strings.HasPrefix(l.src[l.pos:], "++") || strings.HasPrefix(l.src[l.pos:], "+=") {
			return summed(v, text), nil
		}
		at := l.pos
		l.pos++
		if err := l.space(); err != nil {
			return v, err
		}
		right, err := l.unary()
		if err != nil {
			return v, err
		}
		if v, text, err = l.add(v, text, right, at); err != nil {
			return v, err
		}
	}
}

// unary reads an operand with its signs. A sign in front of anything but a
// number would convert it; that is not data as anybody writes it.
func (l *literal) unary() (ordjson.Value, error) {
	start, negative := l.pos, false
	signs := 0
	for l.pos < len(l.src) && (l.src[l.pos] == '-' || l.src[l.pos] == '+') {
		c := l.src[l.pos]
		if l.pos+1 < len(l.src) && l.src[l.pos+1] == c {
			return ordjson.Value{}, l.notLiteral(l.pos, string(c)+string(c))
		}
		negative = negative != (c == '-')
		l.pos++
		signs++
		if err := l.space(); err != nil {
			return ordjson.Value{}, err
		}
	}
	if signs == 0 {
		return l.operand()
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
	if l.pos >= len(l.src) {
		return ordjson.Value{}, l.syntax(l.pos, "unexpected end of file, expected a value")
	}
	start := l.pos
	switch c := l.src[start]; {
	case c == '\'' || c == '"':
		return l.stringValue()
	case c == '{':
		return l.object()
	case c == '[':
		return l.array()
	case isDigit(c) || c == '.' && start+1 < len(l.src) && isDigit(l.src[start+1]):
		return l.number()
	case c == '`':
		return l.template()
	case identStart[c] || c == '\\' || c >= utf8.RuneSelf:
		return l.name()
	}
	return ordjson.Value{}, l.unexpected()
}

// unexpected says why no value starts at the cursor.
func (l *literal) unexpected() error {
	if l.pos >= len(l.src) {
		return l.syntax(l.pos, "unexpected end of file, expected a value")
	}
	switch c := l.src[l.pos]; c {
	case '(':
		return l.notLiteral(l.pos, "a parenthesis")
	case '/':
		return l.notLiteral(l.pos, "a regular expression")
	case '!', '~':
		return l.notLiteral(l.pos, "the operator "+string(c))
	case '.':
		return l.notLiteral(l.pos, "spread ...")
	}
	r, _ := utf8.DecodeRuneInString(l.src[l.pos:])
	return l.syntax(l.pos, "unexpected "+quoteRune(r)+", expected a value")
}

func (l *literal) stringValue() (ordjson.Value, error) {
	start := l.pos
	s, plain, err := l.str()
	if plain {
		return ordjson.NewPlain(s).At(start), nil
	}
	return ordjson.NewString(s).At(start), err
}

// str reads a string; plain is that of ordjson.NewPlain.
func (l *literal) str() (s string, plain bool, err error) {
	start := l.pos
	end, form, err := scanString(l.src, start)
	if err != nil {
		return "", false, err
	}
	l.pos = end
	text := l.src[start+1 : end-1]
	if form == escaped {
		s, err = decodeString(text, start+1)
		return s, false, err
	}
	return text, form == plainASCII, nil
}

func (l *literal) template() (ordjson.Value, error) {
	start := l.pos
	end, open, err := scanTemplate(l.src, start+1)
	if err != nil {
		return ordjson.Value{}, err
	}
	if open {
		return ordjson.Value{}, l.notLiteral(end-2, "a template literal with ${…}")
	}
	l.pos = end
	s, err := decodeTemplate(l.src[start+1:end-1], start+1)
	return ordjson.NewString(s).At(start), err
}

func (l *literal) number() (ordjson.Value, error) {
	start := l.pos
	end, err := scanNumber(l.src, start)
	if err != nil {
		return ordjson.Value{}, err
	}
	l.pos = end
	text := l.src[start:end]
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
	start := l.pos
	name, end, err := l.ident()
	if err != nil {
		return ordjson.Value{}, err
	}
	l.pos = end
	if end-start != len(name) && reserved(name) && name != "eval" && name != "arguments" {
		return ordjson.Value{}, l.syntax(start, "the keyword `"+name+"` must not be written with escapes")
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
		return ordjson.Value{}, l.syntax(start, "constants stand for more than 8 MiB of data")
	}
	if l.deepest = max(l.deepest, l.depth+c.depth); l.deepest > maxNesting {
		return ordjson.Value{}, l.syntax(start, tooDeep)
	}
	return c.value, nil
}

func (l *literal) ident() (name string, end int, err error) {
	end = identEnd(l.src, l.pos)
	if end == l.pos || end < len(l.src) && (l.src[end] == '\\' || l.src[end] >= utf8.RuneSelf) {
		return scanIdent(l.src, l.pos)
	}
	return l.src[l.pos:end], end, nil
}
