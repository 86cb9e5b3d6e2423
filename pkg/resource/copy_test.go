package resource

import (
	"os"
	"testing"

	"github.com/flowmcp/fmcp/pkg/model"
)

// TestOnCopies: what tests write is seen by them, and leaves the user's database
// as it is, also one that another process is writing to.
func TestOnCopies(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	dir := t.TempDir()
	user, path := projectIn(t, dir, "CREATE TABLE log (who TEXT)")
	spec := specOf(model.FileBased)
	const insert, count = "INSERT INTO log VALUES ('x')", "SELECT count(*) AS n FROM log"
	if got := send(user, spec, insert); got != `[{"changes":1,"lastInsertRowid":1}]` {
		t.Fatal(got) // and it stays in the write-ahead log while the user has it open
	}
	before := stateOf(t, path)
	tests := &Store{Places: user.Places, OnCopies: true}
	other := specOf(model.FileBased) // as of a second schema
	for i, tt := range []struct {
		spec       *Spec
		text, want string
	}{
		{spec, count, `[{"n":1}]`},
		{spec, insert, `[{"changes":1,"lastInsertRowid":2}]`},
		{other, "CREATE TABLE more (a)", "[]"},
		{other, count, `[{"n":2}]`},
	} {
		if got := send(tests, tt.spec, tt.text); got != tt.want {
			t.Errorf("%d: %s, want %s", i, got, tt.want)
		}
	}
	if got := send(user, spec, count); got != `[{"n":1}]` {
		t.Errorf("the user sees %s", got)
	}
	tests.Close()
	if after := stateOf(t, path); after != before {
		t.Errorf("the user's folder: %v, was %v", after, before)
	}
	if list, err := os.ReadDir(os.TempDir()); err != nil || len(list) > 0 {
		t.Errorf("left behind: %v, %v", list, err)
	}
}
