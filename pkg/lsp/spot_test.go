package lsp

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// A spot is found where the source is right, and where it breaks off.
func TestSpotAt(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"export const main = { na|me: 'x', tools: {} }", "main [] name key colon [tools]"},
		{"export const main = { |", "main []  key []"},
		{"export const main = { tools: { get: { met| ", "main [tools get] met key []"},
		{"export const main = { tools: { get: { method: |", "main [tools get] method value [method]"},
		{"export const main = { tools: { get: { method: 'G|", "main [tools get] method value quoted <G> [method]"},
		{"export const main = { tools: { get: { method: 'G|\n path: '/' } } }",
			"main [tools get] method value quoted <G> [method]"},
		{"export const main = { version: '4|.0.0', root: '' }", "main [] version value quoted <4.0.0> [version root]"},
		{"const a = [ 1 ]\nexport const selection = { tools: [ 'a/tool/b', '|' ] }",
			"selection [tools] 1 value quoted []"},
		{`{ "schemas": [ { "file": "a" }, { "na|": 1 } ] }`, " [schemas 1] na key quoted colon <na> []"},
		{"export const agent = { tools: { 'a/t|ool/b': null, c: { } } }",
			"agent [tools] a/tool/b key quoted colon <a/tool/b> [c]"},
		{"export const main = { a: 1 }\n|", "none"},
		{"export const main = f({ a: | })", "none"},
		{"", "none"},
		{"|", "none"},
		{"export const main = { a: { b: 1 }, | }", "main []  key [a]"},
		{"export const skill = { content: `x {{to| }", "skill [] content value quoted <x {{to> [content]"},
	} {
		offset := max(strings.Index(tt.src, "|"), 0)
		at, ok := spotAt(strings.Replace(tt.src, "|", "", 1), offset)
		got := "none"
		if ok {
			kind := map[bool]string{true: "value", false: "key"}[at.value]
			got = fmt.Sprintf("%s %v %s %s", at.export, at.path, at.key, kind)
			if at.quoted {
				got += " quoted"
			}
			if at.colon {
				got += " colon"
			}
			if at.written != "" && at.quoted {
				got += " <" + at.written + ">"
			}
			got += fmt.Sprintf(" %v", at.keys)
		}
		if got != tt.want {
			t.Errorf("%s:\n%q, want\n%q", tt.src, got, tt.want)
		}
	}
}

// Wherever the cursor is, and wherever the source ends, there is an answer, and what
// is at the cursor includes it.
func TestSpotAnywhere(t *testing.T) {
	src := "// x\nconst a = [ 'b', `c${ d }` ]\n" +
		"export const main = { 'k\\'y': [ 1, { x: \"}\" } ], ü: -2 /* { */, f() { return /[{]/ } }\n"
	for end := range len(src) {
		for offset := range end + 1 {
			for _, text := range []string{src[:end], src} {
				at, _ := spotAt(text, offset)
				if at.start > offset || at.end < offset && at.end > at.start || at.end > len(text) {
					t.Fatalf("spotAt(%q, %d) is %+v", text, offset, at)
				}
			}
		}
	}
}

// No source and no place in it is too strange.
func FuzzSpotAt(f *testing.F) {
	f.Add("export const main = { tools: { get: { method: 'G", 47)
	f.Add("export const skill = { content: `x {{tool:${ a }", 20)
	f.Add("0ƿ", 2) // inside a character
	f.Fuzz(func(t *testing.T, src string, offset int) {
		text := newText(src)
		if offset < 0 || offset > len(src) || !utf8.ValidString(src) {
			return
		}
		if at := text.offset(text.position(offset)); at > offset {
			t.Errorf("the position of %d is at %d", offset, at)
		}
		at, _ := spotAt(src, offset)
		if at.start > offset || at.end > len(src) || at.start > at.end {
			t.Errorf("%+v at %d", at, offset)
		}
	})
}
