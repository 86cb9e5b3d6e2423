package derive

import (
	"fmt"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

func parse(t testing.TB, text string) ordjson.Value {
	t.Helper()
	v, err := ordjson.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

// responses are data of responses, one a line; a line "text/plain: …" says what
// the upstream called a string.
func merged(t testing.TB, declared, responses string) (string, string) {
	t.Helper()
	old := ordjson.Value{}
	if declared != "" {
		old = parse(t, declared)
	}
	m := NewMerger(old)
	for line := range strings.SplitSeq(responses, "\n") {
		typ, data, named := strings.Cut(line, ": ")
		if !named {
			typ, data = "", line
		}
		m.Add(parse(t, data), typ)
	}
	out, findings := m.Output()
	var notes []string
	for _, f := range findings {
		notes = append(notes, f.Pointer+" "+f.Message)
	}
	if !out.Exists() {
		return "", strings.Join(notes, "\n")
	}
	return ordjson.Text(out), strings.Join(notes, "\n")
}

const png = `"iVBORw0KGgoAAAANSUhEUg=="`

func TestOutput(t *testing.T) {
	keys := make([]string, 101)
	for i := range keys {
		keys[i] = fmt.Sprintf(`"k%d":%d`, i, i)
	}
	tests := []struct {
		name, responses, schema, findings string // schema: output.schema, or output where it starts with mimeType
	}{
		{"the example of chapter 10", `[{"id":"bitcoin","prices":{"usd":45000}}]`,
			`{"type":"array","items":{"type":"object","properties":{"id":{"type":"string","description":""},` +
				`"prices":{"type":"object","description":"","properties":{"usd":{"type":"number",` +
				`"description":""}}}}}}`, ""},
		{"null beside a type", `{"a":1}` + "\n" + `{"a":null}`,
			`{"type":"object","properties":{"a":{"type":"number","description":"","nullable":true}}}`, ""},
		{"a key that some lack", `{"a":1,"b":true}` + "\n" + `{"a":2}`,
			`{"type":"object","properties":{"a":{"type":"number","description":""},"b":{"type":"boolean",` +
				`"description":""}}}`, ""},
		{"keys in the order first seen", `{"z":1,"a":1}` + "\n" + `{"a":1,"m":1,"z":1}`,
			`{"type":"object","properties":{"z":{"type":"number","description":""},"a":{"type":"number",` +
				`"description":""},"m":{"type":"number","description":""}}}`, ""},
		{"elements are merged", `{"l":[{"a":null},{"a":"x"}]}` + "\n" + `{"l":[]}`,
			`{"type":"object","properties":{"l":{"type":"array","description":"","items":{"type":"object",` +
				`"properties":{"a":{"type":"string","description":"","nullable":true}}}}}}`, ""},
		{"mixed elements", `{"l":[1,"a",{"b":1}]}`,
			`{"type":"object","properties":{"l":{"type":"array","description":""}}}`,
			"/schema/properties/l/items left out: the responses have number, object and string here, and there are " +
				"no union types"},
		{"mixed types", `{"a":1,"b":1}` + "\n" + `{"a":"x","b":1}`,
			`{"type":"object","properties":{"b":{"type":"number","description":""}}}`,
			"/schema/properties/a left out: the responses have number and string here"},
		{"always null", `{"a":null,"b":1}`, `{"type":"object","properties":{"b":{"type":"number","description":""}}}`,
			"/schema/properties/a left out: it is null in all responses"},
		{"elements that are null", `[null]`, `{"type":"array"}`, "/schema/items left out: it is null in all responses"},
		{"empty arrays", `{"a":[]}`, `{"type":"object","properties":{"a":{"type":"array","description":""}}}`,
			"/schema/properties/a/items left out: the arrays in the responses are all empty"},
		{"empty objects", `{"a":{}}`, `{"type":"object","properties":{"a":{"type":"object","description":""}}}`,
			"/schema/properties/a/properties left out: the objects in the responses are all empty"},
		{"no enum is guessed", `[{"s":"on"},{"s":"off"},{"s":"on"}]`,
			`{"type":"array","items":{"type":"object","properties":{"s":{"type":"string","description":""}}}}`, ""},
		{"big integers", `{"n":123456789012345678901234567890}` + "\n" + `{"n":1.5e400}`,
			`{"type":"object","properties":{"n":{"type":"number","description":""}}}`, ""},
		{"too deep", `{"a":{"b":{"c":{"d":1},"e":[1],"f":[]}}}`,
			`{"type":"object","properties":{"a":{"type":"object","description":"","properties":{"b":{"type":"object",` +
				`"description":"","properties":{"c":{"type":"object","description":""},"e":{"type":"array",` +
				`"description":""},"f":{"type":"array","description":""}}}}}}}`,
			"/schema/properties/a/properties/b/properties/c/properties left out: an output has at most 4 levels"},
		{"redacted", `{"token":"[REDACTED:KEY]","[REDACTED:KEY]":1}`,
			`{"type":"object","properties":{"token":{"type":"string","description":""}}}`,
			"/schema/properties/[REDACTED:KEY] left out: a server parameter"},
		{"the prototype", `{"__proto__":1,"a":1}`,
			`{"type":"object","properties":{"a":{"type":"number","description":""}}}`,
			"/schema/properties/__proto__ left out"},
		{"data for keys", `{"bitcoin":{"usd":1}}` + "\n" + `{"solana":{"usd":1}}`, `{"type":"object"}`,
			`/schema/properties the keys are data ("bitcoin", "solana", …)`},
		{"too many keys", "{" + strings.Join(keys, ",") + "}", `{"type":"object"}`,
			`/schema/properties the keys are data ("k0", "k1", "k2", …)`},
		{"keys that are not data", `{"ok":{"usd":1}}` + "\n" + `{"error":"x"}`,
			`{"type":"object","properties":{"ok":{"type":"object","description":"",` +
				`"properties":{"usd":{"type":"number","description":""}}},"error":{"type":"string",` +
				`"description":""}}}`, ""},
		{"a root that may be null", "null\n[1]", `{"type":"array","nullable":true,"items":{"type":"number"}}`, ""},
		{"plain text", `text/plain: "hello"` + "\n" + `text/csv: "a,b"`,
			`{"mimeType":"text/plain","schema":{"type":"string"}}`, ""},
		{"an image", png, `{"mimeType":"image/png","schema":{"type":"string","format":"base64"}}`, ""},
		{"a string of JSON", `application/json: "hello"`, "",
			"/schema the responses are strings that came as neither text nor PNG"},
		{"a number", "5", "", "/schema the responses are of type number: JSON is described as object or array only"},
		{"null", "null", "", "/schema the responses are null: they show no type"},
		{"objects and arrays", "{}\n[]", "", "/schema the responses are array and object: an output has one type"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, findings := merged(t, "", tt.responses)
			want := tt.schema
			if want != "" && !strings.HasPrefix(want, `{"mimeType`) {
				want = `{"mimeType":"application/json","schema":` + want + `}`
			}
			if got != want {
				t.Errorf("output\n got %s\nwant %s", got, want)
			}
			if !strings.HasPrefix(findings, tt.findings) || tt.findings == "" && findings != "" {
				t.Errorf("findings\n got %s\nwant %s", findings, tt.findings)
			}
		})
	}
}

func TestOutputKeepsWhatIsDeclared(t *testing.T) {
	tests := []struct{ name, declared, responses, schema, findings string }{
		{"words of the author", `{"description":"D","type":"object","properties":{"b":{"description":"B",` +
			`"type":"string","format":"uri"},"a":{"type":"number","description":"A","nullable":true}}}`,
			`{"a":1,"b":"x","c":1}`,
			`{"description":"D","type":"object","properties":{"b":{"description":"B","type":"string","format":"uri"},` +
				`"a":{"type":"number","description":"A","nullable":true},"c":{"type":"number","description":""}}}`, ""},
		{"an enum that holds", `{"type":"object","properties":{"s":{"type":"string","enum":["a","b"]}}}`,
			`{"s":"a"}` + "\n" + `{"s":null}`,
			`{"type":"object","properties":{"s":{"type":"string","enum":["a","b"],"nullable":true}}}`, ""},
		{"an enum that does not", `{"type":"object","properties":{"s":{"type":"string","enum":["a","b"]}}}`,
			`{"s":"a"}` + "\n" + `{"s":"c"}`, `{"type":"object","properties":{"s":{"type":"string"}}}`,
			`/schema/properties/s/enum left out: the responses have "c", which is not in it`},
		{"another type", `{"type":"object","properties":{"n":{"type":"string","description":"N","format":"uri"}}}`,
			`{"n":1}`, `{"type":"object","properties":{"n":{"type":"number","description":"N"}}}`,
			"/schema/properties/n declared as string, but the responses have number"},
		{"integer", `{"type":"object","properties":{"n":{"type":"integer"}}}`, `{"n":1}`,
			`{"type":"object","properties":{"n":{"type":"number"}}}`, ""},
		{"in no response", `{"type":"object","properties":{"a":{"type":"array","description":"A",` +
			`"items":{"type":"string"}}}}`, `{"b":1}`,
			`{"type":"object","properties":{"a":{"type":"array","description":"A","items":{"type":"string"}},` +
				`"b":{"type":"number","description":""}}}`,
			"/schema/properties/a declared, but in no response: kept as it is"},
		{"null as declared", `{"type":"object","properties":{"a":{"type":"number","description":"A"}}}`, `{"a":null}`,
			`{"type":"object","properties":{"a":{"type":"number","description":"A","nullable":true}}}`, ""},
		{"keywords of JSON Schema", `{"type":"object","required":["a"],"properties":{"a":{"type":"number",` +
			`"minimum":1}}}`, `{"a":1}`, `{"type":"object","properties":{"a":{"type":"number"}}}`,
			`/schema/required the keyword "required" is left out`},
		{"keys that are data, one of them declared",
			`{"type":"object","properties":{"b":{"type":"number","description":"B"}}}`, `{"a":1}` + "\n" + `{"b":2}`,
			`{"type":"object","properties":{"b":{"type":"number","description":"B"}}}`,
			"/schema/properties the keys are data"},
		{"broken", `{"type":["object"],"properties":{"a":5},"items":[]}`, `{"a":1}`,
			`{"type":"object","properties":{"a":{"type":"number"}}}`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, findings := merged(t, `{"mimeType":"application/json","schema":`+tt.declared+`}`, tt.responses)
			if want := `{"mimeType":"application/json","schema":` + tt.schema + `}`; got != want {
				t.Errorf("output\n got %s\nwant %s", got, want)
			}
			if !strings.HasPrefix(findings, tt.findings) || tt.findings == "" && findings != "" {
				t.Errorf("findings\n got %s\nwant %s", findings, tt.findings)
			}
		})
	}
}
