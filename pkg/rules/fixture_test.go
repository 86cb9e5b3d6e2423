package rules_test

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/rules"
	fixtures "github.com/flowmcp/fmcp/testdata/rules"
)

var update = flag.Bool("update", false, "rewrite want.txt of the rules' examples")

// fixtureFamilies are the families whose rules have their examples in
// testdata/rules in the form that rules.Fixtures reads.
var fixtureFamilies = []string{"VAL", "CMP", "SEC", "ID0", "CAT", "PRE", "LST", "TST", "SKL", "SKM", "AGT", "SEL",
	"RES", "PRM", "PH0", "MCP04", "MCP05", "MIG"}

// noFixtures are codes of those families that no source can show: that a
// library is not approved is VAL026 in a source, and SEC020 where it would be
// loaded; handlers break SEC101, SEC103 and SEC104 when they run; the ends of
// ranges are never reported; and what is in a database is seen when it is opened.
var noFixtures = []string{"SEC020", "SEC099", "SEC101", "SEC103", "SEC104", "SEC199", "SEC299", "RES032", "RES033",
	"RES034"}

func hasFixtures(code string) bool {
	of := func(family string) bool { return strings.HasPrefix(code, family) }
	return slices.ContainsFunc(fixtureFamilies, of) && !slices.Contains(noFixtures, code)
}

// No fixture, no rule, and no rule, no fixture.
func TestRulesAndFixturesMatch(t *testing.T) {
	folders := map[string]bool{}
	entries, err := fs.ReadDir(fixtures.FS, ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), "_") {
			folders[e.Name()] = true
		}
	}
	for _, r := range rules.All() {
		if !hasFixtures(r.Code) || r.Replaced != "" {
			continue
		}
		if !folders[r.Code] {
			t.Errorf("rule %s has no folder testdata/rules/%s", r.Code, r.Code)
		}
		delete(folders, r.Code)
	}
	for name := range folders {
		if hasFixtures(name) {
			t.Errorf("folder testdata/rules/%s has no rule", name)
		}
	}
}

func TestFixtures(t *testing.T) {
	for _, r := range rules.All() {
		if !hasFixtures(r.Code) || r.Replaced != "" {
			continue
		}
		t.Run(r.Code, func(t *testing.T) {
			list, err := rules.Fixtures(fixtures.FS, r.Code)
			if err != nil {
				t.Fatal(err)
			}
			var want strings.Builder
			bad, good := 0, 0
			for _, f := range list {
				own := 0
				for _, d := range f.Found {
					if d.Code == r.Code {
						own++
					}
					where := f.Name
					if d.Loc.Path != f.Name {
						where += "/" + d.Loc.Path
					}
					fmt.Fprintf(&want, "%s:%d:%d %s %s %s\n\t%s\n\tfix: %s\n", where, d.Loc.Line, d.Loc.Col, d.Severity,
						d.Code, d.Loc.Pointer, d.Message, d.Fix)
				}
				switch {
				case strings.HasPrefix(f.Name, "bad"):
					bad++
					if own == 0 {
						t.Errorf("%s: nothing found", f.Name)
					}
				case strings.HasPrefix(f.Name, "good"):
					good++
					if len(f.Found) > 0 {
						t.Errorf("%s: found %s: %s", f.Name, f.Found[0].Code, f.Found[0].Message)
					}
				default:
					t.Errorf("%s: name is neither bad….mjs nor good….mjs", f.Name)
				}
			}
			if bad == 0 || good == 0 {
				t.Errorf("%d bad and %d good examples, want at least one of each", bad, good)
			}
			compareGolden(t, filepath.Join("..", "..", "testdata", "rules", r.Code, "want.txt"), want.String())
		})
	}
}

func compareGolden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (rewrite with -update)\ngot:\n%s\nwant:\n%s", name, got, want)
	}
}
