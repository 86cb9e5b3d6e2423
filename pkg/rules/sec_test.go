package rules_test

import (
	"testing"

	"github.com/flowmcp/fmcp/pkg/forbidden"
	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
)

func TestForbiddenSeverity(t *testing.T) {
	for code, want := range map[string]record.Severity{"SEC001": record.SeverityError, "SEC015": record.SeverityWarning,
		"SEC016": record.SeverityWarning, "SEC204": record.SeverityError} {
		d := rules.Forbidden(forbidden.Finding{Code: code, Msg: "m"}, "a/b", "c/a/b.mjs")
		if d.Severity != want || d.Code != code || d.Subject != "a/b" || d.Loc.Path != "c/a/b.mjs" ||
			d.Message != "m" || d.Fix == "" {
			t.Errorf("%+v, want severity %s", d, want)
		}
	}
}

// What cannot be read has the fix of its syntax error.
func TestForbiddenUnread(t *testing.T) {
	for src, want := range map[string]string{
		"export const main = {\n": "add the } that closes the { of line 1",
		"export const main = @":   "Correct the syntax at the place named.",
	} {
		found := forbidden.Scan(module.Tokenize(src), forbidden.Options{Read: true})
		if len(found) != 1 || rules.Forbidden(found[0], "", "").Fix != want {
			t.Errorf("%s: %+v, want the fix %s", src, found, want)
		}
	}
}

// Findings say what was found as it is written, what it stands for, and what is
// expected.
func TestForbiddenWords(t *testing.T) {
	for _, tt := range []struct {
		src  string
		list bool
		want string
	}{
		{"process.env", false, "forbidden \"process.\": a schema does not use `process`"},
		{"const p = process", false, "forbidden \"process\": a schema does not use `process`"},
		{"ev\\u0061l('1')", false, `forbidden "ev\\u0061l(", which is "eval": a schema does not evaluate text as code`},
		{"import { a } from 'a'", false, `forbidden "import {" of "a": a schema imports nothing`},
		{"process.env", true, "forbidden \"process.\": a shared list does not use `process` (SEC006)"},
		{"for( a of b ) {}", true, "found a statement \"for\", which makes code of a shared list"},
		{"export const main = { a: undefined }", false, "main.a: found undefined, expected a value that JSON has"},
		{"export const list = { a: f() }", true,
			"list is not a literal: the name `f` makes it code, and a shared list is data"},
	} {
		found := forbidden.Scan(module.Tokenize(tt.src), forbidden.Options{List: tt.list})
		if len(found) != 1 {
			t.Errorf("%s: %+v", tt.src, found)
			continue
		}
		if d := rules.Forbidden(found[0], "", ""); d.Message != tt.want || d.Fix == "" {
			t.Errorf("%s: %s (%s), want %s", tt.src, d.Message, d.Fix, tt.want)
		}
	}
}
