// Package sql reads SQL text as SQLite does, as far as one must know a
// statement without having its database: where it ends, what it does, which
// values it wants, and whether it is limited (chapter 13, "Query Definition").
// It checks no grammar: SQLite may refuse what passes here, but it sees the
// same statements.
package sql

import (
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/words"
)

// Statement is one SQL statement of a text.
type Statement struct {
	Start, End int // byte offsets of its first token and after its last: no semicolon, no comments around it
	// what it does, in upper case: "SELECT", "INSERT", …; of a WITH what follows the common table
	// expressions, "WITH" where nothing does; "" where it begins with no word
	Verb    string
	With    bool    // begins with WITH
	Params  []Param // in the order of the text
	Slots   int     // how many values must be bound: SQLite's sqlite3_bind_parameter_count
	Limited bool    // has a LIMIT that is not inside parentheses
	Values  bool    // is VALUES, or a compound whose last part is: SQLite takes no LIMIT after that
}

// Param is a placeholder for a value: ?, ?NNN, :name, @name or $name.
type Param struct {
	Start, End int    // byte offsets in the text
	Name       string // as written, with its first character; "" of a plain ?
	Slot       int    // the value that it takes, counted from 1
}

// Reads reports whether the statement is a query and as such changes nothing:
// a SELECT, with or without WITH, or VALUES.
func (s *Statement) Reads() bool { return s.Verb == "SELECT" || s.Verb == "VALUES" }

// Split returns the statements of a text; none where it holds nothing but
// white space, comments and semicolons. The error is an *words.SyntaxError.
func Split(text string) ([]Statement, error) {
	if i := strings.IndexByte(text, 0); i >= 0 {
		return nil, &words.SyntaxError{Offset: i, Message: "found a zero byte, where SQLite stops to read",
			Fix: "remove it"}
	}
	var list []Statement
	var tokens []token
	lex := lexer{text: text}
	for {
		t, err := lex.next()
		if err != nil {
			return nil, err
		}
		if t.kind != end && (t.kind != semicolon || openTrigger(text, tokens)) {
			tokens = append(tokens, t)
			continue
		}
		if len(tokens) > 0 {
			s, err := read(text, tokens)
			if err != nil {
				return nil, err
			}
			list, tokens = append(list, s), tokens[:0]
		}
		if t.kind == end {
			return list, nil
		}
	}
}

// openTrigger reports whether the tokens are a CREATE TRIGGER whose END has not
// come yet. Its body is the one place where a semicolon ends no statement; it
// is over where "; END" is before the next one.
func openTrigger(text string, tokens []token) bool {
	at := 0
	is := func(words ...string) bool {
		if at < len(tokens) && tokens[at].isAny(text, words...) {
			at++
			return true
		}
		return false
	}
	if is("EXPLAIN") && is("QUERY") {
		is("PLAN")
	}
	if !is("CREATE") {
		return false
	}
	is("TEMP", "TEMPORARY")
	n := len(tokens)
	return is("TRIGGER") && !(n > 1 && tokens[n-1].isAny(text, "END") && tokens[n-2].kind == semicolon)
}

// read makes a statement of its tokens.
func read(text string, tokens []token) (Statement, error) {
	s := Statement{Start: tokens[0].start, End: tokens[len(tokens)-1].end}
	s.With = tokens[0].isAny(text, "WITH")
	s.Verb = verb(text, tokens)
	slots := map[string]int{}
	depth := 0
	for _, t := range tokens {
		switch t.kind {
		case open:
			depth++
		case closing:
			depth--
		case word:
			if depth > 0 {
				continue
			}
			s.Limited = s.Limited || t.isAny(text, "LIMIT")
			if t.isAny(text, "SELECT", "VALUES") {
				s.Values = t.isAny(text, "VALUES")
			}
		case placeholder:
			if err := s.addParam(text, t, slots); err != nil {
				return s, err
			}
		}
	}
	return s, nil
}

// maxSlot is the highest NNN of ?NNN that SQLite takes unless it was built
// otherwise.
const maxSlot = 32766

// addParam notes a placeholder. Its slot is the next one that is free, unless
// it has a number, or a name that came before.
func (s *Statement) addParam(text string, t token, slots map[string]int) error {
	p := Param{Start: t.start, End: t.end, Slot: s.Slots + 1}
	if t.end > t.start+1 {
		p.Name = text[t.start:t.end]
	}
	switch {
	case p.Name == "":
	case p.Name[0] == '?':
		n, err := strconv.Atoi(p.Name[1:])
		if err != nil || n < 1 || n > maxSlot {
			return &words.SyntaxError{
				Offset: t.start, Fix: "write ? without a number",
				Message: "found the placeholder " + words.Quote(p.Name) + ", expected a number from 1 to " +
					strconv.Itoa(maxSlot),
			}
		}
		p.Slot = n
	case slots[p.Name] > 0:
		p.Slot = slots[p.Name]
	default:
		slots[p.Name] = p.Slot
	}
	s.Slots = max(s.Slots, p.Slot)
	s.Params = append(s.Params, p)
	return nil
}

// verb is what a statement does: its first word, or, after WITH, the first one
// after the common table expressions "name (columns) AS (…), …".
func verb(text string, tokens []token) string {
	if !tokens[0].isAny(text, "WITH") {
		return tokens[0].upper(text)
	}
	at := 1
	if at < len(tokens) && tokens[at].isAny(text, "RECURSIVE") {
		at++
	}
	for {
		at = group(tokens, at+1) // the name, and its columns
		if at >= len(tokens) || !tokens[at].isAny(text, "AS") {
			return "WITH"
		}
		at++
		for at < len(tokens) && tokens[at].isAny(text, "NOT", "MATERIALIZED") {
			at++
		}
		body := at
		if at = group(tokens, at); at == body || at >= len(tokens) {
			return "WITH"
		}
		if text[tokens[at].start] != ',' {
			if v := tokens[at].upper(text); v != "" {
				return v
			}
			return "WITH"
		}
		at++
	}
}

// group returns the index after the parentheses that open at index at, or at if
// none do.
func group(tokens []token, at int) int {
	if at >= len(tokens) || tokens[at].kind != open {
		return at
	}
	depth := 0
	for ; at < len(tokens); at++ {
		switch tokens[at].kind {
		case open:
			depth++
		case closing:
			if depth--; depth == 0 {
				return at + 1
			}
		}
	}
	return at
}

// isAny reports whether the token is one of the words, which are in upper case.
func (t token) isAny(text string, words ...string) bool {
	if t.kind != word {
		return false
	}
	for _, w := range words {
		if strings.EqualFold(text[t.start:t.end], w) {
			return true
		}
	}
	return false
}

// upper is the text of a word in upper case, "" of anything else.
func (t token) upper(text string) string {
	if t.kind != word {
		return ""
	}
	return strings.ToUpper(text[t.start:t.end])
}
