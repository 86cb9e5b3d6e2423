package forbidden

import (
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/words"
)

// scan goes through the tokens of a source, each of which it looks at once,
// with what stands around it.
type scan struct {
	*module.Tokens
	list   bool
	export string // the name of what the file exports as data
	out    []Finding

	i        int   // the token at hand
	open     []int // the brackets around it
	data     span  // the statement that exports it, once it has begun
	suspect  bool  // there may be something in it that is not data
	fetch    fetches
	patterns map[int]bool // of brackets: whether they prove to be patterns that take values apart
	doubts   []int        // slashes that could be read the other way
}

// span is a stretch of tokens.
type span struct{ start, end int }

func (s *scan) run() {
	for i, t := range s.List {
		s.i = i
		switch t.Kind {
		case module.Ident:
			if w := wordOf(s.Name(i)); w != nil && (w.property || !s.Dot(i-1) && !s.key()) {
				w.look(s, w.code)
			}
		case module.Punct:
			s.punct(s.Src[t.Start])
		case module.String:
			s.text()
		case module.Template:
			s.text()
			s.template()
		case module.Regex:
			s.noData("")
			s.slash()
		case module.Number:
			if s.Src[t.End-1] == 'n' {
				s.noData("")
			}
		}
	}
	s.reportFetches()
}

func (s *scan) punct(c byte) {
	switch c {
	case '(', '[', '{':
		s.open = append(s.open, s.i)
	case ')', ']', '}':
		s.open = s.open[:len(s.open)-1]
		if c == ')' && s.Is(s.i+1, "{") {
			s.noData("")
			if s.list {
				s.listBlock(int(s.List[s.i].Match))
			}
		}
	case '=':
		if s.Is(s.i, "=>") {
			s.code("SEC201")
		}
	case '/':
		s.slash()
	}
}

func (s *scan) template() {
	t := s.List[s.i]
	if s.Closes(s.i) {
		s.open = s.open[:len(s.open)-1]
	}
	if s.Opens(s.i) {
		s.open = append(s.open, s.i)
		if s.list {
			s.report("SEC203", t.End-2, t.End)
		}
	}
}

// slash notes a slash that could also be read the other way.
func (s *scan) slash() {
	if s.Doubtful(s.i) {
		s.doubts = append(s.doubts, s.i)
	}
}

// listBlock reports the method or the statement of a shared list whose
// parentheses are at i.
func (s *scan) listBlock(i int) {
	head := max(i-1, 0)
	start, end := s.List[head].Start, s.List[i].End
	switch {
	case s.functionHead(i), s.Keyword(head, "await"): // the keyword has been reported
	case s.Keyword(head, "for", "while", "if", "switch", "with", "catch"):
		s.out = append(s.out, Finding{
			Code: "SEC205", Start: int(start), End: int(end),
			Msg: "found a statement " + strconv.Quote(s.Text(head)) + ", which makes code of a shared list",
		})
	default:
		s.report("SEC200", start, end)
	}
}

// functionHead reports whether the parentheses at i are those of a function
// with the keyword.
func (s *scan) functionHead(i int) bool {
	i--
	if s.Kind(i) == module.Ident && !s.Keyword(i, "function") {
		i-- // its name
	}
	if s.Is(i, "*") {
		i--
	}
	return s.Keyword(i, "function")
}

// keyStart reports whether a key may be at token i: at the start of an object,
// or after a comma.
func (s *scan) keyStart(i int) bool { return s.Is(i-1, "{") || s.Is(i-1, ",") }

// key reports whether the name at hand is a key in an object literal.
func (s *scan) key() bool { return s.Is(s.i+1, ":") && s.keyStart(s.i) }

// accessed reports whether something of the value at hand is taken or called.
func (s *scan) accessed() bool {
	return s.Dot(s.i+1) || s.Is(s.i+1, "[") || s.Is(s.i+1, "(") || s.Kind(s.i+1) == module.Template
}

// declared reports whether the name at hand is just being declared.
func (s *scan) declared() bool {
	return s.Keyword(s.i-1, "function", "class", "const", "let", "var") ||
		s.Is(s.i-1, "*") && s.Keyword(s.i-2, "function")
}

// noData notes that the token at hand may make a value that JSON does not have.
func (s *scan) noData(string) { s.suspect = s.suspect || s.i > s.data.start && s.i < s.data.end }

// code reports what makes code of a shared list.
func (s *scan) code(code string) {
	s.noData("")
	if s.list {
		s.reportToken(code)
	}
}

// importWord reports import declarations, import() and import.meta.
func (s *scan) importWord(code string) {
	before := len(s.out)
	switch s.Kind(s.i + 1) {
	case module.String, module.Ident:
		s.reportName(code)
	case module.Punct:
		if slices.Contains([]string{"(", ".", "{", "*"}, s.Text(s.i+1)) {
			s.reportName(code)
		}
	}
	if len(s.out) > before {
		s.out[before].Msg += s.from()
	}
}

// from names the module of an import or export, "" where there is none or code
// computes its name.
func (s *scan) from() string {
	i := s.i + 1
	const longest = 6 // tokens: a, * as b from
	for n := 0; n < longest && (s.Kind(i) == module.Ident || s.Is(i, "{") || s.Is(i, "*") || s.Is(i, ",")); n++ {
		i = s.After(i)
	}
	if i == s.i+1 && s.Is(i, "(") {
		if i++; !s.Is(i+1, ")") && !s.Is(i+1, ",") {
			return ""
		}
	}
	if name, ok := s.StringValue(i); ok {
		return " of " + words.Quote(name)
	}
	return ""
}

