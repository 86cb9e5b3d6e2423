package ndjson

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"math"
)

// DefaultMaxLine is the length, in bytes, of the longest line that a command
// reads unless --max-line says otherwise (docs/records.md).
const DefaultMaxLine = 16 << 20

// readSize is the size of the read buffer; it holds four records of the size
// that fmcp-load writes.
const readSize = 64 << 10

var byteOrderMark = []byte("\xef\xbb\xbf")

// Line is one line of the stream.
type Line struct {
	Bytes   []byte // content without line end, the caller's own; nil if TooLong
	Num     int    // number of the line, from 1, blank lines counted
	TooLong bool   // longer than the reader's limit, and skipped
	Size    int    // bytes of content, even if TooLong
	At      int    // where Bytes are in the file; of Split alone

	Start, End []byte // the first and the last bytes of a line that is TooLong
}

// Reader reads lines that end in LF or CRLF. Blank lines are left out, the
// last line needs no end, and a byte order mark at the start is ignored.
type Reader struct {
	src     *bufio.Reader
	max     int
	num     int
	err     error
	pending []byte // the current line's start, where it spans several reads

	start, end []byte // of a line that is too long
}

// edge is how many bytes of either end of a line are told that is too long.
const edge = 1 << 10

// NewReader returns a reader of lines of up to maxLine bytes; maxLine below 1
// means DefaultMaxLine.
func NewReader(r io.Reader, maxLine int) *Reader {
	if maxLine < 1 {
		maxLine = DefaultMaxLine
	}
	return &Reader{src: bufio.NewReaderSize(r, readSize), max: min(maxLine, math.MaxInt-1)}
}

// Next returns the next line that is not blank, as soon as its end has been
// read. At the end it returns io.EOF, and where reading fails the error, again
// on every further call; a line that the failure cut off is not returned.
func (r *Reader) Next() (Line, error) {
	for r.err == nil {
		line, complete := r.read()
		if !complete {
			break
		}
		if line.TooLong || !blank(line.Bytes) {
			return line, nil
		}
	}
	return Line{}, r.err
}

// Ready reports whether Next would return a line without waiting for more input.
func (r *Reader) Ready() bool {
	b, err := r.src.Peek(r.src.Buffered())
	if err != nil {
		return false
	}
	for line := range bytes.Lines(b) {
		if !blank(bytes.TrimSuffix(line, []byte{'\n'})) {
			return line[len(line)-1] == '\n'
		}
	}
	return false
}

// read reads one line, blank or not; complete is false if there is none.
func (r *Reader) read() (line Line, complete bool) {
	r.num++
	line.Num = r.num
	size, last, started := 0, byte(0), false
	for {
		piece, err := r.src.ReadSlice('\n')
		ended := err == nil
		started = started || len(piece) > 0
		if ended {
			piece = piece[:len(piece)-1]
		}
		if r.num == 1 && size == 0 {
			piece = bytes.TrimPrefix(piece, byteOrderMark)
		}
		size += len(piece)
		if len(piece) > 0 {
			last = piece[len(piece)-1]
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			r.err = err
			ended = true
		}
		if ended {
			complete = r.err == nil || errors.Is(r.err, io.EOF) && started
			return r.finish(line, piece, size, last), complete
		}
		r.keep(piece, size)
	}
}

// keep remembers a piece of a line that has not ended yet, or forgets the line
// once it is longer than the limit; one byte more may turn out to be its CR.
func (r *Reader) keep(piece []byte, size int) {
	if size > r.max+1 {
		r.edges(piece)
		return
	}
	if need := len(r.pending) + len(piece); need > cap(r.pending) {
		grown := make([]byte, len(r.pending), max(need, min(2*need, r.max+1)))
		copy(grown, r.pending)
		r.pending = grown
	}
	r.pending = append(r.pending, piece...)
}

// edges forgets a line that is too long, all but its ends.
func (r *Reader) edges(piece []byte) {
	if r.pending != nil {
		piece, r.pending = append(r.pending, piece...), nil
	}
	r.start = append(r.start, piece[:min(len(piece), edge-len(r.start))]...)
	if len(piece) < edge {
		piece = append(r.end, piece...)
	}
	r.end = bytes.Clone(piece[max(0, len(piece)-edge):])
}

// finish makes the line of what was kept and its last piece.
func (r *Reader) finish(line Line, piece []byte, size int, last byte) Line {
	line.Size = size
	if size > 0 && last == '\r' {
		line.Size--
	}
	if line.Size > r.max {
		line.TooLong = true
		r.edges(piece)
		line.Start, line.End = r.start, r.end
		r.start, r.end = nil, nil
		return line
	}
	if r.pending == nil {
		line.Bytes = bytes.Clone(piece[:min(len(piece), line.Size)])
		return line
	}
	r.keep(piece, size)
	line.Bytes, r.pending = r.pending[:line.Size:line.Size], nil
	return line
}

func blank(b []byte) bool {
	for _, c := range b {
		if c != ' ' && c != '\t' && c != '\r' {
			return false
		}
	}
	return true
}
