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
func (j *catalogCheck) definedTwice() (list []*record.Diagnostic) {
	said := map[string]bool{}
	for _, dir := range slices.Sorted(maps.Keys(j.catalogs)) {
		c := j.catalogs[dir]
		for _, pair := range c.facts.Twice() {
			first, second := c.folder.Load(pair[0]), c.folder.Load(pair[1])
			if first == nil || second == nil {
				continue
			}
			for _, p := range walk.DefinedTwice(first, second) {
				d := second.Src.Diagnose(record.SeverityError, second.ID, p)
				d.Loc.Line, d.Loc.Col = second.Find().Value(d.Loc.Pointer)
				said[d.Message] = true
				if d = j.filter(d); d != nil && !j.twice[d.Message] {
					list = append(list, d)
				}
			}
		}
	}
	j.twice = said
	return list
}
