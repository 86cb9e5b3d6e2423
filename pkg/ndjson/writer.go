package ndjson

import (
	"bufio"
	"io"
)

// writeSize is the size of the write buffer; a pipe takes as much at once.
const writeSize = 64 << 10

// Writer writes lines through a buffer. After an error every call returns it.
type Writer struct {
	dst   *bufio.Writer
	lines int
	bytes int64
}

// NewWriter returns a writer to w.
func NewWriter(w io.Writer) *Writer {
	return &Writer{dst: bufio.NewWriterSize(w, writeSize)}
}

// WriteLine writes b, which must not contain a newline, and a newline.
func (w *Writer) WriteLine(b []byte) error {
	if _, err := w.dst.Write(b); err != nil {
		return err
	}
	if err := w.dst.WriteByte('\n'); err != nil {
		return err
	}
	w.lines++
	w.bytes += int64(len(b)) + 1
	return nil
}

// Flush writes out what is buffered.
func (w *Writer) Flush() error { return w.dst.Flush() }

// Lines is the number of lines written, Bytes that of bytes, newlines
// included; the last ones may still be in the buffer.
func (w *Writer) Lines() int { return w.lines }

// Bytes is described at Lines.
func (w *Writer) Bytes() int64 { return w.bytes }
