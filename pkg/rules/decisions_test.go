package rules_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
)

// The table of docs/decisions.md names the rules that the community profile
// lowers, all of them and no others.
func TestLoweredRulesAreDecisions(t *testing.T) {
	page, err := os.ReadFile("../../docs/decisions.md")
	if err != nil {
		t.Fatal(err)
	}
	var listed, lowered []string
	for _, m := range regexp.MustCompile(`(?m)^\| ([A-Z]{3}[0-9]{3}) \|`).FindAllSubmatch(page, -1) {
		listed = append(listed, string(m[1]))
	}
	for _, r := range rules.All() {
		if r.Severity(rules.ProfileSpec) != r.Severity(rules.ProfileCommunity) {
			lowered = append(lowered, r.Code)
			if r.Severity(rules.ProfileSpec) != record.SeverityError ||
				r.Severity(rules.ProfileCommunity) != record.SeverityWarning {
				t.Errorf("%s: community may lower an error to a warning, and nothing else", r.Code)
			}
		}
	}
	if !slices.Equal(listed, lowered) {
		t.Errorf("docs/decisions.md lists\n%q, the rules have\n%q", listed, lowered)
	}
}

// What rules and comments cite as a decision is a heading of docs/decisions.md.
func TestCitedDecisions(t *testing.T) {
	page, err := os.ReadFile("../../docs/decisions.md")
	if err != nil {
		t.Fatal(err)
	}
	heading := func(name string) bool { return strings.Contains(string(page), "\n### "+name+"\n") }
	for _, r := range rules.All() {
		if name, ok := strings.CutPrefix(r.Reference(), "decision "); ok && !heading(strings.Trim(name, `"`)) {
			t.Errorf("%s follows %s", r.Code, name)
		}
	}
	cited := regexp.MustCompile(`decision "([A-Z][^"\n]*)"`)
	for _, top := range []string{"../../cmd", "../../pkg"} {
		err := filepath.WalkDir(top, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".go" {
				return err
			}
			text, err := os.ReadFile(path)
			for _, m := range cited.FindAllSubmatch(text, -1) {
				if !heading(string(m[1])) {
					t.Errorf("%s cites %s", path, m[0])
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
