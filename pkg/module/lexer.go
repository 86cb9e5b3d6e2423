package module

import (
	"slices"
	"unicode/utf8"
)

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
	Start, End    int32 // byte offsets
	Match         int32 // of a bracket: the index of its partner, see Tokens.Opens
	Kind          Kind
	NewlineBefore bool // a line terminator stands between it and the token before
	form          form
}

// form says how the text of a string or a name relates to its value.
type form uint8

const (
	plain    form = iota // it stands for itself and is plain, see ordjson.NewPlain
	verbatim             // it stands for itself
	escaped              // it holds escapes
)

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
	at        int32 // index of its token
	open      byte  // '(', '[', '{', or '$' for ${; 0 for the file itself
	regexNext bool  // a slash after the closing bracket starts a regular expression
	ternary   int   // conditional expressions inside that wait for their colon
	valueNext bool  // the last colon inside was that of a conditional expression
	loop      bool  // the parentheses of a for
	body      bool  // the next brace inside is the body of a function or class that is a value
}

// lexer splits JavaScript module source into tokens. Whether a slash starts a
// regular expression or divides is decided as a parser would, from the tokens
// before it and the brackets around it, so a quote inside /['"]/ never starts
// a string.
type lexer struct {
	*Tokens
	pos   int
	regex bool   // a slash here starts a regular expression
	prev  Token  // of Kind EOF before the first
	name  string // of prev, if it is an Ident
	stack []bracket
	flips []int // offsets of slashes that are read the other way
	async bool  // the last async began a value
	await bool  // the last name is the await of for await
	ends  bool  // the last name ends a statement if a line ends after it
}

// bytesPerToken is what most schemas need; a source with more tokens makes the
// list grow.
const bytesPerToken = 5

// Tokenize reads the tokens of a source, after a byte order mark and a hashbang
// line. flips are offsets of slashes that are to be read the other way, see
// Tokens.Doubtful.
func Tokenize(src string, flips ...int) *Tokens {
	l := &lexer{
		Tokens: &Tokens{Src: src, List: make([]Token, 0, len(src)/bytesPerToken+2)},
		regex:  true, flips: flips, stack: make([]bracket, 1, 32),
	}
	l.stack[0].regexNext = true
	l.pos = skipProlog(src)
	for {
		t, err := l.next()
		if err != nil {
			t.Kind, t.End, t.Match = EOF, t.Start, 0
			l.Err = err
		}
		if t.Kind == EOF {
			for _, b := range l.stack[1:] {
				l.List[b.at].Match = int32(len(l.List))
			}
			l.List = append(l.List, t)
			return l.Tokens
		}
		l.List = append(l.List, t)
		l.prev = t
	}
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

// next reads a token. The error is a *SyntaxError, and the token begins where
// nothing can be read.
func (l *lexer) next() (Token, error) {
	pos, newline, err := skipSpace(l.Src, l.pos)
	if err != nil {
		return Token{Start: int32(pos)}, err
	}
	t := Token{Start: int32(pos), NewlineBefore: newline}
	if pos >= len(l.Src) {
		t.End = t.Start
		if n := len(l.stack); n > 1 {
			return t, &SyntaxError{pos, "unexpected end of file, expected " + closer(l.stack[n-1].open)}
		}
		return t, nil
	}
	name, end := "", 0
	switch c := l.Src[pos]; {
	case identStart[c]:
		t.Kind, end = Ident, identEnd(l.Src, pos)
		name = l.Src[pos:end]
		if end < len(l.Src) && (l.Src[end] == '\\' || l.Src[end] >= utf8.RuneSelf) {
			t.form = escaped
			name, end, err = scanIdent(l.Src, pos)
		}
		l.regex = l.regexAfterIdent(t, name)
	case c == '"' || c == '\'':
		t.Kind, l.regex = String, false
		end, t.form, err = scanString(l.Src, pos)
	case c >= '0' && c <= '9' || c == '.' && pos+1 < len(l.Src) && isDigit(l.Src[pos+1]):
		t.Kind, l.regex = Number, false
		end, err = scanNumber(l.Src, pos)
	case c == '`':
		end, err = l.template(&t, pos+1)
	case c == '/' && (l.regex || newline && l.ends && l.prev.Kind == Ident) != slices.Contains(l.flips, pos):
		t.Kind, l.regex = Regex, false
		end, err = scanRegex(l.Src, pos)
	case c == '\\' || c >= utf8.RuneSelf:
		t.Kind, t.form = Ident, escaped
		name, end, err = scanIdent(l.Src, pos)
		l.regex = l.regexAfterIdent(t, name)
	case c == '#':
		t.Kind, l.regex = PrivateName, false
		_, end, err = scanIdent(l.Src, pos+1)
	default:
		end, err = l.punct(&t, pos, c)
	}
	l.name, l.pos, t.End = name, end, int32(end)
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

// punct reads a punctuator and keeps the stack of brackets.
func (l *lexer) punct(t *Token, pos int, c byte) (end int, err error) {
	t.Kind = Punct
	switch c {
	case '(', '[', '{':
		l.regex = true
		return pos + 1, l.open(bracket{open: c, regexNext: l.regexAfterClose(c), loop: c == '(' && l.forBefore()}, pos)
	case ')', ']', '}':
		return l.close(t, pos, c)
	}
	n := operatorLen(l.Src[pos:])
	if n == 0 {
		r, _ := utf8.DecodeRuneInString(l.Src[pos:])
		return pos, &SyntaxError{pos, "unexpected character " + quoteRune(r)}
	}
	l.operator(t, l.Src[pos:pos+n])
	return pos + n, nil
}

func (l *lexer) open(b bracket, pos int) error {
	if len(l.stack) >= maxNesting {
		return &SyntaxError{pos, tooDeep}
	}
	b.at = int32(len(l.List))
	l.stack = append(l.stack, b)
	return nil
}

// operator notes what an operator means for a slash after it: a++ / b divides,
// every other operator wants an operand, and so does ++ where it has none before
// it on its line.
func (l *lexer) operator(t *Token, text string) {
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
func (l *lexer) close(t *Token, pos int, c byte) (end int, err error) {
	n := len(l.stack)
	if n == 1 {
		return pos, &SyntaxError{pos, "unexpected " + string(c) + ", nothing is open"}
	}
	top := l.stack[n-1]
	if want := closer(top.open); want[0] != c {
		return pos, &SyntaxError{pos, "unexpected " + string(c) + ", expected " + want}
	}
	l.stack = l.stack[:n-1]
	l.List[top.at].Match, t.Match = int32(len(l.List)), top.at
	if top.open == '$' {
		return l.template(t, pos+1)
	}
	l.regex = top.regexNext
	return pos + 1, nil
}

// template reads the text of a template from pos up to ${ or its end.
func (l *lexer) template(t *Token, pos int) (end int, err error) {
	t.Kind = Template
	end, open, err := scanTemplate(l.Src, pos)
	if l.regex = open; err == nil && open {
		err = l.open(bracket{open: '$'}, int(t.Start))
	}
	return end, err
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
