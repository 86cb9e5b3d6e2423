package protocol

import (
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

const (
	askWhenToUse = "Rate the clarity and specificity of the following Schema description on a scale 1.0-5.0. No " +
		"skill whenToUse provided. Schema description: "
	askParameters = "Rate how well the parameter descriptions in the following schema enable an LLM to call the " +
		"tools correctly on a scale 1.0-5.0. Schema: "
)

func loaded(t *testing.T, data string) *record.Load {
	t.Helper()
	v, err := ordjson.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return &record.Load{Type: record.TypeSchema, ID: "a/b", Data: v,
		Src: record.Source{Root: "cat", Path: "providers/a/b.mjs", FileHash: "sha256:00"}}
}

func TestPrompts(t *testing.T) {
	for _, tt := range []struct{ name, data, whenToUse, parameters string }{
		{"both", `{"description":"Reads \"x\"\n","tools":{"a":{"n":1.50,"s":"é\u2028\ud800"},"2":[]}}`,
			"\"Reads \"x\"\n\"", `{"a":{"n":1.50,"s":"é` + "\u2028" + `\ud800"},"2":[]}`},
		{"no description", `{"tools":{}}`, `""`, `{}`},
		{"a description that is no text", `{"description":["x"],"tools":{}}`, `""`, `{}`},
		{"no tools", `{"description":"d"}`, `"d"`, `{}`},
		{"null for tools", `{"description":"d","tools":null}`, `"d"`, `{}`},
		{"tools that are none", `{"description":"d","tools":"x"}`, `"d"`, `"x"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := NewPrompts(loaded(t, tt.data))
			if got := p.List[0]; got.Dimension != WhenToUse || got.Text != askWhenToUse+tt.whenToUse {
				t.Errorf("%s: %s", got.Dimension, got.Text)
			}
			if got := p.List[1]; got.Dimension != Parameters || got.Text != askParameters+tt.parameters {
				t.Errorf("%s: %s", got.Dimension, got.Text)
			}
		})
	}
}

func TestPromptsJSON(t *testing.T) {
	const want = `{
    "schemaId": "a/b",
    "schemaIdSlug": "a_b",
    "schemaPath": "cat/providers/a/b.mjs",
    "scoringProtocol": "v1",
    "scoringInstructions": "Du bist ein Schema-Bewerter. Bewerte unabhaengig basierend nur auf den unten gelieferten Informationen. Antworte als JSON-Array: [ { \"dimension\": \"...\", \"score\": <1.0-5.0>, \"reasoning\": \"...\" }, ... ]. Keine externen Annahmen, keine Kontext-Vermutungen.",
    "prompts": [
        {
            "dimension": "whenToUse",
            "prompt": "` + askWhenToUse + `\"d\""
        },
        {
            "dimension": "parameters",
            "prompt": "` + askParameters + `{}"
        }
    ],
    "schemaHash": "sha256:00"
}
`
	if got := ordjson.Pretty(NewPrompts(loaded(t, `{"description":"d"}`)).JSON(), ""); got != want {
		t.Errorf("got %s", got)
	}
}
