package module

import "unicode/utf8"

// Kind is the type of a Token.
type Kind uint8

// The kinds of tokens. Comments and white space are skipped; keywords are
// Idents. A template literal is a Template token for each stretch of text, its
// delimiters included, with the tokens of each ${…} between them.
const (
	EOF Kind = iota
	Ident
	PrivateName
	Punct
	String
	Template
	Number
	Regex
)

// Token is a piece of JavaScript source.
type Token struct {
	Kind          Kind
	NewlineBefore bool   // a line terminator stands between it and the token before
	Start, End    int    // byte offsets
	Name          string // Ident: the name, unicode escapes decoded
}

// SyntaxError says where a source stops being a module.
type SyntaxError struct {
	Offset int // bytes from the start
	Msg    string
}

func (e *SyntaxError) Error() string { return e.Msg }

// The budget of a module, checked once where it is read (decision "One budget"):
// what comes after need not fear what is larger, and has no limits of its own.
const (
	// MaxSource is the most bytes that a source may have. The largest of 1,155
	// public schemas has 153 kB.
	MaxSource = 1 << 20
	// maxNesting is how deep brackets may nest, those of constants that a value
	// names included: public schemas have 17 levels.
	maxNesting = 100
	// maxData is how many bytes of source all names of constants in a module may
	// stand for. A thousand bytes of constants that name each other twice would
	// make a value that no memory holds.
	maxData = 8 << 20
)

const tooDeep = "brackets nested deeper than 100 levels"

// bracket is what the lexer must know of an open bracket once it closes.
type bracket struct {
	open      byte // '(', '[', '{', or '$' for ${; 0 for the file itself
	regexNext bool // a slash after the closing bracket starts a regular expression
	ternary   int  // conditional expressions inside that wait for their colon
	valueNext bool // the last colon inside was that of a conditional expression
	loop      bool // the parentheses of a for
	body      bool // the next brace inside is the body of a function or class that is a value
}

// Lexer splits JavaScript module source into tokens. Whether a slash starts a
// regular expression or divides is decided as a parser would, from the tokens
// before it and the brackets around it, so a quote inside /['"]/ never starts
// a string.
type Lexer struct {
	src   string
	pos   int
	regex bool // a slash here starts a regular expression
	prev  Token
	stack []bracket
	async bool // the last async began a value
	await bool // the last name is the await of for await
	ends  bool // the last name ends a statement if a line ends behind it
}

// NewLexer returns a lexer at the start of src, after a byte order mark and a
// hashbang line.
func NewLexer(src string) *Lexer {
	l := &Lexer{src: src, regex: true, stack: make([]bracket, 1, 32)}
	l.stack[0].regexNext = true
	l.pos = skipProlog(src)
	return l
}

func skipProlog(src string) int {
	i := 0
	if len(src) >= 3 && src[:3] == "\uFEFF" {
		i = 3
	}
	if len(src) >= i+2 && src[i:i+2] == "#!" {
		for i < len(src) && !lineEnd(src, i) {
			i++
		}
	}
	return i
}

// Text returns the source text of a token.
func (l *Lexer) Text(t Token) string { return l.src[t.Start:t.End] }

// Depth is the number of brackets open after the last token.
func (l *Lexer) Depth() int { return len(l.stack) - 1 }

// seek continues at offset pos, where a whole expression has just ended.
func (l *Lexer) seek(pos int) {
	l.pos, l.regex = pos, false
	l.prev = Token{Kind: Punct, Start: pos - 1, End: pos}
}

// Next returns the next token, of Kind EOF at the end. The error is a
// *SyntaxError.
func (l *Lexer) Next() (Token, error) {
	pos, newline, err := skipSpace(l.src, l.pos)
	if err != nil {
		return Token{}, err
	}
	t := Token{Start: pos, NewlineBefore: newline}
	if pos >= len(l.src) {
		t.End = pos
		if n := len(l.stack); n > 1 {
			return t, &SyntaxError{pos, "unexpected end of file, expected " + closer(l.stack[n-1].open)}
		}
		return t, nil
	}
	switch c := l.src[pos]; {
	case identStart[c]:
		t.Kind, t.End = Ident, identEnd(l.src, pos)
		t.Name = l.src[pos:t.End]
		l.pos = t.End
		if t.End < len(l.src) && (l.src[t.End] == '\\' || l.src[t.End] >= utf8.RuneSelf) {
			err = l.wideIdent(&t)
		}
		l.regex = l.regexAfterIdent(t)
	case c == '"' || c == '\'':
		t.Kind = String
		t.End, _, err = scanString(l.src, pos)
		l.pos, l.regex = t.End, false
	case c >= '0' && c <= '9' || c == '.' && pos+1 < len(l.src) && isDigit(l.src[pos+1]):
		t.Kind = Number
		t.End, err = scanNumber(l.src, pos)
		l.pos, l.regex = t.End, false
	case c == '`':
		err = l.template(&t)
	case c == '/' && (l.regex || newline && l.ends && l.prev.Kind == Ident):
		t.Kind = Regex
		t.End, err = scanRegex(l.src, pos)
		l.pos, l.regex = t.End, false
	case c == '\\' || c >= utf8.RuneSelf:
		t.Kind = Ident
		l.pos = pos
		err = l.wideIdent(&t)
		l.regex = l.regexAfterIdent(t)
	case c == '#':
		t.Kind = PrivateName
		if _, t.End, err = scanIdent(l.src, pos+1); err == nil {
			l.pos, l.regex = t.End, false
		}
	default:
		err = l.punct(&t)
	}
	l.prev = t
	return t, err
}

