package cache

import (
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/pkg/atomicfile"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

func fill(t *testing.T, dir string, names ...string) {
	t.Helper()
	for i, name := range names {
		text := "something else"
		if strings.HasPrefix(name, "ok/") {
			name = strings.TrimPrefix(name, "ok/")
			at := time.Unix(int64(1000+i), 0)
			e := entry{id: "ns/tool/x", request: "r", fetched: at, expires: at.Add(time.Hour), ttl: time.Hour,
				data: ordjson.NewString(strings.Repeat("x", 100))}
			text = string(e.append(nil))
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestFilesAndClear(t *testing.T) {
	dir := t.TempDir()
	c := New(Options{Dir: dir})
	c.now = func() time.Time { return time.Unix(1000+1800, 0) }
	if list, others, err := New(Options{Dir: filepath.Join(dir, "none")}).Files(""); list != nil || others != 0 ||
		err != nil {
		t.Errorf("a folder that is not there: %v %d %v", list, others, err)
	}
	fill(t, dir, "ok/ns/a.json", "ok/ns/b/0.json", "ok/ns/b/1.json", "ok/other/a.json", "ns/foreign.json", "notes.txt",
		"ns/notes.txt", "deep/er/than/this.json", "ns/b/.1.json.ABCDEFGH.tmp", "ns/.live.json.ABCDEFGH.tmp", secretName)
	if err := os.Chtimes(filepath.Join(dir, "ns/b/.1.json.ABCDEFGH.tmp"), time.Time{},
		c.now().Add(-2*tempAge)); err != nil {
		t.Fatal(err)
	}
	list, others, err := c.Files("")
	var got []string
	for _, f := range list {
		got = append(got, f.Path)
		if !f.Fresh || f.Bytes == 0 || f.Namespace != "ns" || f.TTL != time.Hour {
			t.Errorf("%+v", f)
		}
	}
	if strings.Join(got, " ") != "ns/a.json ns/b/0.json ns/b/1.json other/a.json" || others != 1 || err != nil {
		t.Errorf("%s, %d others, %v", got, others, err)
	}
	done, err := c.Clear("ns")
	if err != nil || done.Removed != 3 || done.Others != 1 || done.Bytes != 3*list[0].Bytes {
		t.Errorf("clear ns: %+v %v", done, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "ns", "b")); err == nil {
		t.Error("an empty folder stayed")
	}
	done, err = c.Clear("")
	if err != nil || done.Removed != 1 || done.Others != 1 {
		t.Errorf("clear: %+v %v", done, err)
	}
	for _, name := range []string{"notes.txt", "ns/notes.txt", "ns/.live.json.ABCDEFGH.tmp", "ns/foreign.json",
		"deep/er/than/this.json", secretName} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Errorf("a file of somebody else is gone: %v", err)
		}
	}
	if _, err := os.Stat(dir); err != nil {
		t.Error(err)
	}
}

// The cache stays under its limit: expired answers go first, then the oldest.
func TestCacheTrim(t *testing.T) {
	dir := t.TempDir()
	c := New(Options{Dir: dir, Size: 3000})
	c.now = func() time.Time { return time.Unix(1000, 0) }
	put := func(name string, age time.Duration, ttl time.Duration) {
		t.Helper()
		at := c.now().Add(-age)
		e := entry{id: "ns/tool/x", fetched: at, expires: at.Add(ttl), ttl: ttl,
			data: ordjson.NewString(strings.Repeat("x", 700))}
		if err := c.put(filepath.Join(dir, "ns", name+".json"), e.append(nil)); err != nil {
			t.Fatal(err)
		}
	}
	fill(t, dir, "ns/foreign.json", "ns/.new.json.ABCDEFGH.tmp", "ns/.old.json.ABCDEFGH.tmp")
	old := c.now().Add(-2 * tempAge)
	for name, at := range map[string]time.Time{"ns/.new.json.ABCDEFGH.tmp": c.now(), "ns/.old.json.ABCDEFGH.tmp": old} {
		if err := os.Chtimes(filepath.Join(dir, name), at, at); err != nil {
			t.Fatal(err)
		}
	}
	put("expired", 2*time.Minute, time.Minute)
	put("oldest", 5*time.Minute, time.Hour)
	put("middle", 4*time.Minute, time.Hour)
	put("newest", 0, time.Hour)
	list, _, err := c.Files("")
	var got []string
	for _, f := range list {
		got = append(got, f.Path)
	}
	if err != nil || strings.Join(got, " ") != "ns/middle.json ns/newest.json ns/oldest.json" {
		t.Errorf("%s, %v", got, err)
	}
	put("one more", 0, time.Hour)
	if _, err := os.Stat(filepath.Join(dir, "ns", "oldest.json")); err == nil {
		t.Error("the oldest stayed")
	}
	for name, want := range map[string]bool{"foreign.json": true, ".new.json.ABCDEFGH.tmp": true,
		".old.json.ABCDEFGH.tmp": false} {
		if _, err := os.Stat(filepath.Join(dir, "ns", name)); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	e := entry{data: ordjson.NewString(strings.Repeat("x", 2000))}
	_, err = c.keep(t.Context(), place{path: filepath.Join(dir, "ns", "huge.json")}, &e)
	if err == nil || !strings.Contains(err.Error(), "more than half of the 3000") {
		t.Errorf("an answer of half the cache: %v", err)
	}
}

// childEnv has the folder in which a process of TestCacheProcesses works.
const childEnv = "FMCP_TEST_CACHE_CHILD"

// Sixteen processes read, write, clear and trim one cache at the same time:
// all share one secret, and whatever one of them reads is whole.
func TestCacheProcesses(t *testing.T) {
	if dir := os.Getenv(childEnv); dir != "" {
		cacheChild(t, dir)
		return
	}
	dir := filepath.Join(t.TempDir(), "cache")
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			cmd := osexec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestCacheProcesses$", "-test.v")
			cmd.Env = append(os.Environ(), childEnv+"="+dir, fmt.Sprintf("FMCP_TEST_CACHE_CLEAR=%v", i == 0))
			if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "all whole") {
				t.Errorf("process %d: %v\n%s", i, err, out)
			}
		})
	}
	wg.Wait()
	c := New(Options{Dir: dir})
	list, others, err := c.Files("")
	if err != nil || others != 0 || len(list) == 0 || len(list) > 4 {
		t.Errorf("%d entries, %d others, %v", len(list), others, err)
	}
	err = c.walk("", func(f placed) {
		if atomicfile.IsTemp(filepath.Base(f.path)) {
			t.Errorf("left over: %s", f.path)
		}
	})
	if err != nil {
		t.Error(err)
	}
}

