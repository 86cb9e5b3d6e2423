package exec

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/pkg/exec/cache"
	"github.com/flowmcp/fmcp/pkg/exec/fetch"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// cached is a tool with preload, an upstream that counts its calls, and a clock.
type cached struct {
	*Caller
	t     *testing.T
	root  string
	dir   string
	calls atomic.Int64
	now   time.Time
	body  func(*http.Request) string
	vars  map[string]string
}

const preloadHour = `,"preload":{"enabled":true,"ttl":3600,"description":"all of it"}`

func newCached(t *testing.T) *cached {
	c := &cached{t: t, dir: filepath.Join(t.TempDir(), "cache"), now: time.Date(2026, 2, 17, 12, 0, 0, 0, time.UTC),
		vars: map[string]string{"API_KEY": "canary-value"}}
	c.body = func(r *http.Request) string { return fmt.Sprintf(`{"n":12345678901234567890,"uri":%q}`, r.RequestURI) }
	c.root, c.Caller = upstream(t, fetch.Options{}, c.vars, func(w http.ResponseWriter, r *http.Request) {
		c.calls.Add(1)
		body := c.body(r)
		if body == "" {
			w.WriteHeader(500)
		}
		fmt.Fprint(w, body)
	})
	c.reopen(cache.Options{})
	return c
}

// reopen makes the cache as a new process would.
func (c *cached) reopen(o cache.Options) {
	if o.Dir == "" {
		o.Dir = c.dir
	}
	o.Now = func() time.Time { return c.now }
	c.Cache = cache.New(o)
}

func (c *cached) tool(preload string, params ...string) *Tool {
	d := data("GET", c.root, "/all", "", params...)
	return tool(c.t, strings.TrimSuffix(d, "}")+preload+"}")
}

// call makes a call and checks the state of the cache and how often the
// upstream was called until then.
func (c *cached) call(tl *Tool, params, state string, calls int64) *record.Envelope {
	c.t.Helper()
	e := c.Call(context.Background(), tl, parse(c.t, params), Options{})
	got := "none"
	if e.Cache != nil {
		got = string(e.Cache.State)
	}
	if got != state || c.calls.Load() != calls {
		c.t.Errorf("%s: cache %s after %d calls, want %s after %d: %s", params, got, c.calls.Load(), state, calls,
			e.AppendJSON(nil))
	}
	return e
}

