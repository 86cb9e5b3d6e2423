package ndjson

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"math"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
)

// all reads to the end and fails on an error other than io.EOF.
func all(t *testing.T, r *Reader) []Line {
	t.Helper()
	var lines []Line
	for {
		l, err := r.Next()
		if errors.Is(err, io.EOF) {
			if _, again := r.Next(); !errors.Is(again, io.EOF) {
				t.Errorf("after io.EOF: %v", again)
			}
			return lines
		}
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, l)
	}
}

func TestReader(t *testing.T) {
	line := func(num int, s string) Line { return Line{Bytes: []byte(s), Num: num, Size: len(s)} }
	long := func(num, size int) Line { return Line{Num: num, TooLong: true, Size: size} }
	tests := []struct {
		name, in string
		want     []Line
	}{
		{"empty", "", nil},
		{"one", "a\n", []Line{line(1, "a")}},
		{"truncated tail", "a\nb", []Line{line(1, "a"), line(2, "b")}},
		{"CRLF", "a\r\nb\r\n", []Line{line(1, "a"), line(2, "b")}},
		{"CR at the end of input", "a\r", []Line{line(1, "a")}},
		{"one CR only is an end", "a\r\r\n", []Line{line(1, "a\r")}},
		{"CR inside", "a\rb\n", []Line{line(1, "a\rb")}},
		{"blank lines are counted", "\n\r\n \t\na\n\n\nb\n\n", []Line{line(4, "a"), line(7, "b")}},
		{"blank only", "\n\n  ", nil},
		{"byte order mark", "\xef\xbb\xbfa\n", []Line{line(1, "a")}},
		{"byte order mark alone", "\xef\xbb\xbf", nil},
		{"byte order mark on a blank line", "\xef\xbb\xbf\r\na\n", []Line{line(2, "a")}},
		{"byte order mark elsewhere", "a\n\xef\xbb\xbfb\n", []Line{line(1, "a"), line(2, "\xef\xbb\xbfb")}},
		{"part of a byte order mark", "\xef\xbb\n", []Line{line(1, "\xef\xbb")}},
		{"spaces are content", " a \n", []Line{line(1, " a ")}},
		{"at the limit", "12345678\nb\n", []Line{line(1, "12345678"), line(2, "b")}},
		{"at the limit with CR", "12345678\r\nb\n", []Line{line(1, "12345678"), line(2, "b")}},
		{"over the limit", "123456789\nb\n", []Line{long(1, 9), line(2, "b")}},
		{"over the limit with CR", "123456789\r\nb\n", []Line{long(1, 9), line(2, "b")}},
		{"over the limit at the end", "a\n1234567890", []Line{line(1, "a"), long(2, 10)}},
		{"the mark does not count", "\xef\xbb\xbf12345678\n", []Line{line(1, "12345678")}},
	}
	for _, tt := range tests {
		for name, wrap := range map[string]func(io.Reader) io.Reader{
			"whole":        func(r io.Reader) io.Reader { return r },
			"byte by byte": iotest.OneByteReader,
			"data and EOF": iotest.DataErrReader,
		} {
			t.Run(tt.name+"/"+name, func(t *testing.T) {
				same(t, all(t, NewReader(wrap(strings.NewReader(tt.in)), 8)), tt.want)
			})
		}
		t.Run(tt.name+"/in pieces", func(t *testing.T) { same(t, inPieces(t, []byte(tt.in), 8), tt.want) })
	}
}

// inPieces are the lines of a file that is read 4 bytes at a time, or more where a
// line has more.
func inPieces(t *testing.T, in []byte, limit int) (lines []Line) {
	t.Helper()
	for l, err := range splitPieces(bytes.NewReader(in), limit, 4) {
		if err != nil {
			t.Fatal(err)
		}
		if !l.TooLong && !bytes.HasPrefix(in[l.At:], l.Bytes) {
			t.Errorf("line %d is not at byte %d", l.Num, l.At)
		}
		l.Bytes = bytes.Clone(l.Bytes)
		lines = append(lines, l)
	}
	return lines
}

func same(t *testing.T, got, want []Line) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d lines, want %d:\n%.300v\n%.300v", len(got), len(want), got, want)
	}
	for i, g := range got {
		w := want[i]
		if !bytes.Equal(g.Bytes, w.Bytes) || g.Num != w.Num || g.TooLong != w.TooLong || g.Size != w.Size {
			t.Errorf("line %d: %.200q %d %v %d, want %.200q %d %v %d", i, g.Bytes, g.Num, g.TooLong, g.Size, w.Bytes,
				w.Num, w.TooLong, w.Size)
		}
		if g.TooLong && g.Bytes != nil {
			t.Errorf("line %d: a skipped line has bytes", i)
		}
		if g.TooLong && g.Size > 2*edge && (len(g.Start) != edge || len(g.End) != edge) {
			t.Errorf("line %d: %d and %d bytes of its ends, want %d", i, len(g.Start), len(g.End), edge)
		}
	}
}

// Lines around the size of the read buffer and of the limit.
func TestReaderSizes(t *testing.T) {
	for _, limit := range []int{readSize - 1, readSize, 3*readSize + 5} {
		var in bytes.Buffer
		var want []Line
		for _, size := range []int{readSize - 2, readSize - 1, readSize, readSize + 1, limit - 1, limit, limit + 1,
			limit + 2, 2*limit + readSize} {
			for _, end := range []string{"\n", "\r\n"} {
				body := bytes.Repeat([]byte{'x'}, size)
				copy(body, "start")
				copy(body[size-4:], "end.")
				in.Write(body)
				in.WriteString(end)
				l := Line{Bytes: body, Num: len(want) + 1, Size: size}
				if size > limit {
					l.Bytes, l.TooLong = nil, true
				}
				want = append(want, l)
			}
		}
		got := all(t, NewReader(&in, limit))
		same(t, got, want)
		for _, l := range got {
			if l.TooLong && !(bytes.HasPrefix(l.Start, []byte("startx")) &&
				bytes.HasSuffix(bytes.TrimSuffix(l.End, []byte("\r")), []byte("xend."))) {
				t.Errorf("line %d starts %.10q and ends %q", l.Num, l.Start, l.End[len(l.End)-10:])
			}
		}
	}
}

