package spool

import (
	"bytes"
	"fmt"
	"os"
	"sync"
	"testing"
)

// Texts come back as they were, from memory and from the file, and in between.
func TestSpool(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	var s Spool
	text := func(i int) []byte { return bytes.Repeat(fmt.Appendf(nil, "%d,", i), i%5000) }
	var places []Place
	var total int
	for i := 0; total < 3*limit; i++ {
		p, err := s.Add(text(i))
		if err != nil {
			t.Fatal(err)
		}
		places, total = append(places, p), total+p.size
	}
	if s.file == nil {
		t.Fatal("there is no file")
	}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			var buffer []byte
			for i, p := range places {
				var err error
				if buffer, err = s.Text(p, buffer); err != nil || !bytes.Equal(buffer, text(i)) {
					t.Errorf("text %d of %d bytes is another (%v)", i, p.size, err)
					return
				}
			}
		})
	}
	wg.Wait()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(os.TempDir()); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// Few texts need no folder, and the error of many says what to do.
func TestNoFolder(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()+"/none")
	var s Spool
	small, err := s.Add([]byte("small"))
	if err != nil {
		t.Fatal(err)
	}
	if text, err := s.Text(small, nil); string(text) != "small" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	if _, err = s.Add(make([]byte, limit)); err == nil {
		t.Error("written to no folder")
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
