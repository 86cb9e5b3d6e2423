//go:build unix

package origin

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestPipe(t *testing.T) {
	p, top := world(t)
	if err := syscall.Mkfifo(filepath.Join(top, "project/.flowmcp/resources/pipe.db"), 0o600); err != nil {
		t.Fatal(err)
	}
	place, err := p.File("project", "pipe.db", ".db", schema)
	if got := read(place, err); !strings.Contains(got, "not a regular file") {
		t.Errorf("a pipe: %s", got)
	}
	if _, err := place.Make(); err == nil {
		t.Error("a pipe would be written to")
	}
}
