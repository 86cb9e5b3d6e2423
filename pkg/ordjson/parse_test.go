package ordjson

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/flowmcp/fmcp/pkg/words"
)

func TestParseText(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"words", ` [ true , false,null ] `, `[true,false,null]`},
		{"key order", `{"b":1,"a":2,"10":3,"9":4}`, `{"b":1,"a":2,"10":3,"9":4}`},
		{"last of equal keys, at the place of the first", `{"a":1,"b":2,"a":3}`, `{"a":3,"b":2}`},
		{"equal keys by content", `{"a":1,"\u0061":2}`, `{"a":2}`},
		{"empty", "{\n}", `{}`},
		{"nested", `{"a":[{"b":[]},{}],"c":[[1,2],[3]]}`, `{"a":[{"b":[]},{}],"c":[[1,2],[3]]}`},
		{"number text is kept", `[0,-0,1.50,1E5,1e+05,12345678901234567890,0.1e-7]`,
			`[0,-0,1.50,1E5,1e+05,12345678901234567890,0.1e-7]`},
		{"escapes", `"\"\\\/\b\f\n\r\t\u0041\u00e9\u2028"`, "\"\\\"\\\\/\\b\\f\\n\\r\\tAé\u2028\""},
		{"control characters", `"\u0000\u001F\u007f"`, "\"\\u0000\\u001f\x7f\""},
		{"surrogate pair", `"\uD83D\uDE00"`, `"😀"`},
		{"lone surrogates", `"\uD83D \uDE00"`, `"\ud83d \ude00"`},
		{"three surrogates", `"\uD83D\uD83D\uDE00"`, `"\ud83d😀"`},
		{"lone surrogate in a key", `{"\udc00":1}`, `{"\udc00":1}`},
		{"text before an escape", `"größe\n"`, `"größe\n"`},
		{"white space", " \t\r\n1\n", `1`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v, err := Parse(tt.in)
			if err != nil {
				t.Fatal(err)
			}
			if got := Text(v); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

func TestParseManyEqualKeys(t *testing.T) {
	var in, want strings.Builder
	in.WriteByte('{')
	want.WriteByte('{')
	for i := range 2 * mapFrom {
		key := Text(NewString("k" + NewInt(i).NumberText()))
		in.WriteString(key + ":0," + `"same":` + NewInt(i).NumberText() + ",")
		if i > 0 {
			want.WriteByte(',')
		}
		want.WriteString(key + ":0")
		if i == 0 {
			want.WriteString(`,"same":` + NewInt(2*mapFrom).NumberText())
		}
	}
	in.WriteString(`"same":` + NewInt(2*mapFrom).NumberText() + "}")
	want.WriteByte('}')
	v, err := Parse(in.String())
	if err != nil {
		t.Fatal(err)
	}
	if got := Text(v); got != want.String() {
		t.Errorf("%s\nwant %s", got, want.String())
	}
}

func TestParseErrors(t *testing.T) {
	tests := []struct {
		in     string
		offset int
		msg    string
	}{
		{``, 0, "unexpected end of input, expected a value"},
		{`   `, 3, "unexpected end of input"},
		{`x`, 0, `unexpected 'x', expected a value`},
		{`tru`, 0, "expected true"},
		{`nul `, 0, "expected null"},
		{`1 2`, 2, "unexpected '2' after the value"},
		{`[1,]`, 3, "unexpected ']', expected a value"},
		{`[,1]`, 1, "unexpected ','"},
		{`[1 2]`, 3, "expected , or ]"},
		{`[1`, 2, "end of input, expected , or ]"},
		{`[`, 1, "end of input, expected a value"},
		{`{"a":1,}`, 7, "unexpected '}', expected a quoted key"},
		{`{a:1}`, 1, "expected a quoted key"},
		{`{"a" 1}`, 5, "unexpected '1', expected :"},
		{`{"a":}`, 5, "expected a value"},
		{`{"a":1 "b"}`, 7, "expected , or }"},
		{`{`, 1, "end of input, expected a quoted key"},
		{`01`, 1, "after the value"},
		{`-`, 1, "expected a digit"},
		{`-a`, 1, "unexpected 'a', expected a digit"},
		{`1.`, 2, "expected a digit"},
		{`1e+`, 3, "expected a digit"},
		{`.5`, 0, "expected a value"},
		{`+1`, 0, "expected a value"},
		{`NaN`, 0, "expected a value"},
		{`"abc`, 4, "end of input in a string"},
		{`"a\`, 3, "end of input in a string"},
		{`"a\n`, 4, "end of input in a string"},
		{"\"a\tb\"", 2, "control character"},
		{"\"\\n\tb\"", 3, "control character"},
		{`"\x41"`, 2, `unexpected 'x' after a backslash`},
		{`"\u12"`, 2, `\u needs four hex digits`},
		{`"\u12g4"`, 2, `\u needs four hex digits`},
		{"\"\xff\"", 1, "not UTF-8"},
		{"\"a\xff\\n\"", 1, "not UTF-8"},
		{"\"\\n\xff\"", 3, "not UTF-8"},
		{"\"\xed\xa0\xbd\\ude00\"", 1, "not UTF-8"},
		{`// c`, 0, "expected a value"},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			v, err := Parse(tt.in)
			var syn *words.SyntaxError
			if !errors.As(err, &syn) {
				t.Fatalf("%s, %v; want a SyntaxError", Text(v), err)
			}
			if v.Exists() {
				t.Errorf("a value beside an error: %s", Text(v))
			}
			if syn.Offset != tt.offset || !strings.Contains(syn.Message, tt.msg) {
				t.Errorf("%q at %d, want %q at %d", syn.Message, syn.Offset, tt.msg, tt.offset)
			}
			if !strings.HasSuffix(err.Error(), " at byte "+NewInt(tt.offset).NumberText()) {
				t.Errorf("%q does not end in the offset", err)
			}
		})
	}
}

