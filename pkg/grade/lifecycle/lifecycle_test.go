package lifecycle

import (
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/grade"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

const now, old = "sha256:now", "sha256:old"

// evidence is that of a file with this main, "" for one without; with its registry and
// grade it is as in production.
func evidence(t *testing.T, file, main string) *grade.Evidence {
	t.Helper()
	e := &grade.Evidence{ID: "sea/tides", Path: "c/" + file, FileHash: now, Registered: true}
	e.Load = &record.Load{Type: record.TypeSchema, ID: e.ID, Src: record.Source{Root: "c", Path: file, FileHash: now}}
	if main != "" {
		v, err := ordjson.Parse(main)
		if err != nil {
			t.Fatal(err)
		}
		e.Load.Data = v
	}
	for _, p := range catalog.PrimitiveIDs(e.Load) {
		e.Primitives = append(e.Primitives, grade.Primitive{ID: p.ID.String(), Kind: record.Type(p.ID.Type)})
	}
	return e
}

// What files of the tests say.
const (
	deployed = "providers/sea/tides.mjs"
	tests    = `"tests":[{"_description":"a"},{"_description":"b"}]`
	tools    = `{"namespace":"sea","version":"4.2.0","requiredServerParams":["SEA_KEY"],` +
		`"tools":{"getTides":{` + tests + `},"getWaves":{` + tests + `}}}`
	queries = `{"namespace":"sea","version":"4.2.0","resources":{"harbours":{"source":"sqlite","queries":{"byArea":{` +
		tests + `},"byName":{` + tests + `}}}}}`
)

func scored(e *grade.Evidence, score float64) {
	e.Scores = &grade.Scores{Dimensions: []grade.Dimension{{Name: "whenToUse", Score: score}}}
}

func failed(e *grade.Evidence) {
	e.Findings = append(e.Findings, &record.Diagnostic{Code: "VAL010", Severity: record.SeverityError, Message: "m"},
		&record.Diagnostic{Code: "VAL036", Severity: record.SeverityWarning, Message: "m"})
}

func passed(e *grade.Evidence) {
	e.Runs = append(e.Runs, grade.Run{ID: "sea/tool/getTides", Outcome: grade.Pass})
}

// Each stage, and each thing that is missing in it.
func TestOf(t *testing.T) {
	trim := []string{"--runs", "my runs.ndjson"}
	for _, tt := range []struct {
		name, file, main string
		add              func(*grade.Evidence)
		want             string // the stage, and what is needed with its command, a line each
	}{
		{"nothing defined", "tests/new-schemas/sea/tides.mjs", `{"namespace":"sea","version":"4.2.0"}`, nil,
			"stage:research\na tool, a resource or a prompt: it defines none\n" +
				"$ fmcp-validate --profile community c/tests/new-schemas/sea/tides.mjs"},
		{"no main", "tests/new-schemas/sea/tides.mjs", "", failed,
			"stage:creation\nan exported main: the file has none that can be read\n" +
				"$ fmcp-validate --profile community c/tests/new-schemas/sea/tides.mjs"},
		{"no test", deployed, `{"version":"4.2.0","tools":{"getTides":{"tests":[]},"getWaves":{}}}`, nil,
			"stage:creation\na test: its tools and queries have none\n" +
				"$ fmcp-validate --profile community c/providers/sea/tides.mjs"},
		{"of version 3 without tests", deployed, `{"version":"3.0.0","tools":{"getTides":{}}}`, nil,
			"stage:api-test\na test that passes: none was run\n" +
				"$ fmcp-exec test --mode validate --capture captures --profile community c/providers/sea/tides.mjs"},
		{"of version 3 without tools", deployed, `{"version":"3.0.0"}`, failed,
			"stage:validation\nno errors: it has 1\n$ fmcp-validate --profile community c/providers/sea/tides.mjs"},
		{"not run", deployed, tools, failed,
			"stage:api-test\na test that passes: none was run\n" +
				"$ fmcp-exec test --mode validate --capture captures --profile community c/providers/sea/tides.mjs"},
		{"failed and skipped", deployed, tools, func(e *grade.Evidence) {
			e.Runs = []grade.Run{{ID: "sea/tool/getTides", Outcome: grade.Fail, Why: "HTTP 500"},
				{ID: "sea/tool/getWaves", Outcome: grade.Skipped, Why: "SEA_KEY is not set"}}
		}, "stage:api-test\na test that passes: sea/tool/getTides failed (HTTP 500), and 1 more did not pass\n" +
			"$ fmcp-exec test --mode validate --capture captures --profile community c/providers/sea/tides.mjs"},
		{"skipped", deployed, tools, func(e *grade.Evidence) {
			e.Runs = []grade.Run{{ID: "sea/tool/getWaves", Outcome: grade.Skipped, Why: "SEA_KEY is not set"}}
		}, "stage:api-test\na test that passes: sea/tool/getWaves was skipped (SEA_KEY is not set)\n" +
			"$ fmcp-exec test --mode validate --capture captures --profile community c/providers/sea/tides.mjs"},
		{"mismatched", deployed, tools, func(e *grade.Evidence) {
			e.Runs = []grade.Run{{ID: "sea/tool/getTides", Outcome: grade.Mismatch}}
		}, "stage:api-test\na test that passes: sea/tool/getTides did not answer as output.schema says\n" +
			"$ fmcp-exec test --mode validate --capture captures --profile community c/providers/sea/tides.mjs"},
		{"a prompt that passes is no API test", deployed, `{"version":"4.2.0","tools":{"getTides":{` + tests +
			`}},"prompts":{"about":{}}}`, func(e *grade.Evidence) {
			e.Runs = []grade.Run{{ID: "sea/prompt/about", Outcome: grade.Pass}}
		}, "stage:api-test\na test that passes: none was run\n" +
			"$ fmcp-exec test --mode validate --capture captures --profile community c/providers/sea/tides.mjs"},
		{"static: prompts pass by themselves", deployed, `{"namespace":"sea","version":"4.2.0","prompts":{"about":{}}}`,
			nil, "stage:grade\na grade of B or better: it was not scored\n" +
				"$ fmcp-grade prompts --out prompts c/providers/sea/tides.mjs"},
		{"static: one query passes, the other was not run", deployed, queries, func(e *grade.Evidence) {
			e.Runs = []grade.Run{{ID: "sea/resource/harbours/byArea", Outcome: grade.Pass}}
		}, "stage:api-test\nqueries that pass: none was run\n" +
			"$ fmcp-exec test --mode validate --capture captures --profile community c/providers/sea/tides.mjs"},
		{"static: all queries pass", deployed, queries, func(e *grade.Evidence) {
			e.Runs = []grade.Run{{ID: "sea/resource/harbours/byArea", Outcome: grade.Pass},
				{ID: "sea/resource/harbours/byName", Outcome: grade.Pass}}
			scored(e, 4)
		}, "stage:production"},
		{"a resource of the network is no static one", deployed, strings.Replace(queries, "sqlite", "http", 1),
			func(e *grade.Evidence) {
				e.Runs = []grade.Run{{ID: "sea/resource/harbours/byArea", Outcome: grade.Pass}}
				scored(e, 4)
			}, "stage:production"},
		{"errors", deployed, tools, func(e *grade.Evidence) { passed(e); failed(e) },
			"stage:validation\nno errors: it has 1\n$ fmcp-validate --profile community c/providers/sea/tides.mjs"},
		{"no scores", deployed, tools, passed, "stage:grade\na grade of B or better: it was not scored\n" +
			"$ fmcp-grade prompts --out prompts c/providers/sea/tides.mjs"},
		{"grade of another version", deployed, tools, func(e *grade.Evidence) {
			passed(e)
			e.Before = &record.Grade{Grade: "A", FileHash: old}
		}, "stage:grade\na grade of B or better: the grade that it had, A, is of another version of the file\n" +
			"$ fmcp-grade prompts --out prompts c/providers/sea/tides.mjs"},
		{"grade C", deployed, tools, func(e *grade.Evidence) { passed(e); scored(e, 2.5) },
			"stage:grade\na grade of B or better: it has C; improve its descriptions, then have it scored again\n" +
				"$ fmcp-grade prompts --out prompts c/providers/sea/tides.mjs"},
		{"deployed", deployed, tools, func(e *grade.Evidence) { passed(e); scored(e, 3) }, "stage:production"},
		{"not in its place", "tests/new-schemas/it's sea/tides.mjs", tools,
			func(e *grade.Evidence) { passed(e); scored(e, 3) },
			"stage:production\nits place in the catalog, providers/sea\n" +
				`$ mkdir -p c/providers/sea && mv 'c/tests/new-schemas/it'\''s sea/tides.mjs' c/providers/sea`},
		{"in the place of another namespace", "providers/seas/tides.mjs", tools,
			func(e *grade.Evidence) { passed(e); scored(e, 3) },
			"stage:production\nits place in the catalog, providers/sea\n" +
				"$ mkdir -p c/providers/sea && mv c/providers/seas/tides.mjs c/providers/sea"},
		{"not registered, and a tool fails", deployed, tools, func(e *grade.Evidence) {
			passed(e)
			scored(e, 3)
			e.Runs = append(e.Runs, grade.Run{ID: "sea/tool/getWaves", Outcome: grade.Fail, Why: "HTTP 404"})
			e.Registered = false
		}, "stage:production\nno primitive that fails: sea/tool/getWaves\n" +
			"$ fmcp-grade trim --out trimmed --runs 'my runs.ndjson' c\n" +
			"its entry in registry.json\n$ fmcp-resolve registry build --write c"},
		{"a path like a flag", "../-x/tides.mjs", tools, nil, "stage:api-test\na test that passes: none was run\n" +
			"$ fmcp-exec test --mode validate --capture captures --profile community ./-x/tides.mjs"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := evidence(t, tt.file, tt.main)
			if tt.name == "a path like a flag" {
				e.Path = "-x/tides.mjs"
			}
			if tt.add != nil {
				tt.add(e)
			}
			got, next := Of(e, grade.Report(e), Commands{Rules: []string{"--profile", "community"}, Runs: trim})
			for _, n := range next {
				got += "\n" + n.Needs + "\n$ " + n.Command
			}
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// What lies beside a file has to be moved with it, by whoever knows what else names it.
func TestOfWithFiles(t *testing.T) {
	e := evidence(t, "tests/new-schemas/sea/tides.mjs", queries)
	e.Runs = []grade.Run{{ID: "sea/resource/harbours/byArea", Outcome: grade.Pass},
		{ID: "sea/resource/harbours/byName", Outcome: grade.Pass}}
	scored(e, 4)
	_, next := Of(e, grade.Report(e), Commands{})
	want := record.GradeStep{Needs: "its place in the catalog, providers/sea, with the files that it names",
		Command: "mkdir -p c/providers/sea && mv c/tests/new-schemas/sea/tides.mjs c/providers/sea"}
	if len(next) != 1 || next[0] != want {
		t.Errorf("%+v", next)
	}
}

// Of a schema whose record did not come nothing is known, but that its file cannot be
// read.
func TestOfWithoutRecord(t *testing.T) {
	e := &grade.Evidence{ID: "sea/tides", Path: "c/tides.mjs"}
	failed(e)
	if stage, next := Of(e, grade.Report(e), Commands{}); stage != "" || next != nil {
		t.Errorf("held back: %s %v", stage, next)
	}
	e.Findings = append(e.Findings, &record.Diagnostic{Code: "LOD003", Severity: record.SeverityError, Message: "m"})
	stage, next := Of(e, grade.Report(e), Commands{})
	if stage != Creation || len(next) != 1 || next[0].Needs != "a file that can be read (LOD003)" {
		t.Errorf("cannot be read: %s %v", stage, next)
	}
}

// No score gets a schema with a veto out of the stage.
func TestOfRejected(t *testing.T) {
	e := evidence(t, deployed, tools)
	passed(e)
	scored(e, 5)
	g := grade.Report(e)
	g.Grade, g.Grading = record.GradeRejected, &record.Grading{Veto: "malicious-module: line 7"}
	stage, next := Of(e, g, Commands{Given: []string{"--grading", "spec2"}})
	want := record.GradeStep{Needs: "a grade of B or better: it is rejected, malicious-module: line 7",
		Command: "fmcp-grade --grading spec2 c/providers/sea/tides.mjs"}
	if stage != Grade || len(next) != 1 || next[0] != want {
		t.Errorf("%s %+v", stage, next)
	}
}
