package sharedlist

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestNewListProblems(t *testing.T) {
	tests := []struct{ in, want string }{
		{chainsList, ""},
		{`null`, "LST001"},
		{`{"meta":{"version":"1.0.0","fields":[{"key":"k"}]},"entries":[{}]}`, "LST002"},
		{`{"meta":{"name":"a","version":"1.0","fields":[{"key":"k"}]},"entries":[{}]}`, "LST003"},
		{`{"meta":{"name":"a","version":"01.0.0","fields":[{"key":"k"}]},"entries":[{}]}`, "LST003"},
		{`{"meta":{"name":"a","version":"1.0.0","fields":{}},"entries":[{}]}`, "LST004"},
		{`{"meta":{"name":"a","version":"1.0.0","fields":[{"key":"k"}]},"entries":7}`, "LST006"},
		{`{}`, "LST002 LST003 LST004 LST006"},
	}
	for _, tt := range tests {
		_, problems := NewList(listLoad("_lists/a.mjs", tt.in))
		var codes []string
		for _, p := range problems {
			codes = append(codes, p.Code)
		}
		if got := strings.Join(codes, " "); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestAddNamesBothFiles(t *testing.T) {
	ls := listsOf(t, simpleList("a", "1.0.0"))
	second, _ := NewList(listLoad("_lists/other.mjs", simpleList("a", "2.0.0")))
	p := ls.Add(second)
	if p == nil || p.Code != "LST002" {
		t.Fatalf("Add of a second list: %v", p)
	}
	for _, want := range []string{"cat/_lists/a.mjs", "cat/_lists/other.mjs", "1.0.0", "2.0.0"} {
		if !strings.Contains(p.Message, want) {
			t.Errorf("message does not name %s: %s", want, p.Message)
		}
	}
	nameless, _ := NewList(listLoad("_lists/b.mjs", simpleList("", "1.0.0")))
	if p := ls.Add(nameless); p == nil || p.Code != "LST002" {
		t.Errorf("Add of a list without a name: %v", p)
	}
	if got := ls.Lookup("a"); got.Version != "1.0.0" || len(ls.All()) != 1 {
		t.Errorf("the second list replaced the first: %v", got)
	}
}

func TestResolveReference(t *testing.T) {
	tests := []struct {
		ref string
		ok  bool
	}{
		{`{"ref":"chains","version":"1.2.0"}`, true},
		{`{"ref":"chains","version":"1.0.0"}`, true},
		{`{"ref":"chains","version":"1.1.9"}`, true},
		{`{"name":"chains","version":"1.2.0","filter":{"field":"slug","exists":true}}`, true},
		{`"chains"`, false},
		{`{"version":"1.2.0"}`, false},
		{`{"ref":"chains"}`, false},
		{`{"ref":"chains","version":"latest"}`, false},
		{`{"ref":"chain","version":"1.2.0"}`, false},
		{`{"name":"nope","version":"1.2.0"}`, false},
		{`{"ref":"chains","version":"1.2.1"}`, false},
		{`{"ref":"chains","version":"1.3.0"}`, false},
		{`{"ref":"chains","version":"2.0.0"}`, false},
		{`{"ref":"chains","version":"0.9.0"}`, false},
		{`{"ref":"chains","version":"1.2.0","filter":7}`, false},
		{`{"ref":"chains","version":"1.2.0","filter":{"exists":true}}`, false},
		{`{"ref":"chains","version":"1.2.0","filter":{"key":"slug"}}`, false},
		{`{"ref":"chains","version":"1.2.0","filter":{"key":"slug","exists":"yes"}}`, false},
		{`{"ref":"chains","version":"1.2.0","filter":{"key":"slug","in":"eth"}}`, false},
		{`{"ref":"chains","version":"1.2.0","filter":{"key":"slgu","exists":true}}`, false},
	}
	ls := listsOf(t, chainsList)
	for _, tt := range tests {
		if l, _, ok := ls.Resolve(refsOf("[" + tt.ref + "]")[0]); ok != tt.ok || ok && l.Name != "chains" {
			t.Errorf("%s: %v, %t", tt.ref, l, ok)
		}
	}
}

func TestFilter(t *testing.T) {
	tests := []struct{ filter, want, text string }{
		{``, "ethereum polygon sepolia base", ""},
		{`,"filter":{"key":"slug","exists":true}`, "ethereum sepolia", "slug exists"},
		{`,"filter":{"key":"slug","exists":false}`, "polygon base", "slug does not exist"},
		{`,"filter":{"key":"test","value":false}`, "ethereum polygon base", "test = false"},
		{`,"filter":{"key":"id","value":"1"}`, "", `id = "1"`},
		{`,"filter":{"key":"id","in":[1,8453.0,7]}`, "ethereum base", "id in [1,8453.0,7]"},
		{`,"filter":{"key":"id","in":[]}`, "", "id in []"},
		{`,"filter":{"field":"slug","exists":true,"value":"eth"}`, "ethereum sepolia", `slug exists, slug = "eth"`},
	}
	list := listsOf(t, chainsList).Lookup("chains")
	for _, tt := range tests {
		f, ok := NewFilter(refsOf(`[{"ref":"chains","version":"1.2.0"` + tt.filter + `}]`)[0])
		if !ok {
			t.Errorf("%s is no filter", tt.filter)
			continue
		}
		got := strings.Join(Values(f.Select(list.Entries), "alias"), " ")
		if got != tt.want || f.String() != tt.text {
			t.Errorf("%s: %q %q, want %q %q", tt.filter, got, f, tt.want, tt.text)
		}
	}
}

func TestDependencies(t *testing.T) {
	cond := func(field, value string) string {
		return strings.Replace(simpleList("b", "1.0.0", "a@1.0.0"), `"version":"1.0.0"}]`,
			`"version":"1.0.0","condition":{"field":"`+field+`","value":`+value+`}}]`, 1)
	}
	tests := []struct {
		name  string
		lists []string
		want  []string // code and a part of the message
	}{
		{"depth 3", []string{simpleList("a", "1.0.0"), simpleList("b", "1.0.0", "a@1.0.0"),
			simpleList("c", "1.0.0", "b@1.0.0", "a@1.0.0")}, nil},
		{"depth 4", []string{simpleList("d", "1.0.0", "c@1.0.0"), simpleList("a", "1.0.0"),
			simpleList("b", "1.0.0", "a@1.0.0"), simpleList("c", "1.0.0", "b@1.0.0")},
			[]string{"LST011 d -> c -> b -> a"}},
		{"depth 5", []string{simpleList("e", "1.0.0", "d@1.0.0"), simpleList("d", "1.0.0", "c@1.0.0"),
			simpleList("a", "1.0.0"), simpleList("b", "1.0.0", "a@1.0.0"), simpleList("c", "1.0.0", "b@1.0.0")},
			[]string{"LST011 d -> c -> b -> a",
				`LST009 list "e" depends on "d" (cat/_lists/d.mjs), which cannot be used: LST011`}},
		{"missing", []string{simpleList("countries", "1.0.0"), simpleList("b", "1.0.0", "contries@1.0.0")},
			[]string{`LST009 did you mean "countries"?`}},
		{"no ref", []string{simpleList("b", "1.0.0", "@1.0.0")}, []string{"LST009 ref is missing"}},
		{"an older minor version", []string{simpleList("a", "1.1.0"), simpleList("b", "1.0.0", "a@1.0.0")}, nil},
		{"a newer version", []string{simpleList("a", "1.1.0"), simpleList("b", "1.0.0", "a@1.2.0")},
			[]string{"LST009 cat/_lists/a.mjs has 1.1.0"}},
		{"self", []string{simpleList("a", "1.0.0", "a@1.0.0")}, []string{"LST010 a -> a"}},
		{"circle of two", []string{simpleList("b", "1.0.0", "a@1.0.0"), simpleList("a", "1.0.0", "b@1.0.0")},
			[]string{"LST010 a -> b -> a (cat/_lists/a.mjs, cat/_lists/b.mjs)"}},
		{"circle of three and a user",
			[]string{simpleList("z", "1.0.0", "c@1.0.0"), simpleList("c", "1.0.0", "a@1.0.0"),
				simpleList("b", "1.0.0", "c@1.0.0"), simpleList("a", "1.0.0", "b@1.0.0")},
			[]string{"LST010 a -> b -> c -> a", `LST009 list "z" depends on "c"`}},
		{"condition met", []string{simpleList("a", "1.0.0"), cond("k", `"v"`)}, nil},
		{"condition not met", []string{simpleList("a", "1.0.0"), cond("k", `"w"`)},
			[]string{`LST009 where k is "w"; there is none`}},
		{"condition of another type", []string{simpleList("a", "1.0.0"), cond("k", `1`)},
			[]string{`LST009 where k is 1`}},
	}
	for _, tt := range tests {
		ls := listsOf(t, tt.lists...)
		problems := ls.CheckDependencies()
		if len(problems) != len(tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, problems, tt.want)
			continue
		}
		for i, p := range problems {
			code, part, _ := strings.Cut(tt.want[i], " ")
			if p.Code != code || !strings.Contains(p.Message, part) || p.Fix == "" ||
				!strings.HasPrefix(p.Pointer, "/meta/dependsOn") {
				t.Errorf("%s: %+v, want %s", tt.name, p.Problem, tt.want[i])
			}
			if _, _, ok := ls.Resolve(refsOf(`[{"ref":"` + p.List.Name + `","version":"1.0.0"}]`)[0]); ok ||
				p.List.Broken.Code != code {
				t.Errorf("%s: a reference to the broken list: %t, %v", tt.name, ok, p.List.Broken)
			}
		}
	}
}

// A hostile chain must neither overflow nor print megabytes.
func TestLongChains(t *testing.T) {
	const n = 20000
	var line, ring []string
	for i := range n {
		line = append(line, simpleList("l"+strconv.Itoa(i), "1.0.0", "l"+strconv.Itoa(i+1)+"@1.0.0"))
		ring = append(ring, simpleList("r"+strconv.Itoa(i), "1.0.0", "r"+strconv.Itoa((i+1)%n)+"@1.0.0"))
	}
	line = append(line, simpleList("l"+strconv.Itoa(n), "1.0.0"))
	problems := listsOf(t, line...).CheckDependencies()
	problems = append(problems, listsOf(t, ring...).CheckDependencies()...)
	if len(problems) != n-2+1 {
		t.Errorf("%d problems, want %d", len(problems), n-1)
	}
	if slices.ContainsFunc(problems, func(p ListProblem) bool { return len(p.Message) > 500 }) {
		t.Error("a message is longer than 500 bytes")
	}
}

func TestInterpolate(t *testing.T) {
	const plain = `[{"ref":"chains","version":"1.0.0"}]`
	const mainnets = `[{"ref":"chains","version":"1.0.0","filter":{"key":"test","value":false}}]`
	const odd = `{"meta":{"name":"odd","version":"1.0.0","fields":[{"key":"k","type":"string"}]},` +
		`"entries":[{"k":"Korea (South)"},{"k":"Congo, Republic"}]}`
	const paren = `{"meta":{"name":"paren","version":"1.0.0","fields":[{"key":"k","type":"string"}]},` +
		`"entries":[{"k":"Korea (South)"}]}`
	tests := []struct{ primitive, refs, want, code, text string }{
		{"string()", plain, "string()", "", ""},
		{"enum(a, b)", plain, "enum(a, b)", "", ""},
		{"enum({{chains:alias}})", plain, "enum(ethereum,polygon,sepolia,base)", "", ""},
		{"enum({{ chains : alias }})", plain, "enum(ethereum,polygon,sepolia,base)", "", ""},
		{"enum({{chains:slug}})", plain, "enum(eth)", "", ""},
		{"enum({{chains:id}})", mainnets, "enum(1,137,8453)", "", ""},
		{"enum({{chains:test}})", plain, "enum(false,true)", "", ""},
		{"enum(custom,{{chains:alias}})", mainnets, "enum(custom,ethereum,polygon,base)", "", ""},
		{"enum(polygon,{{chains:alias}}, all)", mainnets, "enum(polygon,ethereum,base,all)", "", ""},
		{"enum({{chains:alias}},{{chains:slug}})", mainnets, "enum(ethereum,polygon,base,eth)", "", ""},
		{"enum({{paren:k}})", `[{"ref":"paren","version":"1.0.0"}]`, "enum(Korea (South))", "", ""},
		{"string({{chains:alias}})", plain, "", "VAL047", "inside enum() only"},
		{"{{chains:alias}}", plain, "", "VAL047", "inside enum() only"},
		{"enum({{chains:alias}}", plain, "", "VAL047", "inside enum() only"},
		{"enum(x-{{chains:alias}})", plain, "", "VAL047", "stand alone"},
		{"enum({{chains:alias}}{{chains:slug}})", plain, "", "VAL047", "stand alone"},
		{"enum({{chain:alias}})", plain, "", "rules", ""},
		{"enum({{chains:alias}})", `[]`, "", "rules", ""},
		{"enum({{chains:alais}})", plain, "", "rules", ""},
		{"enum({{chains}})", plain, "", "rules", ""},
		{"enum({{chains:}})", plain, "", "rules", ""},
		{"enum({{chains:alias}})", `[{"ref":"chains","version":"2.0.0"}]`, "", "rules", ""},
		{"enum({{gone:k}})", `[{"ref":"gone","version":"2.0.0"}]`, "", "rules", ""},
		{"enum({{chains:alias}})", `[{"ref":"chains","version":"1.0.0","filter":{"key":"id","value":-1}}]`, "",
			"VAL046", "no value is left"},
		{"enum({{odd:k}})", `[{"ref":"odd","version":"1.0.0"}]`, "", "LOD033", `"Congo, Republic"`},
	}
	ls := listsOf(t, chainsList, odd, paren)
	for _, tt := range tests {
		got, problems, ok := Interpolate(tt.primitive, refsOf(tt.refs), ls)
		if got != tt.want || ok != (tt.code == "") {
			t.Errorf("%s: %q %t, want %q", tt.primitive, got, ok, tt.want)
		}
		switch {
		case tt.code == "rules" && len(problems) == 0: // report why not
		case tt.code == "" && len(problems) > 0:
			t.Errorf("%s: %v", tt.primitive, problems)
		case tt.code != "" && (len(problems) != 1 || problems[0].Code != tt.code ||
			!strings.Contains(problems[0].Message, tt.text) || problems[0].Fix == ""):
			t.Errorf("%s: %+v, want %s with %q", tt.primitive, problems, tt.code, tt.text)
		}
	}
}

func TestCompatible(t *testing.T) {
	for _, c := range []struct {
		want, have string
		ok         bool
	}{
		{"1.0.0", "1.0.0", true}, {"1.0.0", "1.0.1", true}, {"1.0.0", "1.2.0", true}, {"1.2.0", "1.10.0", true},
		{"1.0.1", "1.0.0", false}, {"1.2.0", "1.1.9", false}, {"1.0.0", "2.0.0", false}, {"2.0.0", "1.9.9", false},
		{"01.0.0", "1.0.0", false}, {"1.0", "1.0.0", false},
	} {
		if got := Compatible(c.have, c.want); got != c.ok {
			t.Errorf("a list %s for a reference to %s: %v, want %v", c.have, c.want, got, c.ok)
		}
	}
}
