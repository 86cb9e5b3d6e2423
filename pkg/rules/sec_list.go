package rules

import (
	"errors"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/record"
)

var secList205 = Rule{
	Code: "SEC205", Name: "list-literal", Spec: record.SeverityError, Community: record.SeverityError, Since: "fmcp 0.2", Chapter: "Code in lists",
	Summary: "A shared list is a literal: no calls, no new, no ternaries, no spread, no computed keys.",
	Why:     "A shared list is data; what code makes may be another list with every run. Such a list is not loaded.",
	Fix:     "Write out the value at the place named.",
}

// listLiteral reports what makes the export of a shared list code, unless one of
// the findings says so of the same line.
func listLiteral(src string, found []SourceFinding) []SourceFinding {
	mod, err := module.Read(src)
	if err != nil {
		return found // fmcp-load says so
	}
	_, err = mod.Value("list")
	var not *module.NotLiteralError
	if !errors.As(err, &not) {
		return found
	}
	sameLine := func(f SourceFinding) bool {
		return !strings.Contains(src[min(f.Start, not.Offset):max(f.Start, not.Offset)], "\n")
	}
	if slices.ContainsFunc(found, sameLine) {
		return found
	}
	return append(found, SourceFinding{
		Code: "SEC205", Start: not.Offset, End: not.Offset, Fix: secList205.Fix,
		Msg: "list is not a literal: " + not.Construct + " makes it code, and a shared list is data",
	})
}
