package module

import (
	"strconv"
	"strings"
)

// mistake says what to do about the token at hand, where the literal cannot go
// on with it; "" where that is not known. expected is what the message asks for.
func (l *literal) mistake(expected string) string {
	i := l.i
	before := l.Kind(i - 1)
	begins := l.Kind(i) == Ident || l.Kind(i) == Number || strings.IndexByte("'\"`{[", l.char()) >= 0
	switch {
	case before == String && l.Kind(i) == Ident && l.List[i-1].End == l.List[i].Start:
		return `write \' for a quote inside a text, or put the text between backquotes`
	case strings.HasPrefix(expected, ", expected , or") && begins:
		return "write a comma after the value before it"
	case strings.HasPrefix(expected, ", expected , or") && l.at(';'):
		return "write a comma in place of the semicolon"
	case strings.HasSuffix(expected, ", expected :") && l.at('='):
		return "write : in place of ="
	case strings.HasSuffix(expected, ", expected :") && l.at('-'):
		return "put a key that has a - in it between quotes"
	case strings.HasSuffix(expected, ", expected :") && begins:
		return "write : between the key and its value"
	case l.at(',') && before == Punct:
		return "remove the comma"
	case strings.HasPrefix(l.Src[l.pos():], "“"), strings.HasPrefix(l.Src[l.pos():], "‘"):
		return "write ' in place of the typographic quotes"
	}
	return ""
}

// toClose says which bracket has to be closed.
func (l *lexer) toClose() string {
	top := l.stack[len(l.stack)-1]
	line, _ := NewLines(l.Src).Position(int(l.List[top.at].Start))
	return "add the " + closer(top.open) + " that closes the " + string(l.Src[l.List[top.at].End-1]) + " of line " +
		strconv.Itoa(line)
}
