package lifecycle

import (
	"slices"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/grade"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// Each thing to do, and why.
func TestTasks(t *testing.T) {
	for _, tt := range []struct {
		name, main string
		add        func(*grade.Evidence)
		want       string // needs, why, keys, prompts, calls, the first words of the command; a line each
	}{
		{"nothing done", tools, nil, "scores: it was not scored [] 2 0 fmcp-grade prompts\n" +
			"tests: none was run [SEA_KEY] 0 4 fmcp-exec test"},
		{"all done", tools, func(e *grade.Evidence) {
			scored(e, 1)
			e.Runs = []grade.Run{{ID: "sea/tool/getTides", Outcome: grade.Pass},
				{ID: "sea/tool/getWaves", Outcome: grade.Pass}}
		}, ""},
		{"one tool left", tools, func(e *grade.Evidence) { passed(e); scored(e, 4) },
			"tests: none was run [SEA_KEY] 0 4 fmcp-exec test"},
		{"one tool fails", tools, func(e *grade.Evidence) {
			passed(e)
			scored(e, 4)
			e.Runs = append(e.Runs, grade.Run{ID: "sea/tool/getWaves", Outcome: grade.Fail, Why: "HTTP 500"})
		}, "tests: sea/tool/getWaves failed (HTTP 500) [SEA_KEY] 0 4 fmcp-exec test"},
		{"no tests", `{"namespace":"sea","version":"3.0.0","tools":{"getTides":{},"getWaves":{` + tests + `}}}`,
			func(e *grade.Evidence) { scored(e, 4) },
			"tests: it has no test of sea/tool/getTides [] 0 0 fmcp-validate c/providers/sea/tides.mjs\n" +
				"tests: none was run [] 0 2 fmcp-exec test"},
		{"queries cost no calls", queries, func(e *grade.Evidence) { scored(e, 4) },
			"tests: none was run [] 0 0 fmcp-exec test"},
		{"errors need no scores", `{"version":"4.2.0","prompts":{"about":{}}}`, failed, ""},
		{"stale", `{"version":"4.2.0","prompts":{"about":{}}}`, func(e *grade.Evidence) {
			e.Before = &record.Grade{Grade: "A", FileHash: old}
		}, "scores: the grade that it had, A, is of another version of the file [] 2 0 fmcp-grade prompts"},
		{"stale, and scored again", `{"version":"4.2.0","prompts":{"about":{}}}`, func(e *grade.Evidence) {
			e.Before = &record.Grade{Grade: "A", FileHash: old}
			scored(e, 1)
		}, "grade: the grade that it had, A, is of another version of the file [] 0 0 fmcp-grade --runs"},
		{"stale, and fails now", `{"version":"4.2.0","prompts":{"about":{}}}`, func(e *grade.Evidence) {
			e.Before = &record.Grade{Grade: "A", FileHash: old}
			failed(e)
		}, "grade: the grade that it had, A, is of another version of the file [] 0 0 fmcp-grade --runs"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := evidence(t, deployed, tt.main)
			if tt.add != nil {
				tt.add(e)
			}
			var lines []string
			for _, task := range Tasks(e, grade.Report(e), Commands{Given: []string{"--runs", "r.ndjson"}}) {
				if task.ID != e.ID || task.Path != e.Path {
					t.Errorf("of another schema: %+v", task)
				}
				lines = append(lines, task.Needs+": "+task.Why+" ["+strings.Join(task.Keys, " ")+"] "+
					ordjson.Text(ordjson.NewInt(task.Prompts))+" "+ordjson.Text(ordjson.NewInt(task.Calls))+" "+
					strings.Join(strings.Fields(task.Command)[:2], " "))
			}
			if got := strings.Join(lines, "\n"); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// Keys weigh more than prompts, prompts more than calls.
func TestSort(t *testing.T) {
	want := []Task{{ID: "a", Needs: "grade"}, {ID: "b"}, {ID: "a", Calls: 1}, {ID: "a", Calls: 9},
		{ID: "a", Prompts: 2}, {ID: "b", Prompts: 2}, {ID: "a", Prompts: 2, Calls: 1}, {ID: "a", Keys: []string{"K"}},
		{ID: "a", Keys: []string{"K", "L"}, Calls: 1}}
	got := slices.Clone(want)
	slices.Reverse(got)
	Sort(got)
	for i := range want {
		if ordjson.Text(got[i].JSON()) != ordjson.Text(want[i].JSON()) {
			t.Errorf("%d: %s", i, ordjson.Text(got[i].JSON()))
		}
	}
}
