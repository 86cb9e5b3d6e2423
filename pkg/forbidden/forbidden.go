// Package forbidden looks for what chapter 05 forbids in the source of a
// schema or a shared list. Nothing of the source runs. The words for the codes
// it reports, and their severities, are rows of pkg/rules.
package forbidden

// Options say how Scan reads a source.
type Options struct {
	List bool // the source is a shared list, of which more is asked (SEC200–SEC205)
	Raw  bool // match the text by the letter of chapter 05, comments and strings included
	Read bool // report what cannot be read to the end (LOD048); fmcp-load says it better, where it follows
}

// Finding is a forbidden thing in a source.
type Finding struct {
	Code       string
	Rule       string // the code whose row says what is expected; "" where Msg does
	Start, End int    // byte offsets of what was found
	Pointer    string // into main, "" where the place is not in it
	Msg        string // what was found
}

// Scan looks for what chapter 05 forbids in the source of a module, and
// returns every occurrence in order.
//
// It reads tokens (decision "Scan of tokens"): comments, strings and the text of templates
// never match, code inside ${…} does. A name is found wherever it could be the
// global of that name, however it is used (called, assigned, passed on), and
// not where it only names a property or is being declared, nor where process,
// global or fs are certain to be what the module declares itself (dropLocals).
//
// A source that is no JavaScript is scanned up to its syntax error, which is a
// finding with opts.Read.
//
// On the way it notes the names that the module exports, see
// module.ExportNames; a raw scan knows none.
func Scan(src string, opts Options) (found []Finding, exports []string) {
	if opts.Raw {
		return scanRaw(src, opts.List), nil
	}
	if !opts.List && !opts.Read {
		if exports, ok := quickScan(src); ok {
			return nil, exports
		}
	}
	return scanTokens(src, opts)
}
