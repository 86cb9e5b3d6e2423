package resource

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"zombiezen.com/go/sqlite"

	"github.com/flowmcp/fmcp/pkg/model"
)

// A process that is killed while it writes: every row that it said was stored
// is there, at most one more, and the next writer goes on.
func TestKilledWhileWriting(t *testing.T) {
	for round := range 5 {
		s, path := project(t, logTable)
		cmd := writerCommand(path, "killed", 1_000_000)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		said := -1
		for lines.Scan() {
			if said, err = strconv.Atoi(lines.Text()); err != nil {
				t.Fatal(err)
			}
			if said == 20+7*round {
				_ = cmd.Process.Kill()
			}
		}
		_ = cmd.Wait()
		spec := specOf(model.FileBased)
		got := send(s, spec, "SELECT count(*) AS n, max(n) AS last FROM log")
		stored, more := fmt.Sprintf(`[{"n":%d,"last":%d}]`, said+1, said), fmt.Sprintf(`[{"n":%d,"last":%d}]`, said+2,
			said+1)
		if got != stored && got != more {
			t.Errorf("%d rows were said to be stored: %s", said+1, got)
		}
		if got := send(s, spec, "PRAGMA integrity_check"); got != `[{"integrity_check":"ok"}]` {
			t.Errorf("after the kill: %s", got)
		}
		if got := send(s, spec, "INSERT INTO log (who) VALUES ('next')"); strings.Contains(got, "EXE") {
			t.Errorf("the next writer: %s", got)
		}
	}
}

// A database that another process holds is waited for, and then said to be
// busy; nothing is lost, and it is asked again when it is free.
func TestLockedDatabase(t *testing.T) {
	s, path := project(t, logTable, "INSERT INTO log (who) VALUES ('first')")
	other, err := openConn(t.Context(), path, sqlite.OpenReadWrite, false)
	if err != nil {
		t.Fatal(err)
	}
	defer other.close()
	if err := other.exec("BEGIN EXCLUSIVE"); err != nil {
		t.Fatal(err)
	}
	for _, mode := range []string{model.InMemory, model.FileBased} {
		began := time.Now()
		_, err := s.Query(t.Context(), specOf(mode), "SELECT * FROM log", nil, Limits{Time: 300 * time.Millisecond})
		if took := time.Since(began); codeOf(err) != CodeBusy || took > 4*time.Second {
			t.Errorf("%s: %v after %s", mode, err, took)
		}
	}
	if err := other.exec("COMMIT"); err != nil {
		t.Fatal(err)
	}
	if got := send(s, specOf(model.FileBased),
		"INSERT INTO log (who) VALUES ('second') RETURNING id"); got != `[{"id":2}]` {
		t.Errorf("when it is free: %s", got)
	}
}

// VACUUM, which wants to be the only statement of its connection, gives up a
// database that another process writes to, and is done when it is free.
func TestLockedVacuum(t *testing.T) {
	s, path := project(t, logTable)
	spec := specOf(model.FileBased)
	if got := send(s, spec, "INSERT INTO log (who) VALUES ('first') RETURNING id"); got != `[{"id":1}]` {
		t.Fatal(got)
	}
	other, err := openConn(t.Context(), path, sqlite.OpenReadWrite, false)
	if err != nil {
		t.Fatal(err)
	}
	defer other.close()
	if err := other.exec("BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Query(t.Context(), spec, "VACUUM", nil,
		Limits{Time: 200 * time.Millisecond}); codeOf(err) != CodeBusy {
		t.Errorf("while another writes: %v", err)
	}
	if err := other.exec("COMMIT"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if got := send(s, spec, "VACUUM"); got != "[]" {
			t.Errorf("when it is free: %s", got)
		}
	}
}

