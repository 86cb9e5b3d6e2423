package module

import "slices"

// Tokens are a source as tokens, which a scan, the reader of a module and a
// rewriter go through without reading the text again. Methods that take an
// index accept any: beside the list there is nothing.
type Tokens struct {
	Src  string
	List []Token // the last is of Kind EOF: the end of the source, or where Err stopped the reading
	Err  error   // a *words.SyntaxError
}

// Text returns the source text of token i.
func (t *Tokens) Text(i int) string {
	if i < 0 || i >= len(t.List) {
		return ""
	}
	return t.Src[t.List[i].Start:t.List[i].End]
}

// Kind returns the kind of token i.
func (t *Tokens) Kind(i int) Kind {
	if i < 0 || i >= len(t.List) {
		return EOF
	}
	return t.List[i].Kind
}

// Is reports whether token i is the punctuator text.
func (t *Tokens) Is(i int, text string) bool {
	return t.Kind(i) == Punct && t.Text(i) == text
}

// Name returns the name that token i is, unicode escapes decoded, and "" if it
// is none.
func (t *Tokens) Name(i int) string {
	if t.Kind(i) != Ident {
		return ""
	}
	if t.List[i].form == plain {
		return t.Text(i)
	}
	name, _, _ := scanIdent(t.Src, int(t.List[i].Start))
	return name
}

// Member reports whether token i is the name of a property that is taken of
// something.
func (t *Tokens) Member(i int) bool { return t.Kind(i) == Ident && t.Dot(i-1) }

// Dot reports whether token i is . or ?.
func (t *Tokens) Dot(i int) bool { return t.Is(i, ".") || t.Is(i, "?.") }

// Keyword reports whether token i is one of the names, and no property of that
// name.
func (t *Tokens) Keyword(i int, names ...string) bool {
	return t.Kind(i) == Ident && slices.Contains(names, t.Name(i)) && !t.Dot(i-1)
}

// Opens reports whether token i opens a bracket or an expression in a template.
// Its Match is the token that closes it: the EOF where none does.
func (t *Tokens) Opens(i int) bool { return i >= 0 && i < len(t.List) && int(t.List[i].Match) > i }

// Closes reports whether token i closes a bracket, whose token is its Match, or
// an expression in a template.
func (t *Tokens) Closes(i int) bool {
	switch t.Kind(i) {
	case Punct:
		c := t.Src[t.List[i].Start]
		return c == ')' || c == ']' || c == '}'
	case Template:
		return t.Src[t.List[i].Start] == '}'
	}
	return false
}

// After returns the index after token i, or after the bracket that it opens.
func (t *Tokens) After(i int) int {
	for t.Opens(i) {
		i = int(t.List[i].Match)
	}
	return min(i+1, len(t.List)-1)
}

// At returns the index of the first token that begins at an offset or after it.
func (t *Tokens) At(offset int) int {
	i, _ := slices.BinarySearchFunc(t.List, offset, func(tok Token, offset int) int { return int(tok.Start) - offset })
	return min(i, len(t.List)-1)
}

// StringValue returns the value of a string, or of a template without ${…}.
// Any other token, or one with a malformed escape, has none.
func (t *Tokens) StringValue(i int) (value string, ok bool) {
	text := t.Text(i)
	if len(text) < 2 || text[len(text)-1] != text[0] {
		return "", false // a piece of a template
	}
	if t.Kind(i) != String && t.Kind(i) != Template {
		return "", false
	}
	value, err := decodeString(text[1:len(text)-1], int(t.List[i].Start)+1)
	return value, err == nil
}

// Doubtful reports whether token i is a slash of which only a full parser can
// say for certain that it divides, or starts a regular expression. Who reads
// such a source must read it both ways: code could hide in what is taken for
// text.
func (t *Tokens) Doubtful(i int) bool {
	regex := t.Kind(i) == Regex
	if !regex && (t.Kind(i) != Punct || t.Src[t.List[i].Start] != '/') {
		return false
	}
	before := i - 1
	if t.Is(before, "++") || t.Is(before, "--") {
		before-- // a value before it makes the slash divide
	}
	return t.Is(before, "}") || (regex || before != i-1) && t.Is(before, ")") ||
		t.List[i].NewlineBefore && t.Kind(i-1) == Ident || // let a, b and then /re/ in a line of its own
		t.Keyword(before, "of", "yield", "await")
}

// ExportNames returns the names that the module exports, as far as the heads of
// its export statements tell: all but the second and later names of
// `export const a = 1, b = 2`. Module knows the names exactly.
func (t *Tokens) ExportNames() (names []string) {
	for i := 0; t.Kind(i) != EOF; i = t.After(i) {
		if t.Keyword(i, "export") {
			names = append(names, t.Exported(i)...)
		}
	}
	return names
}

// Exported returns the names of the export statement at token i.
func (t *Tokens) Exported(i int) (names []string) {
	switch i++; {
	case t.Is(i, "{"):
		for i++; i < len(t.List) && !t.Is(i, "}"); i++ {
			switch {
			case t.Text(i) == "as":
				names = names[:max(0, len(names)-1)]
			case t.Kind(i) == Ident:
				names = append(names, t.Name(i))
			}
		}
		return names
	case t.Text(i) == "default":
		return []string{"default"}
	case t.Is(i, "*"):
		return nil
	}
	for t.Is(i, "*") || slices.Contains([]string{"async", "function", "class", "const", "let", "var"}, t.Text(i)) {
		i++
	}
	if t.Kind(i) != Ident {
		return nil
	}
	return []string{t.Name(i)}
}