func closer(open byte) string {
	switch open {
	case '(':
		return ")"
	case '[':
		return "]"
	}
	return "}"
}

func identEnd(s string, i int) int {
	for i < len(s) && identPart[s[i]] {
		i++
	}
	return i
}

// wideIdent reads an identifier with characters beyond ASCII or with unicode
// escapes, from t.Start on.
func (l *Lexer) wideIdent(t *Token) error {
	name, end, err := scanIdent(l.src, t.Start)
	t.Name, t.End, l.pos = name, end, end
	return err
}

// punct reads a punctuator and keeps the stack of brackets.
func (l *Lexer) punct(t *Token) error {
	t.Kind = Punct
	c := l.src[t.Start]
	t.End = t.Start + 1
	switch c {
	case '(', '[', '{':
		if len(l.stack) >= maxNesting {
			return &SyntaxError{t.Start, tooDeep}
		}
		l.stack = append(l.stack, bracket{open: c, regexNext: l.regexAfterClose(c), loop: c == '(' && l.forBefore()})
		l.regex = true
	case ')', ']', '}':
		return l.close(t, c)
	default:
		n := operatorLen(l.src[t.Start:])
		if n == 0 {
			r, _ := utf8.DecodeRuneInString(l.src[t.Start:])
			return &SyntaxError{t.Start, "unexpected character " + quoteRune(r)}
		}
		t.End = t.Start + n
		l.operator(t, l.src[t.Start:t.End])
	}
	l.pos = t.End
	return nil
}

// operator notes what an operator means for a slash after it: a++ / b divides,
// every other operator wants an operand, and so does ++ where it has none before
// it on its line.
func (l *Lexer) operator(t *Token, text string) {
	l.regex = l.regex || t.NewlineBefore || text != "++" && text != "--"
	top := &l.stack[len(l.stack)-1]
	switch text {
	case "?":
		top.ternary++
	case ":":
		if top.valueNext = top.ternary > 0; top.valueNext {
			top.ternary--
		}
	}
}

// close reads a closing bracket; a brace that ends ${…} resumes the template.
func (l *Lexer) close(t *Token, c byte) error {
	n := len(l.stack)
	if n == 1 {
		return &SyntaxError{t.Start, "unexpected " + string(c) + ", nothing is open"}
	}
	top := l.stack[n-1]
	l.stack = l.stack[:n-1]
	if top.open == '$' && c == '}' {
		return l.templateChunk(t)
	}
	if want := closer(top.open); want[0] != c {
		return &SyntaxError{t.Start, "unexpected " + string(c) + ", expected " + want}
	}
	l.pos, l.regex = t.End, top.regexNext
	return nil
}

// template reads a template literal up to its first ${ or its end.
func (l *Lexer) template(t *Token) error {
	t.End = t.Start + 1
	return l.templateChunk(t)
}

// templateChunk goes on with a template's text at t.End.
func (l *Lexer) templateChunk(t *Token) error {
	t.Kind = Template
	end, open, err := scanTemplate(l.src, t.End)
	if err != nil {
		return err
	}
	t.End, l.pos = end, end
	l.regex = open
	if open {
		if len(l.stack) >= maxNesting {
			return &SyntaxError{t.Start, tooDeep}
		}
		l.stack = append(l.stack, bracket{open: '$'})
	}
	return nil
}

// operators lists the operators of more than one character, longest first for
// each first character.
var operators = [128][]string{
	'.': {"..."},
	'=': {"===", "==", "=>"},
	'!': {"!==", "!="},
	'<': {"<<=", "<<", "<="},
	'>': {">>>=", ">>>", ">>=", ">>", ">="},
	'+': {"++", "+="},
	'-': {"--", "-="},
	'*': {"**=", "**", "*="},
	'/': {"/="},
	'%': {"%="},
	'&': {"&&=", "&&", "&="},
	'|': {"||=", "||", "|="},
	'^': {"^="},
	'?': {"??=", "??", "?."},
}

// operatorLen returns the length of the operator that s starts with, 0 for
// none.
func operatorLen(s string) int {
	c := s[0]
	if c == ',' || c == ':' || c == ';' || c == '~' {
		return 1
	}
	if c >= 128 || operators[c] == nil {
		return 0
	}
	for _, op := range operators[c] {
		if len(s) >= len(op) && s[:len(op)] == op {
			if op == "?." && len(s) > 2 && isDigit(s[2]) {
				return 1 // a?.5:b
			}
			return len(op)
		}
	}
	return 1
}
