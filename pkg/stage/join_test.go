package stage

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/grade"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// joined says what is known of each schema when records have come, and what else leaves.
func joined(t *testing.T, records ...record.Record) string {
	t.Helper()
	var b, left strings.Builder // the judge and the sink run at the same time
	judge := func(_ context.Context, all iter.Seq[*grade.Evidence], _ func(record.Record) bool) error {
		for range 2 { // a judge may go through them twice
			for e := range all {
				fmt.Fprintf(&b, "%s %s registered=%t loaded=%t", e.ID, e.Path, e.Registered, e.Load != nil)
				for _, d := range e.Findings {
					fmt.Fprintf(&b, " %s:%d", d.Code, d.Loc.Line)
				}
				for _, r := range e.Runs {
					fmt.Fprintf(&b, " %s=%s", r.ID, r.Outcome)
				}
				b.WriteString("\n")
			}
		}
		return nil
	}
	source := func(_ context.Context, send func(Batch) bool) error {
		for _, r := range records {
			send(Batch{New(r)})
		}
		return nil
	}
	sink := func(it *Item) error {
		left.WriteString("> " + string(record.KindOf(it.Rec)) + "\n")
		return nil
	}
	if err := Run(t.Context(), Options{Jobs: 1}, source, Join(judge), sink, func() error { return nil }); err != nil {
		t.Fatal(err)
	}
	return left.String() + b.String()
}

func TestJoin(t *testing.T) {
	load := func(typ record.Type, id, path, data string) *record.Load {
		v, err := ordjson.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		return &record.Load{Type: typ, ID: id, Data: v, Src: record.Source{Root: "c", Path: path, FileHash: "sha256:0"}}
	}
	const tools = `{"namespace":"n","tools":{"x":{}}}`
	a := load(record.TypeSchema, "n/a", "providers/n/a.mjs", tools)
	b := load(record.TypeSchema, "n/b", "providers/n/b.mjs", tools)
	finding := func(file, code string, line int) *record.Diagnostic {
		return &record.Diagnostic{Code: code, Severity: record.SeverityError, Message: "m", Subject: "n/held",
			Loc: record.Loc{Path: file, Line: line}}
	}
	pass := &record.Envelope{ID: "n/tool/x", Status: true, Test: &record.Test{Mode: record.TestRun,
		Outcome: record.TestPassed}}
	for _, tt := range []struct {
		name    string
		records []record.Record
		want    string // once
	}{
		{"an ID that two files define is the fault of the later path", []record.Record{b, a, pass},
			"n/a c/providers/n/a.mjs registered=false loaded=true n/tool/x=pass\n" +
				"n/b c/providers/n/b.mjs registered=false loaded=true LOD031:0 n/tool/x=pass\n"},
		{"findings and runs before and after the record, each once", []record.Record{
			finding("c/providers/n/a.mjs", "VAL032", 9), pass, a, finding("c/providers/n/a.mjs", "VAL014", 3),
			finding("c/providers/n/a.mjs", "VAL032", 9), pass},
			"n/a c/providers/n/a.mjs registered=false loaded=true VAL014:3 VAL032:9 n/tool/x=pass\n"},
		{"in registry.json", []record.Record{a, load(record.TypeRegistry, "c", "registry.json",
			`{"schemas":[{"file":"providers/n/a.mjs"}]}`)},
			"n/a c/providers/n/a.mjs registered=true loaded=true\n"},
		{"a record that was held back", []record.Record{finding("c/providers/n/held.mjs", "VAL032", 9)},
			"n/held c/providers/n/held.mjs registered=false loaded=false VAL032:9\n"},
		{"a schema that cannot be loaded", []record.Record{
			&record.Error{Input: "c/providers/n/broken.mjs", Code: "LOD003", Message: "m"}},
			"n/broken c/providers/n/broken.mjs registered=false loaded=false LOD003:0\n"},
		{"what is no schema", []record.Record{&record.Error{Input: "c/_lists/x.mjs", Code: "LOD003", Message: "m"},
			&record.Error{Input: "stdin:3", Code: "LOD020", Message: "m"},
			load(record.TypeList, "shared/list/l", "_lists/l.mjs", `{}`)}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := strings.ReplaceAll(joined(t, tt.records...), "> error\n", "")
			if got != tt.want+tt.want {
				t.Errorf("got\n%swant, twice\n%s", got, tt.want)
			}
		})
	}
}

// Where fmcp-scan watches, each round has what came in it.
func TestJoinRounds(t *testing.T) {
	load := func(id string) *record.Load {
		return &record.Load{Type: record.TypeSchema, ID: id, Src: record.Source{Path: id + ".mjs"}}
	}
	got := joined(t, load("n/a"), &record.Round{}, load("n/b"), &record.Round{})
	want := strings.Repeat("> round\n", 2)
	for _, id := range []string{"n/a", "n/b"} {
		want += strings.Repeat(fmt.Sprintf("%s %[1]s.mjs registered=false loaded=true\n", id), 2)
	}
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
