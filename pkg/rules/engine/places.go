package engine

import (
	"slices"

	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/record"
)

// Diagnostics makes records of what rules found about a file, with their lines
// and columns, and their edits. source reads the file where there are any; it is nil
// where that cannot be edited.
func Diagnostics(load *record.Load, findings []Finding, source func() *edit.Source) []*record.Diagnostic {
	if len(findings) == 0 {
		return nil
	}
	places := load.Find()
	var src *edit.Source
	if slices.ContainsFunc(findings, func(f Finding) bool { return f.changes != nil }) {
		src = source()
	}
	list := make([]*record.Diagnostic, len(findings))
	for i, f := range findings {
		d := f.Diagnostic(load)
		switch {
		case f.Handlers != nil:
			d.Loc.Line, d.Loc.Col = places.Handler(*f.Handlers)
		case f.Text > 0:
			d.Loc.Line, d.Loc.Col = places.Text(d.Loc.Pointer, f.Text-1)
			d.Loc.Within, _ = places.Value(d.Loc.Pointer)
		case f.line > 0:
			d.Loc.Line, d.Loc.Col = f.line, f.col
		case f.Path == "":
			d.Loc.Line, d.Loc.Col = places.Value(d.Loc.Pointer)
		}
		d.Edits = f.edits(src)
		list[i] = d
	}
	return list
}
