package ndjson

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"math"
	"slices"
)

// pieceSize is how much of a file Split reads at a time.
const pieceSize = 256 << 10

// Split yields the lines of a file, the same ones as a Reader, with a piece of it in
// memory at a time: Bytes, Start and End hold until the next line. An error is the last that it
// yields. maxLine is that of NewReader.
func Split(f io.ReaderAt, maxLine int) iter.Seq2[Line, error] {
	return splitPieces(f, maxLine, pieceSize)
}

func splitPieces(f io.ReaderAt, maxLine, size int) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		piece, first := make([]byte, 0, size), Line{Num: 1}
		for ended := false; !ended; {
			if len(piece) == cap(piece) { // by the start of one line
				piece = slices.Grow(piece, len(piece))
			}
			n, err := f.ReadAt(piece[len(piece):cap(piece)], int64(first.At+len(piece)))
			piece = piece[:len(piece)+n]
			if ended = errors.Is(err, io.EOF); err != nil && !ended {
				yield(Line{}, err)
				return
			}
			whole := piece
			if !ended {
				whole = piece[:bytes.LastIndexByte(piece, '\n')+1]
			}
			for line := range splitPiece(whole, first, maxLine) {
				if !yield(line, nil) {
					return
				}
			}
			first.Num += bytes.Count(whole, []byte{'\n'})
			first.At += len(whole)
			piece = piece[:copy(piece, piece[len(whole):])]
		}
	}
}

// splitPiece yields the lines of a part of a file; first says where it starts.
func splitPiece(data []byte, first Line, maxLine int) iter.Seq[Line] {
	if maxLine < 1 {
		maxLine = DefaultMaxLine
	}
	maxLine = min(maxLine, math.MaxInt-1)
	return func(yield func(Line) bool) {
		rest := data
		if first.At == 0 {
			rest = bytes.TrimPrefix(data, byteOrderMark)
		}
		for num := first.Num; len(rest) > 0; num++ {
			var text []byte
			at := first.At + len(data) - len(rest)
			text, rest, _ = bytes.Cut(rest, []byte{'\n'})
			text = bytes.TrimSuffix(text, []byte{'\r'})
			line := Line{Bytes: text[:len(text):len(text)], Num: num, Size: len(text), At: at}
			if len(text) > maxLine {
				line.Bytes, line.TooLong = nil, true
				line.Start, line.End = text[:min(len(text), edge)], text[max(0, len(text)-edge):]
			} else if blank(text) {
				continue
			}
			if !yield(line) {
				return
			}
		}
	}
}
