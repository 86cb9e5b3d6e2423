package forbidden

import (
	"errors"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/module"
)

// listLiteral reports what makes the export of a shared list code, unless one of
// the findings says so of the same line.
func listLiteral(src string, found []Finding) []Finding {
	mod, err := module.Read(src)
	if err != nil {
		return found // fmcp-load says so
	}
	_, err = mod.Value("list")
	var not *module.NotLiteralError
	if !errors.As(err, &not) {
		return found
	}
	sameLine := func(f Finding) bool {
		return !strings.Contains(src[min(f.Start, not.Offset):max(f.Start, not.Offset)], "\n")
	}
	if slices.ContainsFunc(found, sameLine) {
		return found
	}
	return append(found, Finding{
		Code: "SEC205", Start: not.Offset, End: not.Offset,
		Msg: "list is not a literal: " + not.Construct + " makes it code, and a shared list is data",
	})
}
