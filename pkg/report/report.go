// Package report writes records for people and for programs: one file per
// output format.
package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Reporter writes records in one format.
type Reporter interface {
	// Record writes one record; line is its NDJSON text where that is known.
	Record(rec record.Record, line []byte) error
	// Flush writes what is held back; the stream may go on.
	Flush() error
	// Close ends the report. It does not close the writer.
	Close() error
}

// Options of the formats.
type Options struct {
	Palette Palette
	Width   int // columns of the terminal that text is written to, 0 where it is none
	// Source returns the lines of a source file for snippets, false where it
	// cannot be read; nil shows none.
	Source func(l *record.Loc) (lines Lines, ok bool)
	// Dir is the current folder, absolute: SARIF has paths below it relative to
	// it, however they were named, since services know them by their place in the
	// repository. "" leaves paths as they are.
	Dir string
	// Tool and Version are those of the command that writes the report.
	Tool, Version string
	// Fails says which severities, beside error, are failed tests in the
	// formats that speak of tests; nil is none.
	Fails func(record.Severity) bool
	// Only is the kind of records that the stream itself takes, "" for all; and
	// End makes the record that closes it, nil for none.
	Only record.Kind
	End  func(counts map[record.Kind]int) *record.End
}

// Lines gives the lines of a source file by number, from 1.
type Lines interface{ Text(n int) string }

// formats are the formats by name. The last four are those of CI services:
// they report diagnostic and error records, junit and tap also the envelopes of
// tests, and of other records nothing.
var formats = []struct {
	name string
	open func(io.Writer, Options) Reporter
}{
	{"text", func(w io.Writer, o Options) Reporter { return newText(w, o) }},
	{"ndjson", func(w io.Writer, o Options) Reporter { return newNDJSON(w, o) }},
	{"sarif", func(w io.Writer, o Options) Reporter { return newSARIF(w, o) }},
	{"junit", func(w io.Writer, o Options) Reporter { return newJUnit(w, o) }},
	{"github", func(w io.Writer, _ Options) Reporter { return newGitHub(w) }},
	{"tap", func(w io.Writer, o Options) Reporter { return newTAP(w, o) }},
}

// Formats lists the names that New knows.
func Formats() []string {
	var names []string
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}

// New returns the reporter of a format that writes to w.
func New(format string, w io.Writer, opts Options) (Reporter, error) {
	for _, f := range formats {
		if f.name == format {
			return f.open(w, opts), nil
		}
	}
	return nil, fmt.Errorf("format %q is not one of %s%s", format, strings.Join(Formats(), ", "),
		words.DidYouMean(format, Formats()))
}
