package report

import (
	"regexp"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/record"
)

// command is how the runner of GitHub Actions reads a workflow command:
// properties end at the first ::, and are separated by commas.
var command = regexp.MustCompile(`^::(error|warning|notice) ([^:]*)::(.*)$`)

var unescape = strings.NewReplacer("%25", "%", "%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",")

// annotation is what a service shows of a command.
func annotation(t *testing.T, line string) (level string, properties map[string]string, message string) {
	t.Helper()
	m := command.FindStringSubmatch(line)
	if m == nil {
		t.Fatalf("no command: %.200s", line)
	}
	properties = map[string]string{}
	for _, p := range strings.Split(m[2], ",") {
		name, value, ok := strings.Cut(p, "=")
		if !ok {
			t.Errorf("no property: %q", p)
		}
		properties[name] = unescape.Replace(value)
	}
	return m[1], properties, unescape.Replace(m[3])
}

func TestGitHubIsValid(t *testing.T) {
	everyCase(t, "github", func(t *testing.T, name, out string) {
		want := 0
		for _, rec := range cases[name] {
			f, ok := findingOf(rec)
			if !ok {
				continue
			}
			want++
			if want > strings.Count(out, "\n") {
				t.Fatalf("finding %d is missing: %s", want, out)
			}
			level, properties, message := annotation(t, strings.Split(out, "\n")[want-1])
			if level != githubLevels[f.Severity] || message != f.note() || properties["file"] != slashed(f.Loc.Path) ||
				properties["title"] != f.title() {
				t.Errorf("%s %v %q\nof %+v", level, properties, message, f)
			}
		}
		if got := strings.Count(out, "\n"); got != want {
			t.Errorf("%d lines, want %d", got, want)
		}
	})
}

func TestGitHub(t *testing.T) {
	out := write(t, "github", options,
		&record.Diagnostic{Code: "VAL032", Severity: record.SeverityError, Message: "50% of a::b, c",
			Fix: "write 'GET'",
			Loc: record.Loc{Path: "a,b:c.mjs", Line: 3, Col: 4, Pointer: "/x"}},
		&record.Diagnostic{Code: "CMP010", Severity: record.SeverityInfo, Message: "m", Loc: record.Loc{Path: "b.mjs"},
			Edits: []record.Edit{{Start: 1, End: 2, Safe: true}}},
		&record.Error{Stage: "fmcp-load", Input: "stdin:7", Code: "LOD020", Message: "not JSON"})
	want := "::error file=a%2Cb%3Ac.mjs,line=3,col=4,title=VAL032 tool-method::50%25 of a::b, c%0Afix: write 'GET'\n" +
		"::notice file=b.mjs,title=CMP010 schema-names::m%0Afmcp-validate --fix corrects it\n" +
		"::error title=LOD020 not-a-record::not JSON\n"
	if out != want {
		t.Errorf("%s\nwant\n%s", out, want)
	}
}
