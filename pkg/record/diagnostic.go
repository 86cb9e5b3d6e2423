package record

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/words"
)

// Severity says how bad a finding is (chapter 09, "Severity Levels").
type Severity uint8

// The severities in ascending order. SeverityOff is that of a rule which does
// not report.
const (
	SeverityOff Severity = iota
	SeverityInfo
	SeverityWarning
	SeverityError
)

var severityNames = [...]string{"off", "info", "warning", "error"}

// String returns "error", "warning", "info" or "off".
func (s Severity) String() string { return severityNames[s] }

// ParseSeverity is the inverse of Severity.String.
func ParseSeverity(name string) (Severity, error) {
	for i, n := range severityNames {
		if n == name {
			return Severity(i), nil
		}
	}
	return SeverityOff, fmt.Errorf("severity %q is not one of error, warning, info, off", name)
}

// Diagnostic is a finding of a rule: what was found, what was expected, where,
// and how to fix it.
type Diagnostic struct {
	Code     string
	Severity Severity
	Message  string // what was found and what was expected
	Fix      string // what to do about it
	Subject  string // id of the record that it is about
	Loc      Loc
	Edits    []Edit // that do it, where a machine can decide
}

// Safe reports whether all edits of the finding are.
func (d *Diagnostic) Safe() bool {
	return !slices.ContainsFunc(d.Edits, func(e Edit) bool { return !e.Safe })
}

// Diagnose makes the finding of a problem with the file.
func (s Source) Diagnose(sev Severity, subject string, p words.Problem) *Diagnostic {
	return &Diagnostic{
		Code: p.Code, Severity: sev, Message: p.Message, Fix: p.Fix, Subject: subject,
		Loc: Loc{Path: s.File(), Pointer: holder(p.Pointer), FileHash: s.FileHash},
	}
}

// maxPointer is how many bytes the pointer of a finding has: of one place a
// thousand things may be wrong.
const maxPointer = 2000

// holder is the pointer, or that of what holds the place where it is longer.
func holder(pointer string) string {
	if len(pointer) <= maxPointer {
		return pointer
	}
	return strings.Clone(pointer[:max(0, strings.LastIndexByte(pointer[:maxPointer+1], '/'))])
}

// AppendJSON implements Record.
func (d *Diagnostic) AppendJSON(b []byte) []byte {
	b = head(b, KindDiagnostic)
	b = str(b, "code", d.Code)
	b = str(b, "severity", d.Severity.String())
	b = str(b, "message", d.Message)
	b = optional(b, "fix", d.Fix)
	b = str(b, "subject", d.Subject)
	loc := d.Loc
	if len(d.Edits) == 0 {
		loc.FileHash = ""
	}
	b = appendLoc(b, &loc)
	b = appendEdits(b, d.Edits)
	return append(b, '}')
}

// Compare orders diagnostics totally: by file, line, column, pointer, then
// code and message, so that the same input always prints the same text.
func (d *Diagnostic) Compare(o *Diagnostic) int {
	return cmp.Or(
		cmp.Compare(d.Loc.Path, o.Loc.Path),
		cmp.Compare(d.Loc.Line, o.Loc.Line),
		cmp.Compare(d.Loc.Col, o.Loc.Col),
		cmp.Compare(d.Loc.Pointer, o.Loc.Pointer),
		cmp.Compare(d.Code, o.Code),
		cmp.Compare(d.Message, o.Message),
	)
}
