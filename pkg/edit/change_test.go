package edit

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// nested is a number in objects of one key each.
func nested(n int, keys ...string) ordjson.Value {
	v := ordjson.NewInt(n)
	for _, key := range slices.Backward(keys) {
		v = ordjson.NewObject(ordjson.Field(key, v))
	}
	return v
}

// What a change takes is as few bytes as it can be, and all others stay.
func TestChanges(t *testing.T) {
	text := ordjson.NewString
	for _, tt := range []struct {
		name          string
		before, after string // what follows export const main = ; ´ is a backtick
		change        Change
	}{
		{"text", `{ root: 'https://a/', b: 1 }`, `{ root: 'https://a', b: 1 }`, Set("/root", text("https://a"))},
		{"text in its quotes", `{ "a": "x" /* c */ }`, `{ "a": "y'\"" /* c */ }`, Set("/a", text(`y'"`))},
		{"template", "{ a: ´l1\nl2 \\´ä´ }", "{ a: ´l1\nl2 \\´\\${b}ä´ }", Set("/a", text("l1\nl2 `${b}ä"))},
		{"escapes around", `{ a: '\u00e4:x\u00fc' }`, `{ a: '\u00e4{{x}}\u00fc' }`, Set("/a", text("ä{{x}}ü"))},
		{"at the end", `{ a: '\n' }`, `{ a: '\nb' }`, Set("/a", text("\nb"))},
		{"emptied", `{ a: 'xyz' }`, `{ a: '' }`, Set("/a", text(""))},
		{"half of a character", `{ a: 'ä' }`, `{ a: 'å' }`, Set("/a", text("å"))},
		{"sum", `{ a: 'x' + 'y' }`, `{ a: 'x' + 'z' }`, Set("/a", text("xz"))},
		{"number for text", `{ a: [ '5' ] }`, `{ a: [ 5 ] }`, Set("/a/0", ordjson.NewInt(5))},
		{"text for number", `{ "a": "b", "c": 5 }`, `{ "a": "b", "c": "5" }`, Set("/c", text("5"))},
		{"constant", `{ a: name }`, `{ a: 'x' }`, Set("/a", text("x"))},
		{"shorthand", `{ name }`, `{ name: 'x' }`, Set("/name", text("x"))},
		{"element of a constant", `{ a: [ name, 1 ] }`, `{ a: [ 'x', 1 ] }`, Set("/a/0", text("x"))},
		{"array for text", `{ a: 'x' }`, `{ a: ['x'] }`, Set("/a", ordjson.Strings([]string{"x"}))},
		{"part", `{ p: '/a/:b/:c' }`, `{ p: '/a/:b/{{c}}' }`, Part("/p", 6, 8, "{{c}}")},
		{"part of a sum", `{ p: '/a' + '/:c' }`, `{ p: '/a' + '/{{c}}' }`, Part("/p", 3, 5, "{{c}}")},
		{"end of a literal", `{ p: '/:a' + "/c" }`, `{ p: '/{{a}}' + "/c" }`, Part("/p", 1, 3, "{{a}}")},
		{"across literals", `{ p: '/:a' + "bc" }`, `{ p: '/{{ab}}c' }`, Part("/p", 1, 4, "{{ab}}")},
		{"part of a constant", `{ p: '/' + name }`, `{ p: '/m' }`, Part("/p", 1, 2, "m")},
		{"in an empty text", `{ p: '' }`, `{ p: 'm' }`, Part("/p", 0, 0, "m")},
		{"two for one", `{ a: [ "optional(), min(1)", 'x' ] }`, `{ a: [ "optional()", "min(1)", 'x' ] }`,
			SetAll("/a/0", text("optional()"), text("min(1)"))},
		{"in the indents and commas around", "{\n  a: {\n    b: 1,\n  },\n}",
			"{\n  a: {\n    b: 1,\n    c: {\n      d: {\n        e: { f: 1 },\n      },\n    },\n  },\n}",
			Add("/a", "c", nested(1, "d", "e", "f"))},
		{"rename", `{ routes: {} }`, `{ tools: {} }`, Rename("/routes", "tools")},
		{"rename in quotes", `{ "routes": {} }`, `{ "tools": {} }`, Rename("/routes", "tools")},
		{"rename to no name", `{ a: {} }`, `{ 'b/c': {} }`, Rename("/a", "b/c")},
		{"rename shorthand", `{ name }`, `{ title: name }`, Rename("/name", "title")},
		{"rename an element", `[ 1 ]`, ``, Rename("/0", "x")},
		{"add in lines", "{\n    version: '4.0.0', // v\n    root: 'x'\n}", "{\n    version: '4.0.0', // v\n" +
			"    schemaVersion: '1.0.0',\n    root: 'x'\n}", Add("", "schemaVersion", text("1.0.0"), "version")},
		{"add after the second choice", "{ name: 'a', root: 'x' }", "{ name: 'a', v: 1, root: 'x' }",
			Add("", "v", ordjson.NewInt(1), "version", "name")},
		{"add at the end", `{ a: { b: 1 } }`, `{ a: { b: 1, c: [] } }`, Add("/a", "c", ordjson.NewArray())},
		{"add at the end of a line", "{ a: {\n  b: 1\n} }", "{ a: {\n  b: 1,\n  c: []\n} }",
			Add("/a", "c", ordjson.NewArray())},
		{"add to nothing", `{ a: {} }`, `{ a: { c: [] } }`, Add("/a", "c", ordjson.NewArray())},
		{"add what is there", `{ a: { c: 1 } }`, ``, Add("/a", "c", ordjson.NewArray())},
		{"append", `{ a: [ 'b' ] }`, `{ a: [ 'b', 'c' ] }`, Append("/a", text("c"))},
		{"append to nothing", `{ a: [] }`, `{ a: [ 'c' ] }`, Append("/a", text("c"))},
		{"append in lines", "{ a: [\n    'b', // c\n    'd'\n] }", "{ a: [\n    'b', // c\n    'd',\n    'e'\n] }",
			Append("/a", text("e"))},
		{"append after a comma", "{ a: [\n  'b',\n] }", "{ a: [\n  'b',\n  'c',\n] }", Append("/a", text("c"))},
		{"drop", "{ a: [ 'b', 'c' ] }", "{ a: [ 'c' ] }", Drop("/a/0")},
		{"drop a member", "{ a: 1, b: 2 }", "{ a: 1 }", Drop("/b")},
		{"what is not there", `{ a: 1 }`, ``, Set("/b", text("x"))},
		{"all of it", `{ a: 1 }`, ``, Set("", text("x"))},
	} {
		write := func(s string) string {
			return "const name = 'n'\nexport const main = " + strings.ReplaceAll(s, "´", "`") + "\n"
		}
		s, err := ReadSource(write(tt.before), "main")
		if err != nil {
			t.Fatal(tt.name, err)
		}
		edits := s.Edits(true, []Change{tt.change})
		if tt.after == "" {
			if edits != nil {
				t.Errorf("%s: %v", tt.name, edits)
			}
			continue
		}
		got, err := Apply(s.text, edits)
		if err != nil || got != write(tt.after) {
			t.Errorf("%s: %v\n got %s\nwant %s", tt.name, err, got, write(tt.after))
		}
	}
}

