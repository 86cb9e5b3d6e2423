package stage

import (
	"testing"

	"github.com/flowmcp/fmcp/pkg/record/recordtest"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// A name that is not UTF-8 cannot be in a record: the file is named as well as
// can be, and the next command gets lines that it can read.
func TestScanNameNotUTF8(t *testing.T) {
	for _, f := range []walk.File{{Root: "c", Path: "providers/a/x\xff.mjs"}, {Root: "c\xfe", Path: "x.mjs"}} {
		out := (&file{File: f}).scan(ScanOptions{})
		if len(out) != 1 {
			t.Fatalf("%q: %d records", f.Path, len(out))
		}
		line := out[0].Rec.AppendJSON(nil)
		recordtest.Lines(t, append(line, '\n'))
		if got := brief(t, string(line)); got != "error LOD002" {
			t.Errorf("%q: %s", f.Path, got)
		}
	}
}

// What a module with a syntax error seems to export decides what it is.
func TestExportLines(t *testing.T) {
	tests := []struct{ text, want string }{
		{"const a = 'x\nexport const main = {}\nexport function handlers() {}", "main handlers"},
		{"export { a as list,\n b }\nconst x = ;", "list b"},
		{"  export const main = {}", ""},
		{"export", ""},
		{"exported = 1", ""},
	}
	for _, tt := range tests {
		got := ""
		for i, name := range exportLines(tt.text) {
			if i > 0 {
				got += " "
			}
			got += name
		}
		if got != tt.want {
			t.Errorf("%q: %q, want %q", tt.text, got, tt.want)
		}
	}
}
