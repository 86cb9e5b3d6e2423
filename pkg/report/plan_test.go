package report

import (
	"testing"

	"github.com/flowmcp/fmcp/pkg/grade/lifecycle"
)

// A line is what a shell can run, whatever a server answered.
func TestPlanText(t *testing.T) {
	got := PlanText([]lifecycle.Task{
		{ID: "a/b", Needs: "grade", Why: "stale", Command: "fmcp-grade x"},
		{ID: "a/c", Needs: "tests", Why: "it failed (HTTP 500\nrm -rf /\x1b[2J)", Keys: []string{"K"}, Calls: 3,
			Command: "fmcp-exec test y"},
		{ID: "a/d", Needs: "tests", Why: "none was run", Keys: []string{"K", "L"}, Calls: 1,
			Command: "fmcp-exec test z"},
		{ID: "a/e", Needs: "scores", Why: "it was not scored", Prompts: 2, Command: "fmcp-grade prompts z"},
	})
	want := `fmcp-grade x  # a/b needs grade: stale
fmcp-exec test y  # a/c needs tests: it failed (HTTP 500 rm -rf /\u001b[2J) (1 key, 3 calls)
fmcp-exec test z  # a/d needs tests: none was run (2 keys, 1 call)
fmcp-grade prompts z  # a/e needs scores: it was not scored (2 prompts)
# 4 tasks: 2 keys, 2 prompts, 4 calls
`
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got := PlanText(nil); got != "# 0 tasks\n" {
		t.Errorf("nothing to do: %q", got)
	}
}