// A tool's handler gets its new name, however it is written; one that cannot be
// found keeps the tool from getting it.
func TestRenameHandler(t *testing.T) {
	const head = "export const main = { tools: { 'a-b': {} } }\nexport const handlers = () => ("
	for before, after := range map[string]string{
		"{ 'a-b': { preRequest() {} } })":          "{ aB: { preRequest() {} } })",
		"{ c: {}, \"a-b\": { preRequest() {} } })": "{ c: {}, aB: { preRequest() {} } })",
		"{ c: { preRequest() {} } })":              "",
	} {
		s, err := ReadSource(head+before, "main")
		if err != nil {
			t.Fatal(err)
		}
		edits := s.Edits(false, []Change{Rename("/tools/a-b", "aB"), RenameHandler("a-b", "aB")})
		got, err := Apply(s.text, edits)
		want := strings.Replace(head, "'a-b'", "aB", 1) + after
		if after == "" {
			want = head + before
		}
		if err != nil || got != want {
			t.Errorf("%v\n got %s\nwant %s", err, got, want)
		}
	}
}

// Whatever a source looks like, a change of it is made or refused: what is read again
// says what was asked for, and everything else what it did.
func FuzzChange(f *testing.F) {
	for _, src := range []string{
		"{ a: 'x:y', b: [ \"p\", `q\\n` ], c: { d: 'e' + \"f\" } }",
		"{\n  a: name, // c\n  'b': [\n    'x',\n  ],\n}",
		"{ name, a: [ name, , 'z' ] }", "{ a: '\\u00e4\\x41\\\n', /* } */ b: `${1}` }",
		"{ a: { a: { a: '' } }, a: 'l' }",
	} {
		f.Add(src, "new 'text' ${x}", uint8(1), uint8(2))
	}
	f.Fuzz(func(t *testing.T, src, text string, at, op uint8) {
		s, err := ReadSource("const name = 'n'\nexport const main = "+src+"\n", "main")
		if err != nil || !utf8.ValidString(src) || !utf8.ValidString(text) {
			return
		}
		pointers := leaves(s.value, "", nil)
		if len(pointers) == 0 {
			return
		}
		pointer := pointers[int(at)%len(pointers)]
		was := lookup(s.value, pointer)
		change := Set(pointer, ordjson.NewString(text))
		if op%2 == 1 {
			cut := int(op) % (len(was.Str()) + 1)
			if !boundary(was.Str(), cut) {
				return
			}
			change, text = Part(pointer, cut, len(was.Str()), text), was.Str()[:cut]+text
		}
		edits := s.Edits(true, []Change{change})
		got, err := Apply(s.text, edits)
		if err != nil {
			t.Fatalf("%q: %v", s.text, err)
		}
		if edits == nil {
			return
		}
		again, err := ReadSource(got, "main")
		if err != nil {
			t.Fatalf("%q became %q: %v", s.text, got, err)
		}
		if is := lookup(again.value, pointer); is.Str() != text {
			t.Errorf("%q became %q: %s is %q, want %q", s.text, got, pointer, is.Str(), text)
		}
	})
}

