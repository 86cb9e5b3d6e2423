package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/pkg/resource/origin"
	"github.com/flowmcp/fmcp/pkg/words"
)

const fileURL = "https://cdn.example.com/sdn.db?key=canary"

// upstream is a server: what it has, and what it was asked.
type upstream struct {
	text  string
	etag  string
	err   error
	asked []Request
	hold  func() // called before it answers; may be nil
}

func (u *upstream) Download(_ context.Context, r Request) (*Answer, error) {
	u.asked = append(u.asked, r)
	if u.hold != nil {
		u.hold()
	}
	if u.err != nil {
		return nil, u.err
	}
	if u.etag != "" && r.ETag == u.etag {
		return &Answer{NotModified: true}, nil
	}
	for range 2 { // as after a try that failed
		w, err := r.Begin()
		if err != nil {
			return nil, err
		}
		if _, err := io.WriteString(w, u.text); err != nil {
			return nil, err
		}
	}
	return &Answer{ETag: u.etag, Notes: []string{"try 1 failed"}}, nil
}

// desk is a project with copies, an upstream and a clock.
type desk struct {
	*testing.T
	dir string
	up  *upstream
	now time.Time
	c   *Copies
}

func newDesk(t *testing.T) *desk {
	d := &desk{T: t, dir: t.TempDir(), up: &upstream{text: "one", etag: "v1"},
		now: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}
	d.restart("")
	return d
}

// restart makes a new process, with flags of "refresh" and "no-cache".
func (d *desk) restart(flag string) {
	d.c = &Copies{
		Places: &origin.Places{Project: d.dir}, Fetch: d.up, Now: func() time.Time { return d.now },
		Refresh: flag == "refresh", NoCache: flag == "no-cache",
	}
}

var hourly = Source{URL: fileURL, Path: "sdn.db", TTL: time.Hour}

// get is what a call gets: the state, the text of the copy, and the warnings or
// the error; and how often the upstream was asked.
func (d *desk) get(src Source) string {
	d.Helper()
	before := len(d.up.asked)
	copied, err := d.c.Get(d.Context(), src)
	asked := fmt.Sprintf(" asked %d", len(d.up.asked)-before)
	if err != nil {
		var e *words.Problem
		if !errors.As(err, &e) {
			d.Errorf("an error without a code: %v", err)
		}
		return err.Error() + asked
	}
	b, err := os.ReadFile(copied.Path)
	if err != nil {
		d.Fatal(err)
	}
	state := "none"
	if copied.Cached != nil {
		state = string(copied.Cached.State)
	}
	return state + " " + string(b) + asked + strings.Join(append([]string{""}, copied.Warnings...), " | ")
}

func (d *desk) want(got, want string) {
	d.Helper()
	if got != want {
		d.Errorf("%s\nwant %s", got, want)
	}
	if strings.Contains(got, "canary") {
		d.Errorf("the URL is shown: %s", got)
	}
}

// files are the names below the project, but for locks.
func (d *desk) files() string {
	var names []string
	_ = filepath.WalkDir(d.dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() && !strings.HasSuffix(path, ".lock") {
			rel, _ := filepath.Rel(d.dir, path)
			names = append(names, filepath.ToSlash(rel))
		}
		return nil
	})
	return strings.Join(names, " ")
}

func TestGet(t *testing.T) {
	d := newDesk(t)
	d.want(d.get(hourly), "miss one asked 1 | try 1 failed")
	d.want(d.get(hourly), "hit one asked 0")
	d.want(d.files(), ".flowmcp/resources/sdn.db .flowmcp/resources/sdn.db.meta.json")
	d.up.text, d.up.etag = "two", "v2"
	d.now = d.now.Add(59 * time.Minute)
	d.want(d.get(hourly), "hit one asked 0")
	d.restart("")
	d.want(d.get(hourly), "hit one asked 0")
	d.now = d.now.Add(time.Minute)
	d.want(d.get(hourly), "expired two asked 1 | try 1 failed")
	if got := d.up.asked[1]; got.ETag != "v1" || got.URL != fileURL {
		t.Errorf("asked for %+v", got)
	}
	d.now = d.now.Add(2 * time.Hour)
	d.want(d.get(hourly), "expired two asked 1") // not modified
	d.want(d.get(hourly), "hit two asked 0")
	b, err := os.ReadFile(filepath.Join(d.dir, ".flowmcp/resources/sdn.db.meta.json"))
	if err != nil || strings.Contains(string(b), "canary") ||
		!strings.Contains(string(b), `"url":"https://cdn.example.com/sdn.db"`) {
		t.Errorf("%s %v", b, err)
	}
	// A copy from the future was made before the clock was set back.
	d.now = d.now.Add(-100 * time.Hour)
	d.restart("")
	d.want(d.get(hourly), "expired two asked 1")
	// A shorter time to live counts at once.
	d.now = d.now.Add(10 * time.Minute)
	d.want(d.get(Source{URL: fileURL, Path: "sdn.db", TTL: time.Minute}), "expired two asked 1")
}

