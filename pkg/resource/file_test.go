package resource

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/model"
)

const logTable = "CREATE TABLE log (id INTEGER PRIMARY KEY, who TEXT, n INTEGER)"

func TestFileBased(t *testing.T) {
	s, path := project(t, logTable)
	spec := specOf(model.FileBased)
	tests := []struct {
		text string
		args []any
		want string // a code, or all of the rows
	}{
		{"SELECT * FROM log", nil, "[]"},
		{"INSERT INTO log (who, n) VALUES (?, ?), ('b', 2)", []any{"a", 1}, `[{"changes":2,"lastInsertRowid":2}]`},
		{"INSERT INTO log (who) VALUES ('c') RETURNING id, who", nil, `[{"id":3,"who":"c"}]`},
		{"UPDATE log SET n = 9", nil, `[{"changes":3,"lastInsertRowid":3}]`},
		{"WITH a AS (SELECT 1 AS id) DELETE FROM log WHERE id IN (SELECT id FROM a)", nil,
			`[{"changes":1,"lastInsertRowid":3}]`},
		{"CREATE TABLE other (a UNIQUE)", nil, "[]"},
		{"CREATE VIRTUAL TABLE notes USING fts5(body)", nil, "[]"},
		{"INSERT INTO notes VALUES ('ebb and flow')", nil, `[{"changes":1,"lastInsertRowid":1}]`},
		{"SELECT body FROM notes WHERE notes MATCH 'flow'", nil, `[{"body":"ebb and flow"}]`},
		{"CREATE TRIGGER twice AFTER INSERT ON other BEGIN INSERT INTO log (who) VALUES (new.a); END", nil, "[]"},
		{"INSERT INTO other VALUES (1)", nil, `[{"changes":1,"lastInsertRowid":1}]`},
		{"INSERT INTO other VALUES (2), (1)", nil, CodeStatement},
		{"SELECT count(*) AS n FROM other", nil, `[{"n":1}]`}, // nothing of the statement that failed
		{"DROP TABLE other", nil, "[]"},
		{"VACUUM", nil, "[]"},
		{"ANALYZE", nil, "[]"},
		{"PRAGMA user_version = 7", nil, "[]"},
		{"PRAGMA user_version", nil, `[{"user_version":7}]`},
		{"PRAGMA integrity_check", nil, `[{"integrity_check":"ok"}]`},
		{"VALUES (1)", nil, `[{"column1":1}]`},
		{"EXPLAIN QUERY PLAN SELECT 1", nil, `[{"id":1,"parent":0,"notused":0,"detail":"SCAN CONSTANT ROW"}]`},
		// what would reach other files, outlive the call, or undo WAL
		{"ATTACH '" + path + "2' AS o", nil, CodeRefused},
		{"VACUUM INTO '" + path + "2'", nil, CodeRefused},
		{"BEGIN", nil, CodeRefused},
		{"COMMIT", nil, CodeRefused},
		{"SAVEPOINT a", nil, CodeRefused},
		{"PRAGMA journal_mode = DELETE", nil, CodeRefused},
		{"PRAGMA synchronous = OFF", nil, CodeRefused},
		{"PRAGMA writable_schema = 1", nil, CodeRefused},
		{"CREATE TEMP TABLE t (a)", nil, CodeRefused},
		{"SELECT load_extension('x')", nil, CodeRefused},
		{"DELETE FROM log; DELETE FROM notes", nil, CodeRefused},
		{"INSERT INTO sqlite_master VALUES (1, 2, 3, 4, 5)", nil, CodeStatement},
		{"DELETE FROM nothing", nil, CodeStatement},
		{"INSERT INTO log (n) SELECT x FROM (WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT " +
			"x FROM n)", nil, CodeSlow},
		{"SELECT count(*) AS n FROM log", nil, `[{"n":3}]`},
	}
	for _, tt := range tests {
		got := send(s, spec, tt.text, tt.args...)
		if code, _, _ := strings.Cut(got, " "); got != tt.want && code != tt.want {
			t.Errorf("%s\ngot  %s\nwant %s", tt.text, got, tt.want)
		}
	}
	if _, err := os.Stat(path + "2"); err == nil {
		t.Error("another file was made")
	}
}

