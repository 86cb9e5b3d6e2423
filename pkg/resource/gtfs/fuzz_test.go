package gtfs

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/words"
)

// Whatever a file holds, reading it ends, and every row has as many cells as the
// table has fields, from a line that is there.
func FuzzRows(f *testing.F) {
	files := ostermoor(f)
	for _, name := range []string{"stops.txt", "trips.txt"} {
		f.Add([]byte(files[name]))
	}
	f.Add([]byte("\xef\xbb\xbfstop_id,stop_name\r\n\"a\n\"\"\",b\r\nc\r\n"))
	f.Add([]byte("stop_id\n\"" + strings.Repeat("x", 2000)))
	f.Fuzz(func(t *testing.T, data []byte) {
		rep := &Report{}
		in, err := openRows(tables[2], bytes.NewReader(data), rep)
		if err != nil || in == nil {
			return
		}
		l := &loader{rep: rep, keys: map[string]*keys{}}
		for n := 0; ; n++ {
			if err := in.next(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return
			}
			if len(in.cells) != len(in.table.fields) || in.line < 2 || in.line > 1+bytes.Count(data, []byte("\n")) ||
				n > len(data) {
				t.Fatalf("line %d, %d cells, row %d", in.line, len(in.cells), n)
			}
			for _, at := range in.used {
				l.value(in, at)
			}
			l.row(in)
		}
		_ = rep.Text()
	})
}

// Whatever an archive is, opening it ends with a *words.Problem or with members that
// can be opened.
func FuzzArchive(f *testing.F) {
	f.Add(pack(f, map[string]string{"stops.txt": "stop_id\na\n", "feed/x": "y"}))
	f.Add([]byte("PK\x05\x06"))
	f.Fuzz(func(t *testing.T, data []byte) {
		name := filepath.Join(t.TempDir(), "feed.zip")
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		a, err := openArchive(name, 1<<20, &Report{})
		var e *words.Problem
		if err != nil {
			if !errors.As(err, &e) || a != nil {
				t.Fatalf("%T %v", err, err)
			}
			return
		}
		defer a.close()
		for member := range a.members {
			if r, err := a.open(member); err == nil {
				_, _ = io.Copy(io.Discard, r)
				_ = r.Close()
			}
		}
	})
}

// A time that is read is written as the same time, in order as text.
func FuzzClock(f *testing.F) {
	for _, s := range []string{"7:00:00", "07:00:00", "25:10:00", "191:59:59", "007:00:00", "7:60:00", ":::::::",
		"1:00:0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		secs, ok := parseClock(s)
		if !ok {
			return
		}
		text := formatClock(s, secs)
		again, ok := parseClock(text)
		if !ok || again != secs || text != clockText(secs) || secs < 100*3600 && len(text) != 8 {
			t.Fatalf("%q is %d is %q is %d", s, secs, text, again)
		}
	})
}
