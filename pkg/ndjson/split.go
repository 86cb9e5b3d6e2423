package ndjson

import (
	"bytes"
	"iter"
	"math"
)

// Split yields the lines of a stream that is in memory whole, the same ones as
// a Reader; their Bytes are parts of data. maxLine is that of NewReader.
func Split(data []byte, maxLine int) iter.Seq[Line] {
	if maxLine < 1 {
		maxLine = DefaultMaxLine
	}
	maxLine = min(maxLine, math.MaxInt-1)
	return func(yield func(Line) bool) {
		rest := bytes.TrimPrefix(data, byteOrderMark)
		for num := 1; len(rest) > 0; num++ {
			var text []byte
			at := len(data) - len(rest)
			text, rest, _ = bytes.Cut(rest, []byte{'\n'})
			text = bytes.TrimSuffix(text, []byte{'\r'})
			line := Line{Bytes: text[:len(text):len(text)], Num: num, Size: len(text), At: at}
			if len(text) > maxLine {
				line.Bytes, line.TooLong = nil, true
			} else if blank(text) {
				continue
			}
			if !yield(line) {
				return
			}
		}
	}
}
