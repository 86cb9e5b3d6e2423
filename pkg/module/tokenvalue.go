package module

// StringValue returns the value of a String token, or of a Template token that
// is a whole template literal without ${…}. Any other token, or one with a
// malformed escape, has none.
func (l *Lexer) StringValue(t Token) (value string, ok bool) {
	text := l.Text(t)
	if len(text) < 2 || text[len(text)-1] != text[0] {
		return "", false // a piece of a template
	}
	var err error
	switch body := text[1 : len(text)-1]; t.Kind {
	case String:
		value, err = decodeString(body, t.Start+1)
	case Template:
		value, err = decodeTemplate(body, t.Start+1)
	default:
		return "", false
	}
	return value, err == nil
}
