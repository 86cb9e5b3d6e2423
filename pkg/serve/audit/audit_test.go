package audit

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/pkg/exec/secret"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

func parse(t *testing.T, data string) ordjson.Value {
	t.Helper()
	v, err := ordjson.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func open(t *testing.T, o Options) *Log {
	t.Helper()
	if o.Say == nil {
		o.Say = func(text string) { t.Error(text) }
	}
	l, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var start = time.Date(2026, 11, 22, 17, 0, 0, 5e6, time.UTC)

// What a line has, and what it must not have: keys, and what is called a password.
func TestLines(t *testing.T) {
	file := filepath.Join(t.TempDir(), "audit.ndjson")
	if err := os.WriteFile(file, []byte("{}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	l := open(t, Options{File: file, MaxSize: 1 << 20})
	env, err := secret.NewEnv(secret.EnvOptions{Names: []string{"SHOP_KEY"},
		Getenv: func(string) string { return "s3cr3t-value" }})
	if err != nil {
		t.Fatal(err)
	}
	l.Redact(secret.NewRedactor(env, []string{"SHOP_KEY"}))
	l.End(Entry{Time: start, Client: "inspector 2", Transport: "http", User: "ann", Method: "tools/call",
		ID: "shop/tool/order", Outcome: OK, Duration: 1500 * time.Microsecond, Bytes: 12,
		Params: parse(t, `{"id":7,"note":"key s3cr3t-value","deep":[{"Api-Key":"x","pass":"y"}]}`)})
	l.End(Entry{Time: start, Transport: "stdio", Method: "resources/read", ID: "shop://s3cr3t-value\n", Via: "execute",
		Outcome: Failed, Code: "EXE040"})
	want := `{}
{"time":"2026-11-22T17:00:00.005Z","client":"inspector 2","transport":"http","user":"ann","method":"tools/call",` +
		`"id":"shop/tool/order","params":{"id":7,"note":"key [REDACTED:SHOP_KEY]",` +
		`"deep":[{"Api-Key":"[REDACTED]","pass":"y"}]},"outcome":"ok","ms":1,"bytes":12}
{"time":"2026-11-22T17:00:00.005Z","transport":"stdio","method":"resources/read",` +
		`"id":"shop://[REDACTED:SHOP_KEY]\n","via":"execute","outcome":"failed","code":"EXE040","ms":0,"bytes":0}
`
	if got := read(t, file); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != mode {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	l.End(Entry{Time: start, ID: strings.Repeat("x", 1<<20), Params: parse(t, `["`+strings.Repeat("x", 1<<20)+`"]`)})
	if got := read(t, file); len(got)-len(want) > 12<<10 || !strings.Contains(got, "bytes left out]") {
		t.Errorf("a long line has %d bytes", len(got)-len(want))
	}
}

func TestRotation(t *testing.T) {
	dir := t.TempDir()
	l := open(t, Options{File: filepath.Join(dir, "audit.ndjson"), MaxSize: 1, Keep: 1, Sync: true})
	e := Entry{Time: start, Params: parse(t, `"`+strings.Repeat("x", 7<<10)+`"`), Outcome: OK}
	for range 600 { // 4 MB
		l.End(e)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "audit*"))
	if err != nil || len(files) != 2 {
		t.Fatalf("%v %v, want the log and one before it", files, err)
	}
	for _, file := range files {
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != mode || info.Size() > 1<<20 {
			t.Errorf("%s: %v %v", file, info, err)
		}
	}
}

// fullDisk takes room bytes.
type fullDisk struct {
	strings.Builder
	room int
}

var errFull = errors.New("no space left on device")

func (d *fullDisk) Write(b []byte) (int, error) {
	n := min(d.room, len(b))
	d.room -= n
	if d.Builder.Write(b[:n]); n < len(b) {
		return n, errFull
	}
	return n, nil
}

func (d *fullDisk) Sync() error  { return nil }
func (d *fullDisk) Close() error { return nil }

// A disk that is full stops calls where the log is required, and no others. What is
// written once there is room is whole lines.
func TestFullDisk(t *testing.T) {
	for _, required := range []bool{false, true} {
		var said []string
		d := &fullDisk{room: 30}
		l := &Log{file: d, o: Options{File: "a.ndjson", Required: required,
			Say: func(s string) { said = append(said, s) }}}
		l.Redact(&secret.Redactor{})
		e := Entry{Time: start, ID: "a"}
		if err := l.Begin(e); (err != nil) != required {
			t.Errorf("required %v: %v", required, err)
		}
		e.Outcome = OK
		l.End(e)
		l.End(e)
		want := "the audit log a.ndjson cannot be written: no space left on device; calls go on without it " +
			"(--audit-required stops them)"
		if required {
			want = "the audit log a.ndjson cannot be written: no space left on device; calls are refused until it can"
		}
		if strings.Join(said, "\n") != want {
			t.Errorf("said %q", said)
		}
		d.room = 1000
		if err := l.Begin(e); err != nil {
			t.Error(err)
		}
		l.End(e)
		lines := strings.Split(strings.TrimSuffix(d.String(), "\n"), "\n")
		for i, line := range lines[1:] {
			if _, err := ordjson.Parse(line); err != nil {
				t.Errorf("line %d: %s", i, line)
			}
		}
		if want := map[bool]int{false: 1, true: 2}[required]; len(lines)-1 != want {
			t.Errorf("%d lines, want %d: %s", len(lines)-1, want, lines)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	for _, file := range []string{dir, filepath.Join(dir, "none", "a.ndjson"), os.DevNull} {
		if l, err := Open(Options{File: file}); err == nil {
			_ = l.Close()
			t.Errorf("%s was opened", file)
		}
	}
}
