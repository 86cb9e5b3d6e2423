package catalog

import (
	"reflect"
	"testing"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/record/recordtest"
	"github.com/flowmcp/fmcp/pkg/words"
)

// What a part says comes back as it was, and its resolved records are where it says.
func TestPart(t *testing.T) {
	at := At{Pointer: "/tools/x", Line: 3, Col: 5}
	p := &Part{
		Src:       record.Source{Path: "providers/a/a.mjs", Root: "cat", FileHash: "sha256:1"},
		Hashes:    record.Hashes{Schema: "1", Main: "2", File: "3"},
		Tools:     []PartOf{{Name: "x", Handled: true, At: at}},
		Resources: []PartOf{{Name: "r", Queries: []string{"q"}, At: at}},
		Prompts:   []PartOf{}, Handlers: true, None: true, Lost: []string{"a/tool/y"},
		Libraries: []string{"ethers"}, Lists: []string{"l"},
		Domain: "a.example", Keys: []Ask{{Key: "K", Declared: true, At: at}}, Hashed: []ToolHash{{"x", "sha256:2"}},
		LeftOut: 1, Findings: []Found{{Problem: words.Problem{Code: "C", Message: "m", Fix: "f", Pointer: "/p"},
			Severity: record.SeverityWarning, Subject: "s", List: "l", Line: 1, Col: 2}},
	}
	lines := [][]byte{[]byte(`{"kind":"resolved","id":"é[]"}`), []byte(`{}`)}
	line := EncodePart("a/a", record.TypeSchema, p, lines)
	if err := recordtest.Check(line); err != nil {
		t.Error(err)
	}
	var got Part
	places := DecodePart(line, &got)
	if !reflect.DeepEqual(&got, p) {
		t.Errorf("got\n%+v\nwant\n%+v", &got, p)
	}
	if len(places) != len(lines) {
		t.Fatalf("%d records", len(places))
	}
	for i, at := range places {
		if text := line[at[0] : at[0]+at[1]]; string(text) != string(lines[i]) {
			t.Errorf("%d: %s", i, text)
		}
	}
}
