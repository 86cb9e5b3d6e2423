package report

import (
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/yaml"
)

// point is a test point with its YAML block.
type point struct {
	ok      bool
	text    string
	details ordjson.Value
}

var testPoint = regexp.MustCompile(`^(not )?ok (\d+) - (.*)$`)

// parseTAP reads a report by the grammar of TAP 14, as far as we write it.
func parseTAP(t *testing.T, out string) []point {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if lines[0] != "TAP version 14" {
		t.Fatalf("it starts with %q", lines[0])
	}
	var points []point
	for i := 1; i < len(lines)-1; i++ {
		m := testPoint.FindStringSubmatch(lines[i])
		if m == nil || m[2] != fmt.Sprint(len(points)+1) {
			t.Fatalf("no test point %d: %.200q", len(points)+1, lines[i])
		}
		p := point{ok: m[1] == "", text: m[3]}
		if lines[i+1] == "  ---" {
			var block strings.Builder
			for i += 2; lines[i] != "  ..."; i++ {
				block.WriteString(strings.TrimPrefix(lines[i], "  ") + "\n")
			}
			v, err := yaml.Parse(block.String())
			if err != nil {
				t.Fatalf("point %d: %v\n%.400s", len(points)+1, err, block.String())
			}
			p.details = v
		}
		points = append(points, p)
	}
	if last := lines[len(lines)-1]; last != fmt.Sprintf("1..%d", len(points)) || len(points) == 0 {
		t.Errorf("the plan %q of %d points", last, len(points))
	}
	return points
}

func TestTAPIsValid(t *testing.T) {
	everyCase(t, "tap", func(t *testing.T, name, out string) {
		points := parseTAP(t, out)
		found := 0
		for _, rec := range cases[name] {
			if f, ok := findingOf(rec); ok {
				for found < len(points) && !points[found].details.Exists() {
					found++ // of a file without findings
				}
				if d := points[found].details; d.Get("message").Str() != f.Message || d.Get("fix").Str() != f.Fix ||
					d.Get("at").Get("file").Str() != slashed(f.Loc.Path) {
					t.Errorf("point %d: %s\nof %+v", found+1, ordjson.Text(d), f)
				}
				found++
			}
		}
		for _, p := range points {
			if strings.Contains(strings.ReplaceAll(p.text, `\\`, ""), " #") {
				t.Errorf("a directive: %q", p.text)
			}
		}
	})
}

func TestTAP(t *testing.T) {
	for _, tt := range []struct {
		of   string
		opts Options
		want string
	}{
		{"empty", options, "TAP version 14\nok 1 - no findings\n1..1\n"},
		{"one", strict, `TAP version 14
not ok 1 - a.mjs:2:21 CMP006: main.schemaHash: missing
  ---
  code: "CMP006"
  severity: "warning"
  message: "main.schemaHash: missing"
  fix: "write it"
  subject: "ns/a"
  at:
    file: "a.mjs"
    line: 2
    column: 21
    pointer: "/schemaHash"
  ...
1..1
`},
	} {
		if got := write(t, "tap", tt.opts, cases[tt.of]...); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.of, got, tt.want)
		}
	}
	var states []string
	for _, p := range parseTAP(t, write(t, "tap", options, cases["files"]...)) {
		states = append(states, fmt.Sprint(p.ok, " ", p.text))
	}
	if got, want := strings.Join(states, "\n"),
		"true c/clean.mjs\ntrue c/clean.mjs\ntrue c/dirty.mjs:1:21 CMP006: main.schemaHash: missing"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// Perl's prove, where the machine has it, counts what we mean. It knows version
// 13, of which our part of 14 is a part.
func TestTAPWithProve(t *testing.T) {
	if _, err := exec.LookPath("prove"); err != nil {
		t.Skip("there is no prove")
	}
	for of, want := range map[string]string{
		"empty": "Result: PASS", "all severities": "Failed test:  1\n", "hostile": "Failed tests:  1-2\n",
		"one": "Result: PASS",
	} {
		dir := t.TempDir()
		file := dir + "/report.tap"
		writeFile(t, file, strings.Replace(write(t, "tap", options, cases[of]...), "version 14", "version 13", 1))
		out, _ := exec.Command("prove", "--exec", "cat", file).CombinedOutput() // the status is that of the tests
		if !strings.Contains(string(out), want) || strings.Contains(string(out), "Parse errors") {
			t.Errorf("%s: %s, want %s", of, out, want)
		}
	}
}
