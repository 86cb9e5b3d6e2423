package edit

import (
	"strings"
	"testing"
)

// Only the text, or the field that it is put in, is other than before.
func TestSetText(t *testing.T) {
	for _, tt := range []struct{ name, before, after string }{
		{"replaced", "// a\r\nexport const agent = {\r\n  hash: 'old', // b\r\n  tools: {}\r\n}\r\n",
			"// a\r\nexport const agent = {\r\n  hash: 'NEW', // b\r\n  tools: {}\r\n}\r\n"},
		{"replaced in its quotes", `export const agent = { "a": "x", "hash": "old" /* b */ }`,
			`export const agent = { "a": "x", "hash": "NEW" /* b */ }`},
		{"replaced in quotes of its own", `export const agent = { a: 'x', b: 'y', hash: "old" }`,
			`export const agent = { a: 'x', b: 'y', hash: "NEW" }`},
		{"of a constant", "const h = 'old'\nexport const agent = { hash: h }\n",
			"const h = 'old'\nexport const agent = { hash: 'NEW' }\n"},
		{"in short", "const hash = 'old'\nexport const agent = { a: 'x', hash }\n",
			"const hash = 'old'\nexport const agent = { a: 'x', hash: 'NEW' }\n"},
		{"twice", "export const agent = { hash: 'a', hash: 'b' }\n",
			"export const agent = { hash: 'a', hash: 'NEW' }\n"},
		{"no text", "export const agent = { hash: null, a: 1 }", "export const agent = { hash: 'NEW', a: 1 }"},
		{"inserted", "export const agent = {\n    name: 'x',\n    tools: {\n        a: null\n    } // c\n}\n",
			"export const agent = {\n    name: 'x',\n    tools: {\n        a: null\n    }, // c\n    hash: 'NEW'\n}\n"},
		{"inserted after a comma", "export const agent = {\n\tname: 'x',\n\ttools: {},\n};\n",
			"export const agent = {\n\tname: 'x',\n\ttools: {},\n\thash: 'NEW',\n};\n"},
		{"inserted in one line", "export const agent = { name: 'x', tools: {} }", "export const agent = { name: 'x', " +
			"tools: {}, hash: 'NEW' }"},
	} {
		s, err := ReadSource(tt.before, "agent")
		if err != nil {
			t.Fatal(tt.name, err)
		}
		got, err := s.SetText("hash", "NEW")
		if err != nil || got != tt.after {
			t.Errorf("%s: %v\n got %q\nwant %q", tt.name, err, got, tt.after)
		}
		again, err := ReadSource(got, "agent")
		if err != nil || again.Value().Get("hash").Str() != "NEW" {
			t.Errorf("%s: %v: read again, the hash is %s", tt.name, err, again.Value().Get("hash").Str())
		}
	}
}

func TestSetTextRefuses(t *testing.T) {
	s, err := ReadSource("export const agent = {}\n", "agent")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := s.SetText("hash", "NEW"); err == nil || !strings.Contains(err.Error(), "agent.hash") {
		t.Errorf("%q, %v", got, err)
	}
}
