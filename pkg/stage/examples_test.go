package stage_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
	. "github.com/flowmcp/fmcp/pkg/stage"
	"github.com/flowmcp/fmcp/pkg/walk"
)

var update = flag.Bool("update", false, "rewrite testdata/examples/want.txt")

// examples are the examples of the specification that are whole, each with the
// files that it names: the folders of testdata/examples, which begin with the
// number of the chapter. v2 is the format of version 2.
var examples = []struct {
	name string
	why  string // it is refused, or warned of, as far as the codes do not say it
}{
	{"01-complete", "the chapter that asks for meta and tests comes later"},
	{"01-execute-request", ""},
	{"01-handlers", ""},
	{"03-dependency", "the list that it depends on is not in the catalog"},
	{"03-lists", ""},
	{"04-handler", ""},
	{"06-complete", "its hash is made up"},
	{"06-manifest", ""},
	{"08-after-v4", `decision "Schema exports"`},
	{"08-agent-v3", "version 3 had short names of tools and models, and tests that are texts"},
	{"08-before-v4", `decision "Schema exports"`},
	{"10-tool-tests", "a schema of version 3, whose second output is left out"},
	{"12-complete", ""},
	{"12-formats", ""},
	{"13-complete", "a schema of version 3, most of whose tools is left out"},
	{"13-gtfs", `decision "Schema exports"`},
	{"14-cannot", `what skills cannot contain, with the numbers of chapter 05 (decision "Security codes")`},
	{"14-complete", "a schema of version 3, whose parameters and tests are left out; its skill has no whenToUse"},
	{"14-format", "no whenToUse"},
	{"14-full", "no whenToUse"},
	{"15-registry", "its hash is made up, and it leaves out the list that a list of it depends on"},
	{"17-selection", ""},
	{"18-prefill", "the fields of a skill that prefill is not about are left out"},
	{"19-meta", `decision "Schema exports"`},
	{"v2-complete", "it asks for tests and has none"},
}

const examplesFolder = "../../testdata/examples"

// The examples of the chapters are valid, or have the findings that want.txt
// says: a profile may lower them. A finding that comes or goes here is one in
// which the specification and a rule disagree.
func TestExamplesOfChapters(t *testing.T) {
	t.Setenv("HOME", t.TempDir()) // where databases are looked for
	entries, err := os.ReadDir(examplesFolder)
	if err != nil {
		t.Fatal(err)
	}
	var folders []string
	for _, e := range entries {
		if e.IsDir() {
			folders = append(folders, e.Name())
		}
	}
	var listed []string
	var got strings.Builder
	for _, e := range examples {
		listed = append(listed, e.name)
		spec, community := judged(t, e.name, "spec"), judged(t, e.name, "community")
		fmt.Fprintf(&got, "%s: %s, community: %s", e.name, verdict(spec), verdict(community))
		if e.why != "" {
			fmt.Fprintf(&got, " (%s)", e.why)
		}
		got.WriteByte('\n')
		writeFindings(&got, spec, community)
	}
	if !slices.Equal(folders, listed) {
		t.Errorf("the examples are %q, the folders %q", listed, folders)
	}
	name := filepath.Join(examplesFolder, "want.txt")
	if *update {
		if err := os.WriteFile(name, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Errorf("%s differs (rewrite with -update)\ngot:\n%s\nwant:\n%s", name, got.String(), want)
	}
}

// judged are the findings about an example, with their severities, in order.
func judged(t *testing.T, name string, profile rules.Profile) (found []finding) {
	t.Helper()
	root, spec := filepath.Join(examplesFolder, name), rules.Spec("4.2")
	if strings.HasPrefix(name, "v2") {
		spec = rules.Spec20
	}
	add := func(loc record.Loc, code string, severity record.Severity) {
		place := strings.TrimPrefix(loc.Path, filepath.ToSlash(root)+"/")
		found = append(found, finding{fmt.Sprintf("%s %s:%d %s", code, place, loc.Line, loc.Pointer), severity})
	}
	err := Run(t.Context(), Options{Jobs: 1}, Walk([]string{root}, walk.Options{}, nil),
		append(Loading("fmcp-validate"), Validate(ValidateOptions{Profile: profile, Spec: spec})...),
		func(it *Item) error {
			switch rec := it.Rec.(type) {
			case *record.Diagnostic:
				add(rec.Loc, rec.Code, rec.Severity)
			case *record.Error:
				add(*rec.Loc, rec.Code, record.SeverityError)
			}
			return nil
		}, func() error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	return found
}

type finding struct {
	what     string
	severity record.Severity
}

func verdict(found []finding) string {
	if slices.ContainsFunc(found, func(f finding) bool { return f.severity == record.SeverityError }) {
		return "refused"
	}
	return "valid"
}

// writeFindings writes each finding once, with its severity in both profiles
// where they differ.
func writeFindings(b *strings.Builder, spec, community []finding) {
	for _, f := range spec {
		severity := f.severity.String()
		i := slices.IndexFunc(community, func(c finding) bool { return c.what == f.what })
		switch {
		case i < 0:
			severity += ", community: none"
		case community[i].severity != f.severity:
			severity += ", community: " + community[i].severity.String()
		}
		fmt.Fprintf(b, "    %s %s\n", strings.TrimSpace(f.what), severity)
	}
	for _, c := range community {
		if !slices.ContainsFunc(spec, func(f finding) bool { return c.what == f.what }) {
			fmt.Fprintf(b, "    %s none, community: %s\n", strings.TrimSpace(c.what), c.severity)
		}
	}
}
