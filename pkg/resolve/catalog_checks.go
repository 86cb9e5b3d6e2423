package resolve

import (
	"path/filepath"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// checkContent compares what the registry says of its files with what they are. Who
// made parts has done so.
func (s *session) checkContent(c *draft) {
	if c.manifest == nil || s.opts.Read == nil || s.parts != nil || s.judged[c.manifest.Src.File()] {
		return
	}
	severity := record.SeverityError
	if s.opts.Community {
		severity = record.SeverityWarning
	}
	dir := filepath.Dir(c.manifest.Src.File())
	if p := walk.CheckContentHash(c.registry, func(name string) []byte { return s.opts.Read(dir, name) }); p != nil {
		s.report(severity, c.manifest.ID, c.manifest.Src, *p)
	}
}

// reportSharedKeys reports keys that schemas of several domains ask for, unless
// fmcp-validate has.
func (s *session) reportSharedKeys() {
	if s.shared {
		return
	}
	for _, k := range s.asks.Shared() {
		d := s.report(record.SeverityWarning, k.Schema.ID, k.Schema.Src, k.Problem)
		d.Loc.Line, d.Loc.Col = k.Line, k.Col
	}
}
