package cli

import (
	"fmt"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/record"
)

// FormatCatalog is the format of a file that others work on: resolved records and
// their end, whole or not at all.
const FormatCatalog = "catalog"

// ArtefactFlags are of a command that makes such a file.
type ArtefactFlags struct {
	WithFindings bool `group:"Output" help:"Pass findings and errors on in the stream, which otherwise go to stderr"`
	AllowPartial bool `group:"Output" help:"Write the file of -o catalog=FILE although something had to be left out; the exit status stays"`
}

// aside reports whether findings go to stderr, beside a stream of resolved records or
// a format that has no place for findings.
func (s *streamRun) aside() bool {
	return s.formats[s.cmd.Format] != nil ||
		s.artefact != nil && !s.artefact.WithFindings && s.cmd.Format == FormatNDJSON
}

// leavesOut reports whether a record says that something is left out of a catalog.
func leavesOut(rec record.Record) bool {
	switch r := rec.(type) {
	case *record.Error:
		return true
	case *record.Diagnostic:
		return r.Severity == record.SeverityError
	case *record.Resolved:
		return r.Type == record.TypeCatalog && catalog.Decode(r).(*catalog.Catalog).Counts.LeftOut > 0
	}
	return false
}

// spareArtefact keeps the file that was there where the new one lacks something.
// Whoever runs make must see it by the status, whatever --fail-on says.
func (s *streamRun) spareArtefact(app *App, outs *Outputs) {
	if s.artefact == nil || s.artefact.AllowPartial {
		return
	}
	why := "something had to be left out"
	if err := s.cmd.Tally().NotWhole(); err != nil {
		why = err.Error()
	} else if !s.leftOut {
		return
	}
	for _, file := range outs.Drop(FormatCatalog) {
		s.findings = true
		fmt.Fprintf(app.IO.Stderr, "%s: %s was not written: %s; --allow-partial writes what there is\n", app.Name,
			file, why)
	}
}