func TestParseDepth(t *testing.T) {
	for _, pair := range []string{"[]", `{"a":}`} {
		open, end := pair[:len(pair)-1], pair[len(pair)-1:]
		inner := "0"
		fits := strings.Repeat(open, MaxDepth) + inner + strings.Repeat(end, MaxDepth)
		if v, err := Parse(fits); err != nil || Text(v) != fits {
			t.Errorf("%s: %d levels: %v", pair, MaxDepth, err)
		}
		if _, err := Parse(open + fits + end); err == nil ||
			!strings.Contains(err.Error(), "nested deeper than 1000 levels") {
			t.Errorf("%s: one level more: %v", pair, err)
		}
		if _, err := Parse(strings.Repeat(open, 5_000_000)); err == nil {
			t.Errorf("%s: five million levels are read", pair)
		}
	}
	wide := "[" + strings.Repeat("[],", 3*MaxDepth) + "[]]"
	if _, err := Parse(wide); err != nil {
		t.Errorf("width is not depth: %v", err)
	}
}

func TestParsePositions(t *testing.T) {
	in := ` {"a": [1, "x"],` + "\n" + `"b":{"c":null}}`
	v, err := Parse(in)
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string, pos int, text string) {
		t.Helper()
		if pos < 0 || !strings.HasPrefix(in[pos:], text) {
			t.Errorf("%s at %d, want the place of %s", name, pos, text)
		}
	}
	at("object", v.Pos(), `{"a"`)
	a, _ := v.Member("a")
	at("key", int(a.KeyPos), `"a"`)
	at("array", a.Value.Pos(), `[1`)
	at("number", a.Value.Index(0).Pos(), `1`)
	at("string", a.Value.Index(1).Pos(), `"x"`)
	at("null", v.Get("b").Get("c").Pos(), `null`)
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		`{"a":[1,-0.5e+3,true,null,"\ud83d\ude00\udc00\n/"],"a":{}}`,
		"\"gr\xc3\xb6\xc3\x9fe\\u00df\"", "\"a\xff\\n\"", `[[[]]]`, ` 1e400 `, `{"\u0000":""}`, `[1,]`, `"\u12"`,
		"\"\xed\xa0\x80\"",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		v, err := Parse(in)
		if err != nil {
			var syn *words.SyntaxError
			if !errors.As(err, &syn) || syn.Offset < 0 || syn.Offset > len(in) {
				t.Fatalf("error %v does not say where", err)
			}
			if tooDeep := strings.Contains(syn.Message, "nested deeper"); !tooDeep && json.Valid([]byte(in)) &&
				utf8.ValidString(in) {
				t.Fatalf("valid JSON is refused: %v", err)
			}
			return
		}
		if !json.Valid([]byte(in)) || !utf8.ValidString(in) {
			t.Fatalf("invalid JSON is read as %s", Text(v))
		}
		text := Text(v)
		again, err := Parse(text)
		if err != nil || Text(again) != text || !Equal(v, again) {
			t.Fatalf("%s is read back as %s, %v", text, Text(again), err)
		}
		if got, want := decode(t, text), decode(t, in); !reflect.DeepEqual(got, want) {
			t.Fatalf("means %v, want %v", got, want)
		}
		if c, err := Parse(string(AppendCanonical(nil, v))); err != nil || !Equal(c, v) {
			t.Fatalf("canonical text means something else: %s, %v", Text(c), err)
		}
		if c, err := Parse(string(AppendIndent(nil, v, ""))); err != nil || Text(c) != text {
			t.Fatalf("indented text means something else: %s, %v", Text(c), err)
		}
	})
}

func decode(t *testing.T, s string) (v any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(s))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

func BenchmarkParse(b *testing.B) {
	in := `[` + strings.Repeat(`{"key":"simplePrice","location":"insert","value":"{{USER_PARAM}}",`+
		`"primitive":"enum(a,b)","options":["min(1)","optional()"],"n":12.5},`, 200) + `null]`
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(in); err != nil {
			b.Fatal(err)
		}
	}
}