// exportWord reports what is exported from another module, and notes where the data
// and the handlers are.
func (s *scan) exportWord(string) {
	t, next := s.List[s.i], s.i+1
	switch {
	case s.Is(next, "*"), s.Is(next, "{") && s.Name(s.After(next)) == "from":
		s.report("SEC001", t.Start, t.End)
		s.out[len(s.out)-1].Msg += s.from()
	case len(s.open) > 0 || s.list || s.Is(next, "{"):
	case slices.Contains(s.Exported(s.i), "handlers"):
		s.fetch.factory = next
	case s.data.end == 0 && slices.Contains(s.Exported(s.i), s.export):
		end := next
		for s.Kind(end) != module.EOF && !s.Is(end, ";") && !s.Is(end, "{") {
			end = s.After(end)
		}
		s.data = span{s.i, s.After(end)}
	}
}

// functionClass reports the Function constructor.
func (s *scan) functionClass(code string) {
	switch {
	case s.Keyword(s.i-1, "new"):
		code = "SEC005"
	case s.Keyword(s.i-1, "instanceof") && !s.accessed():
		return
	}
	s.global(code)
}

// fs reports the module fs. There is no global of that name: only what is taken
// of one matters.
func (s *scan) fs(code string) {
	if s.Dot(s.i+1) || s.Is(s.i+1, "[") {
		s.global(code)
	}
}

// object reports an object that is a global. It cannot be called, so that what
// is called is a function of the file.
func (s *scan) object(code string) {
	if !s.Is(s.i+1, "(") {
		s.global(code)
	}
}

// global reports a name that stands for a global or a module of Node.
func (s *scan) global(code string) {
	switch {
	case s.declared():
	case s.Keyword(s.i-1, "typeof") && !s.accessed(): // asks whether there is one
	case s.Keyword(s.i-1, "as") && (s.Is(s.i+1, "}") || s.Is(s.i+1, ",")): // the name of an export
	default:
		s.reportName(code)
	}
}

// text looks at a string where a module's name or a property's may stand.
func (s *scan) text() {
	if strings.Trim(s.Text(s.i), `'"`) == "executeRequest" {
		s.executeWord("")
	}
	inBrackets := s.Is(s.i-1, "[") && s.Is(s.i+1, "]")
	asKey := !inBrackets && s.Is(s.i+1, ":") && s.keyStart(s.i)
	if !inBrackets && !asKey && !s.specifier() {
		return
	}
	value, ok := s.StringValue(s.i)
	switch {
	case !ok:
	case !inBrackets && !asKey:
		if code := moduleCode(value); code != "" {
			s.report(code, s.List[s.i].Start, s.List[s.i].End)
		}
	case value != "constructor":
	case asKey:
		s.constructorKey(s.i, s.i)
	case s.operand(s.i - 2):
		s.constructor(s.i-1, s.i+1)
	case s.Is(s.i+2, ":"):
		s.constructorKey(s.i-1, s.i+1)
	}
}

// specifier reports whether the string at hand names a module.
func (s *scan) specifier() bool {
	return s.Keyword(s.i-1, "from", "import") || s.Is(s.i-1, "(") && s.Keyword(s.i-2, "import", "require")
}

// operand reports whether an operand ends with token i, so that a bracket after
// it takes a property of it and does not open an array.
func (s *scan) operand(i int) bool {
	switch s.Kind(i) {
	case module.EOF:
		return false
	case module.Ident:
		return !s.Keyword(i, "return", "case", "in", "typeof", "void", "delete", "throw", "new", "else", "do",
			"instanceof",
			"default", "extends")
	case module.Punct:
		return s.Closes(i) || s.Dot(i)
	}
	return true
}

// reportName reports the name at hand, unless it is a method's.
func (s *scan) reportName(code string) {
	if !s.method() {
		s.reportToken(code)
	}
}

// method reports whether the name at hand is a method's: { eval( x ) { … } }.
// Nothing but a method has { after its parentheses on the same line, where a
// name that is called may stand.
func (s *scan) method() bool {
	before := s.i - 1
	starts := s.keyStart(s.i) || s.Is(before, ";") || s.Is(before, "}") || s.Is(before, "*") ||
		s.Keyword(before, "get", "set", "static", "async")
	if !starts || !s.Is(s.i+1, "(") {
		return false
	}
	body := s.After(s.i + 1)
	return s.Is(body, "{") && !s.List[body].NewlineBefore
}

// reportToken reports the token at hand, and quotes it with what is taken of it.
func (s *scan) reportToken(code string) {
	t, next := s.List[s.i], s.List[s.i+1]
	s.report(code, t.Start, t.End)
	shown := s.Text(s.i)
	if t.Kind == module.Ident && next.Kind == module.Punct && next.Start-t.End <= 1 &&
		(s.accessed() || s.Is(s.i+1, "{")) {
		shown = s.Src[t.Start:next.End]
	}
	if code == "SEC005" {
		shown = "new " + shown
	}
	msg := "forbidden " + strconv.Quote(shown)
	if strings.IndexByte(s.Text(s.i), '\\') >= 0 {
		msg += ", which is " + strconv.Quote(s.Name(s.i))
	}
	s.out[len(s.out)-1].Msg = msg
}

// report adds a finding. In a shared list everything that schemas may not have
// has one code.
func (s *scan) report(code string, start, end int32) {
	f := Finding{Code: code, Rule: code, Start: int(start), End: int(end)}
	f.Msg = "forbidden " + strconv.Quote(s.Src[start:end])
	if s.list && code < "SEC200" {
		f.Code = "SEC204"
	}
	s.out = append(s.out, f)
}
