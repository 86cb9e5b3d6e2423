package module

import (
	"fmt"
	"strings"
	"testing"
)

// A short source must not stand for a value that no memory holds, nor for one
// that takes minutes to read.
func TestHostileConstants(t *testing.T) {
	doubled := func(first, format string) string {
		var b strings.Builder
		b.WriteString("const e0 = " + first + "\n")
		for i := range 60 {
			fmt.Fprintf(&b, "const e%d = "+format+"\n", i+1, i, i)
		}
		return b.String() + "export const main = { a: e60 }\n"
	}
	many := "const big = '" + strings.Repeat("x", 1<<20) + "'\n"
	for i := range 200 {
		many += fmt.Sprintf("const c%d = big + 'y'\n", i)
	}
	nested := "const e0 = 1\n"
	for i := range 200 {
		nested += fmt.Sprintf("const e%d = [[e%d]]\n", i+1, i)
	}
	for name, tt := range map[string][2]string{
		"arrays":  {doubled("[1]", "[e%d, e%d]"), "constants stand for more than 8 MiB of data"},
		"objects": {doubled("{}", "{ a: e%d, b: e%d }"), "constants stand for more than 8 MiB of data"},
		"shorthand": {strings.ReplaceAll(doubled("{}", "{ a: [e%d], b: e%d }"), "{ a: e60 }", "{ e60 }"),
			"constants stand for more than 8 MiB of data"},
		"strings":         {doubled("'xxxxxxxx'", "e%d + e%d"), "constants stand for more than 8 MiB of data"},
		"nesting":         {nested, "brackets nested deeper than 100 levels"},
		"one string each": {many, "constants stand for more than 8 MiB of data"},
	} {
		if _, err := Read(tt[0]); err == nil || !strings.HasPrefix(err.Error(), tt[1]) {
			t.Errorf("%s: %v, want %s", name, err, tt[1])
		}
	}
}

func TestLongSums(t *testing.T) {
	const n = 300_000
	m, err := Read("const a = 'b'\nexport const main = { s: " + strings.Repeat("'x' + ", n) +
		"1 + a + 1, n: 1 + 2 + '3' + 4, m: 'a' + -1 + null }")
	if err != nil {
		t.Fatal(err)
	}
	v, err := m.Value("main")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := v.Get("s").Str(), strings.Repeat("x", n)+"1b1"; got != want {
		t.Errorf("%d bytes that end in %q", len(got), got[max(0, len(got)-5):])
	}
	if got := v.Get("n").Str() + " " + v.Get("m").Str(); got != "334 a-1null" {
		t.Errorf("%q", got)
	}
}

// What code may change is found through constants of constants, once each.
func TestManyConstantsThatCodeMayChange(t *testing.T) {
	var b strings.Builder
	b.WriteString("const c0 = { a: 1 }\n")
	const n = 20_000
	for i := range n {
		fmt.Fprintf(&b, "const c%d = { a: c%d }\n", i+1, i%50)
	}
	m, err := Read(b.String() + "c0.a = 2\nexport const main = { a: c" + fmt.Sprint(n) +
		" }\nexport const other = { a: 1 }")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Value("main"); err == nil {
		t.Error("main is literal, though c0 is changed")
	}
	if _, err := m.Value("other"); err != nil {
		t.Errorf("other: %v", err)
	}
}

// The names of handlers are looked up, not searched for each time.
func TestManyHandlers(t *testing.T) {
	var names, returns strings.Builder
	const n = 60_000
	for i := range n {
		fmt.Fprintf(&names, "h%d,", i)
		returns.WriteString("return h\n")
	}
	for name, src := range map[string]string{
		"names":   "export const handlers = () => { const h0 = { preRequest() {} }; return {" + names.String() + "} }",
		"returns": "export const handlers = () => {\n" + returns.String() + "const h = { h0: { preRequest() {} } } }",
	} {
		m, err := Read(src)
		if err != nil {
			t.Fatal(err)
		}
		if h := m.Handlers[0]; h.Name != "h0" || len(h.Stages) != 1 {
			t.Errorf("%s: %+v", name, h)
		}
	}
}
