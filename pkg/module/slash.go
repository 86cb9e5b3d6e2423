package module

// Whether a slash starts a regular expression or divides: what the tokens
// before it and the brackets around it say.

// regexAfterIdent reports whether a slash after the identifier t starts a
// regular expression: after keywords that an operand follows, unless t is a
// property name.
func (l *Lexer) regexAfterIdent(t Token) bool {
	// let a, and then a line that starts with /re/: a declaration without a value
	// has no operator behind it.
	l.ends = t.Name == "debugger" || l.prev.Kind == Ident && (l.prev.Name == "let" || l.prev.Name == "var") && !l.afterDotBefore()
	if n := len(t.Name); n < 2 || n > 10 {
		return false
	}
	switch t.Name {
	case "function", "class", "async":
		l.noteBody(t)
		return false
	case "await":
		l.await = l.prev.Kind == Ident && l.prev.Name == "for" && !l.afterDotBefore()
	case "of":
		// It is a name but in for( const x of … ).
		return l.stack[len(l.stack)-1].loop && !l.afterDot() && l.afterOperand()
	}
	return OperandFollows(t.Name) && !l.afterDot()
}

// afterOperand reports whether the previous token may end an operand.
func (l *Lexer) afterOperand() bool {
	if p := l.prev; p.Kind == Punct {
		return l.src[p.Start] == ']' || l.src[p.Start] == '}' || l.src[p.Start] == ')'
	}
	return true
}

// noteBody looks at a keyword that may begin a function or class: after the
// body of one that is a value a slash divides, f = function () {} / 2, and
// after a declaration it starts a regular expression.
func (l *Lexer) noteBody(t Token) {
	if l.afterDot() {
		return
	}
	p := l.prev
	value := p.Kind == Punct && l.src[p.Start:p.End] == "=>" || p.Name != "default" && l.objectLiteralNext()
	if t.Name == "async" {
		l.async = value
		return
	}
	if p.Kind == Ident && p.Name == "async" && !t.NewlineBefore {
		value = l.async
	}
	l.stack[len(l.stack)-1].body = value
}

func (l *Lexer) afterDot() bool {
	p := l.prev
	return p.Kind == Punct && (p.End-p.Start == 1 && l.src[p.Start] == '.' || l.src[p.Start:p.End] == "?.")
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
func (l *Lexer) regexAfterClose(open byte) bool {
	switch open {
	case '(':
		// if (…) /re/ — but f(…) / 2 and (…) / 2.
		if l.prev.Kind == Ident && !l.afterDotBefore() {
			switch l.prev.Name {
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
func (l *Lexer) forBefore() bool {
	p := l.prev
	return p.Kind == Ident && (p.Name == "for" || p.Name == "await" && l.await) && !l.afterDotBefore()
}

// afterDotBefore reports whether the previous token is a property name.
func (l *Lexer) afterDotBefore() bool {
	i := l.prev.Start - 1
	for i >= 0 && (l.src[i] == ' ' || l.src[i] == '\t' || l.src[i] == '\n' || l.src[i] == '\r') {
		i--
	}
	return i >= 0 && l.src[i] == '.'
}

// objectLiteralNext reports whether a brace after the previous token opens an
// object literal rather than a block.
func (l *Lexer) objectLiteralNext() bool {
	p := l.prev
	switch p.Kind {
	case EOF:
		return false // start of the file
	case Ident:
		switch p.Name {
		case "do", "else":
			return false
		}
		return OperandFollows(p.Name)
	case Punct:
		return l.objectAfterPunct(l.src[p.Start:p.End])
	case Template:
		return l.src[p.End-1] == '{' // ${ {…} }
	}
	return false
}

func (l *Lexer) objectAfterPunct(text string) bool {
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
