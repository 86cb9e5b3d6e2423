package dts

import (
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

func parse(t *testing.T, text string) ordjson.Value {
	t.Helper()
	v, err := ordjson.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestDeclare(t *testing.T) {
	for _, tt := range []struct{ name, description, input, output, want string }{
		{"all", "Prices of\n a coin. See */ there", `{"type":"object","properties":{
			"ids":{"type":"string","description":"Ids of coins.","examples":["btc","eth"]},
			"cur":{"type":"string","enum":["usd","eur"],"default":"usd"},
			"page[number]":{"type":"integer","minimum":1,"maximum":50},
			"tags":{"type":"array","items":{"type":"string","enum":["a",1,null]}},
			"deep":{"type":"object","properties":{"x":{"type":"boolean"}},"required":["x"]},
			"any":{}},"required":["ids"]}`,
			`{"mimeType":"application/json","schema":{"type":"array","items":{"type":"object","properties":{
				"id":{"type":"string","description":"The id"},"n":{"type":"integer","nullable":true},
				"kind":{"type":"string","enum":["a","b"],"nullable":true},
				"rest":{"type":"object"},"list":{"type":"array"}}}}}`,
			`/** Prices of a coin. See *\/ there */
declare function call(id: "tool", params: {
  /** Ids of coins; e.g. "btc"; "eth" */
  ids: string;
  /** default "usd" */
  cur?: "usd" | "eur";
  /** a whole number; at least 1; at most 50 */
  "page[number]"?: number;
  tags?: Array<"a" | 1 | null>;
  deep?: {
    x: boolean;
  };
  any?: unknown;
}): Promise<Array<{
  /** The id */
  id: string;
  n: number | null;
  kind: "a" | "b" | null;
  rest: Record<string, unknown>;
  list: Array<unknown>;
}>>;
`},
		{"nothing is known", "", `{"type":"object","properties":{}}`, `null`,
			"declare function call(id: \"tool\", params?: {}): Promise<unknown>;\n"},
		{"text", "Text", `{"type":"object","properties":{}}`, `{"mimeType":"text/plain","schema":{"type":"string"}}`,
			"/** May change data. Text */\ndeclare function call(id: \"tool\", params?: {}): Promise<string>;\n"},
		{"a word that is no type", "", `{"type":"object","properties":{"a":{"type":["string","null"]},"":{"enum":[]}}}`,
			`{"mimeType":"application/json","schema":{"type":"date"}}`,
			"declare function call(id: \"tool\", params?: {\n  a?: unknown;\n  \"\"?: never;\n}): Promise<unknown>;\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := Declare(Tool{"tool", tt.description, parse(t, tt.input), parse(t, tt.output), tt.name == "text"})
			if got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}
