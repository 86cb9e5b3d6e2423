package ndjson

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

func TestWriter(t *testing.T) {
	var dst bytes.Buffer
	w := NewWriter(&dst)
	long := strings.Repeat("x", 2*writeSize)
	want := ""
	for _, s := range []string{`{"v":1}`, "", long, "z"} {
		if err := w.WriteLine([]byte(s)); err != nil {
			t.Fatal(err)
		}
		want += s + "\n"
	}
	if dst.Len() == len(want) {
		t.Error("the last line is not buffered")
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if dst.String() != want {
		t.Errorf("wrote %d bytes, want %d", dst.Len(), len(want))
	}
	if w.Lines() != 4 || w.Bytes() != int64(len(want)) {
		t.Errorf("counted %d lines, %d bytes; want 4, %d", w.Lines(), w.Bytes(), len(want))
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestWriterError(t *testing.T) {
	broken := errors.New("disk full")
	w := NewWriter(failing{broken})
	if err := w.WriteLine([]byte("a")); err != nil {
		t.Fatalf("a buffered line: %v", err)
	}
	if err := w.Flush(); !errors.Is(err, broken) {
		t.Errorf("flush: %v", err)
	}
	if err := w.WriteLine([]byte("b")); !errors.Is(err, broken) {
		t.Errorf("after the error: %v", err)
	}
	if w.Lines() != 1 {
		t.Errorf("counted %d lines, want 1", w.Lines())
	}
}
