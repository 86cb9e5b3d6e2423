package rules

import (
	"strings"

	"github.com/flowmcp/fmcp/pkg/forbidden"
	"github.com/flowmcp/fmcp/pkg/module"
)

// scanned reports whether code is one of those that pkg/forbidden finds, so
// that its examples are scanned and not checked.
func scanned(code string) bool {
	return strings.HasPrefix(code, "SEC") || code == "TST005" || code == "RES023"
}

// scan finds what is forbidden in the example; those of the codes from SEC200
// on are shared lists.
func (f *Fixture) scan(code string) {
	found := forbidden.Scan(module.Tokenize(f.Files[0].Source),
		forbidden.Options{List: strings.HasPrefix(code, "SEC2")})
	lines := module.NewLines(f.Files[0].Source)
	for _, s := range found {
		d := Forbidden(s, "fixture/"+strings.TrimSuffix(f.Name, ".mjs"), f.Name)
		d.Loc.Line, d.Loc.Col = lines.Position(s.Start)
		f.Found = append(f.Found, d)
	}
}
