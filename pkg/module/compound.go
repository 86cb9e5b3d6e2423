package module

import (
	"math"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// enter goes into a bracket.
func (l *literal) enter() {
	l.i++
	l.depth++
	l.deepest = max(l.deepest, l.depth)
}

// leave goes past the end of one.
func (l *literal) leave() {
	l.i++
	l.depth--
}

func (l *literal) array() (ordjson.Value, error) {
	start := l.pos()
	l.enter()
	base := len(l.elems)
	for !l.at(']') {
		v := ordjson.NewNull()
		if !l.at(',') { // a hole is null in JSON
			var err error
			if v, err = l.expression(); err != nil {
				return v, err
			}
		}
		l.elems = append(l.elems, stored(v))
		if err := l.separator(']'); err != nil {
			return v, err
		}
	}
	l.leave()
	elems := slices.Clone(l.elems[base:])
	l.elems = l.elems[:base]
	return ordjson.NewArray(elems...).At(start), nil
}

// separator reads a comma, or stops in front of the closing bracket.
func (l *literal) separator(end byte) error {
	switch {
	case l.at(','):
		l.i++
	case !l.at(end):
		return l.afterValue(end)
	}
	return nil
}

// afterValue says what is wrong where a comma or a closing bracket should
// stand: an operator makes an expression of what was read.
func (l *literal) afterValue(end byte) error {
	if l.Kind(l.i) == Punct || l.Kind(l.i) == Template {
		switch l.char() {
		case '(', '`':
			return l.notLiteral(l.pos(), "a function call")
		case '.', '[':
			return l.notLiteral(l.pos(), "a property access")
		case '?', '&', '|', '^', '*', '/', '%', '<', '>', '=', '!', '-', '+':
			return l.notLiteral(l.pos(), "the operator "+l.Text(l.i))
		}
	}
	if name := l.Name(l.i); name == "in" || name == "instanceof" {
		return l.notLiteral(l.pos(), "the operator "+name)
	}
	return l.wrong(", expected , or " + string(end))
}

func (l *literal) object() (ordjson.Value, error) {
	start := l.pos()
	l.enter()
	base := len(l.members)
	proto := false
	for !l.at('}') {
		m, isProto, err := l.member()
		if err != nil {
			return ordjson.Value{}, err
		}
		switch {
		case !isProto:
			l.members = append(l.members, m)
		case proto:
			return ordjson.Value{}, &words.SyntaxError{Offset: int(m.KeyPos),
				Message: "an object may set __proto__ only once"}
		default:
			proto = true // sets the prototype and is not a property of its own
		}
		if err := l.separator('}'); err != nil {
			return ordjson.Value{}, err
		}
	}
	l.leave()
	written := l.members[base:]
	object := ordjson.ScriptObject(slices.Clone(written))
	if object.Len() < len(written) {
		l.overwritten = append(l.overwritten, overwritten(written)...)
	}
	l.members = l.members[:base]
	return object.At(start), nil
}

// overwritten are the members that later ones of the same key replace.
func overwritten(members []ordjson.Member) []Overwritten {
	var lost []Overwritten
	later := map[string]bool{}
	for _, m := range slices.Backward(members) {
		if later[m.Key] {
			lost = append(lost, Overwritten{m.Key, int(m.KeyPos)})
		}
		later[m.Key] = true
	}
	slices.Reverse(lost)
	return lost
}

func (l *literal) member() (m ordjson.Member, proto bool, err error) {
	m.KeyPos = l.List[l.i].Start
	name := l.Kind(l.i) == Ident
	if m.Key, m.Plain, err = l.key(); err != nil {
		return m, false, err
	}
	if !l.at(':') {
		return l.shorthand(m, name)
	}
	l.i++
	v, err := l.expression()
	m.Value = stored(v)
	return m, m.Key == "__proto__", err
}

// shorthand reads what is in the place of a colon: { name } is a reference,
// everything else defines a function.
func (l *literal) shorthand(m ordjson.Member, name bool) (ordjson.Member, bool, error) {
	start := int(m.KeyPos)
	if name && (l.at(',') || l.at('}')) {
		v, err := l.reference(m.Key, start)
		m.Value = stored(v)
		return m, false, err
	}
	accessor := name && (m.Key == "get" || m.Key == "set" || m.Key == "async")
	if c := l.char(); c == '(' || accessor && (identPart[c] || c != 0 && strings.IndexByte("['\"*#", c) >= 0) {
		return m, false, l.notLiteral(start, "a method")
	}
	if l.pos() == len(l.Src) {
		return m, false, l.wrong(", expected :")
	}
	return m, false, l.wrong(" after the key " + words.Quote(m.Key) + ", expected :")
}

// key reads the key of a property; isPlain is that of ordjson.NewPlain.
func (l *literal) key() (key string, isPlain bool, err error) {
	switch l.Kind(l.i) {
	case String:
		return l.str()
	case Ident:
		l.i++
		return l.Name(l.i - 1), l.List[l.i-1].form == plain, nil
	case Number:
		key, err = l.numericKey()
		return key, false, err
	}
	switch l.Text(l.i) {
	case "[":
		return "", false, l.notLiteral(l.pos(), "a computed key")
	case "*":
		return "", false, l.notLiteral(l.pos(), "a method")
	case "...":
		return "", false, l.notLiteral(l.pos(), "spread ...")
	}
	return "", false, l.wrong(", expected a key or }")
}

func (l *literal) numericKey() (string, error) {
	text := l.Text(l.i)
	l.i++
	if text[len(text)-1] == 'n' {
		return "", l.notLiteral(int(l.List[l.i-1].Start), "a BigInt key")
	}
	f := numberValue(text)
	if math.IsInf(f, 0) {
		return "Infinity", nil
	}
	return string(ordjson.AppendNumber(nil, f)), nil
}
