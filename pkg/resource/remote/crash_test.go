package remote

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/pkg/words"
)

// TestCrash: whatever a killed process leaves, the copy is whole, and is
// fetched again if its age is not known.
func TestCrash(t *testing.T) {
	d := newDesk(t)
	d.get(hourly)
	dir := filepath.Join(d.dir, ".flowmcp/resources")
	write := func(name, text string) { t.Helper(); put(t, filepath.Join(dir, name), text) }
	// It was killed between the file and the note about it.
	write("sdn.db", "newer than the note")
	d.up.err = &words.Problem{Code: "EXE035", Message: "no answer"}
	d.restart("")
	if got := d.get(hourly); !strings.HasPrefix(got, "stale newer than the note asked 1 | ") {
		t.Error(got)
	}
	d.up.err = nil
	d.restart("")
	d.want(d.get(hourly), "expired one asked 1 | try 1 failed") // and not by its tag
	// … for the first time.
	write("sdn.db.meta.json", `{"urlHash":"`+hashOf(fileURL)+`","pending":true,"bytes":0}`)
	d.restart("")
	d.want(d.get(hourly), "miss one asked 1 | try 1 failed")
	// A note that we did not write does not make the file ours.
	good, err := os.ReadFile(filepath.Join(dir, "sdn.db.meta.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, note := range []string{"", "{", "[]", `{"urlHash":7}`, strings.Repeat("x", maxNote+1)} {
		write("sdn.db.meta.json", note)
		d.restart("")
		if got := d.get(hourly); !strings.HasPrefix(got, "none one asked 0 | the file ") {
			t.Errorf("%.20q: %s", note, got)
		}
	}
	write("sdn.db.meta.json", string(good))
	d.restart("")
	// It was killed while it wrote; other files are not its own.
	write(".sdn.db.ABCDEFGH.tmp", "half")
	write(".sdn.db.meta.json.ABCDEFGH.tmp", "half")
	write(".sdn.db.b.db.ABCDEFGH.tmp", "another's")
	d.now = d.now.Add(2 * time.Hour)
	d.want(d.get(hourly), "expired one asked 1")
	d.want(d.files(), ".flowmcp/resources/.sdn.db.b.db.ABCDEFGH.tmp .flowmcp/resources/sdn.db "+
		".flowmcp/resources/sdn.db.meta.json")
	// The copy is removed while a server runs.
	if err := os.Remove(filepath.Join(dir, "sdn.db")); err != nil {
		t.Fatal(err)
	}
	d.want(d.get(hourly), "miss one asked 1 | try 1 failed")
}

func TestCancelled(t *testing.T) {
	d := newDesk(t)
	ctx, cancel := context.WithCancel(t.Context())
	d.up.hold = cancel
	d.up.err = &words.Problem{Code: codeCancelled, Message: "given up"}
	if _, err := d.c.Get(ctx, hourly); err == nil || err.Error() != "EXE036 given up" {
		t.Error(err)
	}
	d.up.err, d.up.hold = nil, nil
	d.want(d.get(hourly), "miss one asked 1 | try 1 failed") // which is not a failure of the file
}
