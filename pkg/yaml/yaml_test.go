package yaml

import (
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

func TestParse(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", "null"},
		{"# only a comment\n", "null"},
		{"---\n", "null"},
		{"a: 1", `{"a":1}`},
		{"---\na: 1\n...\n", `{"a":1}`},
		{"b: 1\na: 2\n", `{"b":1,"a":2}`},
		{"a: 'x'\nb: \"y\\n\"\nc: |\n  one\n  two\nd: >-\n  one\n  two\n",
			`{"a":"x","b":"y\n","c":"one\ntwo\n","d":"one two"}`},
		{"a: 'x\r\n  y'\r\nb: 2\r\n", `{"a":"x y","b":2}`},
		{"a: [1, -2, 0x1F, 0o17, 1_000, 1.50, 1e3, 99999999999999999999]",
			`{"a":[1,-2,31,15,1000,1.5,1000,100000000000000000000]}`},
		{"a: [true, False, yes, no, ~, null, '']", `{"a":[true,false,"yes","no",null,null,""]}`},
		{"a: [.inf, .nan, 2026-01-02, !!str 5, !mine 6]", `{"a":[".inf",".nan","2026-01-02","5","6"]}`},
		{"1: a\ntrue: b\n", `{"1":"a","true":"b"}`},
		{"a: &x {k: [1]}\nb: *x\n", `{"a":{"k":[1]},"b":{"k":[1]}}`},
		{"\uFEFFa: 1", `{"a":1}`},
		{"a:\n", `{"a":null}`},
	}
	for _, tt := range tests {
		v, err := Parse(tt.text)
		if err != nil {
			t.Errorf("%q: %v", tt.text, err)
			continue
		}
		if got := ordjson.Text(v); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.text, got, tt.want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	tests := []struct {
		text   string
		offset int
		msg    string
	}{
		{"a: 1\na: 2\n", 5, `the key "a" a second time`},
		{"a: b: c", 4, "put the value in quotes"},
		{"ä: ö: ü", 6, "put the value in quotes"},
		{"a:\n\tb: 1", 3, "found a tab"},
		{"a: @x", 3, "put the value in quotes"},
		{"a: [1,", 6, "did not find"},
		{"a: *nope", 3, "unknown anchor"},
		{"a: 1\n---\nb: 2\n", 5, "second document"},
		{"<<: {a: 1}\n", 0, "merge key"},
		{"? [a]\n: b", 2, "not text"},
		{"~: b", 0, "not text"},
		{"x: &a [*a]", 3, "nested more than 100 deep"},
		{"a: \x01", 3, "U+0001"},
		{"a: \xff", 3, "not UTF-8"},
		{"a: \uFFFD \xef\xbf", 7, "not UTF-8"},
		{strings.Repeat("[", 2*MaxDepth) + strings.Repeat("]", 2*MaxDepth), MaxDepth, "100"},
		{strings.Repeat(" ", MaxSize+1), 0, "expected at most 262144"},
	}
	for _, tt := range tests {
		v, err := Parse(tt.text)
		var at *words.SyntaxError
		if !errors.As(err, &at) {
			t.Errorf("%.40q: %v, %v, want an *words.SyntaxError", tt.text, v, err)
			continue
		}
		if at.Offset != tt.offset || !strings.Contains(at.Message, tt.msg) {
			t.Errorf("%.40q: %v, want %q at byte %d", tt.text, err, tt.msg, tt.offset)
		}
	}
}

// A few lines must not become a billion values.
func TestAliasesAreBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 10; i++ {
		name := func(n int) string { return "a" + string(rune('0'+n)) }
		b.WriteString(name(i) + ": &" + name(i) + " [" + strings.Repeat("*"+name(i-1)+", ", 10) + "]\n")
	}
	started := time.Now()
	_, err := Parse(b.String())
	if err == nil || !strings.Contains(err.Error(), "more than 20000 values") {
		t.Errorf("%v", err)
	}
	if d := time.Since(started); d > 5*time.Second {
		t.Errorf("took %v", d)
	}
}

// Every value stands where its text does, whatever the characters before it.
func TestOffsets(t *testing.T) {
	const text = "\uFEFFä: 1\r\n\"ö\": [ü, 'é', {k: v}]\u2028z: &a x\nlist:\n  - q: \"1\"\n    r: *a\nnone:\n" +
		"end: |\n  x\n"
	v, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ pointer, key, value string }{
		{"/ä", "ä: 1", "1\r"},
		{"/ö", "\"ö\"", "["},
		{"/ö/0", "", "ü,"},
		{"/ö/1", "", "'é'"},
		{"/ö/2/k", "k: v", "v}"},
		{"/z", "z:", "&a"},
		{"/list/0", "", "q:"},
		{"/list/0/q", "q:", "\"1\""},
		{"/list/0/r", "r:", "*a"},
		{"/none", "none", "\nend"},
		{"/end", "end", "|"},
	}
	for _, tt := range tests {
		at, pos := ordjson.Lookup(v, tt.pointer)
		if tt.key != "" && !strings.HasPrefix(text[pos:], tt.key) {
			t.Errorf("%s: key at %.8q, want %q", tt.pointer, text[pos:], tt.key)
		}
		if !strings.HasPrefix(text[at.Pos():], tt.value) {
			t.Errorf("%s: value at %.8q, want %q", tt.pointer, text[at.Pos():], tt.value)
		}
	}
}

