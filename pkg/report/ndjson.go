package report

import (
	"io"

	"github.com/flowmcp/fmcp/pkg/ndjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// lines writes the stream itself.
type lines struct {
	w   *ndjson.Writer
	buf []byte
}

func newNDJSON(w io.Writer) *lines { return &lines{w: ndjson.NewWriter(w)} }

func (l *lines) Record(rec record.Record, line []byte) error {
	if line == nil {
		l.buf = rec.AppendJSON(l.buf[:0])
		line = l.buf
	}
	return l.w.WriteLine(line)
}

func (l *lines) Flush() error { return l.w.Flush() }

func (l *lines) Close() error { return l.w.Flush() }
