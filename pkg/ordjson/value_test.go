package ordjson

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func parse(t *testing.T, s string) Value {
	t.Helper()
	v, err := Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestKinds(t *testing.T) {
	var missing Value
	tests := []struct {
		v    Value
		kind Kind
		name string
		text string
	}{
		{missing, Missing, "missing", "null"},
		{NewNull(), Null, "null", "null"},
		{NewBool(true), Bool, "boolean", "true"},
		{NewBool(false), Bool, "boolean", "false"},
		{NewNumber(1.5), Number, "number", "1.5"},
		{NewInt(-7), Number, "number", "-7"},
		{NewNumberText("123456789012345678901234567890"), Number, "number", "123456789012345678901234567890"},
		{NewString("é"), String, "string", `"é"`},
		{NewArray(NewInt(1), missing), Array, "array", "[1,null]"},
		{NewArray(), Array, "array", "[]"},
		{NewObject(Field("b", NewInt(1)), Field("a", NewNull())), Object, "object", `{"b":1,"a":null}`},
		{NewObject(), Object, "object", "{}"},
		{Strings([]string{"a", "b"}), Array, "array", `["a","b"]`},
		{Strings(nil), Array, "array", "[]"},
	}
	for _, tt := range tests {
		if tt.v.Kind() != tt.kind || !tt.v.Is(tt.kind) || tt.kind.String() != tt.name || Text(tt.v) != tt.text {
			t.Errorf("%s is %v (%q), want %v", Text(tt.v), tt.v.Kind(), tt.v.Kind().String(), tt.text)
		}
		if tt.v.Exists() != (tt.kind != Missing) {
			t.Errorf("%s: Exists is %v", tt.text, tt.v.Exists())
		}
		if tt.kind != Missing && tt.v.Pos() != -1 {
			t.Errorf("%s has the offset %d without a source", tt.text, tt.v.Pos())
		}
		if tt.v.At(7).Pos() != 7 {
			t.Errorf("%s: At(7) is at %d", tt.text, tt.v.At(7).Pos())
		}
	}
}

// Every accessor answers for the wrong kind with its zero value.
func TestAccessorsOfOtherKinds(t *testing.T) {
	for _, v := range []Value{{}, NewNull(), NewBool(true), NewInt(1), NewString("s"), NewArray(NewInt(1)),
		NewObject(Field("a", NewInt(1)))} {
		k := v.Kind()
		if (v.Str() != "") != (k == String) || v.True() != (k == Bool) || (v.NumberText() != "") != (k == Number) ||
			(v.Float() != 0) != (k == Number) {
			t.Errorf("%v: Str %q, True %v, NumberText %q, Float %g", k, v.Str(), v.True(), v.NumberText(), v.Float())
		}
		if (v.Elems() != nil) != (k == Array) || v.Index(0).Exists() != (k == Array) {
			t.Errorf("%v: Elems %v, Index %v", k, v.Elems(), v.Index(0))
		}
		if (v.Members() != nil) != (k == Object) || v.Get("a").Exists() != (k == Object) {
			t.Errorf("%v: Members %v, Get %v", k, v.Members(), v.Get("a"))
		}
		if want := k == Array || k == Object; (v.Len() == 1) != want {
			t.Errorf("%v: Len %d", k, v.Len())
		}
	}
}

func TestAccessors(t *testing.T) {
	v := parse(t, `{"a":[1,2],"b":null,"big":1e400,"neg":-1e400}`)
	if v.Get("a").Index(1).Float() != 2 || v.Get("a").Index(2).Exists() || v.Get("a").Index(-1).Exists() {
		t.Error("Index")
	}
	if m, ok := v.Member("b"); !ok || m.Key != "b" || !m.Value.Is(Null) {
		t.Errorf("Member of a null is %v, %v", m, ok)
	}
	if m, ok := v.Member("c"); ok || m.KeyPos != -1 || m.Value.Exists() {
		t.Errorf("Member of nothing is %v, %v", m, ok)
	}
	if !math.IsInf(v.Get("big").Float(), 1) || !math.IsInf(v.Get("neg").Float(), -1) {
		t.Error("a number beyond float64 is infinite")
	}
}

func TestWithWithout(t *testing.T) {
	v := parse(t, `{"a":1,"b":2}`)
	tests := []struct {
		name string
		got  Value
		want string
	}{
		{"replace in place", v.With("a", NewInt(9)), `{"a":9,"b":2}`},
		{"add at the end", v.With("c", NewInt(3)), `{"a":1,"b":2,"c":3}`},
		{"remove", v.Without("a"), `{"b":2}`},
		{"remove what is not there", v.Without("x"), `{"a":1,"b":2}`},
		{"with on no object", NewNull().With("a", NewInt(1)), `{"a":1}`},
		{"without on no object", NewInt(1).Without("a"), `{}`},
		{"the original", v, `{"a":1,"b":2}`},
	}
	for _, tt := range tests {
		if got := Text(tt.got); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestEqual(t *testing.T) {
	var many, reversed []string
	for i := range 2 * mapFrom {
		many = append(many, `"k`+NewInt(i).NumberText()+`":[`+NewInt(i).NumberText()+`]`)
	}
	reversed = slices.Clone(many)
	slices.Reverse(reversed)
	object := func(list []string) string { return "{" + strings.Join(list, ",") + "}" }
	tests := []struct {
		a, b string
		want bool
	}{
		{`1`, `1.0`, true}, {`1e2`, `100`, true}, {`0`, `-0`, true}, {`1`, `2`, false}, {`1`, `"1"`, false},
		{`"a"`, `"\u0061"`, true}, {`"a"`, `"b"`, false},
		{`true`, `true`, true}, {`true`, `false`, false}, {`null`, `null`, true}, {`null`, `false`, false},
		{`[1,2]`, `[1,2.0]`, true}, {`[1,2]`, `[2,1]`, false}, {`[1]`, `[1,1]`, false}, {`[]`, `{}`, false},
		{`{"a":1,"b":[{}]}`, `{"b":[{}],"a":1}`, true}, {`{"a":1}`, `{"b":1}`, false}, {`{"a":1}`, `{"a":2}`, false},
		{`{"a":1}`, `{"a":1,"b":2}`, false},
		{object(many), object(reversed), true},
		{object(many), object(append(slices.Clone(reversed[1:]), `"k0x":1`)), false},
		{object(many), strings.Replace(object(reversed), "[7]", "[8]", 1), false},
	}
	for _, tt := range tests {
		a, b := parse(t, tt.a), parse(t, tt.b)
		if Equal(a, b) != tt.want || Equal(b, a) != tt.want {
			t.Errorf("Equal(%.60s, %.60s) is %v", tt.a, tt.b, !tt.want)
		}
		if SetOf([]Value{NewString("other"), a}).Has(b) != tt.want || SetOf([]Value{b}).Has(a) != tt.want {
			t.Errorf("a set of %.60s has %.60s: %v", tt.a, tt.b, !tt.want)
		}
	}
	if new(Set).Has(NewNull()) || SetOf([]Value{{}}).Has(NewNull()) {
		t.Error("a set has what was not put into it")
	}
	if !Equal(Value{}, Value{}) || Equal(Value{}, NewNull()) {
		t.Error("Missing equals Missing and nothing else")
	}
}

func TestScriptObject(t *testing.T) {
	tests := []struct {
		name string
		keys string // space-separated; the value is the index
		want string
	}{
		{"as written", "b a c", `{"b":0,"a":1,"c":2}`},
		{"the last value at the first place", "a b a", `{"a":2,"b":1}`},
		{"integer-like keys first, ascending", "b 10 9 a 0", `{"0":4,"9":2,"10":1,"b":0,"a":3}`},
		{"not canonical integers", "01 1.0 -1 +1 1e3 1", `{"1":5,"01":0,"1.0":1,"-1":2,"+1":3,"1e3":4}`},
		{"the largest index", "a 4294967295 4294967294 99999999999",
			`{"4294967294":2,"a":0,"4294967295":1,"99999999999":3}`},
		{"equal integer keys", "2 1 2", `{"1":1,"2":2}`},
		{"none", "", `{}`},
	}
	for _, tt := range tests {
		var members []Member
		for i, k := range strings.Fields(tt.keys) {
			members = append(members, Member{Key: k, Value: NewInt(i), KeyPos: int32(i)})
		}
		v := ScriptObject(members)
		if got := Text(v); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
		for _, m := range v.Members() {
			if int(m.KeyPos) != int(m.Value.Float()) {
				t.Errorf("%s: key %s points to %d, its value is at %s", tt.name, m.Key, m.KeyPos, Text(m.Value))
			}
		}
	}
}

func TestPointerLookup(t *testing.T) {
	v := parse(t, `{"a/b":{"m~n":[10,{"":{"":"deep"}}]},"0":"key","tail":{"":1}}`)
	tests := []struct {
		pointer string
		want    string // "" for Missing
		at      int    // offset
	}{
		{Pointer(), Text(v), 0},
		{Pointer("a/b"), Text(v.Get("a/b")), 1},
		{Pointer("a/b", "m~n", 0), `10`, 15},
		{Pointer("a/b", "m~n", 1, "", ""), `"deep"`, 23},
		{Pointer("0"), `"key"`, 37},
		{Pointer("tail", ""), `1`, 55},
		{Pointer("tail"), `{"":1}`, 47},
		{Pointer("a/b", "nope"), "", 1},
		{Pointer("a/b", "m~n", 2), "", 8},
		{"/a~1b/m~0n/00", "", 8},
		{"/a~1b/m~0n/+1", "", 8},
		{"/a~1b/m~0n/-1", "", 8},
		{"/a~1b/m~0n/x", "", 8},
		{"/0/x", "", 37},
		{"/", "", 0},
		{"tail", "", 0},
	}
	for _, tt := range tests {
		got, pos := Lookup(v, tt.pointer)
		text := ""
		if got.Exists() {
			text = Text(got)
		}
		if text != tt.want || pos != tt.at {
			t.Errorf("Lookup(%q) = %s at %d, want %s at %d", tt.pointer, text, pos, tt.want, tt.at)
		}
	}
	if got, want := Pointer("a/b", "m~n", 12, ""), "/a~1b/m~0n/12/"; got != want {
		t.Errorf("Pointer = %q, want %q", got, want)
	}
}

// An offset that has no place is not known, and is never another one.
func TestPosLarge(t *testing.T) {
	for pos, want := range map[int]int{-1: -1, 0: 0, maxPos - 1: maxPos - 1, maxPos: -1, maxPos + 1: -1, 1 << 30: -1} {
		if v := NewPlain("a").At(pos); v.Pos() != want || v.Str() != "a" {
			t.Errorf("At(%d): Pos is %d, want %d; text is %q", pos, v.Pos(), want, v.Str())
		}
	}
}
