package markdown

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/flowmcp/fmcp/pkg/words"
)

var rangeForm = regexp.MustCompile(`^\s*0*[1-9][0-9]*\s*(-\s*(0*[1-9][0-9]*)?\s*)?$`)

// FuzzLines: a range is accepted if it has the form of one, and means the lines
// that it says.
func FuzzLines(f *testing.F) {
	for _, s := range []string{"11-33", "11", "11-", "-11", "3-2", "0", "", "007-9", "99999999999999999999", " 1 - 2 ",
		"1--2", "1-2-3", "１"} {
		f.Add(s)
	}
	const doc = "one\ntwo\nthree\r\n\nfive"
	all := strings.SplitAfter(doc, "\n")
	f.Fuzz(func(t *testing.T, s string) {
		first, last, err := parseRange(s)
		if err != nil {
			var e *words.Problem
			if !errors.As(err, &e) || e.Code != CodePart {
				t.Fatalf("%q: %v", s, err)
			}
			if rangeForm.MatchString(s) && !strings.Contains(e.Message, "ends before it begins") {
				t.Fatalf("%q is a range, and is refused: %v", s, err)
			}
			return
		}
		if first < 1 || last != 0 && last < first {
			t.Fatalf("%q: %d to %d", s, first, last)
		}
		got, err := Read(strings.NewReader(doc), int64(len(doc)), Part{Lines: s}, 100)
		if (err != nil) != (first > len(all)) {
			t.Fatalf("%q: %v", s, err)
		}
		if err == nil {
			end := len(all)
			if last != 0 {
				end = min(last, end)
			}
			if want := strings.Join(all[first-1:end], ""); got.Body != want {
				t.Fatalf("%q: %q, want %q", s, got.Body, want)
			}
		}
	})
}

// oracle are the headings of a document as goldmark reads it with all that it
// can, as "line level text".
func oracle(src []byte) []string {
	top := bodyStart(src)
	src = append(bytes.Repeat([]byte("\n"), bytes.Count(src[:top], []byte("\n"))), src[top:]...)
	var list []string
	doc := goldmark.DefaultParser().Parse(text.NewReader(src))
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok {
			list = append(list, fmt.Sprintf("%d %d %s", bytes.Count(src[:h.Pos()], []byte("\n"))+1, h.Level,
				rawText(h, src)))
		}
	}
	return list
}

// FuzzSections: the headings are those of goldmark, each can be asked for, and
// its section is a range of lines that begins with it and ends before the next
// of its level.
func FuzzSections(f *testing.F) {
	for _, s := range []string{book, "", "# a\n", "a\n=", "```\n# a\n", "> # a\n\n# b\n## c\n# d", "[a]: b\n---\n# x",
		"---\na: b\n---\n# c\n", "# a\r\n\r\n## b ##\r\n", "\ufeff# a", "- a\n# b\n  # c", "<!--\n# a\n-->\n# b",
		"a\n  \n===\n", "#\ta\x00b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, doc string) {
		if len(doc) > 1<<16 || strings.HasPrefix(doc, "\xff\xfe") || strings.HasPrefix(doc, "\xfe\xff") {
			return
		}
		src := strings.TrimPrefix(doc, bom)
		list, err := headings([]byte(src))
		if err != nil {
			t.Fatalf("%q: %v", doc, err)
		}
		want := oracle([]byte(src))
		if len(list) != len(want) {
			t.Fatalf("%q: %v, want %q", doc, list, want)
		}
		for i, h := range list {
			if got := fmt.Sprintf("%d %d %s", h.line, h.level, h.raw); got != want[i] {
				t.Fatalf("%q: heading %d is %q, want %q", doc, i, got, want[i])
			}
			checkSection(t, doc, list, i)
		}
	})
}

func checkSection(t *testing.T, doc string, list []heading, i int) {
	read := func(part Part) string {
		text, err := Read(strings.NewReader(doc), int64(len(doc)), part, 1<<20)
		if err != nil {
			t.Fatalf("%q %+v: %v", doc, part, err)
		}
		return text.Body
	}
	src := strings.TrimPrefix(doc, bom)
	first, last := extent(list, i, src, lineStarts(src))
	if first != list[i].line || last < first {
		t.Fatalf("%q: section %d is %s", doc, i, span(first, last))
	}
	for _, h := range list[i+1:] {
		if h.level <= list[i].level && h.line <= last || h.level > list[i].level && h.line > last {
			t.Fatalf("%q: section %d is %s, heading %q in line %d", doc, i, span(first, last), h, h.line)
		}
		if h.level <= list[i].level {
			break
		}
	}
	if found := find(list, list[i].String()); found == nil || found[0] != i {
		return // another is called so as well, or there are # in its text
	}
	if got, want := read(Part{Section: list[i].String()}), read(Part{Lines: span(first, last)}); got != want {
		t.Fatalf("%q: section %q is %q, its lines are %q", doc, list[i], got, want)
	}
}
