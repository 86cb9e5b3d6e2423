package module

// Whether a slash starts a regular expression or divides: what the tokens
// before it and the brackets around it say.

// last is the index of the last token, -1 before the first.
func (l *lexer) last() int { return len(l.List) - 1 }

// regexNext reports whether a slash after the last token starts a regular
// expression; newline says that a line ends between the two.
func (l *lexer) regexNext(newline bool) bool {
	i := l.last()
	// let a, and then a line that starts with /re/: a declaration without a value
	// has no operator after it.
	if newline && l.Kind(i) == Ident && (l.Name(i) == "debugger" || l.Keyword(i-1, "let", "var")) {
		return true
	}
	for ; l.Is(i, "++") || l.Is(i, "--"); i-- { // a++ / b divides, ++/re/.lastIndex does not
		if l.List[i].NewlineBefore {
			return true
		}
	}
	switch l.Kind(i) {
	case EOF:
		return true // start of the file
	case Ident:
		if l.Name(i) == "of" { // a name but in for( const x of … )
			return l.stack[len(l.stack)-1].loop && !l.Dot(i-1) && (l.Kind(i-1) != Punct || l.Closes(i-1))
		}
		return OperandFollows(l.Name(i)) && !l.Dot(i-1)
	case Punct:
		return !l.Closes(i) || l.closed.regexNext
	case Template:
		return l.opensTemplate(i)
	}
	return false
}

// opensTemplate reports whether ${ ends token i, a piece of a template.
func (l *lexer) opensTemplate(i int) bool { return l.Src[l.List[i].End-1] == '{' }

// noteBody looks at a keyword that begins a function or class: after the body of
// one that is a value a slash divides, f = function () {} / 2, and after a
// declaration it starts a regular expression.
func (l *lexer) noteBody(newline bool) {
	before := l.last()
	if l.Dot(before) {
		return
	}
	if !newline && l.Keyword(before, "async") {
		before--
	}
	value := l.Is(before, "=>") || l.Name(before) != "default" && l.objectLiteralAfter(before)
	l.stack[len(l.stack)-1].body = value
}

// OperandFollows lists the keywords after which an operand stands.
func OperandFollows(name string) bool {
	switch name {
	case "return", "typeof", "case", "in", "of", "delete", "void", "instanceof", "new",
		"do", "else", "throw", "await", "yield", "default", "extends":
		return true
	}
	return false
}

// regexAfterClose decides, at an opening bracket, what a slash after its
// closing one means.
func (l *lexer) regexAfterClose(open byte) bool {
	switch open {
	case '(': // if (…) /re/ — but f(…) / 2 and (…) / 2.
		return l.forBefore() || l.Keyword(l.last(), "if", "while", "with")
	case '[':
		return false
	}
	if top := &l.stack[len(l.stack)-1]; top.body {
		top.body = false
		return false
	}
	return !l.objectLiteralAfter(l.last())
}

// forBefore reports whether the parentheses that open are those of a for.
func (l *lexer) forBefore() bool {
	i := l.last()
	if l.Keyword(i, "await") {
		i--
	}
	return l.Keyword(i, "for")
}

// objectLiteralAfter reports whether a brace after token i opens an object
// literal rather than a block.
func (l *lexer) objectLiteralAfter(i int) bool {
	switch l.Kind(i) {
	case Ident:
		name := l.Name(i)
		return name != "do" && name != "else" && OperandFollows(name)
	case Punct:
		return l.objectAfterPunct(l.Text(i))
	case Template:
		return l.opensTemplate(i) // ${ {…} }
	}
	return false
}

func (l *lexer) objectAfterPunct(text string) bool {
	switch text {
	case ")", "}", "{", ";", "=>", "++", "--", "]":
		return false
	case ":":
		// In a block a colon ends a label or a case, unless a ? waits for it;
		// anywhere else a value follows.
		top := l.stack[len(l.stack)-1]
		return top.valueNext || !top.regexNext
	}
	return true
}
