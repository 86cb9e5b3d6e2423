package forbidden

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/module"
)

// tokenScan reads the tokens of a source with one token of lookahead.
type tokenScan struct {
	src  string
	lex  *module.Lexer
	list bool
	out  []Finding

	t, next module.Token // the token at hand and the one after it
	p1, p2  module.Token // those before it
	member  bool         // p1 is a property name
	member2 bool         // p2 is one
	head    bool         // list: a function keyword waits for its body
	parens  int          // open parentheses

	exportAt int // start of an `export {` that is open, or -1
	exports  []string
	methods  []maybeMethod
	braces   int // open braces, but for those of templates
	main     mainScan
	stage    stageScan
	ctor     constructorScan
	patterns patternScan
	forks    []fork
	unclear  int // the first slash that more forks than are followed stood before, or -1
}

// maybeMethod is a finding `name (` that is none if it turns out to be the
// head of a method: `{ eval(x) { … } }`.
type maybeMethod struct {
	finding int // index in out
	parens  int // the depth outside its parentheses
}

func scanTokens(src string, opts Options) (found []Finding, exports []string) {
	s := tokenScan{src: src, lex: module.NewLexer(src), list: opts.List, exportAt: -1, stage: noStage, unclear: -1}
	if err := s.run(); err != nil && opts.Read {
		s.unread(err)
	}
	if s.main.suspect {
		s.out = append(s.out, unserializable(src, s.main.start)...)
	}
	if s.stage.ownFetch {
		s.out = slices.DeleteFunc(s.out, func(f Finding) bool { return f.Code == "SEC100" })
	}
	if len(s.forks) > 0 {
		s.out = scanForks(src, opts.List, s.out, s.forks, s.unclear)
	} else {
		s.out = dropLocals(src, s.out)
	}
	if opts.List {
		s.out = listLiteral(src, s.out)
	}
	if len(s.out) > 1 {
		slices.SortStableFunc(s.out, func(a, b Finding) int {
			return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Code, b.Code))
		})
	}
	return s.out, s.exports
}

// run scans to the end, or to a syntax error, which it returns.
func (s *tokenScan) run() error {
	var err error
	if s.next, err = s.lex.Next(); err != nil {
		return err
	}
	for s.next.Kind != module.EOF {
		s.t = s.next
		if s.next, err = s.lex.Next(); err != nil {
			// What stands before the error is still looked at.
			s.next = module.Token{Kind: module.EOF, Start: s.t.End, End: s.t.End}
		}
		s.token()
		s.member2, s.member = s.member, s.t.Kind == module.Ident && s.afterDot()
		s.p2, s.p1 = s.p1, s.t
	}
	return err
}

func (s *tokenScan) token() {
	if s.ctor.state != ctorNone {
		s.afterConstructor()
	}
	switch s.t.Kind {
	case module.Ident:
		if w := wordOf(s.t.Name); w != noWord {
			s.word(w)
		}
	case module.Punct:
		s.punct()
	case module.String:
		s.text()
	case module.Template:
		if s.list && s.src[s.t.End-1] == '{' {
			s.report("SEC203", s.t.End-2, s.t.End)
		}
		s.text()
		s.template()
	case module.Regex:
		s.main.suspects()
		s.slash()
	case module.Number:
		if s.src[s.t.End-1] == 'n' {
			s.main.suspects()
		}
	}
}

// is reports whether a token is the punctuator of one character c.
func (s *tokenScan) is(t module.Token, c byte) bool {
	return t.Kind == module.Punct && t.End-t.Start == 1 && s.src[t.Start] == c
}

// dot reports whether a token is . or ?.
func (s *tokenScan) dot(t module.Token) bool {
	return t.Kind == module.Punct && s.src[t.End-1] == '.' && t.End-t.Start < 3
}

func (s *tokenScan) afterDot() bool { return s.dot(s.p1) }