func cacheChild(t *testing.T, dir string) {
	c := New(Options{Dir: dir, Size: 1 << 20})
	secret, err := c.folderSecret()
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for i := range 40 {
		path := filepath.Join(dir, "ns", fmt.Sprint(i%4)+entrySuffix)
		now := time.Now()
		filler := strings.Repeat(fmt.Sprint(i%10), 20000)
		e := entry{id: "ns/tool/x", request: fmt.Sprintf("%x", secret), fetched: now, expires: now.Add(time.Hour),
			ttl: time.Hour, data: ordjson.Strings([]string{filler, filler})}
		if err := c.put(path, e.append(nil)); err != nil {
			t.Fatal(err)
		}
		if os.Getenv("FMCP_TEST_CACHE_CLEAR") == "true" && i%8 == 0 {
			if _, err := c.Clear(""); err != nil {
				t.Fatal(err)
			}
		}
		got := readEntry(path, c.limit)
		if got == nil {
			continue // cleared in between
		}
		read++
		if got.request != fmt.Sprintf("%x", secret) {
			t.Fatal("two processes have two secrets")
		}
		if a, b := got.data.Index(0).Str(), got.data.Index(1).Str(); a != b || len(a) != 20000 {
			t.Fatalf("half an answer: %d and %d bytes", len(a), len(b))
		}
	}
	if read < 10 {
		t.Fatalf("only %d of 40 answers were there to be read", read)
	}
	t.Log("all whole")
}

func TestSpan(t *testing.T) {
	for seconds, want := range map[time.Duration]string{1: "1 second", 90: "90 seconds", 60: "1 minute", 3600: "1 hour",
		86400: "1 day", 604800: "7 days", 5400: "90 minutes"} {
		if got := span(seconds * time.Second); got != want {
			t.Errorf("%d: %s, want %s", seconds, got, want)
		}
	}
}
