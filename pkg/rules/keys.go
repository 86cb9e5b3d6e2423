package rules

import (
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// SharedKeys are the findings about keys that schemas of several registrable
// domains ask for, of all that have come by. No rule makes them: a schema need
// not wait for the others.
func SharedKeys(asks *walk.KeyAsks, profile engine.Profile) []*record.Diagnostic {
	var list []*record.Diagnostic
	for _, k := range asks.Shared() {
		r, _ := Lookup(k.Code)
		f := engine.Finding{Rule: r, Severity: r.Severity(profile), Message: k.Message, Fix: k.Fix, Pointer: k.Pointer}
		d := f.Diagnostic(&record.Load{ID: k.Schema.ID, Src: k.Schema.Src})
		d.Loc.Line, d.Loc.Col = k.Line, k.Col
		list = append(list, d)
	}
	return list
}
