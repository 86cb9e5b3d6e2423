package fit

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// array is an array of n values.
func array(n int, value func(i int) string) string {
	list := make([]string, n)
	for i := range list {
		list[i] = value(i)
	}
	return "[" + strings.Join(list, ",") + "]"
}

func object(n int, member func(i int) string) string {
	list := array(n, member)
	return "{" + list[1:len(list)-1] + "}"
}

func numbers(n int) string { return array(n, func(i int) string { return fmt.Sprint(1000 + i) }) }
func text(n int) string    { return `"` + strings.Repeat("x", n) + `"` }

func parse(t testing.TB, data string) ordjson.Value {
	t.Helper()
	v, err := ordjson.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func advice() string { return "ask for less" }

// What is cut first, how it is marked, and what the message says of it.
func TestEnvelope(t *testing.T) {
	for _, tc := range []struct {
		name, data string
		limit      int
		want       []string // parts of the answer
	}{
		{"array", `{"total":500,"items":` + numbers(500) + `}`, 1500, []string{
			`"MCP015 the answer is longer than 1500 bytes and was cut: data.items has 204 of 500 items; ask for less"`,
			`,1203,"[296 of 500 items left out]"]`, `"total":500`}},
		{"longest array", `{"a":` + numbers(400) + `,"b":` + numbers(40) + `}`, 1500, []string{
			"cut: data.a has 166 of 400 items; ask", `1038,1039]`}},
		{"nested arrays", array(20, func(int) string { return `{"series":` + numbers(100) + `}` }), 2048, []string{
			"cut: data has 13 of 20 items, data[0].series has 13 of 100 items, data[1].series has 13 of 100 items, " +
				"and 11 more; ask"}},
		{"outermost is named", `[` + array(90, func(int) string { return numbers(90) }) + `,1]`, 1500,
			[]string{"cut: data[0] has 11 of 90 items, data[0][0] has 11 of 90 items, "}},
		{"string", `{"id":1,"log":` + text(5000) + `}`, 2048, []string{
			`cut: data.log has 1436 of 5000 bytes; ask`, `xx… [3564 of 5000 bytes left out]"`}},
		{"string at a line", `"` + strings.Repeat("one line\\n", 300) + `"`, 2048, []string{
			`cut: data has 1305 of 2700 bytes`, `one line\n [1395 of 2700 bytes left out]"`}},
		{"arrays before strings", `{"s":` + text(900) + `,"a":` + numbers(500) + `}`, 2048,
			[]string{`cut: data.a has `, text(900)}},
		{"map", object(300, func(i int) string { return fmt.Sprintf(`"k%d":1`, i) }), 1500, []string{
			`cut: data has 127 of 300 members`, `"...":"[173 of 300 members left out]"`}},
		{"marked key is taken", object(300, func(i int) string {
			return strings.Replace(fmt.Sprintf(`"k%d":1`, i), `"k0"`, `"..."`, 1)
		}), 1500, []string{`{"...":1,"k1":1,`, `"....":"[`}},
		{"few members", `{"a":` + text(900) + `,"b":` + text(900) + `}`, 1200, []string{"data.a has ", "data.b has "}},
		{"keys before items", object(20, func(i int) string { return fmt.Sprintf(`"k%d":%s`, i, numbers(90)) }), 1400,
			[]string{`"k0":[1000,1001,"[88 of 90 items left out]"]`, `"k19":[1000,`}},
		{"deep", strings.Repeat(`{"a":1,"b":{"c":[1,2,3]},"n":`, 60) + "1" + strings.Repeat("}", 60), 1500,
			[]string{`of 3 members left out]"`}},
		{"digits", `[` + strings.Repeat("1", 4000) + `]`, 1500, []string{"data[0] has 0 of 4000 digits"}},
		{"just one", `[` + text(20) + strings.Repeat(`,`+text(400), 3) + `]`, 1200, []string{"data[1] has "}},
	} {
		e := &record.Envelope{Status: true, Messages: []string{"EXE080 part"}, Data: parse(t, tc.data)}
		got := string(Envelope(e, tc.limit, advice).Standard())
		if len(got) > tc.limit || !json.Valid([]byte(got)) {
			t.Errorf("%s: %d bytes, valid %v", tc.name, len(got), json.Valid([]byte(got)))
		}
		for _, want := range append(tc.want, `"EXE080 part"`) {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %s in\n%s", tc.name, want, got)
			}
		}
		if len(got) < tc.limit/4 && tc.name != "digits" {
			t.Errorf("%s: %d bytes of %d are left", tc.name, len(got), tc.limit)
		}
	}
}

