package stage

import (
	"maps"
	"slices"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// definedTwice reports what two files of a catalog define under one ID: only one
// of the two can be called by it (chapter 16). Where
// fmcp-scan watches, what was said in the round before is not said again.
func (v *validator) definedTwice() Batch {
	var out Batch
	said := map[string]bool{}
	for _, dir := range slices.Sorted(maps.Keys(v.surveyor.catalogs)) {
		env := v.surveyor.catalogs[dir]
		for _, pair := range env.facts.Twice() {
			first, second := env.folder.Load(pair[0]), env.folder.Load(pair[1])
			if first == nil || second == nil {
				continue
			}
			for _, p := range walk.DefinedTwice(first, second) {
				d := second.Src.Diagnose(record.SeverityError, second.ID, p)
				d.Loc.Line, d.Loc.Col = second.Find().Value(d.Loc.Pointer)
				said[d.Message] = true
				if d = v.filter(d); d != nil && !v.twice[d.Message] {
					out = append(out, New(d))
				}
			}
		}
	}
	v.twice = said
	return out
}
