package record_test

import (
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/record/recordtest"
)

const placed = `// a comment
const shared = { deep: [ 1, { x: 'y' } ] };
export const main = {
	a: 'ä€😀', "b": [ { c: 1 }, { c: -2, d: 3 } ],
	'e/f': { g: shared, h: [ , 'x' + 'y' ] }, 7: null,
};
export const handlers = () => ({ t: { preRequest() {},
	postRequest: () => 1 }, r: { q: { postRequest() {} } } })
`

func loadOf(t testing.TB, src string) *record.Load {
	t.Helper()
	mod, err := module.Read(src)
	if err != nil {
		t.Fatal(err)
	}
	v, err := mod.Value("main")
	if err != nil {
		t.Fatal(err)
	}
	return &record.Load{
		Type: record.TypeSchema, ID: "a/b", Src: record.Source{Path: "b.mjs", FileHash: record.Hash([]byte(src))},
		Data: v, Static: true,
		Hashes:  record.Hashes{File: record.Hash([]byte(src))},
		Exports: mod.Exports, Handlers: mod.Handlers, Places: record.NewPlaces(v, mod.HandlersAt, module.NewLines(src)),
	}
}

// After a record has gone through a stream, the places in it are those of the
// values in the source.
func TestPlaces(t *testing.T) {
	load := loadOf(t, placed)
	line := load.AppendJSON(nil)
	if err := recordtest.Check(line); err != nil {
		t.Fatal(err)
	}
	_, rec, _, err := record.Decode(string(line))
	if err != nil {
		t.Fatal(err)
	}
	find := rec.(*record.Load).Find()
	lines := module.NewLines(placed)
	for _, pointer := range []string{
		"", "/a", "/b", "/b/0", "/b/0/c", "/b/1/d", "/b/1/missing", "/b/9", "/e~1f/g", "/e~1f/g/deep/1/x", "/e~1f/h/0",
		"/e~1f/h/1", "/7", "/none/of/it", "no pointer",
	} {
		_, offset := ordjson.Lookup(load.Data, pointer)
		wantLine, wantCol := lines.Position(offset)
		if line, col := find.Value(pointer); line != wantLine || col != wantCol {
			t.Errorf("%q stands at %d:%d, want %d:%d", pointer, line, col, wantLine, wantCol)
		}
	}
	for handler, want := range map[string]string{
		"": "() => ({", "*": "() => ({", "t": "t: {", "t/preRequest": "preRequest", "t/postRequest": "postRequest:",
		"r/q":             "q: {",
		"r/q/postRequest": "postRequest() {} } }", "t/other": "() => ({",
	} {
		wantLine, wantCol := lines.Position(strings.Index(placed, want))
		if line, col := find.Handler(handler); line != wantLine || col != wantCol {
			t.Errorf("handler %q stands at %d:%d, want %d:%d", handler, line, col, wantLine, wantCol)
		}
	}
}

// A record that someone wrote has no places, too few, or none that make sense.
func TestUntrustedPlaces(t *testing.T) {
	for _, text := range []string{"", "C", "CC", "CCC", "C CCCC", "DDDDDDDD", "CC!", "gggggggggggggggg",
		strings.Repeat("C", 1000), "+/+/+/+/"} {
		load := loadOf(t, placed)
		load.Places = record.Places(text)
		find := load.Find()
		for _, pointer := range []string{"", "/a", "/b/1/d", "/none"} {
			if line, col := find.Value(pointer); (line > 0) != (col > 0) || line < 0 {
				t.Errorf("%q: %q stands at %d:%d", text, pointer, line, col)
			}
		}
		if line, col := find.Handler("t"); (line > 0) != (col > 0) || line < 0 {
			t.Errorf("%q: a handler stands at %d:%d", text, line, col)
		}
	}
}

// Of a text of several lines each {{ has a place, and of one that is computed all
// have that of the text.
func TestPlacesInTexts(t *testing.T) {
	src := strings.ReplaceAll(`const hint = ´{{six}}
´
export const main = {
	text: ´{{one}}
 \´two\´ {{{two}}´, sum: '{{three}}\n' + '{{four}}' + hint, line: '{{five}}', hint,
}
`, "´", "`")
	load := loadOf(t, src)
	find, lines := load.Find(), module.NewLines(src)
	for _, c := range []struct{ pointer, in, want string }{
		{"/text", "{{one", "{{one"},
		{"/text", "{{{two", "{{{two"},
		{"/text", "{{two", "{{two"},
		{"/text", "one", "text:"},
		{"/sum", "{{three", "{{three"},
		{"/sum", "{{four", "{{four"},
		{"/sum", "{{six", "sum:"},
		{"/line", "{{five", "line:"},
		{"/hint", "{{six", "{{six"},
		{"", "{{one", "{\n"},
	} {
		v, _ := ordjson.Lookup(load.Data, c.pointer)
		wantLine, wantCol := lines.Position(strings.Index(src, c.want))
		if c.want == "{\n" {
			wantLine, wantCol = lines.Position(strings.Index(src, "= {\n") + 2)
		}
		if line, col := find.Text(c.pointer, strings.Index(v.Str(), c.in)); line != wantLine || col != wantCol {
			t.Errorf("%q in %q stands at %d:%d, want %d:%d", c.in, c.pointer, line, col, wantLine, wantCol)
		}
	}
}
