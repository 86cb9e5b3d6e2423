package ndjson

import (
	"io"
	"testing"
)

func TestReaderReady(t *testing.T) {
	in, w := io.Pipe()
	go func() {
		_, _ = io.WriteString(w, "a\nb\nc")
		_, _ = io.WriteString(w, "d\n")
		_ = w.Close()
	}()
	r := NewReader(in, 0)
	for _, want := range []struct {
		line  string
		ready bool // for the line after it
	}{{"a", true}, {"b", false}, {"cd", false}} {
		line, err := r.Next()
		if err != nil || string(line.Bytes) != want.line {
			t.Fatalf("Next = %q, %v; want %q", line.Bytes, err, want.line)
		}
		if r.Ready() != want.ready {
			t.Errorf("Ready after %q = %v", want.line, r.Ready())
		}
	}
}
