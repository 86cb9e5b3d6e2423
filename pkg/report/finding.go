package report

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
)

// finding is what the formats of CI services report: a diagnostic, or an error
// record, which is a file or record that could not be processed. They say
// nothing of other records; files that come by count as looked at. Its texts
// are clean, its path is not.
type finding struct {
	record.Diagnostic
	failed bool // it was an error record
}

// findingOf returns the finding of a record, false where it is none.
func findingOf(rec record.Record) (finding, bool) {
	var f finding
	switch r := rec.(type) {
	case *record.Diagnostic:
		f.Diagnostic = *r
	case *record.Error:
		f.Diagnostic = record.Diagnostic{Code: r.Code, Severity: record.SeverityError, Message: r.Message,
			Fix: r.Fix, Loc: locOf(r)}
		f.failed = true
	default:
		return f, false
	}
	f.Code, f.Message, f.Fix = clean(f.Code), clean(f.Message), clean(f.Fix)
	f.Subject, f.Loc.Pointer = clean(f.Subject), clean(f.Loc.Pointer)
	return f, true
}

// locOf is the place of an error: where it does not say, its input, which is a
// path, or the line of a file of records. stdin is no place.
func locOf(e *record.Error) record.Loc {
	if e.Loc != nil {
		return *e.Loc
	}
	if i := strings.LastIndexByte(e.Input, ':'); i >= 0 {
		line, err := strconv.Atoi(e.Input[i+1:])
		switch file := e.Input[:i]; {
		case err != nil:
		case file == "stdin":
			return record.Loc{}
		case strings.HasSuffix(file, ".ndjson"):
			return record.Loc{Path: file, Line: line, Col: 1}
		}
	}
	if e.Input == "stdin" {
		return record.Loc{}
	}
	return record.Loc{Path: e.Input}
}

// text is the message with its fix on a line of its own.
func (f *finding) text() string {
	if f.Fix == "" {
		return f.Message
	}
	return f.Message + "\nfix: " + f.Fix
}

// fixedBy says what corrects it, "" where nothing does.
func (f *finding) fixedBy() string {
	switch {
	case len(f.Edits) == 0:
		return ""
	case f.Safe():
		return "fmcp-validate --fix corrects it"
	}
	return "fmcp-validate --fix=all corrects it, and marks it for review"
}

// title is the code with the name of its rule.
func (f *finding) title() string {
	if r, ok := rules.Lookup(f.Code); ok {
		return f.Code + " " + r.Name
	}
	return f.Code
}

// fails reports whether the finding is a failed test.
func (f *finding) fails(opts *Options) bool {
	return f.Severity == record.SeverityError || opts.Fails != nil && opts.Fails(f.Severity)
}

// fileOf is the file that a scan or load record stands for, "" for others.
func fileOf(rec record.Record) string {
	switch r := rec.(type) {
	case *record.Scan:
		return record.Source{Path: r.Path, Root: r.Root}.File()
	case *record.Load:
		return r.Src.File()
	}
	return ""
}

// slashed is a path with slashes and without control characters.
func slashed(path string) string { return clean(filepath.ToSlash(path)) }
