package report

import (
	"errors"
	"io"

	"github.com/flowmcp/fmcp/pkg/ndjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// lines writes the stream itself.
type lines struct {
	w      *ndjson.Writer
	buf    []byte
	only   record.Kind // "" for all
	end    func(counts map[record.Kind]int) *record.End
	counts map[record.Kind]int
}

func newNDJSON(w io.Writer, o Options) *lines {
	return &lines{w: ndjson.NewWriter(w), only: o.Only, end: o.End, counts: map[record.Kind]int{}}
}

func (l *lines) Record(rec record.Record, line []byte) error {
	kind := record.KindOf(rec)
	if rec == nil {
		kind = record.KindIn(line)
	}
	if l.only != "" && kind != l.only {
		return nil
	}
	l.counts[kind]++
	if line == nil {
		l.buf = rec.AppendJSON(l.buf[:0])
		line = l.buf
	}
	return l.w.WriteLine(line)
}

func (l *lines) Flush() error { return l.w.Flush() }

// Close says that the stream is whole, where it is to be said.
func (l *lines) Close() error {
	if l.end == nil {
		return l.w.Flush()
	}
	l.buf = l.end(l.counts).AppendJSON(l.buf[:0])
	return errors.Join(l.w.WriteLine(l.buf), l.w.Flush())
}
