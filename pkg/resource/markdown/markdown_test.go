package markdown

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// book has what is not a heading beside what is one.
const book = `---
title: Tides
order: 2
---

# Tide *book*

Intro.

## Functions

First.

` + "```sh\n# not a heading\n## Functions\n```" + `

    ## indented code

<!--
## in a comment
-->

> ## in a quote

- ## in a list

### Sine

Sine of the tide.

## ` + "`CREATE TABLE`" + ` ##

DDL.

Setext one
==========

Under it.

Setext
two
---

## functions

Small.

## Functions

Second.
`

func get(t *testing.T, doc string, part Part) string {
	t.Helper()
	text, err := Read(strings.NewReader(doc), int64(len(doc)), part, 1<<20)
	if err != nil {
		var e *words.Problem
		if !errors.As(err, &e) {
			t.Errorf("an error without a code: %v", err)
		}
		return err.Error()
	}
	out := text.Body
	for _, w := range append(text.Warnings, text.Cut...) {
		out += "[" + w + "]"
	}
	return out
}

func TestHeadings(t *testing.T) {
	list, err := headings([]byte(book))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, h := range list {
		got = append(got, fmt.Sprintf("%d %s", h.line, h))
	}
	want := "6 # Tide *book*|10 ## Functions|29 ### Sine|33 ## `CREATE TABLE`|37 # Setext one|42 ## Setext two|46 ## " +
		"functions|50 ## Functions"
	if s := strings.Join(got, "|"); s != want {
		t.Errorf("%s\nwant %s", s, want)
	}
	for doc, want := range map[string]string{
		"":                                "",
		"#":                               "1 # ",
		"# \n## #\n### ##\n":              "1 # |2 ## |3 ### ",
		"\r\n# a\r\nb\r\n==\r\n":          "2 # a|3 # b",
		"a\n=\n\nb\n-":                    "1 # a|4 ## b",
		"#no\n####### no\n\t# no\n\\# no": "",
		"    # no\n   # yes":              "2 # yes",
		"[a]: /b\n===\n\nx":               "",
		"text\n# a\n":                     "2 # a",
		"---\n# a\n---\n":                 "2 # a",
		"---\nk: v\n---\n# a\n":           "4 # a",
		"---\nk: v\n# a\n":                "3 # a",
		"---\n- a\n---\n":                 "",
		"---\na: b\nc\n---\n":             "2 ## a: b c",
		"<div>\n# no\n</div>\n\n# yes":    "5 # yes",
		"~~~\n# no\n```\n# no\n~~~\n# a":  "6 # a",
		"```\n# never closed":             "",
		"1. x\n\n   # no\n\n# yes":        "5 # yes",
	} {
		list, err := headings([]byte(doc))
		got = nil
		for _, h := range list {
			got = append(got, fmt.Sprintf("%d %s", h.line, h))
		}
		if s := strings.Join(got, "|"); err != nil || s != want {
			t.Errorf("%q: %q %v, want %q", doc, s, err, want)
		}
	}
}

