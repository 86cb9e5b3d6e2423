package worker

import (
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/words"
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
	*module.Tokens                   // of what was read
	text           []byte            // what runs
	lead           int               // bytes of the line before the source in it; 0 for none
	locals         map[string]string // exported name → local name
}

// newScript rewrites src. The error is an *sandbox.Error.
func newScript(src string) (*script, error) {
	s := &script{Tokens: module.Tokenize(src), text: []byte(src), locals: map[string]string{}}
	err := s.Err
	if err == nil {
		err = s.checkChains()
	}
	if err != nil {
		return nil, s.wrapSyntax(err)
	}
	s.blank(0, s.prologEnd())
	depth := 0
	for i, t := range s.List {
		if s.Closes(i) {
			depth--
		}
		if s.Opens(i) {
			depth++
		}
		if t.Kind == module.Regex {
			if at := unicodeProperty(s.Text(i)); at >= 0 {
				return nil, s.fail(int(t.Start)+at,
					`\p{…} is not supported in a regular expression: write the characters, as in [a-zà-ÿ]`)
			}
		}
		if t.Kind != module.Ident || s.Dot(i-1) {
			continue
		}
		switch text := s.Text(i); {
		case text == "export" && depth == 0:
			err = s.export(i)
		case text == "import":
			err = s.checkImport(i, depth)
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

// checkChains checks the limit on chains. The error is a *words.SyntaxError.
func (s *script) checkChains() error {
	chains := []int{0} // for each open bracket, the length of the chain it is in
	for i, t := range s.List {
		opens, closes := s.Opens(i), s.Closes(i) // the middle of a template does both
		if closes && !opens {
			chains = chains[:len(chains)-1]
		}
		top := len(chains) - 1
		if s.endsChain(i) {
			if chains[top] = 0; top > 0 {
				chains[top] = chains[top-1]
			}
		}
		if chains[top]++; chains[top] > maxChain {
			return &words.SyntaxError{
				Offset: int(t.Start),
				Message: "expression has more than " + strconv.Itoa(maxChain) +
					" parts without a comma or semicolon between them",
			}
		}
		if opens && !closes {
			chains = append(chains, chains[top])
		}
	}
	return nil
}

// endsChain reports whether token i ends the expression or statement before it.
func (s *script) endsChain(i int) bool {
	switch s.Text(i) {
	case ",", ";":
		return true
	case "else", "in", "instanceof":
		return false
	}
	t := s.List[i]
	if !t.NewlineBefore || i == 0 || t.Kind == module.Punct || t.Kind == module.Template {
		return false
	}
	switch prev := s.Text(i - 1); s.Kind(i - 1) {
	case module.Punct:
		return prev == ")" && t.Kind != module.Ident || prev == "]" || prev == "}"
	case module.Ident:
		return !module.OperandFollows(prev)
	}
	return true
}

// prologEnd is where the byte order mark and the hashbang line end.
func (s *script) prologEnd() int {
	if !strings.HasPrefix(strings.TrimPrefix(s.Src, "\uFEFF"), "#!") {
		return len(s.Src) - len(strings.TrimPrefix(s.Src, "\uFEFF"))
	}
	first := int(s.List[0].Start)
	if i := strings.IndexAny(s.Src[:first], "\r\n"); i >= 0 {
		return i
	}
	return first
}

// blank overwrites a stretch of the script with spaces; line ends stay.
func (s *script) blank(start, end int) {
	for i := start; i < end; i++ {
		if s.text[i] != '\n' && s.text[i] != '\r' {
			s.text[i] = ' '
		}
	}
}

// blankToken is blank for token i.
func (s *script) blankToken(i int) { s.blank(int(s.List[i].Start), int(s.List[i].End)) }

// failAtToken is fail for token i.
func (s *script) failAtToken(i int, msg string) error { return s.fail(int(s.List[i].Start), msg) }

// local notes that a name is exported, if token i is one.
func (s *script) local(i int) {
	if name := s.Name(i); name != "" {
		s.locals[name] = name
	}
}

// export rewrites the export declaration at token i (ECMA-262, 16.2.3).
func (s *script) export(i int) error {
	switch s.Text(i + 1) {
	case "{":
		return s.exportList(i)
	case "*":
		return s.failAtToken(i, "export * from another module: modules are not resolved here, write the value out")
	case "default":
		s.exportDefault(i)
		return nil
	case "const", "let", "var":
		s.exportVariables(i + 2)
	default: // function, function*, async function, class
		for j := i + 1; s.Kind(j) == module.Ident || s.Is(j, "*"); j++ {
			s.local(j)
		}
	}
	s.blankToken(i)
	return nil
}

// exportVariables notes the names that the declarators from token i on declare.
func (s *script) exportVariables(i int) {
	target := true
	for ; s.Kind(i) != module.EOF && !s.Is(i, ";") && s.Text(i) != "export"; i = s.After(i) {
		switch {
		case s.Is(i, "="):
			target = false
		case s.Is(i, ","):
			target = true
		case target: // a pattern declares every name in it, and some keys too
			for j := i; j < s.After(i); j++ {
				s.local(j)
			}
		}
	}
}

// exportList blanks { a, b as c }.
func (s *script) exportList(i int) error {
	end := int(s.List[i+1].Match)
	for j := i + 2; j < end; j++ {
		local := s.Name(j)
		if s.Text(j+1) == "as" {
			j += 2
		}
		if name := s.Name(j); name != "" && local != "" {
			s.locals[name] = local
		}
	}
	if s.Text(end+1) == "from" {
		return s.failAtToken(i, "export … from another module: modules are not resolved here, write the value out")
	}
	start := int(s.List[i].Start)
	s.blank(start, int(s.List[end].End))
	s.text[start] = ';' // what follows must not join the statement before
	return nil
}

// exportDefault makes a constant of a default export, in the room that the two
// keywords leave; a named function or class only loses the keywords.
func (s *script) exportDefault(i int) {
	s.blankToken(i)
	s.blankToken(i + 1)
	name := s.declaredName(i + 2)
	if name == "" {
		name = s.unusedName()
		copy(s.text[s.List[i].Start:], "const")
		copy(s.text[s.List[i+1].Start:], name+"=")
	}
	s.locals["default"] = name
}

// declaredName returns the name of the function or class declaration at token
// i, "" if there is none.
func (s *script) declaredName(i int) string {
	for first := i; ; i++ {
		switch s.Text(i) {
		case "async", "function", "class":
			continue
		case "*":
			if i > first {
				continue
			}
		}
		if i == first || s.Text(i) == "extends" || s.Text(i-1) == "async" {
			return ""
		}
		return s.Name(i)
	}
}

// unusedName returns a name of six characters that no token has.
func (s *script) unusedName() string {
	used := map[string]bool{}
	for i := range s.List {
		used[s.Name(i)] = true
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
func (s *script) checkImport(i, depth int) error {
	switch next := s.Text(i + 1); {
	case next == ":", next == "(" && (s.Is(i-1, "{") || s.Is(i-1, ",")):
		return nil
	case next == ".":
		return s.failAtToken(i, "import.meta is not available: a module is read without its place")
	case next == "(":
		return s.failAtToken(i, "import() of another module: modules are not resolved here, write the value out")
	case depth > 0:
		return nil
	}
	return s.failAtToken(i, "import from another module: modules are not resolved here, write the value out")
}
