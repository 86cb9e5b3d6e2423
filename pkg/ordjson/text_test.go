package ordjson

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"testing"
	"unicode/utf16"
)

// The wanted texts are what String(n) prints in Node.
func TestNumberText(t *testing.T) {
	tests := []struct {
		f    float64
		want string
	}{
		{0, "0"}, {math.Copysign(0, -1), "0"}, {1, "1"}, {-1, "-1"}, {42.5, "42.5"}, {-0.25, "-0.25"},
		{float64(0.1) + float64(zeroPointTwo), "0.30000000000000004"},
		{1e21, "1e+21"}, {-1e21, "-1e+21"}, {1e20, "100000000000000000000"},
		{123456789012345680000, "123456789012345680000"},
		{999999999999999900000, "999999999999999900000"}, {1.5e300, "1.5e+300"}, {1e100, "1e+100"},
		{1e-6, "0.000001"}, {1e-7, "1e-7"}, {1.25e-7, "1.25e-7"}, {-1e-7, "-1e-7"}, {1e-10, "1e-10"},
		{1.5e-9, "1.5e-9"}, {0.000001234, "0.000001234"},
		{5e-324, "5e-324"}, {2.2250738585072014e-308, "2.2250738585072014e-308"},
		{math.MaxFloat64, "1.7976931348623157e+308"},
		{1<<53 - 1, "9007199254740991"}, {1 << 53, "9007199254740992"}, {-(1 << 53), "-9007199254740992"},
		{1 << 63, "9223372036854776000"}, {-(1 << 63), "-9223372036854776000"},
		{4294967295, "4294967295"}, {1.0 / 3, "0.3333333333333333"}, {100, "100"}, {1e5, "100000"},
	}
	for _, tt := range tests {
		if got := string(AppendNumber([]byte("="), tt.f)); got != "="+tt.want {
			t.Errorf("AppendNumber(%g) = %s, want %s", tt.f, got[1:], tt.want)
		}
		if got := NewNumber(tt.f); Text(got) != tt.want || got.Float() != tt.f {
			t.Errorf("NewNumber(%g) is %s, %g", tt.f, Text(got), got.Float())
		}
	}
	for _, f := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if got := Text(NewNumber(f)); got != "null" {
			t.Errorf("NewNumber(%g) is %s, want null", f, got)
		}
	}
}

var zeroPointTwo = 0.2 // a variable: Go adds constants exactly

func FuzzAppendNumber(f *testing.F) {
	f.Add(0.1)
	f.Add(1e21)
	f.Fuzz(func(t *testing.T, x float64) {
		if x-x != 0 {
			return
		}
		text := string(AppendNumber(nil, x))
		if back, err := strconv.ParseFloat(text, 64); err != nil || back != x {
			t.Errorf("%g prints as %s, which is %g (%v)", x, text, back, err)
		}
		// encoding/json prints as ES6 does, but for the sign of zero.
		if std, _ := json.Marshal(x); x != 0 && string(std) != text {
			t.Errorf("%g prints as %s, want %s", x, text, std)
		}
	})
}

func TestAppendString(t *testing.T) {
	tests := []struct{ in, want string }{
		{"", `""`},
		{"plain /'<>&", `"plain /'<>&"`},
		{"\"\\", `"\"\\"`},
		{"\b\f\n\r\t\x00\x0b\x1f", `"\b\f\n\r\t\u0000\u000b\u001f"`},
		{"\x7f\u0080\u2028\u2029\ufeff", "\"\x7f\u0080\u2028\u2029\ufeff\""},
		{"\ud7ff\ue000😀", "\"\ud7ff\ue000😀\""},
		{"a\xed\xa0\x80b", `"a\ud800b"`},
		{"\xed\xbf\xbf", `"\udfff"`},
		{"\xed\xa0\xbd\xed\xa0\xbd", `"\ud83d\ud83d"`},
	}
	for _, tt := range tests {
		if got := string(AppendString(nil, tt.in)); got != tt.want {
			t.Errorf("AppendString(%q) = %s, want %s", tt.in, got, tt.want)
		}
		if got := string(AppendKey([]byte("{"), tt.in)); got != "{"+tt.want+":" {
			t.Errorf("AppendKey(%q) = %s", tt.in, got)
		}
	}
}

