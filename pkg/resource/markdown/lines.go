package markdown

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/words"
)

// lines reads a document a line at a time. A line is what ends with \n, or what
// comes last; a \r before it belongs to the line.
type lines struct {
	r     *bufio.Reader
	limit int64 // of what is returned, and of one line
	num   int   // of the line read last, from 1
	end   bool
}

const bom = "\ufeff"

// newLines begins a document; a byte order mark is skipped.
func newLines(r io.Reader, limit int64) (*lines, error) {
	in := &lines{r: bufio.NewReaderSize(r, 64<<10), limit: limit}
	head, err := in.r.Peek(len(bom))
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fail(CodeDocument, "the document cannot be read: %v", err)
	}
	if bytes.HasPrefix(head, []byte{0xff, 0xfe}) || bytes.HasPrefix(head, []byte{0xfe, 0xff}) {
		return nil, fail(CodeDocument, "the document is UTF-16: save it as UTF-8")
	}
	if string(head) == bom {
		_, _ = in.r.Discard(len(bom))
	}
	return in, nil
}

// next is the next line with its end; ok is false after the last. The line is
// valid until the next call.
func (in *lines) next() (line []byte, ok bool, err error) {
	if in.end {
		return nil, false, nil
	}
	line, err = in.r.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		line = bytes.Clone(line)
		for errors.Is(err, bufio.ErrBufferFull) {
			if int64(len(line)) > in.limit {
				return nil, false, fail(CodeDocument, "line %d has more than %d bytes: raise --max-response", in.num+1,
					in.limit)
			}
			var more []byte
			more, err = in.r.ReadSlice('\n')
			line = append(line, more...)
		}
	}
	switch {
	case errors.Is(err, io.EOF):
		in.end = true
		if len(line) == 0 {
			return nil, false, nil
		}
	case err != nil:
		return nil, false, fail(CodeDocument, "the document cannot be read: %v", err)
	}
	in.num++
	return line, true, nil
}

// skip passes over a line whatever its length; ok is false after the last.
func (in *lines) skip() (ok bool, err error) {
	if in.end {
		return false, nil
	}
	any := false
	for {
		part, err := in.r.ReadSlice('\n')
		any = any || len(part) > 0
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF):
			in.end = true
		case err != nil:
			return false, fail(CodeDocument, "the document cannot be read: %v", err)
		}
		if any {
			in.num++
		}
		return any, nil
	}
}

// all is the document from here on.
func (in *lines) all(size int64) (string, error) {
	var b strings.Builder
	b.Grow(int(min(max(size, 0), in.limit)) + 1)
	n, err := io.Copy(&b, io.LimitReader(in.r, in.limit+1))
	if err != nil {
		return "", fail(CodeDocument, "the document cannot be read: %v", err)
	}
	if n > in.limit {
		return "", fail(CodeDocument, "the document has %s, more than the %d bytes that are returned at once: read a "+
			"part of it by lines or search, or raise --max-response", kilobytes(max(size, n)), in.limit)
	}
	return b.String(), nil
}

// parseRange reads a range of lines: "11-33", "11" or "11-". last is 0 where the
// range has no end.
func parseRange(text string) (first, last int, err error) {
	from, to, isRange := strings.Cut(text, "-")
	first, ok := lineNumber(from)
	last = first
	if ok && isRange {
		if last = 0; strings.TrimSpace(to) != "" {
			last, ok = lineNumber(to)
		}
	}
	switch {
	case !ok:
		return 0, 0, fail(CodePart, "lines %s is not a range of lines: write the first and the last, from 1, such as "+
			"11-33; or 11, or 11- to the end", words.Quote(text))
	case last != 0 && last < first:
		return 0, 0, fail(CodePart, "lines %s ends before it begins: write %d-%d", words.Quote(text), last, first)
	}
	return first, last, nil
}

// lineNumber reads a number from 1; one that is too large for any document is
// the largest.
func lineNumber(text string) (int, bool) {
	text = strings.TrimSpace(text)
	if text == "" || strings.Trim(text, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		n = 1<<31 - 1
	}
	return int(n), n > 0
}

// lineRange reads the lines of a range, as they are.
func lineRange(in *lines, text string) (Text, error) {
	first, last, err := parseRange(text)
	if err != nil {
		return Text{}, err
	}
	for in.num < first-1 {
		if ok, err := in.skip(); err != nil {
			return Text{}, err
		} else if !ok {
			return Text{}, noSuchLine(text, in.num)
		}
	}
	var b []byte
	for last == 0 || in.num < last {
		line, ok, err := in.next()
		if err != nil {
			return Text{}, err
		}
		if !ok {
			break
		}
		if b = append(b, line...); int64(len(b)) > in.limit {
			return Text{}, fail(CodeDocument,
				"lines %s are more than the %d bytes that are returned at once: ask for fewer, or raise --max-response",
				text, in.limit)
		}
	}
	if in.num < first {
		return Text{}, noSuchLine(text, in.num)
	}
	t := Text{Body: string(b)}
	if last != 0 && in.num < last {
		t.Warnings = append(t.Warnings,
			"the document has "+words.Count(in.num, "line")+": these are lines "+span(first, in.num))
	}
	return t, nil
}

func noSuchLine(text string, count int) error {
	if count == 0 {
		return fail(CodePart, "there are no lines %s: the document is empty", text)
	}
	return fail(CodePart, "there are no lines %s: the document has %s", text, words.Count(count, "line"))
}

// span writes a range of lines as the parameter lines takes it.
func span(first, last int) string {
	if first == last {
		return strconv.Itoa(first)
	}
	return strconv.Itoa(first) + "-" + strconv.Itoa(last)
}
