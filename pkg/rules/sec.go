package rules

import (
	"cmp"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/forbidden"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// securityCodes are those beside SEC codes that are about what chapter 05
// forbids, that hide from the scan for it, that send keys to somebody else, or
// that hide orders to a model, or that count others.
var securityCodes = []string{"VAL026", "LOD012", "LOD047", "LOD048", "LOD049", "CMP022", "CMP023", "CMP033"}

// Security reports whether neither the author of a file nor a configuration
// that is beside it can take back findings of a code.
func Security(code string) bool {
	return strings.HasPrefix(code, "SEC") || slices.Contains(securityCodes, code)
}

// MaxFindings is how many findings about one file are reported (decision "One
// budget").
const MaxFindings = engine.MaxFindings

// More makes the record of findings after those, the worst of severity sev.
func More(n int, sev record.Severity, subject, path string) *record.Diagnostic {
	row, _ := Lookup(engine.MoreFindings)
	return &record.Diagnostic{
		Code: row.Code, Severity: sev, Message: engine.More(n), Fix: row.Fix,
		Subject: subject, Loc: record.Loc{Path: path},
	}
}

// Forbidden makes the record of a finding of pkg/forbidden about the file path,
// whose id is subject. Its line and column are the caller's to fill in.
func Forbidden(f forbidden.Finding, subject, path string) *record.Diagnostic {
	row, _ := Lookup(f.Code)
	message, fix := f.Msg, cmp.Or(f.Fix, row.Fix)
	switch {
	case f.Rule != "":
		rule, _ := Lookup(f.Rule)
		summary := lower(rule.Summary)
		if f.Rule != f.Code { // in a shared list
			summary = strings.Replace(summary, "a schema", "a shared list", 1) + " (" + f.Rule + ")"
		}
		message += ": " + summary
	case f.Code == "SEC017", f.Code == "TST005", f.Code == "RES023":
		fix = lower(fix)
	}
	return &record.Diagnostic{
		Code: f.Code, Severity: row.Spec, Message: message, Fix: fix, Subject: subject, // the same in every profile
		Loc: record.Loc{Path: path, Pointer: f.Pointer},
	}
}

// lower makes a part of a sentence of one.
func lower(sentence string) string {
	return strings.ToLower(sentence[:1]) + strings.TrimSuffix(sentence[1:], ".")
}
