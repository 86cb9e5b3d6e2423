package resource

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/resource/origin"
	"github.com/flowmcp/fmcp/pkg/resource/remote"
	"github.com/flowmcp/fmcp/pkg/words"
)

// server is a server of one file.
type server struct {
	file  []byte
	err   error
	asked int
}

func (s *server) Download(_ context.Context, r remote.Request) (*remote.Answer, error) {
	s.asked++
	if s.err != nil {
		return nil, s.err
	}
	w, err := r.Begin()
	if err == nil {
		_, err = w.Write(s.file)
	}
	return &remote.Answer{}, err
}

func httpSpec(t *testing.T, fields string) *Spec {
	t.Helper()
	data, err := ordjson.Parse(`{"source":"http","url":"https://cdn.example.com/tide.db",` + fields + `}`)
	if err != nil {
		t.Fatal(err)
	}
	rec := catalog.Decode(&record.Resolved{ID: "tide/resource/log", Type: record.TypeResource, Data: data})
	return &Spec{Resource: rec.(*catalog.Resource)}
}

// database is the bytes of a database.
func databaseFile(t *testing.T, statements ...string) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.db")
	writeDB(t, path, statements...)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestHTTP(t *testing.T) {
	up := &server{file: databaseFile(t, stations...)}
	dir := t.TempDir()
	s := &Store{Places: origin.Places{Project: dir}, Remote: Remote{Fetcher: up}}
	t.Cleanup(s.Close)
	spec := httpSpec(t, `"path":"tide.db","cacheTtl":3600`)
	const count = "SELECT count(*) AS n FROM stations"
	for i, want := range []record.CacheState{record.CacheMiss, record.CacheHit} {
		res, err := s.Query(t.Context(), spec, count, nil, Limits{Time: 5 * time.Second})
		if err != nil || ordjson.Text(res.Rows) != `[{"n":3}]` || res.Cached.State != want || res.Warnings != nil {
			t.Fatalf("%d: %+v %v", i, res, err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, ".flowmcp/resources/tide.db")); err != nil || up.asked != 1 {
		t.Errorf("asked %d times, %v", up.asked, err)
	}
	// It can only be read.
	if got := send(s, spec, "DELETE FROM stations"); !strings.HasPrefix(got, "EXE072 ") {
		t.Error(got)
	}
	// A new one takes its place while the old one is open.
	up.file = databaseFile(t, append(stations, "DELETE FROM stations WHERE id = 1")...)
	again := &Store{Places: s.Places, Remote: Remote{Fetcher: up, Refresh: true}}
	t.Cleanup(again.Close)
	if got := send(again, spec, count); got != `[{"n":2}]` {
		t.Error(got)
	}
	if got := send(s, spec, count); got != `[{"n":2}]` {
		t.Errorf("the other process: %s", got)
	}
	// What cannot be fetched any more is stale, and said to be.
	up.err = &words.Problem{Code: "EXE035", Message: "no answer"}
	late := httpSpec(t, `"path":"tide.db","cacheTtl":0`)
	res, err := s.Query(t.Context(), late, count, nil, Limits{})
	if err != nil || res.Cached.State != record.CacheStale || len(res.Warnings) != 1 ||
		!strings.HasSuffix(res.Warnings[0], ": EXE035 no answer") {
		t.Errorf("%+v %v", res, err)
	}
	// Without a copy there is no answer.
	if got := send(s, httpSpec(t, `"path":"other.db","cacheTtl":1`), count); got != "EXE035 no answer" {
		t.Error(got)
	}
	if got := send(&Store{Places: s.Places}, spec, count); !strings.HasPrefix(got, "EXE070 nothing is fetched here") {
		t.Error(got)
	}
}

// TestHTTPNoDatabase: an answer that is not a database is recognized and not
// kept.
func TestHTTPNoDatabase(t *testing.T) {
	whole := databaseFile(t, stations...)
	for _, tt := range []struct{ file, want string }{
		{"", "EXE071 what the url gives is empty"},
		{"\n<!DOCTYPE html><title>Sign in</title>",
			"EXE071 what the url gives is a web page and no SQLite database: correct the url"},
		{"\ufeff<html>", "EXE071 what the url gives is a web page"},
		{`{"error":"not found"}`, "EXE071 what the url gives is JSON"},
		{"PK\x03\x04zip", "EXE071 what the url gives is a ZIP archive"},
		{"\x1f\x8b\x08", "EXE071 what the url gives is compressed by gzip"},
		{strings.Repeat("x", 5000), "EXE071 what the url gives is not an SQLite database"},
		{"SQLite format 3\x00", "EXE071 what the url gives is not an SQLite database"},
		{string(whole[:len(whole)-1]), "EXE071 what the url gives is cut short: it has "},
		{string(whole[:4096]), "EXE071 what the url gives is cut short: it has 4096 bytes of "},
	} {
		dir := t.TempDir()
		s := &Store{Places: origin.Places{Project: dir}, Remote: Remote{Fetcher: &server{file: []byte(tt.file)}}}
		if got := send(s, httpSpec(t, `"cacheTtl":60`), "SELECT 1"); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%.20q: %s", tt.file, got)
		}
		s.Close()
		if list, _ := filepath.Glob(filepath.Join(dir, ".flowmcp/cache/resources/*.db")); len(list) != 0 {
			t.Errorf("%.20q is kept: %s", tt.file, list)
		}
	}
}

// TestHTTPNoDatabaseTwice: a process that waited for another's fetch says in the
// same words why there is no database.
func TestHTTPNoDatabaseTwice(t *testing.T) {
	up := &server{file: []byte("<html>")}
	places := &origin.Places{Project: t.TempDir()}
	src := remote.Source{URL: "https://cdn.example.com/tide.db", TTL: time.Hour}
	get := func(now func() time.Time) string {
		_, err := (&remote.Copies{Places: places, Fetch: up, Check: checkDownload, Now: now}).Get(t.Context(), src)
		return err.Error()
	}
	first := ""
	// The clock is looked at before the lock is waited for.
	second := get(func() time.Time {
		if first == "" {
			first = get(nil)
		}
		return time.Now()
	})
	if !strings.HasPrefix(first, "EXE071 ") || second != first || up.asked != 1 {
		t.Errorf("asked %d times:\n%s\n%s", up.asked, first, second)
	}
}

func TestTTL(t *testing.T) {
	for text, want := range map[string]time.Duration{`60`: time.Minute, `1.5`: 1500 * time.Millisecond, `0`: 0, `-5`: 0,
		`"60"`: 0, `1e300`: maxTTL, `null`: 0} {
		if got := ttlOf(httpSpec(t, `"cacheTtl":`+text).CacheTTL.Float()); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// What is written to a download would be lost with the next one.
func TestWritesToNoDownload(t *testing.T) {
	s, path := project(t, stations...)
	spec := specOf(model.FileBased)
	const count = "SELECT count(*) AS n FROM stations"
	if got := send(s, spec, count); got != `[{"n":3}]` {
		t.Error(got)
	}
	s.Close()
	if err := os.WriteFile(path+".meta.json", []byte(`{"urlHash":"00","bytes":1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	want := "EXE079 tide-log.db is the download of an http resource, and what is written to it is lost with the next " +
		"one: give one of the two another file"
	if got := send(s, spec, count); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
