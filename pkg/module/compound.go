package module

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

func (l *literal) enter() error {
	if l.depth++; l.depth > maxNesting {
		return l.syntax(l.pos, tooDeep)
	}
	l.deepest = max(l.deepest, l.depth)
	l.pos++
	return l.space()
}

// at reports whether the cursor is at c.
func (l *literal) at(c byte) bool { return l.pos < len(l.src) && l.src[l.pos] == c }

func (l *literal) array() (ordjson.Value, error) {
	start := l.pos
	if err := l.enter(); err != nil {
		return ordjson.Value{}, err
	}
	base := len(l.Elems)
	for !l.at(']') {
		v, err := ordjson.NewNull(), error(nil)
		if !l.at(',') { // a hole is null in JSON
			if v, err = l.element(); err != nil {
				return v, err
			}
		}
		l.Elems = append(l.Elems, stored(v))
		if err := l.separator(']'); err != nil {
			return v, err
		}
	}
	l.pos++
	l.depth--
	elems := l.elemSlab.Keep(l.Elems[base:], len(l.src)-l.pos)
	l.Elems = l.Elems[:base]
	return ordjson.NewArray(elems...).At(start), nil
}

// separator reads a comma, or stops in front of the closing bracket.
func (l *literal) separator(end byte) error {
	if err := l.space(); err != nil {
		return err
	}
	if l.at(',') {
		l.pos++
		return l.space()
	}
	if l.at(end) {
		return nil
	}
	return l.afterValue(end)
}

// afterValue says what is wrong where a comma or a closing bracket should
// stand: an operator makes an expression of what was read.
func (l *literal) afterValue(end byte) error {
	if l.pos >= len(l.src) {
		return l.syntax(l.pos, "unexpected end of file, expected , or "+string(end))
	}
	switch c := l.src[l.pos]; c {
	case '(', '`':
		return l.notLiteral(l.pos, "a function call")
	case '.', '[':
		return l.notLiteral(l.pos, "a property access")
	case '?', '&', '|', '^', '*', '/', '%', '<', '>', '=', '!', '-', '+':
		return l.notLiteral(l.pos, "the operator "+l.src[l.pos:l.pos+max(1, operatorLen(l.src[l.pos:]))])
	}
	if name, _, err := l.ident(); err == nil && (name == "in" || name == "instanceof") {
		return l.notLiteral(l.pos, "the operator "+name)
	}
	r, _ := utf8.DecodeRuneInString(l.src[l.pos:])
	return l.syntax(l.pos, "unexpected "+quoteRune(r)+", expected , or "+string(end))
}

func (l *literal) object() (ordjson.Value, error) {
	start := l.pos
	if err := l.enter(); err != nil {
		return ordjson.Value{}, err
	}
	base := len(l.Members)
	proto := false
	for !l.at('}') {
		m, isProto, err := l.member()
		if err != nil {
			return ordjson.Value{}, err
		}
		switch {
		case !isProto:
			l.Members = append(l.Members, m)
		case proto:
			return ordjson.Value{}, l.syntax(int(m.KeyPos), "an object may set __proto__ only once")
		default:
			proto = true // sets the prototype and is no property of its own
		}
		if err := l.separator('}'); err != nil {
			return ordjson.Value{}, err
		}
	}
	l.pos++
	l.depth--
	members := l.membSlab.Keep(l.Members[base:], len(l.src)-l.pos)
	l.Members = l.Members[:base]
	return ordjson.ScriptObject(members).At(start), nil
}

func (l *literal) member() (m ordjson.Member, proto bool, err error) {
	start := l.pos
	m.KeyPos = int32(start)
	var name bool
	if m.Key, name, m.Plain, err = l.key(); err != nil {
		return m, false, err
	}
	if err = l.space(); err != nil {
		return m, false, err
	}
	if !l.at(':') {
		return l.shorthand(m, name)
	}
	l.pos++
	if err = l.space(); err != nil {
		return m, false, err
	}
	v, err := l.element()
	m.Value = stored(v)
	return m, m.Key == "__proto__", err
}

// shorthand reads what stands in the place of a colon: { name } is a
// reference, everything else defines a function.
func (l *literal) shorthand(m ordjson.Member, name bool) (ordjson.Member, bool, error) {
	start := int(m.KeyPos)
	if name && (l.at(',') || l.at('}')) {
		v, err := l.reference(m.Key, start)
		m.Value = stored(v)
		return m, false, err
	}
	if l.at('(') || name && l.pos < len(l.src) && (identPart[l.src[l.pos]] || strings.IndexByte("['\"*#", l.src[l.pos]) >= 0) {
		return m, false, l.notLiteral(start, "a method")
	}
	if l.pos >= len(l.src) {
		return m, false, l.syntax(l.pos, "unexpected end of file, expected :")
	}
	r, _ := utf8.DecodeRuneInString(l.src[l.pos:])
	return m, false, l.syntax(l.pos, "unexpected "+quoteRune(r)+" after the key "+words.Quote(m.Key)+", expected :")
}

// key reads a property key; name reports whether it is written as a name, plain
// is that of ordjson.NewPlain.
func (l *literal) key() (key string, name, plain bool, err error) {
	if l.pos >= len(l.src) {
		return "", false, false, l.syntax(l.pos, "unexpected end of file, expected a key or }")
	}
	switch c := l.src[l.pos]; {
	case c == '\'' || c == '"':
		key, plain, err = l.str()
		return key, false, plain, err
	case identStart[c] || c == '\\' || c >= utf8.RuneSelf:
		start := l.pos
		key, l.pos, err = l.ident()
		// Only a name in ASCII is as long as it is written.
		return key, true, identEnd(l.src, start) == l.pos, err
	case isDigit(c) || c == '.' && l.pos+1 < len(l.src) && isDigit(l.src[l.pos+1]):
		key, err = l.numericKey()
		return key, false, false, err
	case c == '[':
		return "", false, false, l.notLiteral(l.pos, "a computed key")
	case c == '*':
		return "", false, false, l.notLiteral(l.pos, "a method")
	case strings.HasPrefix(l.src[l.pos:], "..."):
		return "", false, false, l.notLiteral(l.pos, "spread ...")
	}
	r, _ := utf8.DecodeRuneInString(l.src[l.pos:])
	return "", false, false, l.syntax(l.pos, "unexpected "+quoteRune(r)+", expected a key or }")
}

func (l *literal) numericKey() (string, error) {
	start := l.pos
	end, err := scanNumber(l.src, start)
	if err != nil {
		return "", err
	}
	l.pos = end
	text := l.src[start:end]
	if text[len(text)-1] == 'n' {
		return "", l.notLiteral(start, "a BigInt key")
	}
	f := numberValue(text)
	if math.IsInf(f, 0) {
		return "Infinity", nil
	}
	return string(ordjson.AppendNumber(nil, f)), nil
}
