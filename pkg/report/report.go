// Package report writes records for people and for programs: one file per
// output format.
package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/suggest"
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

// Options of the formats that people read.
type Options struct {
	Palette Palette
	// Source returns the lines of a source file for snippets, false where it
	// cannot be read; nil shows none.
	Source func(path string) (lines Lines, ok bool)
}

// Lines gives the lines of a source file by number, from 1.
type Lines interface{ Text(n int) string }

// Formats lists the names that New knows.
func Formats() []string { return []string{"text", "ndjson"} }

// New returns the reporter of a format that writes to w.
func New(format string, w io.Writer, opts Options) (Reporter, error) {
	switch format {
	case "text":
		return newText(w, opts), nil
	case "ndjson":
		return newNDJSON(w), nil
	}
	return nil, fmt.Errorf("format %q is not one of %s%s", format, strings.Join(Formats(), ", "), suggest.DidYouMean(format, Formats()))
}