// What fits stays as it is, and failures keep what they say.
func TestWhatIsNotCut(t *testing.T) {
	for _, e := range []*record.Envelope{
		{Status: true, Data: parse(t, numbers(100))},
		{Messages: []string{"EXE000 no"}, Data: ordjson.NewNull()},
	} {
		if got := Envelope(e, MinLimit, advice); got != e {
			t.Errorf("cut to %s", got.Standard())
		}
	}
	long := &record.Envelope{Messages: []string{strings.Repeat("no ", 900), "and so"}, Data: ordjson.NewNull()}
	got := string(Envelope(long, MinLimit, advice).Standard())
	if len(got) > MinLimit || !strings.HasPrefix(got, `{"status":false,"messages":["no no `) ||
		!strings.Contains(got, `"and so"],"data":null`) || strings.Contains(got, CodeCut) {
		t.Errorf("failure: %s", got)
	}
	wide := &record.Envelope{Status: true, Messages: []string{strings.Repeat("odd ", 900)}, Data: ordjson.NewInt(5)}
	if got := Envelope(wide, MinLimit, advice); ordjson.Text(got.Data) != "5" {
		t.Errorf("messages: %s", got.Standard())
	}
}

func TestAdvice(t *testing.T) {
	const general = "ask for less, such as one thing, a shorter period or a stricter filter"
	for _, tc := range []struct{ properties, want string }{
		{``, general},
		{`"q":{"type":"string"},"start":{"type":"string"},"size":{"type":"string"}`, general},
		{`"limit":{"type":"number"},"page":{"type":"number"},"fields":{"type":"string"}`,
			`call the tool again with "page" for the rest, "limit" for less at once, "fields" for fewer fields`},
		{`"page_number_":{"type":"number"},"per-page":{},"$skip":{"type":"integer"}`,
			`call the tool again with "page_number_", "$skip" for the rest, "per-page" for less at once`},
		{`"section":{"type":"string"},"lines":{"type":"string"},"search":{"type":"string"}`,
			`call the tool again with "lines" for the rest, such as "200-400", or "section" or "search" for a part`},
		{`"nextPageToken":{"type":"string"}`, `call the tool again with "nextPageToken" for the rest`},
	} {
		got := Advice(parse(t, `{"type":"object","properties":{`+tc.properties+`}}`))
		if got != tc.want {
			t.Errorf("%s: %s, want %s", tc.properties, got, tc.want)
		}
	}
}

// What it costs to cut depends on the limit: a long answer is not read to its end.
func TestCost(t *testing.T) {
	cost := func(n int) float64 {
		e := &record.Envelope{Status: true, Data: parse(t, array(n, func(i int) string {
			return fmt.Sprintf(`{"id":%d,"tags":["a","b"]}`, i)
		}))}
		return testing.AllocsPerRun(3, func() { Envelope(e, MinLimit, advice) })
	}
	if short, long := cost(100), cost(100_000); long > 2*short {
		t.Errorf("%v allocations for 100 items, %v for 100,000", short, long)
	}
}

// An answer is valid, under the limit and the same each time, whatever it was.
func FuzzEnvelope(f *testing.F) {
	for _, seed := range []string{numbers(900), `{"a":` + text(3000) + `}`,
		`"\u0000\u0001\ud800` + strings.Repeat("ä", 2000) + `"`,
		strings.Repeat(`{"k":[`, 90) + strings.Repeat(`]}`, 90),
		`{` + text(3000) + `:1,"b":[]}`, `1e` + strings.Repeat("9", 3000),
		`[` + strings.Repeat(`"\u0000\u0000",`, 500) + `{}]`} {
		f.Add(seed, "EXE080 part", 1500)
	}
	f.Fuzz(func(t *testing.T, data, message string, limit int) {
		v, err := ordjson.Parse(data)
		if err != nil || limit < MinLimit || limit > 1<<20 {
			return
		}
		e := &record.Envelope{Status: true, Messages: []string{message, message}, Data: v}
		whole := e.Standard()
		got := Envelope(e, limit, advice).Standard()
		if len(whole) <= limit {
			if string(got) != string(whole) {
				t.Fatalf("cut to %s", got)
			}
			return
		}
		if len(got) > limit || !json.Valid(got) {
			t.Fatalf("%d bytes, more than %d or no JSON: %s", len(got), limit, got)
		}
		if again := Envelope(e, limit, advice).Standard(); string(again) != string(got) {
			t.Fatalf("%s\nis another time\n%s", got, again)
		}
	})
}

// The time to cut depends on the limit and not on how long the answer is: the
// whole is looked at once, when it is written (the runs of write).
func BenchmarkEnvelope(b *testing.B) {
	for _, size := range []int{100 << 10, 10 << 20} {
		e := &record.Envelope{Status: true, Data: parse(b, array(size/100, func(i int) string {
			return fmt.Sprintf(`{"id":%d,"name":%s,"tags":["a","b"],"series":[1,2,3,4]}`, i, text(40))
		}))}
		b.Run(fmt.Sprintf("cut/%dKiB", size>>10), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Envelope(e, DefaultLimit, advice)
			}
		})
		b.Run(fmt.Sprintf("write/%dKiB", size>>10), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				e.Standard()
			}
		})
	}
}
