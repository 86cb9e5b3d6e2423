package report

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// matched applies the problem matcher of GitHub Actions to the lines of a text,
// as its runner does: the first owner whose pattern fits has the line.
func matched(t *testing.T, text string) []string {
	t.Helper()
	file, err := os.ReadFile("../../.github/fmcp-matcher.json")
	if err != nil {
		t.Fatal(err)
	}
	matchers, err := ordjson.Parse(string(file))
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for line := range strings.Lines(text) {
		for _, m := range matchers.Get("problemMatcher").Elems() {
			pattern := m.Get("pattern").Index(0)
			groups := regexp.MustCompile(pattern.Get("regexp").Str()).FindStringSubmatch(strings.TrimSuffix(line, "\n"))
			if groups == nil {
				continue
			}
			part := func(name string) string {
				if g := pattern.Get(name); g.Exists() {
					return groups[int(g.Float())]
				}
				return m.Get(name).Str()
			}
			found = append(found, fmt.Sprintf("%s %s %s %s:%s %s", part("severity"), part("code"), part("file"),
				part("line"), part("column"), part("message")))
			break
		}
	}
	return found
}

// Each finding of a text report is one annotation, and nothing else is.
func TestProblemMatcher(t *testing.T) {
	levels := map[record.Severity]string{record.SeverityError: "error", record.SeverityWarning: "warning",
		record.SeverityInfo: "notice"}
	number := func(n, line int) string {
		if line == 0 {
			return ""
		}
		return strconv.Itoa(n)
	}
	source := Options{Source: func(*record.Loc) (Lines, bool) { return manyLines{}, true }}
	for name, recs := range cases {
		if name == "hostile" || name == "bare" || name == "long" {
			continue // codes and paths that no command of ours writes
		}
		var want []string
		for _, rec := range recs {
			if f, ok := findingOf(rec); ok {
				path := slashed(f.Loc.Path)
				line := f.Loc.Line
				if e, ok := rec.(*record.Error); ok && e.Loc == nil {
					path, line = e.Input, 0
				}
				want = append(want, fmt.Sprintf("%s %s %s %s:%s %s", levels[f.Severity], f.Code, path,
					number(line, line), number(f.Loc.Col, line), f.Message))
			}
		}
		var recsOfText []record.Record
		for _, rec := range recs {
			if rec != nil {
				recsOfText = append(recsOfText, rec)
			}
		}
		got := matched(t, write(t, "text", source, recsOfText...))
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%s:\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// manyLines is a source whose lines look like findings.
type manyLines struct{}

func (manyLines) Text(int) string { return "a.mjs:1:1: error VAL001: not a finding" }