// keyword reports whether the token before is the keyword name, and no
// property of that name.
func (s *tokenScan) keyword(name string) bool {
	return s.p1.Kind == module.Ident && !s.member && s.p1.Name == name
}

// key reports whether the name at hand is a key in an object literal.
func (s *tokenScan) key() bool {
	return s.is(s.next, ':') && s.keyStart()
}

// accessed reports whether something of the value at hand is taken or called.
func (s *tokenScan) accessed() bool {
	return s.dot(s.next) || s.is(s.next, '[') || s.is(s.next, '(') || s.next.Kind == module.Template
}

// word looks at a word of wordOf.
func (s *tokenScan) word(w word) {
	if w == wordConstructor {
		if s.afterDot() {
			s.constructor(s.t.Start)
		} else if s.keyStart() {
			s.constructorKey(s.t.Start)
		}
		return
	}
	if w == wordStage {
		s.stageWord()
		return
	}
	if s.afterDot() || s.key() {
		return
	}
	switch w {
	case wordFetch:
		s.fetch()
	case wordSharedLists:
		s.sharedLists()
	case wordNoData:
		s.main.suspects()
	case wordImport:
		s.importWord()
	case wordExport:
		s.exportWord()
	case wordFunctionKey, wordClass:
		s.main.suspects()
		if s.list {
			s.report("SEC200", s.t.Start, s.t.End)
			s.head = w == wordFunctionKey
		}
	case wordAsync:
		s.main.suspects()
		if s.list {
			s.report("SEC202", s.t.Start, s.t.End)
		}
	default:
		s.global(w)
	}
}

// importWord reports import declarations, import() and import.meta.
func (s *tokenScan) importWord() {
	switch s.next.Kind {
	case module.String, module.Ident:
	case module.Punct:
		if !s.is(s.next, '(') && !s.is(s.next, '.') && !s.is(s.next, '{') && !s.is(s.next, '*') {
			return
		}
	default:
		return
	}
	s.reportName("SEC001")
}

// exportWord notes what is exported, reports `export * from`, and remembers an
// `export {` that may have a from after it.
func (s *tokenScan) exportWord() {
	// Only the top level exports; the token after may have opened a bracket.
	if depth := s.lex.Depth(); depth == 0 || depth == 1 && s.is(s.next, '{') {
		names := module.ExportNames(s.src, s.t.Start)
		s.exports = append(s.exports, names...)
		if depth == 0 && !s.list && slices.Contains(names, "main") {
			s.main.begin(s.t.Start)
		}
	}
	switch {
	case s.is(s.next, '*'):
		s.report("SEC001", s.t.Start, s.t.End)
	case s.is(s.next, '{'):
		s.exportAt = s.t.Start
	}
}

// global reports a name that stands for a global or a module of Node.
func (s *tokenScan) global(w word) {
	switch {
	case s.declared():
		return
	case s.keyword("typeof") && !s.accessed():
		return // asks whether there is one
	case s.keyword("as") && (s.is(s.next, '}') || s.is(s.next, ',')):
		return // the name of an export
	}
	code := wordCodes[w]
	switch w {
	case wordFS:
		// There is no global fs: only what is taken of one matters.
		if !s.dot(s.next) && !s.is(s.next, '[') {
			return
		}
	case wordProcess, wordGlobal:
		if s.is(s.next, '(') {
			return // the globals cannot be called, so it is a local function
		}
	case wordFunction:
		if s.keyword("new") {
			code = "SEC005"
		} else if s.keyword("instanceof") && !s.accessed() {
			return
		}
	}
	s.reportName(code)
}

// declared reports whether the name at hand is just being declared.
func (s *tokenScan) declared() bool {
	switch {
	case s.keyword("function"), s.keyword("class"), s.keyword("const"), s.keyword("let"), s.keyword("var"):
		return true
	}
	return s.is(s.p1, '*') && s.p2.Kind == module.Ident && !s.member2 && s.p2.Name == "function"
}

