package stage

import (
	"slices"

	"github.com/flowmcp/fmcp/pkg/record"
)

// codeFound is what the scan says of the values of a file that JSON does not have:
// functions, dates, undefined. Loading and rules find the same values missing, or of
// another type, which is no second fault. A nil codeFound has none.
type codeFound struct {
	path string
	list []*record.Diagnostic
}

// with adds a finding, if it is about such a value. A file's findings come in a row,
// before its record.
func (c *codeFound) with(d *record.Diagnostic) *codeFound {
	if !slices.Contains([]string{"SEC017", "TST005", "RES023"}, d.Code) {
		return c
	}
	if c == nil || c.path != d.Loc.Path {
		c = &codeFound{path: d.Loc.Path}
	}
	c.list = append(c.list, d)
	return c
}

// of is what was found in a file.
func (c *codeFound) of(l *record.Load) *codeFound {
	if c == nil || c.path != l.Src.File() {
		return nil
	}
	return c
}

// explains reports whether a finding of loading or of a rule is about one of the
// values.
func (c *codeFound) explains(d *record.Diagnostic) bool {
	if c == nil || c.path != d.Loc.Path {
		return false
	}
	return slices.ContainsFunc(c.list, func(f *record.Diagnostic) bool {
		if d.Code == "LOD010" { // it is about the export
			return d.Loc.Line == f.Loc.Line && d.Loc.Col == f.Loc.Col
		}
		return d.Code != f.Code && d.Loc.Pointer == f.Loc.Pointer
	})
}
