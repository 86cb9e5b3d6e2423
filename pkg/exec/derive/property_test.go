package derive

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/exec"
	"github.com/flowmcp/fmcp/pkg/forbidden"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
)

// dice makes values of the bytes of a fuzz target, or at random.
type dice struct {
	bytes []byte
	rnd   *rand.Rand
}

func (d *dice) roll(n int) int {
	if d.rnd != nil {
		return d.rnd.IntN(n)
	}
	if len(d.bytes) == 0 {
		return 0
	}
	b := d.bytes[0]
	d.bytes = d.bytes[1:]
	return int(b) % n
}

var dieKeys = []string{"a", "b", "c", "1", "it's", "__proto__", "a b", "eval", "ü", "x\ny", "constructor", "type"}

// value makes a response, or a part of one.
func (d *dice) value(depth int) ordjson.Value {
	kinds := 9
	if depth > 7 {
		kinds = 5
	}
	switch d.roll(kinds) {
	case 0:
		return ordjson.NewNull()
	case 1:
		return ordjson.NewBool(d.roll(2) == 0)
	case 2:
		return ordjson.NewNumberText([]string{"0", "-1.5", "12345678901234567890", "1e300"}[d.roll(4)])
	case 3, 4:
		return ordjson.NewString([]string{"", "x", "[REDACTED:KEY]", "2026-01-01T00:00:00Z",
			"iVBORw0KGgoAAA"}[d.roll(5)])
	case 5, 6:
		list := make([]ordjson.Value, d.roll(4))
		for i := range list {
			list[i] = d.value(depth + 1)
		}
		return ordjson.NewArray(list...)
	}
	v := ordjson.NewObject()
	for range d.roll(5) {
		v = v.With(dieKeys[d.roll(len(dieKeys))], d.value(depth+1))
	}
	return v
}

// declared makes a schema as a source may have it, right or wrong.
func (d *dice) declared(depth int) ordjson.Value {
	v := ordjson.NewObject()
	for range d.roll(6) {
		switch d.roll(9) {
		case 0, 1, 2:
			v = v.With("type", ordjson.NewString([]string{"object", "array", "string", "number", "boolean", "integer",
				"text"}[d.roll(7)]))
		case 3:
			v = v.With("nullable", ordjson.NewBool(d.roll(2) == 0))
		case 4:
			v = v.With("enum", ordjson.NewArray(d.value(8), d.value(8)))
		case 5:
			v = v.With([]string{"format", "description", "pattern"}[d.roll(3)], d.value(8))
		case 6, 7:
			if depth < 7 {
				v = v.With("properties", ordjson.NewObject(ordjson.Field("a", d.declared(depth+1)),
					ordjson.Field("b", d.value(7))))
			}
		case 8:
			if depth < 7 {
				v = v.With("items", d.declared(depth+1))
			}
		}
	}
	return v
}

// checkDerived derives an output of rolled responses and writes it into a
// source. The result must be free of findings, and no response may deviate.
func checkDerived(t *testing.T, d *dice) (derived bool) {
	old := ordjson.Value{}
	if d.roll(2) == 0 {
		old = ordjson.NewObject(ordjson.Field("mimeType",
			ordjson.NewString([]string{model.MIMEJSON, model.MIMEPNG, model.MIMEText}[d.roll(3)])),
			ordjson.Field("schema", d.declared(1)))
	}
	m := NewMerger(old)
	responses := make([]ordjson.Value, 1+d.roll(4))
	for i := range responses {
		if responses[i] = d.value(0); i > 0 && d.roll(2) == 0 {
			responses[i] = responses[0]
		}
		m.Add(responses[i], []string{"", model.MIMEText, model.MIMEJSON}[d.roll(3)])
	}
	out, findings := m.Output()
	if !out.Exists() {
		if len(findings) == 0 {
			t.Errorf("no output of %s, and no word about it", ordjson.Text(ordjson.NewArray(responses...)))
		}
		return false
	}
	src := "export const main = {\n    schemaVersion: '1.0.0', schemaHash: 'HASH',\n    tools: {\n        a: {\n" +
		"            method: 'GET'\n        }\n    }\n}\n"
	s, err := edit.ReadSource(src, "main")
	if err != nil {
		t.Fatal(err)
	}
	s, err = edit.ReadSource(strings.Replace(src, "HASH", record.SchemaHash(s.Value()), 1), "main")
	if err != nil {
		t.Fatal(err)
	}
	text, err := s.Patch([]edit.Edit{{Pointer: "/tools/a", Output: out}})
	if err != nil {
		t.Fatalf("%s: %v", ordjson.Text(out), err)
	}
	s, err = edit.ReadSource(text, "main")
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	checkSource(t, s.Value(), text)
	schema, _ := ordjson.Lookup(s.Value(), "/tools/a/output/schema")
	for _, r := range responses {
		for _, w := range exec.CheckOutput(schema, r) {
			t.Errorf("%s\nof %s\nagainst %s", w, ordjson.Text(r), ordjson.Text(schema))
		}
	}
	return true
}

