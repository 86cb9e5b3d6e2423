package ordjson

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/flowmcp/fmcp/pkg/words"
)

// MaxDepth is how deep arrays and objects may nest before Parse refuses them.
const MaxDepth = 1000

// Parse reads one JSON value (RFC 8259) that fills data but for white space.
// Numbers keep their text, keys their order; of equal keys the last wins. The
// values share data's memory where they can: data must not change afterwards.
func Parse(data string) (Value, error) {
	p := parser{s: data}
	v, err := p.document()
	if err != nil {
		return Value{}, err
	}
	return v, nil
}

type parser struct {
	s     string
	i     int
	depth int

	// What has been read of the arrays and objects that are still open.
	elems   []Value
	members []Member
}

func (p *parser) fail(format string, args ...any) error {
	return &words.SyntaxError{Offset: p.i, Message: fmt.Sprintf(format, args...), Fix: p.mistake(format)}
}

// found describes the byte at the cursor for a message.
func (p *parser) found() string {
	if p.i >= len(p.s) {
		return "end of input"
	}
	r, _ := utf8.DecodeRuneInString(p.s[p.i:])
	return fmt.Sprintf("%q", r)
}

func (p *parser) document() (Value, error) {
	p.space()
	v, err := p.value()
	if err != nil {
		return v, err
	}
	p.space()
	if p.i < len(p.s) {
		return v, p.fail("unexpected %s after the value", p.found())
	}
	return v, nil
}

func (p *parser) space() {
	for p.i < len(p.s) {
		switch p.s[p.i] {
		case ' ', '\t', '\n', '\r':
			p.i++
		default:
			return
		}
	}
}

func (p *parser) value() (Value, error) {
	if p.i >= len(p.s) {
		return Value{}, p.fail("unexpected end of input, expected a value")
	}
	pos := p.i
	switch c := p.s[p.i]; c {
	case '{':
		return p.object()
	case '[':
		return p.array()
	case '"':
		s, plain, err := p.str()
		v := NewString(s).At(pos)
		if plain {
			v = v.flagged()
		}
		return v, err
	case 't':
		return NewBool(true).At(pos), p.word("true")
	case 'f':
		return NewBool(false).At(pos), p.word("false")
	case 'n':
		return NewNull().At(pos), p.word("null")
	default:
		if c == '-' || c >= '0' && c <= '9' {
			text, err := p.number()
			return NewNumberText(text).At(pos), err
		}
	}
	return Value{}, p.fail("unexpected %s, expected a value", p.found())
}

func (p *parser) word(w string) error {
	if len(p.s)-p.i < len(w) || p.s[p.i:p.i+len(w)] != w {
		return p.fail("unexpected %s, expected %s", p.found(), w)
	}
	p.i += len(w)
	return nil
}

func (p *parser) enter() error {
	if p.depth++; p.depth > MaxDepth {
		return p.fail("nested deeper than %d levels", MaxDepth)
	}
	p.i++
	p.space()
	return nil
}

func (p *parser) array() (Value, error) {
	pos := p.i
	if err := p.enter(); err != nil {
		return Value{}, err
	}
	base := len(p.elems)
	for {
		if p.i < len(p.s) && p.s[p.i] == ']' && len(p.elems) == base {
			break
		}
		e, err := p.value()
		if err != nil {
			return Value{}, err
		}
		p.elems = append(p.elems, e)
		p.space()
		if p.i < len(p.s) && p.s[p.i] == ',' {
			p.i++
			p.space()
			continue
		}
		if p.i < len(p.s) && p.s[p.i] == ']' {
			break
		}
		return Value{}, p.fail("unexpected %s, expected , or ]", p.found())
	}
	p.i++
	p.depth--
	elems := slices.Clone(p.elems[base:])
	p.elems = p.elems[:base]
	return NewArray(elems...).At(pos), nil
}

func (p *parser) object() (Value, error) {
	pos := p.i
	if err := p.enter(); err != nil {
		return Value{}, err
	}
	base := len(p.members)
	for {
		if p.i < len(p.s) && p.s[p.i] == '}' && len(p.members) == base {
			break
		}
		m, err := p.member()
		if err != nil {
			return Value{}, err
		}
		p.members = append(p.members, m)
		p.space()
		if p.i < len(p.s) && p.s[p.i] == ',' {
			p.i++
			p.space()
			continue
		}
		if p.i < len(p.s) && p.s[p.i] == '}' {
			break
		}
		return Value{}, p.fail("unexpected %s, expected , or }", p.found())
	}
	p.i++
	p.depth--
	members := slices.Clone(lastWins(p.members[base:]))
	p.members = p.members[:base]
	return NewObject(members...).At(pos), nil
}

