package resolve

import (
	"strings"
	"testing"
)

// What keeps a list from being written out has a finding, of a rule or of the
// interpolation: no tool vanishes without one.
func TestInterpolationIsExplained(t *testing.T) {
	pieces := []string{"a", "", "{{", "}}", "{{chains:alias}}", "{{chains:}}", "{{:alias}}", "{{chains}}",
		"{{ chains : slug }}", "{{gone:k}}", "{{a b:c}}",
		"'{{chains:alias}}'", "x{{chains:alias}}", "{{{chains:alias}}}", "{{chains:alias:x}}", "[{{chains:alias}}]",
		"{{SERVER_PARAM:KEY}}", "{{USER_PARAM}}"}
	for _, before := range []string{"enum(", " enum (", "string(", "enum[", ""} {
		for _, first := range pieces {
			for _, second := range pieces {
				for _, after := range []string{")", "", " )"} {
					primitive := before + first + "," + second + after
					schema := schemaLoad("providers/a/s.mjs",
						aSchema("a", `,"sharedLists":[{"ref":"chains","version":"1.0.0"}]`,
							aTool("GET", "/a", param("k", "{{USER_PARAM}}", "query", primitive))))
					recs, diags := resolveAll(t, Options{}, listLoad("_lists/chains.mjs", chainsList), schema)
					if len(recs) < 3 == (len(diags) == 0) {
						t.Errorf("%s: %d records, %d findings", primitive, len(recs), len(diags))
					}
					if len(recs) == 3 &&
						strings.Contains(recs[2].Data.Get("parameters").Index(0).Get("primitive").Str(), "{{chains:") {
						t.Errorf("%s: the list is not written out", primitive)
					}
				}
			}
		}
	}
}