// checkSource checks a patched source against the rules: those of outputs, of
// the hash, and of forbidden code.
func checkSource(t *testing.T, main ordjson.Value, text string) {
	t.Helper()
	load := &record.Load{Type: record.TypeSchema, ID: "x/a", Static: true, Data: main, Exports: []string{"main"}}
	load.Hashes.Schema = record.SchemaHash(main)
	for _, f := range rules.Check(load, &rules.Context{}) {
		if code := f.Rule.Code; strings.HasPrefix(code, "VAL06") || strings.HasPrefix(code, "VAL07") ||
			code == "CMP006" || code == "VAL003" && strings.Contains(f.Pointer, "output") {
			t.Errorf("%s %s\n%s", code, f.Message, text)
		}
	}
	found := forbidden.Scan(module.Tokenize(text), forbidden.Options{})
	for _, f := range found {
		t.Errorf("%s at %d\n%s", f.Code, f.Start, text)
	}
}

func TestDerivedOutputsHold(t *testing.T) {
	d := &dice{rnd: rand.New(rand.NewPCG(1, 2))}
	derived := 0
	for range 5000 {
		if checkDerived(t, d) {
			derived++
		}
	}
	if derived < 1000 {
		t.Errorf("only %d outputs were derived", derived)
	}
}

func FuzzOutput(f *testing.F) {
	f.Add([]byte("\x01\x08\x05\x03\x02\x01"))
	f.Add([]byte{0, 0, 0, 5, 6, 0, 0, 1, 6, 2, 8, 4, 0, 5, 3, 1})
	f.Fuzz(func(t *testing.T, data []byte) { checkDerived(t, &dice{bytes: data}) })
}

// Keys are untrusted: whatever they are, the source says them, and says
// nothing beside them.
func TestPatchWithHostileKeys(t *testing.T) {
	keys := []string{"'", `"`, `\`, "*/", "//", "${x}", "`", "\n", "\r", "\u2028", "\x00", "\x1b[2J", "\u202e",
		"\u200b", "\U000e0041", "\xed\xa0\x80", "𝒳", "1", "-1", "1e3", "", "a b",
		"eval", "import", "export", "require", "process", "Function", "constructor", "preRequest", "fetch", "get",
		"set", "async", "function", "class", "undefined", "{{SERVER_PARAM:KEY}}", "</script>", "ü"}
	m := NewMerger(ordjson.Value{})
	var members []ordjson.Member
	for _, k := range keys {
		members = append(members, ordjson.Field(k, ordjson.NewInt(1)))
	}
	m.Add(ordjson.NewObject(members...), "")
	out, _ := m.Output()
	if out.Get("schema").Get("properties").Len() != len(keys) {
		t.Fatalf("%d of %d keys: %s", out.Get("schema").Get("properties").Len(), len(keys), ordjson.Text(out))
	}
	s, err := edit.ReadSource("export const main = { tools: {\n    a: {\n        method: 'GET'\n    }\n} }\n", "main")
	if err != nil {
		t.Fatal(err)
	}
	after, err := s.Patch([]edit.Edit{{Pointer: "/tools/a", Output: out}})
	if err != nil {
		t.Fatal(err)
	}
	for _, hidden := range []string{"\x00", "\x1b", "\u202e", "\u200b", "\u2028", "\U000e0041", "\r"} {
		if strings.Contains(after, hidden) {
			t.Errorf("the source has %q unescaped", hidden)
		}
	}
}
