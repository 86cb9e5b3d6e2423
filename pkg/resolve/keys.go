package resolve

import (
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// reportSharedKeys reports keys that schemas of several domains ask for, unless
// fmcp-validate has.
func (s *session) reportSharedKeys() {
	if s.shared {
		return
	}
	var asks walk.KeyAsks
	for _, c := range s.catalogs {
		for _, l := range c.schemas {
			if s.failed[l.Src.File()] == nil && !s.packed[l].none {
				s.while(l, func() { asks.Add(l) })
			}
		}
	}
	for _, k := range asks.Shared() {
		s.report(record.SeverityWarning, k.Schema.ID, k.Schema.Src, k.Problem)
	}
}
