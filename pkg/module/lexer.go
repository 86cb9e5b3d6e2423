package module

import (
	"slices"
	"unicode/utf8"

	"github.com/flowmcp/fmcp/pkg/words"
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
	NewlineBefore bool // a line terminator is between it and the token before
	form          form
}

// form says how the text of a string or a name relates to its value.
type form uint8

const (
	plain    form = iota // it stands for itself and is plain, see ordjson.NewPlain
	verbatim             // it stands for itself
	escaped              // it holds escapes
)

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
	ternary   int32 // conditional expressions inside that wait for their colon
	open      byte  // '(', '[', '{', or '$' for ${; 0 for the file itself
	regexNext bool  // a slash after the closing bracket starts a regular expression
	valueNext bool  // the last colon inside was that of a conditional expression
	loop      bool  // the parentheses of a for
	body      bool  // the next brace inside is the body of a function or class that is a value
}

// lexer splits JavaScript module source into tokens. Whether a slash starts a
// regular expression or divides is decided as a parser would, from the tokens
// before it and the brackets around it, so a quote inside /['"]/ never starts
// a string.
type lexer struct {
	Tokens
	pos    int
	stack  []bracket
	closed bracket // the last one that closed
	flips  []int   // offsets of slashes that are read the other way
}

// bytesPerToken is what most schemas need; a source with more tokens makes the
// list grow.
const bytesPerToken = 5

// Tokenize reads the tokens of a source, after a byte order mark and a hashbang
// line. flips are offsets of slashes that are to be read the other way, see
// Tokens.Doubtful.
func Tokenize(src string, flips ...int) *Tokens {
	l := &lexer{
		Tokens: Tokens{Src: src, List: make([]Token, 0, len(src)/bytesPerToken+2)},
		pos:    skipProlog(src), flips: flips, stack: make([]bracket, 1, 32),
	}
	l.stack[0].regexNext = true
	for kind := Punct; kind != EOF; {
		if kind, l.Err = l.next(); l.Err != nil {
			break
		}
	}
	last := l.last()
	for _, b := range l.stack[1:] {
		l.List[b.at].Match = int32(last)
	}
	return &Tokens{l.Src, l.List, l.Err}
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

// next reads a token into the list. The error is a *words.SyntaxError, and the token an
// EOF where nothing can be read.
func (l *lexer) next() (kind Kind, err error) {
	pos, newline, err := skipSpace(l.Src, l.pos)
	end, match, form := pos, int32(0), plain
	switch {
	case err != nil:
	case pos < len(l.Src):
		if kind, end, match, form, err = l.token(pos, newline); err != nil {
			kind, end, match = EOF, pos, 0
		}
	case len(l.stack) > 1:
		err = &words.SyntaxError{Offset: pos, Message: "unexpected end of file, expected " +
			closer(l.stack[len(l.stack)-1].open), Fix: l.toClose()}
	}
	l.pos = end
	l.List = append(l.List, Token{
		Start: int32(pos), End: int32(end), Match: match, Kind: kind, NewlineBefore: newline, form: form,
	})
	return kind, err
}

// token reads the token at pos.
func (l *lexer) token(pos int, newline bool) (kind Kind, end int, match int32, form form, err error) {
	switch c := l.Src[pos]; {
	case identStart[c]:
		kind, end = Ident, identEnd(l.Src, pos)
		if end < len(l.Src) && (l.Src[end] == '\\' || l.Src[end] >= utf8.RuneSelf) {
			form = escaped
			end, err = l.wideIdent(pos, newline)
		} else if c == 'f' && l.Src[pos:end] == "function" || c == 'c' && l.Src[pos:end] == "class" {
			l.noteBody(newline)
		}
	case c == '"' || c == '\'':
		kind = String
		end, form, err = scanString(l.Src, pos)
	case c >= '0' && c <= '9' || c == '.' && pos+1 < len(l.Src) && isDigit(l.Src[pos+1]):
		kind = Number
		end, err = scanNumber(l.Src, pos)
	case c == '`':
		kind = Template
		end, err = l.template(pos, pos+1)
	case c == '/' && l.regexNext(newline) != slices.Contains(l.flips, pos):
		kind = Regex
		end, err = scanRegex(l.Src, pos)
	case c == '\\' || c >= utf8.RuneSelf:
		kind, form = Ident, escaped
		end, err = l.wideIdent(pos, newline)
	case c == '#':
		kind = PrivateName
		_, end, err = scanIdent(l.Src, pos+1)
	default:
		kind, end, match, err = l.punct(pos, c)
	}
	return
}

// wideIdent reads a name with characters beyond ASCII or with unicode escapes.
func (l *lexer) wideIdent(pos int, newline bool) (end int, err error) {
	name, end, err := scanIdent(l.Src, pos)
	if name == "function" || name == "class" {
		l.noteBody(newline)
	}
	return end, err
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
func (l *lexer) punct(pos int, c byte) (kind Kind, end int, match int32, err error) {
	switch c {
	case '(', '[', '{':
		err = l.open(bracket{open: c, regexNext: l.regexAfterClose(c), loop: c == '(' && l.forBefore()}, pos)
		return Punct, pos + 1, 0, err
	case ')', ']', '}':
		return l.close(pos, c)
	}
	n := operatorLen(l.Src[pos:])
	switch n {
	case 0:
		r, _ := utf8.DecodeRuneInString(l.Src[pos:])
		err = &words.SyntaxError{Offset: pos, Message: "unexpected character " + quoteRune(r)}
	case 1:
		l.operator(c)
	}
	return Punct, pos + n, 0, err
}

func (l *lexer) open(b bracket, pos int) error {
	if len(l.stack) > maxNesting { // the first stands for the file
		return &words.SyntaxError{Offset: pos, Message: tooDeep}
	}
	b.at = int32(len(l.List))
	l.stack = append(l.stack, b)
	return nil
}

// operator counts the colons that a conditional expression waits for.
func (l *lexer) operator(c byte) {
	top := &l.stack[len(l.stack)-1]
	switch c {
	case '?':
		top.ternary++
	case ':':
		if top.valueNext = top.ternary > 0; top.valueNext {
			top.ternary--
		}
	}
}

// close reads a closing bracket; a brace that ends ${…} resumes the template.
func (l *lexer) close(pos int, c byte) (kind Kind, end int, match int32, err error) {
	n := len(l.stack)
	if n == 1 {
		return Punct, pos, 0, &words.SyntaxError{Offset: pos, Message: "unexpected " + string(c) + ", nothing is open"}
	}
	top := l.stack[n-1]
	if want := closer(top.open); want[0] != c {
		return Punct, pos, 0, &words.SyntaxError{Offset: pos, Message: "unexpected " + string(c) + ", expected " + want,
			Fix: l.toClose()}
	}
	l.stack, l.closed = l.stack[:n-1], top
	l.List[top.at].Match = int32(len(l.List))
	if top.open == '$' {
		end, err = l.template(pos, pos+1)
		return Template, end, top.at, err
	}
	return Punct, pos + 1, top.at, nil
}

// template reads the text of a template, whose token begins at start, from pos up
// to ${ or its end.
func (l *lexer) template(start, pos int) (end int, err error) {
	end, open, err := scanTemplate(l.Src, pos)
	if err == nil && open {
		err = l.open(bracket{open: '$'}, start)
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