func TestSection(t *testing.T) {
	first := strings.Split(book, "\n")
	lines := func(from, to int) string { return strings.Join(first[from-1:to], "\n") + "\n" }
	all := `; the document has "# Tide *book*", "## Functions", "### Sine", "## ` + "`CREATE TABLE`" +
		`", "# Setext one", "## Setext two", "## functions", "## Functions"`
	tests := []struct{ name, want string }{
		{"### Sine", lines(29, 31)},
		{"Sine", lines(29, 31)},
		{"  ###   sine ###  ", lines(29, 31)},
		{"## functions", lines(46, 48)},
		{"Functions", lines(10, 31) + `[2 sections are called "Functions": this is the first, lines 10-31; ` +
			`read the others by lines: 50-52]`},
		{"FUNCTIONS", lines(10, 31) + `[3 sections are called "FUNCTIONS": this is the first, lines 10-31; ` +
			`read the others by lines: 46-48, 50-52]`},
		{"CREATE TABLE", lines(33, 35)},
		{"## `CREATE TABLE`", lines(33, 35)},
		{"## CREATE TABLE ##", lines(33, 35)},
		{"tide book", lines(6, 35)},
		{"# Setext one", lines(37, 52)},
		{"setext TWO", lines(42, 44)},
		{"# Functions", `EXE077 there is no section "# Functions" (did you mean "## Functions" in line 10?)` + all},
		{"## Functons", `EXE077 there is no section "## Functons" (did you mean "## Functions"?)` + all},
		{"creat table", `EXE077 there is no section "creat table" (did you mean "## ` + "`CREATE TABLE`" + `"?)` + all},
		{"in a quote", `EXE077 there is no section "in a quote"` + all},
		{"not a heading", `EXE077 there is no section "not a heading"` + all},
	}
	for _, tt := range tests {
		if got := get(t, book, Part{Section: tt.name}); got != tt.want {
			t.Errorf("%q:\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
	for _, tt := range []struct{ doc, name, want string }{
		{"", "a", `EXE077 there is no section "a": the document has no headings, read it by lines or search`},
		{"\ufeff# a\r\nx\r\n\r\n# b", "a", "# a\r\nx\r\n"},
		{"\ufeff# a\r\nx\r\n\r\n# b", "b", "# b"},
		{"# a\n## \nx\n", "##", "## \nx\n"},
		{"# a\n\n\n\n", "a", "# a\n"},
		{"# max\\_value\nx\n", "max_value", "# max\\_value\nx\n"},
		{"# max\\_value\nx\n", "MAX_VALUE", "# max\\_value\nx\n"},
		{"# GET /a/&lt;id&gt; &amp; more\nx\n", "get /a/<id> & more", "# GET /a/&lt;id&gt; &amp; more\nx\n"},
		{"# `a&lt;b\\_`\n", "a&lt;b\\_", "# `a&lt;b\\_`\n"},
		{"# caf\xe9\n", "a", `EXE077 there is no section "a"; the document has "# caf\xe9"`},
		{"# a\n\xff\n", "a", "# a\n\ufffd\n[the text is not valid UTF-8, first in line 2 of what is shown: such " +
			"bytes are shown as \ufffd]"},
		{"#### deep\nx\n## up\n", "deep", "#### deep\nx\n"},
		{strings.Repeat("# s\n", 40), "x", "and 10 more"},
	} {
		if got := get(t, tt.doc, Part{Section: tt.name}); got != tt.want && !strings.HasSuffix(got, tt.want) {
			t.Errorf("%q %q: %q, want %q", tt.doc, tt.name, got, tt.want)
		}
	}
}

func TestLines(t *testing.T) {
	const doc = "one\ntwo\r\nthree\n\nfive"
	tests := []struct{ lines, want string }{
		{"1", "one\n"}, {"2-3", "two\r\nthree\n"}, {"5", "five"}, {"4-", "\nfive"}, {"1-", doc}, {" 1 - 5 ", doc},
		{"4-9", "\nfive[the document has 5 lines: these are lines 4-5]"},
		{"5-99999999999999999999", "five[the document has 5 lines: these are lines 5]"},
		{"6", "EXE077 there are no lines 6: the document has 5 lines"},
		{"99999999999999999999-", "EXE077 there are no lines 99999999999999999999-: the document has 5 lines"},
		{"3-2", `EXE077 lines "3-2" ends before it begins: write 2-3`},
	}
	for _, tt := range tests {
		if got := get(t, doc, Part{Lines: tt.lines}); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.lines, got, tt.want)
		}
	}
	for _, bad := range []string{"0", "-5", "-", "a", "1,2", "1-2-3", "L1-L3", "1.5", "+1", "1–3", "0-3", "1 2", "٣"} {
		if got := get(t, doc, Part{Lines: bad}); !strings.HasPrefix(got, "EXE077 lines ") ||
			!strings.Contains(got, "is not a range of lines") {
			t.Errorf("%q: %q", bad, got)
		}
	}
	if got := get(t, "", Part{Lines: "1"}); got != "EXE077 there are no lines 1: the document is empty" {
		t.Error(got)
	}
	if got := get(t, "a\n", Part{Lines: "2"}); got != "EXE077 there are no lines 2: the document has 1 line" {
		t.Error(got)
	}
	long := strings.Repeat("x", 200_000) + "\n"
	if got := get(t, long+"b\n"+long, Part{Lines: "2"}); got != "b\n" {
		t.Errorf("between long lines: %d bytes", len(got))
	}
	if got := get(t, "a\n"+long, Part{Lines: "2"}); got != long {
		t.Errorf("a long line: %d bytes", len(got))
	}
}

func TestSearch(t *testing.T) {
	const doc = "a\nb\nhit one\nd\ne\nf\ng\nHIT two\ni\nj\nk\nl\nm\nn\nhIt\n"
	tests := []struct {
		word    string
		context int
		want    string
	}{
		{"hit", 0, "3:hit one\n--\n8:HIT two\n--\n15:hIt\n"},
		{"Hit", 1, "2-b\n3:hit one\n4-d\n--\n7-g\n8:HIT two\n9-i\n--\n14-n\n15:hIt\n"},
		{"hit", 2, "1-a\n2-b\n3:hit one\n4-d\n5-e\n6-f\n7-g\n8:HIT two\n9-i\n10-j\n--\n13-m\n14-n\n15:hIt\n"},
		{"hit one", 1, "2-b\n3:hit one\n4-d\n"},
		{"A", 1, "1:a\n2-b\n"},
		{"zebra", 2, `[none of the document's 15 lines holds "zebra"]`},
		{"h.t", 2, `[none of the document's 15 lines holds "h.t"]`},
	}
	for _, tt := range tests {
		if got := get(t, doc, Part{Search: tt.word, Context: tt.context}); got != tt.want {
			t.Errorf("%q %d: %q, want %q", tt.word, tt.context, got, tt.want)
		}
	}
	if got := get(t, "\ufeffÄpfel\r\nx", Part{Search: "ä"}); got != "1:Äpfel\n" {
		t.Error(got)
	}
	if got := get(t, "", Part{Search: "x"}); got != `[none of the document's 0 lines holds "x"]` {
		t.Error(got)
	}
	got := get(t, strings.Repeat("hit\n", 250), Part{Search: "hit", Context: 2})
	if !strings.HasSuffix(got, "\n100:hit\n"+
		`[250 lines hold "hit", the first 100 are shown, up to line 100: search for more, or read on by lines]`) {
		t.Errorf("many: %s", got)
	}
	long := strings.Repeat("ö", 5000) + "needle" + strings.Repeat("ö", 5000)
	got = get(t, long, Part{Search: "needle"})
	if !strings.Contains(got, "needle") ||
		!strings.Contains(got, "[lines of more than 1000 bytes are shown in part: read them by lines]") ||
		len(got) > 1200 || strings.Contains(got, "\ufffd") {
		t.Errorf("a long line: %s", got)
	}
}

func TestWhole(t *testing.T) {
	for doc, want := range map[string]string{
		"": "", "a": "a", "\ufeffa\r\nb": "a\r\nb", "\ufeff": "",
		"a\xffb": "a\ufffdb[the text is not valid UTF-8, first in line 1 of what is shown: such bytes are " +
			"shown as \ufffd]",
		"\ufffd":        "\ufffd",
		"\xff\xfea\x00": "EXE076 the document is UTF-16: save it as UTF-8",
		"\xfe\xff\x00a": "EXE076 the document is UTF-16: save it as UTF-8",
	} {
		if got := get(t, doc, Part{}); got != want {
			t.Errorf("%q: %q, want %q", doc, got, want)
		}
	}
	if got := get(t, strings.Repeat("x\n", 60_000), Part{}); !strings.HasSuffix(got,
		"x\n[the document has 118 KB: read what you need of it by section, lines or search]") {
		t.Errorf("a large one: %s", got[len(got)-100:])
	}
}

// TestLimit: what is returned is bounded; what is skipped is not.
func TestLimit(t *testing.T) {
	doc := "# a\nx\n# b\n" + strings.Repeat(strings.Repeat("y", 1000)+"\n", 3000)
	for _, tt := range []struct {
		part Part
		want string
	}{
		{Part{}, "EXE076 the document has 2933 KB, more than the 1048576 bytes that are returned at once: read a " +
			"part of it by lines or search, or raise --max-response"},
		{Part{Section: "a"}, "EXE076 the document has 2933 KB"},
		{Part{Lines: "2-"}, "EXE076 lines 2- are more than the 1048576 bytes"},
		{Part{Lines: "2"}, "x\n"},
		{Part{Lines: "3004"}, "EXE077 there are no lines 3004: the document has 3003 lines"},
		{Part{Search: "x", Context: 1}, "1-# a\n2:x\n3-# b\n"},
	} {
		if got := get(t, doc, tt.part); got != tt.want && !strings.HasPrefix(got, tt.want) {
			t.Errorf("%+v: %s", tt.part, got)
		}
	}
	if got := get(t, strings.Repeat("z", 3<<20), Part{Search: "z"}); !strings.HasPrefix(got,
		"EXE076 line 1 has more than 1048576 bytes") {
		t.Error(got)
	}
}

// failing is a file that cannot be read to its end.
type failing struct{ r *strings.Reader }

func (f failing) Read(p []byte) (int, error) {
	if n, err := f.r.Read(p); err == nil {
		return n, nil
	}
	return 0, errors.New("bad sector")
}

func TestUnreadable(t *testing.T) {
	for _, part := range []Part{{}, {Section: "a"}, {Lines: "9"}, {Lines: "1-"}, {Search: "x"}} {
		for _, doc := range []string{"", "# a\nb\n"} {
			_, err := Read(failing{strings.NewReader(doc)}, 1, part, 100)
			if err == nil || err.Error() != "EXE076 the document cannot be read: bad sector" {
				t.Errorf("%+v: %v", part, err)
			}
		}
	}
}

func TestNewPart(t *testing.T) {
	for params, want := range map[string]string{
		`{}`:                           "{   2}",
		`{"section":"## A"}`:           "{## A   2}",
		`{"lines":"1-2"}`:              "{ 1-2  2}",
		`{"search":"x","context":7}`:   "{  x 7}",
		`{"search":"x","context":0}`:   "{  x 0}",
		`{"search":"x","context":700}`: "{  x 50}",
		`{"section":"a","lines":"1"}`: "EXE077 section and lines are given, expected one of them: make " +
			"a call for each",
		`{"section":"a","search":"1","lines":"2"}`: "EXE077 section and lines and search are given, expected one of " +
			"them: make a call for each",
		`{"section":""}`: "EXE077 section is empty: say what to read, or leave it out for the whole " +
			"document",
		`{"context":3}`: "EXE077 context is given without search: give it together with search, or " +
			"leave it out",
		`{"lines":"3","context":3}`: "EXE077 context is given without search: give it together with search, or " +
			"leave it out",
		`{"search":"a\nb"}`: "EXE077 search has a line break in it: search for a text of one line",
	} {
		v, err := ordjson.Parse(params)
		if err != nil {
			t.Fatal(err)
		}
		p, err := NewPart(v)
		got := fmt.Sprint(p)
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %s, want %s", params, got, want)
		}
	}
}

