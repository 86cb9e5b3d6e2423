package rules

import (
	"testing"

	"github.com/flowmcp/fmcp/pkg/rules/agents"
	"github.com/flowmcp/fmcp/pkg/rules/catalog"
	"github.com/flowmcp/fmcp/pkg/rules/commands"
	"github.com/flowmcp/fmcp/pkg/rules/compatibility"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/rules/ids"
	"github.com/flowmcp/fmcp/pkg/rules/lists"
	"github.com/flowmcp/fmcp/pkg/rules/migration"
	"github.com/flowmcp/fmcp/pkg/rules/output"
	"github.com/flowmcp/fmcp/pkg/rules/poison"
	"github.com/flowmcp/fmcp/pkg/rules/prompts"
	"github.com/flowmcp/fmcp/pkg/rules/resources"
	"github.com/flowmcp/fmcp/pkg/rules/schema"
	"github.com/flowmcp/fmcp/pkg/rules/security"
	"github.com/flowmcp/fmcp/pkg/rules/selections"
	"github.com/flowmcp/fmcp/pkg/rules/skillmd"
	"github.com/flowmcp/fmcp/pkg/rules/skills"
	"github.com/flowmcp/fmcp/pkg/rules/tests"
)

// families are the packages of rules by what their codes begin with; of several
// beginnings that a code has, the longest counts.
var families = map[string]*engine.Family{
	"VAL": &schema.Family, "VAL06": &output.Family, "VAL07": &lists.Family, "VAL107": &lists.Family,
	"VAL110": &selections.Family, "PRE": &schema.Family, "LST": &lists.Family, "TST": &tests.Family,
	"RES": &resources.Family, "RES022": &tests.Family, "AGT": &agents.Family, "SEL": &selections.Family,
	"PRM": &prompts.Family, "PH": &prompts.Family, "SKL": &skills.Family, "DEP": &skills.Family,
	"SKM": &skillmd.Family, "CAT": &catalog.Family, "ID": &ids.Family, "CMP": &compatibility.Family,
	"MIG": &migration.Family,
	"LOD": &commands.Family, "EXE": &commands.Family, "MCP": &commands.Family, "GTF": &commands.Family,
	"GRD": &commands.Family,
	"SEC": &security.Family, "MCP04": &poison.Family, "MCP05": &poison.Family,
}

func familyOf(code string) *engine.Family {
	for n := len(code); n > 0; n-- {
		if f := families[code[:n]]; f != nil {
			return f
		}
	}
	return nil
}

// A code has its row and its check in the package of its family.
func TestRulesAreInTheirFamily(t *testing.T) {
	seen, rows := map[*engine.Family]bool{}, 0
	for _, f := range families {
		if seen[f] {
			continue
		}
		seen[f] = true
		set := engine.NewSet(*f)
		for _, r := range set.All() {
			rows++
			if familyOf(r.Code) != f {
				t.Errorf("%s is in the text of another family", r.Code)
			}
		}
		for code := range f.Checks {
			if _, ok := set.Lookup(code); !ok {
				t.Errorf("%s has a check in a family whose text does not name it", code)
			}
		}
	}
	if rows != len(All()) {
		t.Errorf("the families have %d rules, the registry %d", rows, len(All()))
	}
}
