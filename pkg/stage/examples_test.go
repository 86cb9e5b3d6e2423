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

var update = flag.Bool("update", false, "rewrite want.txt of the examples of chapters")

// examples are the examples of the specification that are whole, each with the
// files that it names: the folders of testdata/examples, which begin with the
// number of the chapter; v2 is the format of version 2. Beside it, why one is
// not without findings.
var examples = []string{
	"01-complete", // the chapter that asks for meta and tests comes later
	"01-execute-request",
	"01-handlers",
	"03-dependency", // the list that it depends on is not in the catalog
	"03-lists",
	"04-handler",
	"06-complete", // its hash is made up
	"06-manifest",
	"08-after-v4",   // decision "Schema exports"
	"08-agent-v3",   // version 3 had short names of tools and models, and tests that are texts
	"08-before-v4",  // decision "Schema exports"
	"10-tool-tests", // a schema of version 3, whose second output is left out
	"12-complete",
	"12-formats",
	"13-complete", // a schema of version 3, most of whose tools is left out
	"13-gtfs",     // decision "Schema exports"
	"14-cannot",   // what skills cannot contain, with the numbers of chapter 05 (decision "Security codes")
	"14-complete", // a schema of version 3, whose parameters and tests are left out; its skill has no whenToUse
	"14-format",   // no whenToUse
	"14-full",     // no whenToUse
	"15-registry", // its hash is made up, and it leaves out the list that a list of it depends on
	"17-selection",
	"18-prefill",  // the fields of a skill that prefill is not about are left out
	"19-meta",     // decision "Schema exports"
	"v2-complete", // it asks for tests and has none
}

const examplesFolder = "../../testdata/examples"

// The examples of the chapters are valid, or have the findings that their
// want.txt says. Where a finding comes or goes, a rule and the specification no
// longer agree.
func TestExamplesOfChapters(t *testing.T) {
	t.Setenv("HOME", t.TempDir()) // where databases are looked for
	entries, err := os.ReadDir(examplesFolder)
	if err != nil {
		t.Fatal(err)
	}
	var folders []string
	for _, e := range entries {
		folders = append(folders, e.Name())
	}
	if !slices.Equal(folders, examples) {
		t.Errorf("the examples are %q, the folders %q", examples, folders)
	}
	for _, name := range examples {
		t.Run(name, func(t *testing.T) {
			spec, community := judged(t, name, "spec"), judged(t, name, "community")
			got := fmt.Sprintf("%s, community: %s\n", verdict(spec), verdict(community)) + findings(spec, community)
			compare(t, filepath.Join(examplesFolder, name, "want.txt"), got)
		})
	}
}

func compare(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (rewrite with -update)\ngot:\n%s\nwant:\n%s", name, got, want)
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

// findings are the lines about each finding, with its severity in both profiles
// where they differ.
func findings(spec, community []finding) string {
	var b strings.Builder
	for _, f := range spec {
		severity := f.severity.String()
		i := slices.IndexFunc(community, func(c finding) bool { return c.what == f.what })
		switch {
		case i < 0:
			severity += ", community: none"
		case community[i].severity != f.severity:
			severity += ", community: " + community[i].severity.String()
		}
		fmt.Fprintf(&b, "%s %s\n", strings.TrimSpace(f.what), severity)
	}
	for _, c := range community {
		if !slices.ContainsFunc(spec, func(f finding) bool { return c.what == f.what }) {
			fmt.Fprintf(&b, "%s none, community: %s\n", strings.TrimSpace(c.what), c.severity)
		}
	}
	return b.String()
}
