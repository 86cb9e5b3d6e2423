package rules_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
)

func TestReadIgnores(t *testing.T) {
	ig := func(line, col, about int, reason string, codes ...string) record.Ignore {
		return record.Ignore{Line: line, Col: col, For: about, Codes: codes, Reason: reason}
	}
	tests := []struct {
		src  string
		want []record.Ignore
	}{
		{"export const main = {}", nil},
		{"a = 1 // fmcp-ignore VAL001 why not", []record.Ignore{ig(1, 7, 1, "why not", "VAL001")}},
		{"// fmcp-ignore VAL001 why\na = 1", []record.Ignore{ig(1, 1, 2, "why", "VAL001")}},
		{"a = 1\n// fmcp-ignore VAL001 why\n\n// and more\nb = 2", []record.Ignore{ig(2, 1, 5, "why", "VAL001")}},
		{"a = 1\r\n  /* fmcp-ignore VAL001,VAL002, VAL003 why */ b = 2",
			[]record.Ignore{ig(2, 3, 2, "why", "VAL001", "VAL002", "VAL003")}},
		{"/*\n * fmcp-ignore VAL001\n */\na", nil}, // the comment does not start with the word
		{"/* fmcp-ignore VAL001\n   why\n   so */\na", []record.Ignore{ig(1, 1, 4, "why so", "VAL001")}},
		{"a // fmcp-ignore VAL001\nb // fmcp-ignore VAL002 x",
			[]record.Ignore{ig(1, 3, 1, "", "VAL001"), ig(2, 3, 2, "x", "VAL002")}},
		{"// fmcp-ignore VAL001 x\n// fmcp-ignore VAL002 y\na",
			[]record.Ignore{ig(1, 1, 3, "x", "VAL001"), ig(2, 1, 3, "y", "VAL002")}},
		{"a // fmcp-ignore VAL001,VAL002: why", []record.Ignore{ig(1, 3, 1, "why", "VAL001", "VAL002")}},
		{"//fmcp-ignore", []record.Ignore{ig(1, 1, 1, "")}},
		{"a // fmcp-ignore VAL001 , VAL002 x", []record.Ignore{ig(1, 3, 1, "x", "VAL001", "VAL002")}},
		{"a = '// fmcp-ignore VAL001 x' + `/* fmcp-ignore VAL001 x */` + /[/] fmcp-ignore/", nil},
		{"a // fmcp-ignore VAL001 x\n'open", nil}, // no module, so nothing is reported that could be ignored
	}
	for _, tt := range tests {
		if got := rules.ReadIgnores(module.Tokenize(tt.src)); !reflect.DeepEqual(got, tt.want) &&
			len(got)+len(tt.want) > 0 {
			t.Errorf("%q:\n%+v, want\n%+v", tt.src, got, tt.want)
		}
	}
}

// A finding whose line is not known is reported, and its comment is not said
// to be of no use.
func TestIgnoresWithoutLines(t *testing.T) {
	list := []record.Ignore{{Line: 1, Col: 1, For: 2, Codes: []string{"CMP010"}, Reason: "x"}}
	g := rules.NewIgnores(list)
	if g.Cover(&record.Diagnostic{Code: "CMP010"}) {
		t.Error("a finding without a line is ignored")
	}
	if found := g.Findings(&record.Load{}, "", nil); len(found) > 0 {
		t.Errorf("found %s", found[0].Message)
	}
	g = rules.NewIgnores(list)
	g.Cover(&record.Diagnostic{Code: "CMP007", Loc: record.Loc{Line: 2}})
	if found := g.Findings(&record.Load{}, "", nil); len(found) != 1 || found[0].Code != "CMP016" {
		t.Errorf("%d findings, want CMP016", len(found))
	}
	if rules.NewIgnores(nil).Cover(&record.Diagnostic{}) {
		t.Error("no comment ignores a finding")
	}
}

func FuzzReadIgnores(f *testing.F) {
	f.Add("a // fmcp-ignore VAL001, VAL002 x\n/* fmcp-ignore */ b")
	f.Add("/* fmcp-ignore VAL001")
	f.Fuzz(func(t *testing.T, src string) {
		lines := strings.Count(src, "\n") + strings.Count(src, "\r") + 1
		for _, ig := range rules.ReadIgnores(module.Tokenize(src)) {
			if ig.Line < 1 || ig.For < ig.Line || ig.For > lines || ig.Col < 1 {
				t.Fatalf("%+v in %d lines", ig, lines)
			}
		}
	})
}

// What is wrong with a code is corrected in the comment, and nothing else changes.
func TestIgnoreEdits(t *testing.T) {
	const main = "export const main = {}\n"
	for _, tt := range []struct{ src, want string }{
		{"// fmcp-ignore CMP010 x\n" + main, main},
		{"\t// fmcp-ignore CMP010 x\r\nexport const main = {}\r\n", "export const main = {}\r\n"},
		{"export const main = {} // fmcp-ignore CMP010 x\n", main},
		{"export const main = {} /* fmcp-ignore CMP010 x */ ;\n", "export const main = {} ;\n"},
		{"/* fmcp-ignore CMP010 x */ export const main = {}\n", main},
		{"// fmcp-ignore CMP010: x\nexport const main = { a: '// fmcp-ignore CMP010 x' }\n",
			"export const main = { a: '// fmcp-ignore CMP010 x' }\n"},
		{"// fmcp-ignore VAL001,CMP010 x\n" + main, "// fmcp-ignore VAL001 x\n" + main},
		{"// fmcp-ignore CMP010, VAL001: x\n" + main, "// fmcp-ignore VAL001: x\n" + main},
		{"// fmcp-ignore VAL001 , CMP010 , SEC001 x\n" + main, "// fmcp-ignore VAL001 x\n" + main},
		{"// fmcp-ignore val001 x\n" + main, "// fmcp-ignore VAL001 x\n" + main},
		{"// fmcp-ignore RES006 x\n" + main, "// fmcp-ignore RES028 x\n" + main},
		{"// fmcp-ignore VAL999 x\n" + main, "// fmcp-ignore VAL999 x\n" + main},
		{"// fmcp-ignore VAL001 x\n" + main, "// fmcp-ignore VAL001 x\n" + main},
		{"// fmcp-ignore CMP010\n" + main, "// fmcp-ignore CMP010\n" + main},
		{"export const main = {} // fmcp-ignore CMP010 x", "export const main = {}"},
	} {
		got := tt.src
		for range 3 { // of several codes one after the other
			tokens := module.Tokenize(got)
			source, err := edit.ReadSource(got, "main")
			if err != nil {
				t.Fatal(err)
			}
			g := rules.NewIgnores(rules.ReadIgnores(tokens))
			line := strings.Count(strings.SplitAfter(got, "export")[0], "\n") + 1
			for _, code := range []string{"VAL001", "RES028"} {
				g.Cover(&record.Diagnostic{Code: code, Loc: record.Loc{Line: line}})
			}
			for _, d := range g.Findings(&record.Load{}, "", func() *edit.Source { return source }) {
				if d.Edits == nil {
					continue
				}
				if d.Safe() {
					t.Errorf("%q: %s is safe", tt.src, d.Code)
				}
				if got, err = edit.Apply(got, d.Edits); err != nil {
					t.Fatal(err)
				}
				break
			}
		}
		if got != tt.want {
			t.Errorf("%q becomes %q, want %q", tt.src, got, tt.want)
		}
	}
}
