package module

// Whether a slash starts a regular expression or divides: what the tokens
// before it and the brackets around it say.

// regexAfterIdent reports whether a slash after the identifier t starts a
// regular expression: after keywords that an operand follows, unless t is a
// property name.
func (l *lexer) regexAfterIdent(t Token, name string) bool {
	// let a, and then a line that starts with /re/: a declaration without a value
	// has no operator after it.
	l.ends = name == "debugger" || (l.name == "let" || l.name == "var") && !l.afterDotBefore()
	if n := len(name); n < 2 || n > 10 {
		return false
	}
	switch name {
	case "function", "class", "async":
		l.noteBody(t, name)
		return false
	case "await":
		l.await = l.name == "for" && !l.afterDotBefore()
	case "of":
		// It is a name but in for( const x of … ).
		return l.stack[len(l.stack)-1].loop && !l.afterDot() && l.afterOperand()
	}
	return OperandFollows(name) && !l.afterDot()
}

// afterOperand reports whether the previous token may end an operand.
func (l *lexer) afterOperand() bool {
	if p := l.prev; p.Kind == Punct {
		return l.Src[p.Start] == ']' || l.Src[p.Start] == '}' || l.Src[p.Start] == ')'
	}
	return true
}

// noteBody looks at a keyword that may begin a function or class: after the
// body of one that is a value a slash divides, f = function () {} / 2, and
// after a declaration it starts a regular expression.
func (l *lexer) noteBody(t Token, name string) {
	if l.afterDot() {
		return
	}
	p := l.prev
	value := p.Kind == Punct && l.Src[p.Start:p.End] == "=>" || l.name != "default" && l.objectLiteralNext()
	if name == "async" {
		l.async = value
		return
	}
	if l.name == "async" && !t.NewlineBefore {
		value = l.async
	}
	l.stack[len(l.stack)-1].body = value
}

func (l *lexer) afterDot() bool { return l.Dot(len(l.List) - 1) }

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
	case '(':
		// if (…) /re/ — but f(…) / 2 and (…) / 2.
		if l.prev.Kind == Ident && !l.afterDotBefore() {
			switch l.name {
			case "if", "while", "for", "with":
				return true
			case "await":
				return l.await
			}
		}
		return false
	case '[':
		return false
	}
	if top := &l.stack[len(l.stack)-1]; top.body {
		top.body = false
		return false
	}
	return !l.objectLiteralNext()
}

// forBefore reports whether the parentheses that open are those of a for.
func (l *lexer) forBefore() bool {
	return (l.name == "for" || l.name == "await" && l.await) && !l.afterDotBefore()
}

// afterDotBefore reports whether the previous token is a property name.
func (l *lexer) afterDotBefore() bool { return l.Dot(len(l.List) - 2) }

// objectLiteralNext reports whether a brace after the previous token opens an
// object literal rather than a block.
func (l *lexer) objectLiteralNext() bool {
	p := l.prev
	switch p.Kind {
	case EOF:
		return false // start of the file
	case Ident:
		switch l.name {
		case "do", "else":
			return false
		}
		return OperandFollows(l.name)
	case Punct:
		return l.objectAfterPunct(l.Src[p.Start:p.End])
	case Template:
		return l.Src[p.End-1] == '{' // ${ {…} }
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
