package resolve

import (
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/record"
)

// TestSlashesInPaths: resolve decides of which parameters a / stays in the path
// (docs/decisions.md, "Slashes in paths").
func TestSlashesInPaths(t *testing.T) {
	const user = "{{USER_PARAM}}"
	tool := strings.TrimSuffix(aTool("GET", "/a/{{doi}}/{{id}}/{{fixed}}", param("doi", user, "insert", "string()"),
		param("id", user, "insert", "string()"),
		param("fixed", "a/b", "insert", "string()"), param("q", user, "query", "string()")), "}") +
		`,"tests":[{"doi":"10.1","id":"x","q":"a/b"},{"doi":"10.1000/b","id":"y","fixed":"a/b"}]}`
	for profile, want := range map[bool]string{true: "doi", false: ""} {
		recs, diags := resolveAll(t, Options{Community: profile},
			schemaLoad("providers/a/b.mjs", aSchema("a", "", tool)))
		got := ""
		for _, r := range recs {
			if r.Type == record.TypeTool {
				for _, p := range r.Data.Get("parameters").Elems() {
					if p.Get("slashes").True() {
						got += p.Get("key").Str()
					}
				}
			}
		}
		if got != want || len(recs) != 2 {
			t.Errorf("community %v: %q, want %q\n%s", profile, got, want, outline(recs, diags))
		}
	}
}
