package module_test

import (
	"errors"
	"testing"

	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/words"
)

// What authors get wrong most often comes with what to do about it.
func TestMistakes(t *testing.T) {
	for _, tt := range []struct{ src, message, fix string }{
		{"{ a: 'x'\n  b: 1 }", "unexpected 'b', expected , or }", "write a comma after the value before it"},
		{"{ a: [ 'x' 'y' ] }", `unexpected '\'', expected , or ]`, "write a comma after the value before it"},
		{"{ a: {}\n  'b': 1 }", `unexpected '\'', expected , or }`, "write a comma after the value before it"},
		{"{ a: 'x'; b: 1 }", "unexpected ';', expected , or }", "write a comma in place of the semicolon"},
		{"{ a: 'it's', b: 1 }", "unexpected 's', expected , or }",
			`write \' for a quote inside a text, or put the text between backquotes`},
		{"{ a = 1 }", "unexpected '=' after the key \"a\", expected :", "write : in place of ="},
		{"{ a-b: 1 }", "unexpected '-' after the key \"a\", expected :", "put a key that has a - in it between quotes"},
		{"{ a 'x' }", "unexpected '\\'' after the key \"a\", expected :", "write : between the key and its value"},
		{"{ a b: 1 }", "unexpected 'b' after the key \"a\", expected :", "write : between the key and its value"},
		{"{ a: 1,, b: 1 }", "unexpected ',', expected a key or }", "remove the comma"},
		{"{ a: “x” }", "unexpected '“', expected a value", "write ' in place of the typographic quotes"},
		{"{\n  a: 'x\n}", "string is not closed before the end of the line, expected '",
			"write ' at the end of the text; a text of several lines needs backquotes"},
		{"{\n  a: {\n    b: 1\n}", "unexpected end of file, expected , or }", "add the } that closes the { of line 1"},
		{"{\n  a: [\n    {}\n}", "unexpected }, expected ]", "add the ] that closes the [ of line 2"},
		{"{\n  a: `${ ( 1 }`\n}", "unexpected }, expected )", "add the ) that closes the ( of line 2"},
		{"{ a: 1 b }", "unexpected 'b', expected , or }", "write a comma after the value before it"},
		{"{ a: }", "unexpected '}', expected a value", ""},
	} {
		_, err := module.Tokenize("export const main = " + tt.src + "\n").Module()
		var syntax *words.SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("%s: %v, want a syntax error", tt.src, err)
			continue
		}
		if syntax.Message != tt.message || syntax.Fix != tt.fix {
			t.Errorf("%s\n got %s (%s)\nwant %s (%s)", tt.src, syntax.Message, syntax.Fix, tt.message, tt.fix)
		}
	}
}
