package worker

import (
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/module"
)

// maxChain is how many tokens may follow each other, through open brackets,
// without a comma, a semicolon or a line end that ends a statement. goja's
// parser and compiler recurse on chains such as !!!!a, a=>a=>a and a?b:a?b:c,
// and need quadratic time for a+a+a: 1 MiB of the worst overflows the Go stack
// or takes minutes. 5,000 need at most 4 MB of stack and 30 ms.
const maxChain = 5000

// script is a module rewritten as a script: export keywords are blanked, so
// that every other byte keeps its offset, line and column.
type script struct {
	src    string            // what was read, for positions
	text   []byte            // what runs
	locals map[string]string // exported name → local name
}

// newScript rewrites src. The error is an *sandbox.Error.
func newScript(src string) (*script, error) {
	s := &script{src: src, text: []byte(src), locals: map[string]string{}}
	tokens, err := tokenize(src)
	if err != nil {
		return nil, s.wrapSyntax(err)
	}
	s.blank(0, prologEnd(tokens, src))
	for i, t := range tokens {
		if t.Kind == module.Regex {
			if at := unicodeProperty(t.text); at >= 0 {
				return nil, s.fail(t.Start+at, `\p{…} is not supported in a regular expression: write the characters, as in [a-zà-ÿ]`)
			}
		}
		if t.Kind != module.Ident || i > 0 && isAccess(tokens[i-1].text) {
			continue
		}
		switch {
		case t.text == "export" && t.depth == 0:
			err = s.export(tokens, i)
		case t.text == "import":
			err = s.checkImport(tokens, i)
		}
		if err != nil {
			return nil, err
		}
	}
	return s, nil
}

// unicodeProperty is where in a regular expression \p{…} or \P{…} stands with
// the flag u, or -1. goja takes it for the text p{…}, and so finds nothing.
func unicodeProperty(text string) int {
	body := strings.LastIndexByte(text, '/')
	if !strings.Contains(text[body:], "u") {
		return -1
	}
	for i := 1; i+2 < body; i++ {
		if text[i] != '\\' {
			continue
		}
		if c := text[i+1]; (c == 'p' || c == 'P') && text[i+2] == '{' {
			return i
		}
		i++
	}
	return -1
}

// token is a token of the module with what the rewriting needs of it.
type token struct {
	Kind          module.Kind
	NewlineBefore bool
	Start, End    int
	text, Name    string
	depth         int // brackets open after it
}

func isAccess(text string) bool { return text == "." || text == "?." }

// tokenize reads all tokens and an EOF at their end, and checks the limits on
// nesting and chains. The error is a *module.SyntaxError.
func tokenize(src string) ([]token, error) {
	read := module.Tokenize(src)
	if read.Err != nil {
		return nil, read.Err
	}
	tokens := make([]token, 0, len(read.List))
	chains := []int{0} // for each open bracket, the length of the chain it stands in
	depth := 0
	for i, t := range read.List {
		if read.Closes(i) {
			depth--
		}
		if read.Opens(i) {
			depth++
		}
		tokens = append(tokens, token{t.Kind, t.NewlineBefore, int(t.Start), int(t.End), read.Text(i), read.Name(i), depth})
		if t.Kind == module.EOF {
			break
		}
		for len(chains) > depth+1 {
			chains = chains[:len(chains)-1]
		}
		top := len(chains) - 1
		outer := 0
		if top > 0 {
			outer = chains[top-1]
		}
		if endsChain(tokens) {
			chains[top] = outer
		}
		if chains[top]++; chains[top] > maxChain {
			return nil, &module.SyntaxError{Offset: int(t.Start), Msg: "expression has more than " + strconv.Itoa(maxChain) + " parts without a comma or semicolon between them"}
		}
		for len(chains) < depth+1 {
			chains = append(chains, chains[len(chains)-1])
		}
	}
	return tokens, nil
}

// endsChain reports whether the last token ends the expression or statement
// before it.
func endsChain(tokens []token) bool {
	t := tokens[len(tokens)-1]
	switch t.text {
	case ",", ";":
		return true
	case "else", "in", "instanceof":
		return false
	}
	if !t.NewlineBefore || len(tokens) < 2 || t.Kind == module.Punct || t.Kind == module.Template {
		return false
	}
	prev := tokens[len(tokens)-2]
	switch prev.Kind {
	case module.Punct:
		return prev.text == ")" && t.Kind != module.Ident || prev.text == "]" || prev.text == "}"
	case module.Ident:
		return !module.OperandFollows(prev.text)
	}
	return true
}

// prologEnd is where the byte order mark and the hashbang line end.
func prologEnd(tokens []token, src string) int {
	if !strings.HasPrefix(strings.TrimPrefix(src, "\uFEFF"), "#!") {
		return len(src) - len(strings.TrimPrefix(src, "\uFEFF"))
	}
	if i := strings.IndexAny(src[:tokens[0].Start], "\r\n"); i >= 0 {
		return i
	}
	return tokens[0].Start
}

