package origin

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/words"
)

// FuzzPlaces: whatever a schema writes into name, path or its own path, a file
// is below the folder of its origin, or refused with a code.
func FuzzPlaces(f *testing.F) {
	for _, s := range hostile {
		f.Add(s, "providers/tide/tide.mjs")
		f.Add("tide.db", s)
	}
	for _, s := range []string{"${FLOWMCP_RESOURCES}/x.db", "${FLOWMCP_RESOURCES}/../x.db",
		"/h/.flowmcp/resources/x.db", "/r/x.db", "a/b.db", "${"} {
		f.Add(s, s)
	}
	p := Places{Project: "/p", Home: "/h", Resources: "/r", Catalog: "/c"}
	f.Fuzz(func(t *testing.T, text, schema string) {
		check := func(place Place, err error, roots ...string) {
			if err != nil {
				var e *words.Problem
				if !errors.As(err, &e) || e.Code == "" {
					t.Fatalf("%q %q: %v", text, schema, err)
				}
				return
			}
			full := place.full()
			for _, root := range roots {
				if rel, err := filepath.Rel(root, full); err == nil && filepath.IsLocal(rel) && rel != "." &&
					filepath.Clean(full) == full {
					return
				}
			}
			t.Fatalf("%q %q: %q is outside of %s", text, schema, full,
				strings.Join(roots, string(os.PathListSeparator)))
		}
		for origin, root := range map[string]string{"inline": "/c", "project": "/p/.flowmcp/resources",
			"global": "/h/.flowmcp/resources"} {
			place, err := p.File(origin, text, ".db", schema)
			check(place, err, root)
		}
		place, err := p.Path(text)
		check(place, err, "/p/.flowmcp/resources", "/h/.flowmcp/resources", "/r")
	})
}