func TestFrontmatter(t *testing.T) {
	tests := []struct {
		text, front, body, err string
	}{
		{"---\nname: x\n---\n# Body\n", `{"name":"x"}`, "# Body\n", ""},
		{"\uFEFF--- \r\nname: x\r\n---\t\r\n\r\nBody", `{"name":"x"}`, "\r\nBody", ""},
		{"---\n---\n", "null", "", ""},
		{"---\n# nothing\n---", "null", "", ""},
		{"---\na: |\n  ---\n  x\n---\nb", `{"a":"---\nx\n"}`, "b", ""},
		{"# Body\n---\n", "missing", "# Body\n---\n", ""},
		{" ---\na: 1\n---\n", "missing", " ---\na: 1\n---\n", ""},
		{"----\n", "missing", "----\n", ""},
		{"", "missing", "", ""},
		{"---\na: 1\n", "missing", "", "does not end: expected a line --- at byte 0"},
		{"---", "missing", "", "does not end: expected a line --- at byte 0"},
		{"---\na: 1\na: 2\n---\nx", "missing", "x", `the key "a" a second time, expected each key once at byte 9`},
	}
	for _, tt := range tests {
		front, body, err := Frontmatter(tt.text)
		got := "missing"
		if front.Exists() {
			got = ordjson.Text(front)
		}
		if got != tt.front || tt.text[body:] != tt.body {
			t.Errorf("%q: %s and %q, want %s and %q", tt.text, got, tt.text[body:], tt.front, tt.body)
		}
		if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%q: %v, want %q", tt.text, err, tt.err)
		}
	}
}

var seeds = []string{
	"a: 1\nb: [x, {y: z}]\n", "a: &x {k: [1]}\nb: *x\n", "x: &a [*a]", "a: |\n  t\n", "\uFEFFä: 'ö'\r\n",
	"---\na: 1\n---\nbody",
	"---\n---\n", "---\n\"a\\u0041\": >-\n  b\n  c\n---", "? a\n: b\n", "!!binary aGk=", "a: !<tag:x> b",
	"%TAG ! tag:x,2000:\n---\n!a b", "a\u0085b: c", "{a: 1, b}: c",
}

func checkValue(t *testing.T, text string, v ordjson.Value) {
	t.Helper()
	if v.Pos() < 0 || v.Pos() > len(text) || v.Pos() < len(text) && !utf8.RuneStart(text[v.Pos()]) {
		t.Fatalf("a value at byte %d of %q", v.Pos(), text)
	}
	for _, e := range v.Elems() {
		checkValue(t, text, e)
	}
	for _, m := range v.Members() {
		if int(m.KeyPos) < v.Pos() && text[v.Pos()] != '*' && text[v.Pos()] != '&' && text[v.Pos()] != '!' {
			t.Fatalf("the key %q at %d is before its mapping at %d", m.Key, m.KeyPos, v.Pos())
		}
		checkValue(t, text, m.Value)
	}
}

func checkError(t *testing.T, text string, err error) {
	t.Helper()
	var at *words.SyntaxError
	if !errors.As(err, &at) {
		t.Fatalf("%T is no *words.SyntaxError", err)
	}
	if at.Offset < 0 || at.Offset > len(text) {
		t.Fatalf("an error at byte %d of %d", at.Offset, len(text))
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := Parse(text)
		if err != nil {
			checkError(t, text, err)
			return
		}
		checkValue(t, text, v)
		// JSON is YAML: what was read is read again.
		again, err := Parse(ordjson.Text(v))
		if err == nil && !ordjson.Equal(v, again) {
			t.Fatalf("%q is %s, and that is %s", text, ordjson.Text(v), ordjson.Text(again))
		}
	})
}

func FuzzFrontmatter(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
		f.Add("---\n" + s + "\n---\nbody")
	}
	f.Fuzz(func(t *testing.T, text string) {
		front, body, err := Frontmatter(text)
		if body < 0 || body > len(text) {
			t.Fatalf("the body starts at byte %d of %d", body, len(text))
		}
		switch {
		case err != nil:
			checkError(t, text, err)
		case front.Exists():
			checkValue(t, text[:body], front)
		}
	})
}