func (p *parser) member() (m Member, err error) {
	m.KeyPos = int32(p.i)
	if p.i >= len(p.s) || p.s[p.i] != '"' {
		return m, p.fail("unexpected %s, expected a quoted key", p.found())
	}
	if m.Key, m.Plain, err = p.str(); err != nil {
		return m, err
	}
	p.space()
	if p.i >= len(p.s) || p.s[p.i] != ':' {
		return m, p.fail("unexpected %s, expected :", p.found())
	}
	p.i++
	p.space()
	m.Value, err = p.value()
	return m, err
}

func (p *parser) number() (string, error) {
	start := p.i
	if p.s[p.i] == '-' {
		p.i++
	}
	if p.i < len(p.s) && p.s[p.i] == '0' {
		p.i++
	} else if !p.digits() {
		return "", p.fail("unexpected %s, expected a digit", p.found())
	}
	if p.i < len(p.s) && p.s[p.i] == '.' {
		p.i++
		if !p.digits() {
			return "", p.fail("unexpected %s, expected a digit", p.found())
		}
	}
	if p.i < len(p.s) && (p.s[p.i] == 'e' || p.s[p.i] == 'E') {
		p.i++
		if p.i < len(p.s) && (p.s[p.i] == '+' || p.s[p.i] == '-') {
			p.i++
		}
		if !p.digits() {
			return "", p.fail("unexpected %s, expected a digit", p.found())
		}
	}
	return p.s[start:p.i], nil
}

func (p *parser) digits() bool {
	start := p.i
	for p.i < len(p.s) && p.s[p.i] >= '0' && p.s[p.i] <= '9' {
		p.i++
	}
	return p.i > start
}

// str reads a string at the cursor; without escapes it is a piece of the
// input, not a copy. plain is that of NewPlain.
func (p *parser) str() (s string, plain bool, err error) {
	p.i++
	start := p.i
	if p.i = Plain(p.s, p.i, '"'); p.i < len(p.s) && p.s[p.i] == '"' {
		p.i++
		return p.s[start : p.i-1], true, nil
	}
	s, err = p.wideStr(start)
	return s, false, err
}

// wideStr goes on with a string at its first byte that is not plain.
func (p *parser) wideStr(start int) (string, error) {
	for ; p.i < len(p.s); p.i = Plain(p.s, p.i+1, '"') {
		c := p.s[p.i]
		switch {
		case c == '"' || c == '\\':
			s := p.s[start:p.i]
			if !utf8.ValidString(s) {
				p.i = start
				return "", p.fail("string is not UTF-8")
			}
			if c == '\\' {
				return p.escaped(start)
			}
			p.i++
			return s, nil
		case c < 0x20:
			return "", p.fail("control character %s in a string", p.found())
		}
	}
	return "", p.fail("unexpected end of input in a string")
}

// escaped goes on with a string at its first backslash.
func (p *parser) escaped(start int) (string, error) {
	b := append(make([]byte, 0, 2*(p.i-start)+32), p.s[start:p.i]...)
	for p.i < len(p.s) {
		c := p.s[p.i]
		switch {
		case c == '"':
			p.i++
			return string(b), nil
		case c < 0x20:
			return "", p.fail("control character %s in a string", p.found())
		case c == '\\':
			var err error
			if b, err = p.escape(b); err != nil {
				return "", err
			}
		case c < utf8.RuneSelf:
			b = append(b, c)
			p.i++
		default:
			r, n := utf8.DecodeRuneInString(p.s[p.i:])
			if r == utf8.RuneError && n == 1 {
				return "", p.fail("string is not UTF-8")
			}
			b = append(b, p.s[p.i:p.i+n]...)
			p.i += n
		}
	}
	return "", p.fail("unexpected end of input in a string")
}

var simpleEscapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

func (p *parser) escape(b []byte) ([]byte, error) {
	p.i++
	if p.i >= len(p.s) {
		return nil, p.fail("unexpected end of input in a string")
	}
	c := p.s[p.i]
	if e := simpleEscapes[c]; e != 0 {
		p.i++
		return append(b, e), nil
	}
	if c != 'u' {
		return nil, p.fail("unexpected %s after a backslash, expected one of \"\\/bfnrtu", p.found())
	}
	if p.i+5 > len(p.s) {
		return nil, p.fail("\\u needs four hex digits")
	}
	var u uint16
	for _, h := range []byte(p.s[p.i+1 : p.i+5]) {
		d, ok := HexDigit(h)
		if !ok {
			return nil, p.fail("\\u needs four hex digits")
		}
		u = u<<4 | uint16(d)
	}
	p.i += 5
	return AppendUTF16(b, u), nil
}

// HexDigit returns the value of a hexadecimal digit, and whether c is one.
func HexDigit(c byte) (byte, bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10, true
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}