func TestAppendUTF16(t *testing.T) {
	tests := []struct {
		units []uint16
		want  string
	}{
		{[]uint16{'a', 0xE9, 0x20AC, 0}, "aé€\x00"},
		{[]uint16{0xD83D, 0xDE00}, "😀"},
		{[]uint16{0xDBFF, 0xDFFF}, "\U0010FFFF"},
		{[]uint16{0xD800, 0xDC00}, "\U00010000"},
		{[]uint16{0xD83D}, "\xed\xa0\xbd"},
		{[]uint16{0xDE00, 0xD83D}, "\xed\xb8\x80\xed\xa0\xbd"},
		{[]uint16{0xD83D, 0xDE00, 0xDE00}, "😀\xed\xb8\x80"},
		{[]uint16{0xD7FF, 0xDC00}, "\ud7ff\xed\xb0\x80"},
	}
	for _, tt := range tests {
		var b []byte
		for _, u := range tt.units {
			b = AppendUTF16(b, u)
		}
		if string(b) != tt.want {
			t.Errorf("%x: %q, want %q", tt.units, b, tt.want)
		}
		if got := utf16Units(tt.want); !slices.Equal(got, tt.units) {
			t.Errorf("%q has units %x, want %x", tt.want, got, tt.units)
		}
	}
}

func TestAppendConcat(t *testing.T) {
	tests := []struct{ a, b, want string }{
		{"a", "b", "ab"},
		{"", "b", "b"},
		{"x\xed\xa0\xbd", "\xed\xb8\x80y", "x😀y"},
		{"\xed\xa0\xbd", "y", "\xed\xa0\xbdy"},
		{"\xed\xa0\xbd", "\xed\xa0\xbd", "\xed\xa0\xbd\xed\xa0\xbd"},
		{"\xed\xb8\x80", "\xed\xb8\x80", "\xed\xb8\x80\xed\xb8\x80"},
		{"abc", "\xed\xb8\x80", "abc\xed\xb8\x80"},
		{"😀", "\xed\xb8\x80", "😀\xed\xb8\x80"},
		{"abc", "\ud7ff", "abc\ud7ff"},
	}
	for _, tt := range tests {
		if got := string(AppendConcat([]byte(tt.a), tt.b)); got != tt.want {
			t.Errorf("AppendConcat(%q, %q) = %q, want %q", tt.a, tt.b, got, tt.want)
		}
	}
}

// In ascending order by UTF-16 code units, as [...].sort() has them in Node.
var ascending = []string{
	"", "A", "AB", "B", "a", "a\x00", "é", "\ud7ff", "\xed\xa0\x80", "\U00010000", "\xed\xa0\xbd", "\xed\xa0\xbdx", "😀",
	"😀x", "😁",
	"\xed\xa0\xbe", "\U0010FFFF", "\xed\xb0\x80", "\ue000", "ｆ", "\uffff",
}

func TestCompareUTF16(t *testing.T) {
	for i, a := range ascending {
		for j, b := range ascending {
			got := CompareUTF16("p"+a, "p"+b)
			if (got < 0) != (i < j) || (got > 0) != (i > j) {
				t.Errorf("CompareUTF16(%q, %q) = %d", a, b, got)
			}
		}
	}
}

func FuzzCompareUTF16(f *testing.F) {
	f.Add("😀", "ｆ")
	f.Add("\ue000", "\U00010000")
	f.Fuzz(func(t *testing.T, a, b string) {
		want := slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
		a, b = string([]rune(a)), string([]rune(b))
		if got := CompareUTF16(a, b); (got < 0) != (want < 0) || (got > 0) != (want > 0) {
			t.Errorf("CompareUTF16(%q, %q) = %d, want %d", a, b, got, want)
		}
	})
}

func TestAppendCanonical(t *testing.T) {
	var members []Member
	for i := len(ascending) - 1; i >= 0; i-- { // more than 16, in the wrong order
		members = append(members, Field(ascending[i], NewInt(i)))
	}
	v, err := Parse(string(AppendCanonical(nil, NewObject(members...))))
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range v.Members() {
		if m.Key != ascending[i] {
			t.Errorf("key %d is %q, want %q", i, m.Key, ascending[i])
		}
	}
	in := parse(t, `{"b":{"z":1,"10":[{"y":1,"x":null}],"9":"s"},"a":1.50}`)
	if got, want := string(AppendCanonical([]byte("="), in)), `={"a":1.50,"b":{"10":[{"x":null,"y":1}],`+
		`"9":"s","z":1}}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := Text(in); got != `{"b":{"z":1,"10":[{"y":1,"x":null}],"9":"s"},"a":1.50}` {
		t.Errorf("the value was changed: %s", got)
	}
}

func TestAppendIndent(t *testing.T) {
	in := parse(t, `{"a":[],"b":{},"c":[1,{"d":"x"}],"e":null}`)
	want := "{\n  \"a\": [],\n  \"b\": {},\n  \"c\": [\n    1,\n    {\n      \"d\": \"x\"\n    }\n  ],\n" +
		"  \"e\": null\n}"
	if got := string(AppendIndent(nil, in, "")); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if got, want := string(AppendIndent(nil, parse(t, `[1]`), "> ")), "[\n>   1\n> ]"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
