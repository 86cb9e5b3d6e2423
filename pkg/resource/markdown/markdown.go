// Package markdown reads documents (chapter 13, "Markdown Resources"): whole,
// or a section, a range of lines, or the lines around search results. A
// document is untrusted text: it is never interpreted as anything else, and the
// cost of reading it is bounded. It is the only importer of goldmark.
package markdown

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// The codes of documents that cannot be read. Each is a rule row in pkg/rules.
const (
	CodeDocument = "EXE076" // too large, or not text
	CodePart     = "EXE077" // the part that is asked for is not there
)

// fail is why a document, or a part of it, cannot be read.
func fail(code, format string, args ...any) *words.Problem {
	return words.Problemf(code, format, args...)
}

// Large is the size in bytes from which on a document is better read in parts
// (chapter 13, "Parameter-Based Access").
const Large = 100 << 10

// Part says what of a document is wanted; the zero value is all of it. At most
// one of Section, Lines and Search is given.
type Part struct {
	Section string // a heading: "## Functions", or "Functions" at any level
	Lines   string // a range: "11-33", "11", or "11-" to the end
	Search  string // text to look for; case does not matter
	Context int    // lines shown before and after each that matches
}

// The names of the parameters by which a part is asked for (chapter 13,
// "Parameter-Based Access"); context goes with search.
const (
	ParamSection = "section"
	ParamLines   = "lines"
	ParamSearch  = "search"
	ParamContext = "context"
)

// DefaultContext is how many lines are shown around a match unless the caller
// says otherwise, and MaxContext how many at most.
const (
	DefaultContext = 2
	MaxContext     = 50
)

// NewPart reads the parameters of a call, an object of valid values. More than
// one of section, lines and search is a *words.Problem.
func NewPart(params ordjson.Value) (Part, error) {
	p := Part{
		Section: params.Get(ParamSection).Str(), Lines: params.Get(ParamLines).Str(),
		Search: params.Get(ParamSearch).Str(), Context: DefaultContext,
	}
	var given []string
	for _, key := range []string{ParamSection, ParamLines, ParamSearch} {
		v := params.Get(key)
		if !v.Exists() {
			continue
		}
		if v.Str() == "" {
			return p, fail(CodePart, "%s is empty: say what to read, or leave it out for the whole document", key)
		}
		given = append(given, key)
	}
	if len(given) > 1 {
		return p, fail(CodePart, "%s are given, expected one of them: make a call for each",
			strings.Join(given, " and "))
	}
	if strings.ContainsAny(p.Search, "\r\n") {
		return p, fail(CodePart, "search has a line break in it: search for a text of one line")
	}
	if v := params.Get(ParamContext); v.Exists() {
		p.Context = int(min(max(v.Float(), 0), MaxContext))
		if p.Search == "" {
			return p, fail(CodePart, "context is given without search: give it together with search, or leave it out")
		}
	}
	return p, nil
}

// Text is a document, or what was asked for of it.
type Text struct {
	Body     string   // without a byte order mark; valid UTF-8
	Warnings []string // about what was replaced, or is not there
	Cut      []string // what is missing of what was asked for
}

// Read reads a part of a document of that size in bytes. Limit is how many
// bytes may be returned; a document of which a section is wanted may not be
// larger either, as it is read whole. The errors of the document are *words.Problem.
func Read(r io.Reader, size int64, part Part, limit int64) (Text, error) {
	in, err := newLines(r, limit)
	if err != nil {
		return Text{}, err
	}
	var text Text
	switch {
	case part.Section != "":
		text, err = section(in, size, part.Section)
	case part.Lines != "":
		text, err = lineRange(in, part.Lines)
	case part.Search != "":
		text, err = search(in, part)
	default:
		text.Body, err = in.all(size)
		if err == nil && size > Large {
			text.Warnings = append(text.Warnings,
				fmt.Sprintf("the document has %s: read what you need of it by section, lines or search",
					kilobytes(size)))
		}
	}
	if err != nil {
		return Text{}, err
	}
	if !utf8.ValidString(text.Body) {
		text.Warnings = append(text.Warnings,
			fmt.Sprintf("the text is not valid UTF-8, first in line %d of what is shown: such bytes are shown "+
				"as \uFFFD", firstInvalid(text.Body)))
		text.Body = strings.ToValidUTF8(text.Body, "\uFFFD")
	}
	return text, nil
}

// firstInvalid is the number of the line in which the first byte stands that is
// not UTF-8.
func firstInvalid(s string) int {
	for i, r := range s {
		if r == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(s[i:]); n == 1 {
				return strings.Count(s[:i], "\n") + 1
			}
		}
	}
	return 0
}

// kilobytes writes a size for people.
func kilobytes(n int64) string { return fmt.Sprintf("%d KB", (n+1023)/1024) }
