package rules_test

import (
	"os"
	"regexp"
	"slices"
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
			if r.Severity(rules.ProfileSpec) != record.SeverityError || r.Severity(rules.ProfileCommunity) != record.SeverityWarning {
				t.Errorf("%s: community may lower an error to a warning, and nothing else", r.Code)
			}
		}
	}
	if !slices.Equal(listed, lowered) {
		t.Errorf("docs/decisions.md lists\n%q, the rules have\n%q", listed, lowered)
	}
}
