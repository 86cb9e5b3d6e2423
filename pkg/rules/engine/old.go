package engine

import (
	"github.com/flowmcp/fmcp/pkg/migrate"
	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// Old is the file where it is of version 1, of which rules read the text; nil for others.
func (p *Pass) Old() *migrate.Source {
	return Keep(&p.Kept, func() *migrate.Source {
		if p.Load.Text == "" || !migrate.Old(p.Load.Exports) {
			return nil
		}
		old := migrate.Read(p.Load.Text, walk.Provider(p.Load.Src.Path))
		old.Lists, old.Made = p.Load.Lists, p.Load.Made
		return old
	})
}

// OfOld is the check of a step of migration of which files have more than the text has to
// say (pkg/migrate).
func OfOld(find func(*migrate.Source) []migrate.Step) func(*Pass) {
	return func(p *Pass) {
		if old := p.Old(); old != nil {
			for _, s := range find(old) {
				p.ReportStep(s)
			}
		}
	}
}

// ReportStep adds a finding about a place of an old file.
func (p *Pass) ReportStep(s migrate.Step) {
	f := Finding{Rule: p.Rule, Severity: p.Severity(), Message: s.Message, Fix: s.Fix, made: s.Edits}
	f.line, f.col = module.NewLines(p.Load.Text).Position(s.At)
	p.Add(f)
}