func (s *tokenScan) punct() {
	switch s.src[s.t.Start] {
	case '(', '[':
		s.open(s.src[s.t.Start])
		if s.is(s.t, '(') {
			s.parens++
		}
	case ')':
		s.parens--
		s.closeParen()
		s.close(')')
	case '{':
		s.open('{')
		s.braces++
	case ',':
		s.stage.next(s.braces, s.parens)
	case '}':
		s.close('}')
		s.braces--
		s.main.end(s.braces)
		s.stage.next(s.braces, s.parens)
		if s.exportAt >= 0 {
			if s.next.Kind == module.Ident && s.next.Name == "from" {
				s.report("SEC001", s.exportAt, s.exportAt+len("export"))
			}
			s.exportAt = -1
		}
	case '=':
		if s.t.End-s.t.Start == 2 && s.src[s.t.Start+1] == '>' {
			s.main.suspects()
			if s.list {
				s.report("SEC201", s.t.Start, s.t.End)
			}
		}
	case ']':
		s.close(']')
		// a['constructor']
		if s.ctor.computed {
			s.ctor.computed = false
			if !s.ctor.key {
				s.constructor(s.ctor.start)
			} else if s.is(s.next, ':') {
				s.constructorKey(s.ctor.start)
			}
		}
	case '/':
		s.slash()
	}
}

// closeParen settles whether the parentheses that close here were those of a
// method. Nothing but a method has { after them on the same line, where a name
// that is called may stand.
func (s *tokenScan) closeParen() {
	method := s.is(s.next, '{') && !s.next.NewlineBefore
	if method {
		s.main.suspects()
	}
	for len(s.methods) > 0 {
		m := s.methods[len(s.methods)-1]
		if m.parens < s.parens {
			break
		}
		s.methods = s.methods[:len(s.methods)-1]
		if m.parens == s.parens && method {
			s.out = slices.Delete(s.out, m.finding, m.finding+1)
		}
	}
	if s.list && s.is(s.next, '{') {
		if !s.head {
			s.report("SEC200", s.t.Start, s.next.End) // a method, or code
		}
		s.head = false
	}
}

// methodMayStart reports whether a method's name may stand at the token at
// hand, which a parenthesis follows.
func (s *tokenScan) methodMayStart() bool {
	if s.p1.Kind == module.Punct {
		if s.p1.End-s.p1.Start != 1 {
			return false
		}
		switch s.src[s.p1.Start] {
		case '{', ',', ';', '}', '*':
			return true
		}
		return false
	}
	return s.keyword("get") || s.keyword("set") || s.keyword("static") || s.keyword("async")
}

// reportName reports the name at hand, unless it proves to be a method's.
func (s *tokenScan) reportName(code string) {
	s.report(code, s.t.Start, s.t.End)
	if s.is(s.next, '(') && s.methodMayStart() {
		s.methods = append(s.methods, maybeMethod{len(s.out) - 1, s.parens})
	}
}

// report adds a finding. In a shared list everything that schemas may not have
// has one code.
func (s *tokenScan) report(code string, start, end int) {
	f := Finding{Code: code, Rule: code, Start: start, End: end, Msg: s.message(code, start, end)}
	if s.list && code < "SEC200" {
		f.Code = "SEC204"
	}
	s.out = append(s.out, f)
}

// message quotes what was found, with the token after a name.
func (s *tokenScan) message(code string, start, end int) string {
	shown := s.src[start:end]
	if s.t.Kind == module.Ident && end == s.t.End && s.next.Start-end <= 1 && (s.accessed() || s.is(s.next, '{')) && s.next.Kind == module.Punct {
		shown = s.src[start:s.next.End]
	}
	if code == "SEC005" {
		shown = "new " + shown
	}
	msg := "forbidden " + strconv.Quote(shown)
	if s.t.Kind == module.Ident && start == s.t.Start && strings.IndexByte(shown, '\\') >= 0 {
		msg += ", which is " + strconv.Quote(s.t.Name)
	}
	return msg
}