func (c *cached) files() string {
	c.t.Helper()
	var names []string
	err := filepath.WalkDir(c.dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(c.dir, p)
			names = append(names, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		c.t.Fatal(err)
	}
	return strings.Join(names, " ")
}

func TestCacheFlow(t *testing.T) {
	c := newCached(t)
	tl := c.tool(preloadHour)
	first := c.call(tl, `{}`, "miss", 1)
	if first.Cache.Message != "Fetching fresh data... Cached for 1 hour" || first.Cache.Note != "" {
		t.Errorf("miss: %+v", first.Cache)
	}
	c.now = c.now.Add(59 * time.Minute)
	c.reopen(cache.Options{})
	hit := c.call(tl, `{}`, "hit", 1)
	if ordjson.Text(hit.Data) != ordjson.Text(first.Data) ||
		!strings.Contains(ordjson.Text(hit.Data), "12345678901234567890") {
		t.Errorf("the cache gave %s for %s", ordjson.Text(hit.Data), ordjson.Text(first.Data))
	}
	if want := "Cached (fetched: 2026-02-17T12:00:00.000Z, expires: 2026-02-17T13:00:00.000Z)"; hit.Cache.Message !=
		want || hit.Cache.Note != "all of it" {
		t.Errorf("hit: %+v", hit.Cache)
	}
	c.now = c.now.Add(time.Minute)
	if e := c.call(tl, `{}`, "expired", 2); e.Cache.Message != "Cache expired, refreshing... Cached for 1 hour" {
		t.Errorf("expired: %+v", e.Cache)
	}
	c.call(tl, `{}`, "hit", 2)
	c.reopen(cache.Options{Refresh: true})
	if e := c.call(tl, `{}`, "refresh", 3); e.Cache.Message != "Refreshing cache... Cached for 1 hour" {
		t.Errorf("refresh: %+v", e.Cache)
	}
	c.reopen(cache.Options{})
	c.call(tl, `{}`, "hit", 3)
	c.call(c.tool(`,"preload":{"enabled":true,"ttl":60}`), `{}`, "hit", 3)
	c.now = c.now.Add(2 * time.Minute)
	c.call(c.tool(`,"preload":{"enabled":true,"ttl":60}`), `{}`, "expired", 4) // the schema wants it fresher now
	c.now = c.now.Add(-time.Hour)
	c.call(tl, `{}`, "expired", 5) // the clock was set back
	if got := c.files(); got != ".fmcp-cache-key demo/find.json" {
		t.Errorf("files %s", got)
	}
	b, err := os.ReadFile(filepath.Join(c.dir, "demo", "find.json"))
	if err != nil {
		t.Fatal(err)
	}
	meta := parse(t, string(b)).Get("meta")
	if want := fmt.Sprintf(`{"fetchedAt":"2026-02-17T12:02:00.000Z","expiresAt":"2026-02-17T13:02:00.000Z",`+
		`"ttl":3600,"size":%d,"paramHash":null,"id":"demo/tool/find"`,
		len(ordjson.Text(hit.Data))); !strings.HasPrefix(ordjson.Text(meta), want) {
		t.Errorf("meta %s\nwant %s", ordjson.Text(meta), want)
	}
}

func TestCacheIsOnlyWhereItIsDeclared(t *testing.T) {
	c := newCached(t)
	calls := int64(0)
	for _, preload := range []string{"", `,"preload":{"enabled":false,"ttl":60}`,
		`,"preload":{"enabled":"true","ttl":60}`, `,"preload":{"enabled":true}`,
		`,"preload":{"enabled":true,"ttl":0}`, `,"preload":{"enabled":true,"ttl":-5}`,
		`,"preload":{"enabled":true,"ttl":"60"}`, `,"preload":true`} {
		calls++
		c.call(c.tool(preload), `{}`, "none", calls)
	}
	put := c.tool(preloadHour)
	put.Method = "PUT"
	c.call(put, `{}`, "none", calls+1)
	if _, err := os.Stat(c.dir); err == nil {
		t.Error("a folder was made for nothing")
	}
	c.call(c.tool(`,"preload":{"enabled":true,"ttl":1e300}`), `{}`, "miss", calls+2)
	c.call(c.tool(`,"preload":{"enabled":true,"ttl":1e300}`), `{}`, "hit", calls+2)
	c.Cache = nil // --no-cache
	c.call(c.tool(preloadHour), `{}`, "none", calls+3)
}

// Each combination of parameters, keys and request is cached for itself.
func TestCacheKey(t *testing.T) {
	c := newCached(t)
	params := []string{user("q", "query", "string()", `"optional()"`), user("n", "query", "number()", `"optional()"`)}
	tl := c.tool(preloadHour, params...)
	c.call(tl, `{}`, "miss", 1)
	c.call(tl, `{"q":"a"}`, "miss", 2)
	c.call(tl, `{"q":"b"}`, "miss", 3)
	c.call(tl, `{"q":"a","n":1}`, "miss", 4)
	c.call(tl, `{"n":1,"q":"a"}`, "hit", 4) // order does not matter
	c.call(tl, `{}`, "hit", 4)
	c.call(tl, `{"q":""}`, "miss", 5)
	if n := len(strings.Fields(c.files())); n != 6 {
		t.Errorf("%d files: %s", n, c.files())
	}

	moved := c.tool(preloadHour, params...)
	moved.Path = "/other"
	if e := c.call(moved, `{}`, "miss", 6); !strings.Contains(ordjson.Text(e.Data), "/other") {
		t.Errorf("the answer of another request: %s", ordjson.Text(e.Data))
	}

	withKey := c.tool(preloadHour, param("k", "query", "server", "{{API_KEY}}", "string()", ""))
	c.call(withKey, `{}`, "miss", 7)
	c.call(withKey, `{}`, "hit", 7)
	c.vars["API_KEY"] = "another-value"
	c.call(withKey, `{}`, "miss", 8) // another user's key
	c.vars["API_KEY"] = "canary-value"
	c.call(withKey, `{}`, "hit", 8)
	delete(c.vars, "API_KEY")
	if e := c.call(withKey, `{}`, "none", 8); e.Status {
		t.Error("without its key a tool was answered from the cache")
	}
}

// No server parameter is in a file or in its name, whatever the upstream says.
func TestCacheHoldsNoSecret(t *testing.T) {
	c := newCached(t)
	c.body = func(r *http.Request) string { return `{"you":"\u0063anary-value","uri":"` + r.RequestURI + `"}` }
	withKey := c.tool(preloadHour, param("k", "query", "server", "{{API_KEY}}", "string()", ""),
		user("q", "query", "string()", `"optional()"`))
	c.call(withKey, `{"q":"canary-value"}`, "miss", 1)
	if e := c.call(withKey, `{"q":"canary-value"}`, "hit", 1); !strings.Contains(ordjson.Text(e.Data),
		`"you":"[REDACTED:API_KEY]"`) {
		t.Errorf("hit: %s", ordjson.Text(e.Data))
	}
	files := c.files()
	for name := range strings.FieldsSeq(files) {
		path := filepath.Join(c.dir, name)
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(name+string(b), "canary") {
			t.Errorf("%s: %s", name, b)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", name, info.Mode(), err)
		}
	}
	if len(strings.Fields(files)) != 2 {
		t.Errorf("files %s", files)
	}
}

// What fails is not cached, nor what is not an answer of the kind declared.
func TestCacheKeepsNoFailure(t *testing.T) {
	c := newCached(t)
	for i, body := range []string{"", "<html>"} {
		c.body = func(*http.Request) string { return body }
		if e := c.call(c.tool(preloadHour), `{}`, "miss", int64(i)+1); e.Status ||
			e.Cache.Message != "Fetching fresh data..." || !e.Cache.FetchedAt.IsZero() {
			t.Errorf("%q: %s", body, e.AppendJSON(nil))
		}
	}
	if e := c.Call(context.Background(), c.tool(preloadHour), ordjson.Value{}, Options{DryRun: true}); e.Cache != nil {
		t.Error("a dry run looked into the cache")
	}
}

// Broken and foreign files are misses, and the next answer takes their place.
func TestCacheForeignFiles(t *testing.T) {
	c := newCached(t)
	tl := c.tool(preloadHour)
	c.call(tl, `{}`, "miss", 1)
	path := filepath.Join(c.dir, "demo", "find.json")
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	calls := int64(1)
	for _, b := range []string{"", "{", "null", "[]", "\x00\x01", string(good[:len(good)/2]), `{"meta":5}`,
		`{"meta":{"fetchedAt":"x"},"data":1}`,
		strings.Replace(string(good), `"request":"`, `"request":"0`, 1),
		strings.Replace(string(good), `"data"`, `"dat"`, 1),
		`{"meta":{"fetchedAt":"2026-02-17T12:00:00.000Z","expiresAt":"2026-02-24T12:00:00.000Z","ttl":604800,` +
			`"size":1,"paramHash":null},"data":5}`} {
		if err := os.WriteFile(path, []byte(b), 0o600); err != nil {
			t.Fatal(err)
		}
		calls++
		if e := c.call(tl, `{}`, "miss", calls); !e.Status || len(e.Warnings) > 0 {
			t.Errorf("%.30q: %s", b, e.AppendJSON(nil))
		}
		c.call(tl, `{}`, "hit", calls)
	}
}

// A folder is not removed for a file.
func TestCacheFolderInTheWay(t *testing.T) {
	c := newCached(t)
	tl := c.tool(preloadHour)
	c.call(tl, `{}`, "miss", 1)
	path := filepath.Join(c.dir, "demo", "find.json")
	if err := errors.Join(os.Remove(path), os.Mkdir(path, 0o700)); err != nil {
		t.Fatal(err)
	}
	if e := c.call(tl, `{}`, "miss", 2); !e.Status || len(e.Warnings) != 1 ||
		!strings.Contains(e.Warnings[0], "is in the way") {
		t.Errorf("%s", e.AppendJSON(nil))
	}
}

// A cache that cannot be written is a warning.
func TestCacheCannotBeWritten(t *testing.T) {
	c := newCached(t)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, ".fmcp-cache-key"), []byte("a private key of somebody"),
		0o600); err != nil {
		t.Fatal(err)
	}
	calls := int64(0)
	for d, want := range map[string]string{file + "/cache": "not a directory", dir: "is not the key of a cache"} {
		calls++
		c.reopen(cache.Options{Dir: d})
		e := c.call(c.tool(preloadHour), `{}`, "none", calls)
		if !e.Status || len(e.Warnings) != 1 || !strings.Contains(e.Warnings[0], want) ||
			!strings.Contains(e.Warnings[0], "--cache") {
			t.Errorf("%s: %s", d, e.AppendJSON(nil))
		}
	}
	if b, err := os.ReadFile(filepath.Join(dir, ".fmcp-cache-key")); err != nil ||
		string(b) != "a private key of somebody" {
		t.Errorf("a file of somebody was overwritten: %q, %v", b, err)
	}
	c.Cache = cache.New(cache.Options{}) // no home folder
	c.call(c.tool(preloadHour), `{}`, "none", calls+1)

	c.reopen(cache.Options{})
	if err := errors.Join(os.MkdirAll(c.dir, 0o700),
		os.WriteFile(filepath.Join(c.dir, "demo"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	e := c.call(c.tool(preloadHour), `{}`, "miss", calls+2)
	if !e.Status || !e.Cache.ExpiresAt.IsZero() || len(e.Warnings) != 1 ||
		!strings.Contains(e.Warnings[0], "expected a folder: remove it") {
		t.Errorf("a file in the way: %s", e.AppendJSON(nil))
	}
}

// Warnings about the data stay with it.
func TestCacheKeepsWarnings(t *testing.T) {
	c := newCached(t)
	c.body = func(*http.Request) string { return "\"a\xff\"" }
	first := c.call(c.tool(preloadHour), `{}`, "miss", 1)
	if hit := c.call(c.tool(preloadHour), `{}`, "hit", 1); len(first.Warnings) != 1 ||
		strings.Join(hit.Warnings, "|") != first.Warnings[0] {
		t.Errorf("%q, then %q", first.Warnings, hit.Warnings)
	}
}