// leaves are the pointers of the texts of a value.
func leaves(v ordjson.Value, at string, list []string) []string {
	if v.Is(ordjson.String) && at != "" {
		return append(list, at)
	}
	for _, m := range v.Members() {
		list = leaves(m.Value, at+ordjson.Pointer(m.Key), list)
	}
	for i, e := range v.Elems() {
		list = leaves(e, at+ordjson.Pointer(i), list)
	}
	return list
}

// A part of a text is changed where it is written: in a constant that nothing else names,
// or in the export itself.
func TestPartOfConstant(t *testing.T) {
	change := Part("/content", 2, 5, "{{b}}")
	for _, c := range []struct{ name, export, before, after string }{
		{"shorthand", "skill", "const content = `a [b] c`\nexport const skill = { content }\n",
			"const content = `a {{b}} c`\nexport const skill = { content }\n"},
		{"by name", "skill", "const text = 'a [b] c'\nexport const skill = { content: text }\n",
			"const text = 'a {{b}} c'\nexport const skill = { content: text }\n"},
		{"named elsewhere", "skill", "const text = 'a [b] c'\nexport const skill = { content: text, output: text }\n",
			"const text = 'a [b] c'\nexport const skill = { content: 'a {{b}} c', output: text }\n"},
		{"a sum", "skill", "const text = 'a ' + '[b] c'\nexport const skill = { content: text }\n",
			"const text = 'a ' + '[b] c'\nexport const skill = { content: 'a {{b}} c' }\n"},
		{"the export", "content", "export const content = `a [b] c`\n", "export const content = `a {{b}} c`\n"},
	} {
		s, err := ReadSource(c.before, c.export)
		if err != nil {
			t.Fatal(err)
		}
		change := change
		if c.export == "content" {
			change = Part("", 2, 5, "{{b}}")
		}
		if got, err := Apply(c.before, s.Edits(true, []Change{change})); err != nil || got != c.after {
			t.Errorf("%s: %v\n%s", c.name, err, got)
		}
	}
}