// TestHostile: documents that make parsers take the square of their length
// end soon, with a text or with a code.
func TestHostile(t *testing.T) {
	var stairs strings.Builder
	for i := range 1500 {
		stairs.WriteString(strings.Repeat(" ", 2*i) + "- x\n")
	}
	for name, doc := range map[string]string{
		"quotes": strings.Repeat(">", 500_000), "quotes and tabs": strings.Repeat(">\t", 250_000),
		"stairs":     stairs.String(),
		"references": strings.Repeat("[a]: /b\n", 100_000), "brackets": strings.Repeat("[", 1_000_000),
		"lists":    strings.Repeat("- ", 200_000),
		"comments": strings.Repeat("<!--\n", 100_000), "underlines": strings.Repeat("=\n", 200_000),
		"tabs":        strings.Repeat("\t", 500_000),
		"one heading": "# " + strings.Repeat("*_[`", 200_000), "emphasis": "# " + strings.Repeat("*a_", 200_000),
	} {
		done := make(chan string)
		go func() { done <- get(t, doc, Part{Section: "x"}) }()
		select {
		case got := <-done:
			if !strings.HasPrefix(got, "EXE07") {
				t.Errorf("%s: %.100s", name, got)
			}
		case <-time.After(time.Minute):
			t.Fatalf("%s: no answer within a minute", name)
		}
	}
	if _, err := headings([]byte(strings.Repeat(">", 500_000))); err == nil {
		t.Error("half a million quotes in each other have been read")
	}
	// A long book is none of these.
	long := strings.Repeat("## Chapter\n\nSome **text** and `code`.\n\n> quoted\n\n1. one\n   - two\n\n```\n# x\n"+
		"```\n\n[a]: /b\n\n", 10_000)
	if list, err := headings([]byte(long)); err != nil || len(list) != 10_000 {
		t.Errorf("a long book: %d headings, %v", len(list), err)
	}
}