func TestWhere(t *testing.T) {
	d := newDesk(t)
	d.want(d.get(Source{URL: fileURL, TTL: time.Hour}), "miss one asked 1 | try 1 failed")
	const hash = "e747d5b58740ea1c9937e3ee96a6432947a6c96be0f6a4b65cd9165e1b6d4b43"
	d.want(d.files(), ".flowmcp/cache/resources/"+hash+".db .flowmcp/cache/resources/"+hash+".db.meta.json")
	d.want(d.get(Source{URL: fileURL, Path: "sub/deep/x.db", TTL: time.Hour}), "miss one asked 1 | try 1 failed")
	for path, want := range map[string]string{
		"../x.db": "EXE075 ", "/etc/x.db": "EXE075 ", "x.md": "EXE075 path \"x.md\" does not end with .db",
		"${HOME}/x.db": "RES035 ", "a\\..\\x.db": "EXE075 ",
	} {
		if got := d.get(Source{URL: fileURL, Path: path, TTL: time.Hour}); !strings.HasPrefix(got, want) ||
			!strings.HasSuffix(got, "asked 0") {
			t.Errorf("%s: %s", path, got)
		}
	}
	d.want(d.get(Source{URL: "https://x.com/{{SERVER_PARAM:KEY}}.db", TTL: time.Hour}),
		"EXE078 the url has a placeholder in it, and resources have no parameters for theirs: write the whole "+
			"URL asked 0")
}

func TestFailure(t *testing.T) {
	d := newDesk(t)
	d.up.err = &words.Problem{Code: "EXE033", Message: "host is not known"}
	d.want(d.get(hourly), "EXE033 host is not known asked 1")
	d.want(d.get(hourly), "EXE033 host is not known asked 0") // not again at once
	d.now = d.now.Add(11 * time.Second)
	d.want(d.get(hourly), "EXE033 host is not known asked 1")
	d.restart("") // another process asks at once: perhaps with another flag
	d.want(d.get(hourly), "EXE033 host is not known asked 1")
	d.up.err = nil
	d.restart("")
	d.want(d.get(hourly), "miss one asked 1 | try 1 failed")

	d.up.err = &words.Problem{Code: "EXE035", Message: "no answer"}
	d.now = d.now.Add(2 * time.Hour)
	stale := " | the file could not be fetched, and its copy of 2026-11-21T12:00:11.000Z is used, which expired at " +
		"2026-11-21T13:00:11.000Z: EXE035 no answer"
	d.want(d.get(hourly), "stale one asked 1"+stale)
	d.want(d.get(hourly), "stale one asked 0"+stale)
	d.now = d.now.Add(time.Minute)
	d.want(d.get(hourly), "stale one asked 1"+stale)
	d.restart("no-cache")
	d.want(d.get(hourly), "EXE035 no answer asked 1")
	d.restart("")
	d.up.err, d.up.text, d.up.etag = nil, "two", "v2"
	d.want(d.get(hourly), "expired two asked 1 | try 1 failed")
	d.want(d.files(), ".flowmcp/resources/sdn.db .flowmcp/resources/sdn.db.meta.json")
}

func TestCheck(t *testing.T) {
	d := newDesk(t)
	bad := &words.Problem{Code: "EXE071", Message: "no database"}
	check := func(head []byte, n int64) error {
		if string(head) != "one" || n != 3 {
			return bad
		}
		return nil
	}
	d.c.Check = check
	d.want(d.get(hourly), "miss one asked 1 | try 1 failed")
	d.now = d.now.Add(2 * time.Hour)
	d.up.text, d.up.etag = "<html>", "v2"
	got := d.get(hourly)
	if !strings.HasPrefix(got, "stale one asked 1 | ") || !strings.HasSuffix(got, ": EXE071 no database") {
		t.Error(got)
	}
	d.want(d.files(), ".flowmcp/resources/sdn.db .flowmcp/resources/sdn.db.meta.json")
}