// The backup is made before the first change of a session and not before: whole,
// as the database was, that of the session before replaced.
func TestBackup(t *testing.T) {
	s, path := project(t, logTable, "INSERT INTO log (who) VALUES ('before')")
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	spec := specOf(model.FileBased)
	send(s, spec, "SELECT * FROM log")
	if now, err := os.ReadFile(path); err != nil || string(now) != string(before) {
		t.Errorf("reading changed the file (%v)", err)
	}
	if _, err := os.Stat(path + ".bak"); err == nil {
		t.Error("there is a backup before anything was changed")
	}
	for i, want := range []string{"[]", `[{"who":"before"}]`, `[{"who":"before"},{"who":"1"}]`} {
		if i == 0 {
			continue
		}
		for n := range 2 {
			if got := send(s, spec, "INSERT INTO log (who) VALUES (?)", fmt.Sprint(i+n*10)); strings.Contains(got,
				"EXE") {
				t.Fatal(got)
			}
		}
		if i == 2 {
			want = `[{"who":"before"},{"who":"1"},{"who":"11"}]`
		}
		copied := filepath.Join(t.TempDir(), "copied.db")
		data, err := os.ReadFile(path + ".bak")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(copied, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if got := ask(openDB(t, copied), "SELECT who FROM log ORDER BY id"); got != want {
			t.Errorf("session %d: the backup has %s, want %s", i, got, want)
		}
		s.Close() // the end of a session
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 2 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

// A link in place of the backup, or of SQLite's own files, leads nowhere.
func TestLinksBesideTheDatabase(t *testing.T) {
	for _, suffix := range []string{".bak", "-wal", "-journal"} {
		s, path := project(t, logTable)
		victim := filepath.Join(t.TempDir(), "victim")
		if err := os.WriteFile(victim, []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(victim, path+suffix); err != nil {
			t.Fatal(err)
		}
		if got := send(s, specOf(model.FileBased), "INSERT INTO log (who) VALUES ('a')"); !strings.HasPrefix(got,
			CodeRefusedFile+" ") {
			t.Errorf("%s: %s", suffix, got)
		}
		if data, err := os.ReadFile(victim); err != nil || string(data) != "mine" {
			t.Errorf("%s: the file behind the link is %q, %v", suffix, data, err)
		}
	}
}

// writers is the environment variable that makes this test binary a process
// that writes: its value is the folder of the project, the number of rows and a
// name.
const writers = "FMCP_TEST_WRITER"

func TestMain(m *testing.M) {
	if text := os.Getenv(writers); text != "" {
		os.Exit(writer(text))
	}
	os.Exit(m.Run())
}

// writer inserts rows and says after each that it is stored.
func writer(text string) int {
	var rows int
	var name string
	dir, rest, _ := strings.Cut(text, "\n")
	if _, err := fmt.Sscan(rest, &rows, &name); err != nil {
		return 2
	}
	s := &Store{}
	s.Places.Project = dir
	spec := specOf(model.FileBased)
	for i := range rows {
		if got := send(s, spec, "INSERT INTO log (who, n) VALUES (?, ?)", name, i); strings.Contains(got, "EXE") {
			fmt.Fprintln(os.Stderr, got)
			return 1
		}
		fmt.Println(i)
	}
	s.Close()
	return 0
}

func writerCommand(path, name string, rows int) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	dir := filepath.Dir(filepath.Dir(filepath.Dir(path)))
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s\n%d %s", writers, dir, rows, name))
	return cmd
}

// Eight processes that write at the same time lose nothing (chapter 13, "WAL
// mode"), be the database in WAL mode or not when they begin.
func TestWritersOfSeveralProcesses(t *testing.T) {
	const processes, rows = 8, 25
	s, path := project(t, logTable)
	done := make(chan error)
	for p := range processes {
		go func() {
			out, err := writerCommand(path, fmt.Sprint("w", p), rows).CombinedOutput()
			if err != nil {
				err = fmt.Errorf("writer %d: %w: %s", p, err, out)
			}
			done <- err
		}()
	}
	for range processes {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	want := fmt.Sprintf(`[{"n":%d,"d":%d}]`, processes*rows, processes*rows)
	if got := send(s, specOf(model.FileBased),
		"SELECT count(*) AS n, count(DISTINCT who || n) AS d FROM log"); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
