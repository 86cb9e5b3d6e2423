package engine

import (
	"github.com/flowmcp/fmcp/pkg/record"
)

// Diagnostics makes records of what rules found about a file, with their lines
// and columns.
func Diagnostics(load *record.Load, findings []Finding) []*record.Diagnostic {
	if len(findings) == 0 {
		return nil
	}
	places := load.Find()
	list := make([]*record.Diagnostic, len(findings))
	for i, f := range findings {
		d := f.Diagnostic(load)
		switch {
		case f.Handlers != nil:
			d.Loc.Line, d.Loc.Col = places.Handler(*f.Handlers)
		case f.Text > 0:
			d.Loc.Line, d.Loc.Col = places.Text(d.Loc.Pointer, f.Text-1)
			d.Loc.Within, _ = places.Value(d.Loc.Pointer)
		case f.Path == "":
			d.Loc.Line, d.Loc.Col = places.Value(d.Loc.Pointer)
		}
		list[i] = d
	}
	return list
}
