// Package forbidden looks for what chapter 05 forbids in the source of a
// schema or a shared list. Nothing of the source runs. The words for the codes
// it reports, and their severities, are rows of pkg/rules.
package forbidden

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Options say how Scan reads a source.
type Options struct {
	Export string // the name of what the file exports as data; "" is main
	List   bool   // the source is a shared list, of which more is asked (SEC200–SEC205)
	Raw    bool   // match the text by the letter of chapter 05, comments and strings included
	Read   bool   // report what cannot be read to the end (LOD048); fmcp-load says it better, where it follows
}

// Finding is a forbidden thing in a source.
type Finding struct {
	Code       string
	Rule       string // the code whose row says what is expected; "" where Msg does
	Start, End int    // byte offsets of what was found
	Pointer    string // into main, "" where the place is not in it
	Msg        string // what was found
	Fix        string // "" where that of the code's row is to be used
}

// Scan looks for what chapter 05 forbids in the source of a module, and returns
// every occurrence in order.
//
// It goes through tokens (decision "Scan of tokens"): comments, strings and the
// text of templates never match, code inside ${…} does. A name is found
// wherever it could be the global of that name, however it is used (called,
// assigned, passed on), and not where it only names a property or is being
// declared, nor where process, global or fs are certain to be what the module
// declares itself.
//
// A source that is not JavaScript is scanned up to its syntax error, which is a
// finding with opts.Read.
func Scan(t *module.Tokens, opts Options) []Finding {
	var found []Finding
	if opts.Raw {
		found = scanRaw(t.Src, opts.List)
	} else {
		found = scanTokens(t, opts)
	}
	slices.SortStableFunc(found, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Code, b.Code))
	})
	return found
}

func scanTokens(t *module.Tokens, opts Options) []Finding {
	s := scan{Tokens: t, list: opts.List, export: cmp.Or(opts.Export, "main")}
	s.run()
	found := s.out
	var syntax *words.SyntaxError
	if opts.Read && errors.As(t.Err, &syntax) {
		found = append(found, Finding{
			Code: "LOD048", Start: syntax.Offset, End: syntax.Offset,
			Msg: "cannot be read from here on: " + syntax.Message, Fix: syntax.Fix,
		})
	}
	if s.suspect {
		found = append(found, unserializable(t, s.export, s.data)...)
	}
	if len(s.doubts) > 0 {
		found = otherReadings(&s, found)
	} else {
		found = dropLocals(t, found)
	}
	if opts.List {
		found = listLiteral(t, found)
	}
	return found
}

// listLiteral reports what makes the export of a shared list code, unless one of
// the findings says so of the same line.
func listLiteral(t *module.Tokens, found []Finding) []Finding {
	mod, err := t.Module()
	if err != nil {
		return found // fmcp-load says so
	}
	_, err = mod.Value("list")
	var not *module.NotLiteralError
	if !errors.As(err, &not) {
		return found
	}
	sameLine := func(f Finding) bool {
		return !strings.Contains(t.Src[min(f.Start, not.Offset):max(f.Start, not.Offset)], "\n")
	}
	if slices.ContainsFunc(found, sameLine) {
		return found
	}
	return append(found, Finding{
		Code: "SEC205", Start: not.Offset, End: not.Offset,
		Msg: "list is not a literal: " + not.Construct + " makes it code, and a shared list is data",
	})
}