// A disk that is full, under the backup and under the change: a code, no half
// backup, the database whole, and it goes on where there is room again. Only
// root can mount one that is small enough.
func TestDiskFull(t *testing.T) {
	dir := t.TempDir()
	if !mountSmall(t, dir, "2m") {
		checkFullWithoutDisk(t)
		return
	}
	s, path := projectIn(t, dir, logTable, "INSERT INTO log (who) VALUES (hex(zeroblob(200000)))")
	spec := specOf(model.FileBased)
	// No room for a backup: nothing is changed.
	fill := path + ".fill"
	fillDisk(t, fill)
	got := send(s, spec, "INSERT INTO log (who) VALUES ('a')")
	if !strings.HasPrefix(got, CodeNotStored+" ") {
		t.Errorf("no room for the backup: %s", got)
	}
	if _, err := os.Stat(path + ".bak"); err == nil {
		t.Error("there is half a backup")
	}
	if err := os.Remove(fill); err != nil {
		t.Fatal(err)
	}
	if got := send(s, spec, "INSERT INTO log (who) VALUES ('b') RETURNING id"); got != `[{"id":2}]` {
		t.Errorf("room again: %s", got)
	}
	// No room for the change: it is taken back whole.
	fillDisk(t, fill)
	got = send(s, spec, "INSERT INTO log (who) SELECT hex(zeroblob(100000)) FROM (WITH RECURSIVE n(x) AS (SELECT 1 "+
		"UNION ALL SELECT x + 1 FROM n LIMIT 20) SELECT x FROM n)")
	if !strings.HasPrefix(got, CodeNotStored+" ") {
		t.Errorf("no room for the change: %s", got)
	}
	if err := os.Remove(fill); err != nil {
		t.Fatal(err)
	}
	if got := send(s, spec, "SELECT count(*) AS n FROM log"); got != `[{"n":2}]` {
		t.Errorf("after that: %s", got)
	}
	if got := send(s, spec, "PRAGMA integrity_check"); got != `[{"integrity_check":"ok"}]` {
		t.Errorf("after that: %s", got)
	}
	if got := send(s, spec, "INSERT INTO log (who) VALUES ('c') RETURNING id"); got != `[{"id":3}]` {
		t.Errorf("in the end: %s", got)
	}
}

// checkFullWithoutDisk reaches the same by a limit of the database itself.
func checkFullWithoutDisk(t *testing.T) {
	s, path := project(t, logTable)
	spec := specOf(model.FileBased)
	if got := send(s, spec, "INSERT INTO log (who) VALUES ('a')"); strings.Contains(got, "EXE") {
		t.Fatal(got)
	}
	db := s.open[spec.key(path)].db.(*fileDB)
	for c := range drainIdle(db.DB) {
		if err := c.own("PRAGMA max_page_count = 4"); err != nil {
			t.Fatal(err)
		}
		db.idle <- c
	}
	if got := send(s, spec, "INSERT INTO log (who) VALUES (hex(zeroblob(100000)))"); !strings.HasPrefix(got,
		CodeNotStored+" ") {
		t.Errorf("full: %s", got)
	}
	if got := send(s, spec, "SELECT count(*) AS n FROM log"); got != `[{"n":1}]` {
		t.Errorf("after that: %s", got)
	}
}

func drainIdle(db *DB) map[*conn]bool {
	all := map[*conn]bool{}
	for {
		select {
		case c := <-db.idle:
			all[c] = true
		default:
			return all
		}
	}
}

// fillDisk writes until there is no room.
func fillDisk(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	for _, size := range []int{64 << 10, 4 << 10, 512, 1} {
		for {
			if _, err := f.Write(make([]byte, size)); err != nil {
				break
			}
		}
	}
}

// A program that was killed while it changed a database leaves a journal that a
// reader must not play back: the error says so, and nothing is changed.
func TestHotJournal(t *testing.T) {
	path := makeDB(t, stations...)
	c, err := openConn(t.Context(), path, sqlite.OpenReadWrite, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"PRAGMA cache_size = 1", "CREATE TABLE long AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM " +
			"n LIMIT 2000) SELECT hex(zeroblob(200)) AS x FROM n",
		"BEGIN IMMEDIATE", "UPDATE long SET x = x || 1",
	} {
		if err := c.exec(text); err != nil {
			t.Fatal(err)
		}
	}
	cut := filepath.Join(t.TempDir(), "stations.db") // as the files are where the program is killed
	for _, suffix := range []string{"", "-journal"} {
		data, err := os.ReadFile(path + suffix)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(cut+suffix, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c.close()
	before := stateOf(t, cut)
	_, err = Open(cut)
	if codeOf(err) != CodeCorrupt || !strings.Contains(err.Error(), "journal beside it must be played back") {
		t.Error(err)
	}
	if after := stateOf(t, cut); after != before {
		t.Errorf("the file was %v and is %v", before, after)
	}
	db, err := openFile(cut, false) // which may write
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if got := ask(db.DB, "SELECT count(*) AS n FROM long WHERE x LIKE '%1'"); got != `[{"n":0}]` {
		t.Error(got)
	}
}