// blank overwrites a stretch of the script with spaces; line ends stay.
func (s *script) blank(start, end int) {
	for i := start; i < end; i++ {
		if s.text[i] != '\n' && s.text[i] != '\r' {
			s.text[i] = ' '
		}
	}
}

// export rewrites the export declaration at token i (ECMA-262, 16.2.3).
func (s *script) export(tokens []token, i int) error {
	t, next := tokens[i], tokens[i+1]
	switch next.text {
	case "{":
		return s.exportList(tokens, i)
	case "*":
		return s.fail(t.Start, "export * from another module: modules are not resolved here, write the value out")
	case "default":
		s.exportDefault(tokens, i)
		return nil
	case "const", "let", "var":
		s.exportVariables(tokens, i+2)
	default: // function, function*, async function, class
		for j := i + 1; j < len(tokens) && (tokens[j].Kind == module.Ident || tokens[j].text == "*"); j++ {
			s.locals[tokens[j].Name] = tokens[j].Name
		}
	}
	s.blank(t.Start, t.End)
	return nil
}

// exportVariables notes the names that the declarators from token i on declare.
func (s *script) exportVariables(tokens []token, i int) {
	start := true
	for depth := tokens[i-1].depth; i < len(tokens) && tokens[i].text != ";" && tokens[i].text != "export"; i++ {
		t := tokens[i]
		if t.Kind == module.Ident && start {
			s.locals[t.Name] = t.Name
		}
		switch {
		case t.depth > depth && start: // a pattern declares every name in it, and some keys too
		case t.text == "=" && t.depth == depth:
			start = false
		case t.text == "," && t.depth == depth:
			start = true
		}
	}
}

// exportList blanks { a, b as c }.
func (s *script) exportList(tokens []token, i int) error {
	start := tokens[i].Start
	j := i + 2
	for ; tokens[j].text != "}" && tokens[j].Kind != module.EOF; j++ {
		local := tokens[j]
		name := local
		if tokens[j+1].text == "as" && tokens[j+2].Kind != module.EOF {
			j += 2
			name = tokens[j]
		}
		if local.Kind == module.Ident && name.Kind == module.Ident {
			s.locals[name.Name] = local.Name
		}
	}
	if j+1 < len(tokens) && tokens[j+1].text == "from" {
		return s.fail(start, "export … from another module: modules are not resolved here, write the value out")
	}
	s.blank(start, tokens[j].End)
	s.text[start] = ';' // what follows must not join the statement before
	return nil
}

// exportDefault makes a constant of a default export, in the room that the two
// keywords leave; a named function or class only loses the keywords.
func (s *script) exportDefault(tokens []token, i int) {
	t, def := tokens[i], tokens[i+1]
	s.blank(t.Start, t.End)
	s.blank(def.Start, def.End)
	if name, ok := declaredName(tokens[i+2:]); ok {
		s.locals["default"] = name
		return
	}
	name := unusedName(tokens)
	copy(s.text[t.Start:], "const")
	copy(s.text[def.Start:], name+"=")
	s.locals["default"] = name
}

// declaredName returns the name of the function or class declaration that
// tokens start with.
func declaredName(tokens []token) (string, bool) {
	for i, t := range tokens {
		switch {
		case t.text == "async" || t.text == "function" || t.text == "class" || t.text == "*" && i > 0:
			continue
		case i > 0 && t.Kind == module.Ident && t.text != "extends" && tokens[i-1].text != "async":
			return t.Name, true
		}
		return "", false
	}
	return "", false
}

// unusedName returns a name of six characters that no token has.
func unusedName(tokens []token) string {
	used := map[string]bool{}
	for _, t := range tokens {
		used[t.Name] = true
	}
	for n := 0; ; n++ {
		name := "$" + strconv.Itoa(10000+n)
		if !used[name] {
			return name
		}
	}
}

// checkImport refuses import declarations, import() and import.meta; a method
// or key of that name is left to the parser.
func (s *script) checkImport(tokens []token, i int) error {
	t, next := tokens[i], tokens[i+1]
	if next.text == ":" {
		return nil
	}
	switch {
	case next.text == ".":
		return s.fail(t.Start, "import.meta is not available: a module is read without its place")
	case next.text == "(" && i > 0 && (tokens[i-1].text == "{" || tokens[i-1].text == ","):
		return nil
	case next.text == "(":
		return s.fail(t.Start, "import() of another module: modules are not resolved here, write the value out")
	case t.depth > 0:
		return nil
	}
	return s.fail(t.Start, "import from another module: modules are not resolved here, write the value out")
}