func TestRefresh(t *testing.T) {
	d := newDesk(t)
	for _, flag := range []string{"refresh", "no-cache"} {
		d.restart("")
		d.get(hourly)
		d.up.text, d.up.etag = d.up.text+"+", d.up.etag+"+"
		d.restart(flag)
		d.want(d.get(hourly), "refresh "+d.up.text+" asked 1 | try 1 failed")
		d.want(d.get(hourly), "hit "+d.up.text+" asked 0")
		d.now = d.now.Add(2 * time.Hour)
		d.want(d.get(hourly), "expired "+d.up.text+" asked 1")
	}
	d.up.err = &words.Problem{Code: "EXE035", Message: "no answer"}
	d.restart("refresh")
	if got := d.get(hourly); !strings.HasPrefix(got,
		"stale one++ asked 1 | the file could not be fetched, and its copy of 2026-11-21T16:00:00.000Z is used, "+
			"which expires at ") {
		t.Error(got)
	}
}

// put writes a file and its folder.
func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestOwn: a file that we did not put there is never overwritten.
func TestOwn(t *testing.T) {
	d := newDesk(t)
	path := filepath.Join(d.dir, ".flowmcp/resources/sdn.db")
	own := "none mine asked 0 | the file " + filepath.ToSlash(path) +
		" was not downloaded by fmcp: it is used as it is and never renewed; remove it to have it downloaded"
	put(t, path, "mine")
	d.want(d.get(hourly), own)
	for _, flag := range []string{"refresh", "no-cache"} {
		d.restart(flag)
		d.want(d.get(hourly), own)
	}
	// … also where a fetch has failed before it was put there.
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	d.restart("")
	d.up.err = &words.Problem{Code: "EXE035", Message: "no answer"}
	d.want(d.get(hourly), "EXE035 no answer asked 1")
	put(t, path, "mine")
	d.up.err = nil
	d.restart("")
	d.want(d.get(hourly), own)
}

// TestOther: a copy of another URL is never used, and a link never written
// through.
func TestOther(t *testing.T) {
	d := newDesk(t)
	path := filepath.Join(d.dir, ".flowmcp/resources/sdn.db")
	d.want(d.get(hourly), "miss one asked 1 | try 1 failed")
	other := Source{URL: "https://cdn.example.com/other.db", Path: "sdn.db", TTL: time.Hour}
	d.up.err = &words.Problem{Code: "EXE035", Message: "no answer"}
	d.restart("")
	d.want(d.get(other), "EXE035 no answer asked 1")
	d.restart("")
	d.want(d.get(hourly), "hit one asked 0") // the failure of the other is none of it
	d.up.err, d.up.text = nil, "other"
	d.restart("")
	d.want(d.get(other), "miss other asked 1 | try 1 failed")
	if got := d.up.asked[len(d.up.asked)-1]; got.ETag != "" {
		t.Errorf("asked by the tag of another file: %+v", got)
	}
	// A link that is in the way is not written through.
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(d.dir, "victim.db"), "victim")
	if err := os.Symlink("../../victim.db", path); err != nil {
		t.Fatal(err)
	}
	d.restart("")
	if got := d.get(hourly); !strings.HasPrefix(got, "EXE075 ") {
		t.Error(got)
	}
	// … nor one at the names of what is kept beside it.
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"sdn.db.meta.json", ".sdn.db.lock"} {
		if link := filepath.Join(filepath.Dir(path), name); errors.Join(os.RemoveAll(link),
			os.Symlink("../../victim.db", link)) != nil {
			t.Fatal(link)
		}
	}
	d.restart("")
	d.want(d.get(hourly), "miss other asked 1 | try 1 failed")
	if b, _ := os.ReadFile(filepath.Join(d.dir, "victim.db")); string(b) != "victim" {
		t.Errorf("%s", b)
	}
}

// TestOneFile: the copy of a URL is never handed out as that of another.
func TestOneFile(t *testing.T) {
	other := Source{URL: "https://cdn.example.com/other.db?key=canary", Path: "sdn.db", TTL: time.Hour}
	d := newDesk(t)
	d.want(d.get(hourly), "miss one asked 1 | try 1 failed")
	// In one process the second is refused.
	file := filepath.ToSlash(filepath.Join(d.dir, ".flowmcp/resources/sdn.db"))
	const shown = "https://cdn.example.com/"
	d.want(d.get(other), "EXE079 "+file+" is where another resource keeps "+shown+"sdn.db, and this one has the url "+
		shown+"other.db: give one of the two another path asked 0")
	d.want(d.get(hourly), "hit one asked 0")
	// Another process that brings its own data is seen.
	here := d.c
	d.restart("")
	d.up.text, d.up.etag = "other", "v2"
	d.want(d.get(other), "miss other asked 1 | try 1 failed")
	there := d.c
	d.c, d.up.text, d.up.etag = here, "one", "v1"
	d.want(d.get(hourly), "miss one asked 1 | try 1 failed")
	d.c, d.up.text, d.up.etag = there, "other", "v2"
	d.want(d.get(other), "miss other asked 1 | try 1 failed")
}
