package rules_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
)

// times repeats a text n times with commas between; # is the number.
func times(n int, text string) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = strings.ReplaceAll(text, "#", fmt.Sprint(i))
	}
	return strings.Join(parts, ",")
}

// hostile are untrusted schemas in which something could be multiplied with
// something else: n of each.
var hostile = []struct {
	name string
	make func(t testing.TB, n int) *record.Load
}{
	{"unknown handlers of many tools", func(t testing.TB, n int) *record.Load {
		l := load(t, mainOf("4.2.0", `"tools":{`+times(n, `"tool#":{}`)+`}`))
		for i := range n {
			l.Handlers = append(l.Handlers,
				record.Handler{Name: fmt.Sprintf("tol%d", i), Stages: []string{"preRequest"}})
		}
		return l
	}},
	{"insert parameters that no test gives", func(t testing.TB, n int) *record.Load {
		return hostileTool(t, "/{{p"+strings.ReplaceAll(times(n, "#"), ",", "}}/{{p")+"}}",
			times(n, paramOf("p#", "{{USER_PARAM}}", "insert", text)), `{"_description":"d"}`)
	}},
	{"insert parameters of other names", func(t testing.TB, n int) *record.Load {
		return hostileTool(t, "/{{p"+strings.ReplaceAll(times(n, "#"), ",", "}}/{{p")+"}}",
			times(n, paramOf("q#", "{{USER_PARAM}}", "insert", text)), "")
	}},
	{"tests that give none of many parameters", func(t testing.TB, n int) *record.Load {
		return hostileTool(t, "/", times(n,
			paramOf("p#", "{{USER_PARAM}}", "query", `{"primitive":"enum(a,b)","options":["optional()"]}`)),
			times(n, `{"_description":"d"}`))
	}},
	{"tests with values that a large enum has not", func(t testing.TB, n int) *record.Load {
		return hostileTool(t, "/", paramOf("p", "{{USER_PARAM}}", "query",
			`{"primitive":"enum(`+times(n, "value#")+`)","options":[]}`), times(n, `{"_description":"d","p":"valeu#"}`))
	}},
	{"tests with keys that there are not", func(t testing.TB, n int) *record.Load {
		return hostileTool(t, "/", times(n,
			paramOf("p#", "{{USER_PARAM}}", "query", `{"primitive":"string()","options":["optional()"]}`)),
			times(n, `{"_description":"d","r#":1}`))
	}},
	{"tests that give none of many required parameters", func(t testing.TB, n int) *record.Load {
		return hostileTool(t, "/", times(n, paramOf("p#", "{{USER_PARAM}}", "query", text)),
			times(n, `{"_description":"d"}`))
	}},
	{"enums of lists that are not declared", func(t testing.TB, n int) *record.Load {
		return load(t, mainOf("4.2.0",
			`"tools":{"a":`+toolOf("/", times(n,
				paramOf("p#", "{{USER_PARAM}}", "query", `{"primitive":"enum({{lsit#:f}})","options":[]}`)))+`}`,
			`"sharedLists":[`+times(n, `{"ref":"list#","version":"1.0.0"}`)+`]`))
	}},
	{"server parameters of headers", func(t testing.TB, n int) *record.Load {
		return load(t, mainOf("4.2.0", `"tools":{}`, `"requiredServerParams":[`+times(n, `"KEY_#"`)+`]`,
			`"headers":{`+times(n, `"X-#":"{{SERVER_PARAM:YEK_#}}"`)+`}`))
	}},
	{"entries without the fields of a list", func(t testing.TB, n int) *record.Load {
		l := load(t, `{"meta":{"name":"evil","version":"1.0.0","description":"d","fields":[`+
			times(n, `{"key":"f#","type":"string","description":"d","optional":true}`)+`]},"entries":[`+
			times(n, `{"f#":1}`)+`]}`)
		l.Type, l.Src.Path, l.Exports = record.TypeList, "_lists/evil.mjs", []string{"list"}
		return l
	}},
	{"parameters that are none", func(t testing.TB, n int) *record.Load {
		return hostileTool(t, "/", times(n, "null"), "")
	}},
	{"tools that are none", func(t testing.TB, n int) *record.Load {
		return load(t, mainOf("4.2.0", `"tools":{`+times(n, `"tool#":null`)+`}`))
	}},
	{"references to lists that are none", func(t testing.TB, n int) *record.Load {
		return load(t, mainOf("4.2.0", `"tools":{}`, `"sharedLists":[`+times(n, "null")+`]`))
	}},
	{"a pattern of any length", func(t testing.TB, n int) *record.Load {
		return hostileTool(t, "/", paramOf("p", "{{USER_PARAM}}", "query",
			`{"primitive":"string()","options":["regex(`+strings.Repeat("(a|b)", n)+`)"]}`), "")
	}},
}

func hostileTool(t testing.TB, path, params, tests string) *record.Load {
	tool := strings.TrimSuffix(toolOf(path, params), "}") + `,"tests":[` + tests + `]}`
	return load(t, mainOf("4.2.0", `"tools":{"a":`+tool+`}`))
}

// What is said about three times as much is about three times as long: no finding lists all
// of something that has as many findings. Nor does finding it allocate the square.
func TestHostileFindings(t *testing.T) {
	for _, tt := range hostile {
		size := func(n int) (sum, allocated int) {
			l := tt.make(t, n)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			findings := rules.Check(l, &rules.Context{})
			runtime.ReadMemStats(&after)
			for _, f := range findings {
				sum += len(f.Message) + len(f.Fix)
			}
			return sum, int(after.TotalAlloc - before.TotalAlloc)
		}
		few, fewAllocated := size(4000)
		many, manyAllocated := size(12_000)
		if few == 0 || many > 4*few {
			t.Errorf("%s: %d bytes of messages for 4000, %d for 12000", tt.name, few, many)
		}
		if manyAllocated > 6*fewAllocated {
			t.Errorf("%s: %d bytes allocated for 4000, %d for 12000", tt.name, fewAllocated, manyAllocated)
		}
	}
}

// A time that grows with the square shows as 16 times as much for 4 times as
// many.
func BenchmarkHostile(b *testing.B) {
	for _, bb := range hostile {
		for _, n := range []int{1000, 4000} {
			l := bb.make(b, n)
			b.Run(fmt.Sprintf("%s/%d", bb.name, n), func(b *testing.B) {
				for b.Loop() {
					rules.Check(l, &rules.Context{})
				}
			})
		}
	}
}
