package report

import (
	"bufio"
	"io"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/record"
)

// github is the format of GitHub Actions: a workflow command for each finding,
// which the runner turns into an annotation of the file.
type github struct{ w *bufio.Writer }

func newGitHub(w io.Writer) *github { return &github{bufio.NewWriter(w)} }

func (g *github) Flush() error { return g.w.Flush() }

func (g *github) Close() error { return g.w.Flush() }

// githubLevels are the commands of the severities.
var githubLevels = map[record.Severity]string{
	record.SeverityError: "error", record.SeverityWarning: "warning", record.SeverityInfo: "notice",
}

func (g *github) Record(rec record.Record, _ []byte) error {
	f, ok := findingOf(rec)
	if !ok {
		return nil
	}
	var properties []string
	add := func(name, value string) { properties = append(properties, name+"="+githubProperty.Replace(value)) }
	if f.Loc.Path != "" {
		add("file", slashed(f.Loc.Path))
	}
	if f.Loc.Line > 0 {
		add("line", strconv.Itoa(f.Loc.Line))
		if f.Loc.Col > 0 {
			add("col", strconv.Itoa(f.Loc.Col))
		}
	}
	add("title", f.title())
	_, err := g.w.WriteString("::" + githubLevels[f.Severity] + " " + strings.Join(properties, ",") + "::" +
		githubData.Replace(f.note()) + "\n")
	return err
}

// note is the text of an annotation. A workflow command has no place for a suggestion;
// docs/ci.md says what makes some of --fix.
func (f *finding) note() string {
	if by := f.fixedBy(); by != "" {
		return f.text() + "\n" + by
	}
	return f.text()
}

// What the runner reads back: a message ends with its line, a property ends
// with a comma or a colon too.
var (
	githubData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