// The 20 MB line of the issue: skipped whole, reported once, read past, and
// never held.
func TestReaderLongLine(t *testing.T) {
	const size = 20 << 20
	in := io.MultiReader(
		strings.NewReader("before\n"),
		io.LimitReader(endless('x'), size),
		strings.NewReader("\nafter\n"),
	)
	r := NewReader(in, 1<<20)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got := all(t, r)
	runtime.ReadMemStats(&after)
	same(t, got, []Line{
		{Bytes: []byte("before"), Num: 1, Size: 6},
		{Num: 2, TooLong: true, Size: size},
		{Bytes: []byte("after"), Num: 3, Size: 5},
	})
	if n := after.TotalAlloc - before.TotalAlloc; n > 4<<20 {
		t.Errorf("skipping %d bytes allocated %d", size, n)
	}
}

func TestReaderDefaultLimit(t *testing.T) {
	in := io.MultiReader(io.LimitReader(endless('x'), DefaultMaxLine), strings.NewReader("\n"),
		io.LimitReader(endless('y'), DefaultMaxLine+1))
	got := all(t, NewReader(in, 0))
	if len(got) != 2 || got[0].TooLong || len(got[0].Bytes) != DefaultMaxLine || !got[1].TooLong {
		t.Errorf("a line of the default limit is read, one byte more is not: got %d lines", len(got))
	}
}

func TestReaderNoLimit(t *testing.T) {
	body := strings.Repeat("x", 3*readSize)
	same(t, all(t, NewReader(strings.NewReader(body+"\n"), math.MaxInt)),
		[]Line{{Bytes: []byte(body), Num: 1, Size: len(body)}})
}

type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

// A producer that has written one line and stays silent: the line comes out.
func TestReaderSlowProducer(t *testing.T) {
	in, producer := io.Pipe()
	r := NewReader(in, 0)
	proceed := make(chan string)
	go func() {
		for s := range proceed {
			io.WriteString(producer, s)
		}
		producer.Close()
	}()
	for _, s := range []string{"1", "two", `{"v":1}`} {
		proceed <- s + "\n"
		l, err := r.Next() // would deadlock if it waited for more
		if err != nil || string(l.Bytes) != s {
			t.Fatalf("%q, %v; want %q", l.Bytes, err, s)
		}
	}
	close(proceed)
	if _, err := r.Next(); !errors.Is(err, io.EOF) {
		t.Errorf("at the end: %v", err)
	}
}

func TestReaderError(t *testing.T) {
	broken := errors.New("device gone")
	r := NewReader(io.MultiReader(strings.NewReader("a\nhalf a li"), iotest.ErrReader(broken)), 0)
	if l, err := r.Next(); err != nil || string(l.Bytes) != "a" {
		t.Fatalf("%q, %v", l.Bytes, err)
	}
	for range 2 {
		if l, err := r.Next(); !errors.Is(err, broken) || l.Bytes != nil {
			t.Errorf("%q, %v; want the read error and no half line", l.Bytes, err)
		}
	}
}

func TestReaderOwnedBytes(t *testing.T) {
	lines := all(t, NewReader(strings.NewReader("aaaa\nbbbb\n"), 0))
	_ = append(lines[0].Bytes, "overwritten"...)
	copy(lines[0].Bytes, "zzzz")
	if string(lines[1].Bytes) != "bbbb" {
		t.Errorf("lines share memory: %q", lines[1].Bytes)
	}
}

// naive is what Reader must agree with.
func naive(in []byte, limit int) []Line {
	var lines []Line
	in = bytes.TrimPrefix(in, byteOrderMark)
	for i, s := range bytes.Split(in, []byte{'\n'}) {
		s = bytes.TrimSuffix(s, []byte{'\r'})
		switch {
		case len(s) > limit:
			lines = append(lines, Line{Num: i + 1, TooLong: true, Size: len(s)})
		case len(bytes.Trim(s, " \t\r")) > 0:
			lines = append(lines, Line{Bytes: s, Num: i + 1, Size: len(s)})
		}
	}
	return lines
}

// The fuzzed reader has the smallest read buffer, so that short inputs span
// several reads.
func FuzzReader(f *testing.F) {
	f.Add([]byte("a\r\n\n\xef\xbb\xbfb"), 3, false)
	f.Add([]byte("\xef\xbb\xbf\n \r\r\n"), 1, true)
	f.Add([]byte("0123456789abcdef\n0123456789abcde\r\n\n\n0123456789abcdef0"), 16, false)
	f.Add([]byte("0123456789abcdef0123456789abcdef\r\nz"), 32, true)
	f.Add(bytes.Repeat([]byte("0"), 3*edge), 1, false)
	f.Fuzz(func(t *testing.T, in []byte, limit int, slow bool) {
		limit = min(max(1, limit), math.MaxInt-1)
		src := io.Reader(bytes.NewReader(in))
		if slow {
			src = iotest.OneByteReader(src)
		}
		same(t, all(t, &Reader{src: bufio.NewReaderSize(src, 16), max: limit}), naive(in, limit))
		same(t, inPieces(t, in, limit), naive(in, limit))
	})
}
