package exec

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/flowmcp/fmcp/pkg/atomicfile"
	"github.com/flowmcp/fmcp/pkg/exec/secret"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// DefaultCacheSize is how many bytes a cache holds unless it is told otherwise.
const DefaultCacheSize = 256 << 20

// Cache keeps answers in a folder, for the tools whose preload allows it
// (chapter 11). What it keeps is the answer as read, before any handler, which
// therefore run on every hit (decision "Cached answers"). It is a help and never an obstacle:
// what it cannot read is a miss, what it cannot write a warning. It may be used
// by many goroutines, and its folder by many processes.
type Cache struct {
	dir     string
	limit   int64
	refresh bool
	now     func() time.Time
	save    func(path string, b []byte) error

	mu     sync.Mutex
	secret []byte // nil until the folder's was read
	grown  int64  // bytes written since the size was looked at; -1 before that
}

// CacheOptions say where answers are kept and for how long.
type CacheOptions struct {
	Dir     string // made where it is missing; "" caches nothing, with a warning
	Size    int64  // bytes that all answers may take; 0 is DefaultCacheSize
	Refresh bool   // read nothing, write everything (--refresh)
}

// NewCache makes a cache. Nothing is read or written before a tool is called
// whose answers are cached.
func NewCache(o CacheOptions) *Cache {
	c := &Cache{dir: o.Dir, limit: cmp.Or(o.Size, DefaultCacheSize), refresh: o.Refresh, now: time.Now, grown: -1}
	c.save = c.write
	return c
}

// write writes a file of the cache, which only its owner can read: answers may
// be private.
func (c *Cache) write(path string, b []byte) error {
	name, err := filepath.Rel(c.dir, path)
	if err != nil {
		return err
	}
	if err = atomicfile.Write(c.dir, name, b); errors.Is(err, fs.ErrNotExist) {
		err = atomicfile.Write(c.dir, name, b) // another process has cleared the folder in between
	}
	return err
}

// cacheSlot is the place in the cache for the answer to one call. A nil one
// keeps nothing.
type cacheSlot struct {
	cache    *Cache
	key      cacheKey
	ttl      time.Duration
	note     string
	envelope *record.Envelope
}

// maxTTL bounds preload.ttl, which is a number of any size.
const maxTTL = 10 * 365 * 24 * time.Hour

// cacheTTL is how long answers of a tool are kept, 0 where they are not: its
// preload does not say so, or its calls are there to change something.
func cacheTTL(t *Tool) time.Duration {
	preload := t.Data.Get("preload")
	ttl := preload.Get("ttl")
	if !preload.Get("enabled").True() || !ttl.Is(ordjson.Number) || !slices.Contains([]string{"GET", "POST"}, t.Method) {
		return 0
	}
	seconds := ttl.Float()
	if !(seconds >= 1) {
		return 0
	}
	if seconds >= maxTTL.Seconds() {
		return maxTTL
	}
	return time.Duration(seconds) * time.Second
}

// slot finds the place for a call, or nil where its answer is not cached.
func (c *Cache) slot(t *Tool, in Input, req *Request, env *secret.Env, e *record.Envelope) *cacheSlot {
	ttl := cacheTTL(t)
	if c == nil || ttl == 0 {
		return nil
	}
	s := &cacheSlot{cache: c, ttl: ttl, note: t.Data.Get("preload").Get("description").Str(), envelope: e}
	secret, err := c.folderSecret()
	if err != nil {
		s.warn(err)
		return nil
	}
	s.key = c.keyOf(secret, t, in, req, env)
	return s
}

func (s *cacheSlot) warn(err error) {
	s.envelope.Warnings = append(s.envelope.Warnings, "the answer is not cached ("+err.Error()+"): name a folder that can be written by --cache, or add --no-cache")
}

// load returns the data of the answer in the cache, if it holds one that may
// still be used, and says in the envelope how that went.
func (s *cacheSlot) load() (ordjson.Value, bool) {
	if s == nil {
		return ordjson.Value{}, false
	}
	told := &record.Cached{State: record.CacheMiss, Message: "Fetching fresh data..."}
	s.envelope.Cache = told
	if s.cache.refresh {
		told.State, told.Message = record.CacheRefresh, "Refreshing cache..."
		return ordjson.Value{}, false
	}
	entry := readEntry(s.key.path, s.cache.limit)
	if entry == nil || entry.request != s.key.hash {
		return ordjson.Value{}, false
	}
	entry.shorten(s.ttl)
	if !entry.fresh(s.cache.now()) {
		told.State, told.Message = record.CacheExpired, "Cache expired, refreshing..."
		return ordjson.Value{}, false
	}
	*told = record.Cached{
		State: record.CacheHit, FetchedAt: entry.fetched, ExpiresAt: entry.expires, Note: s.note,
		Message: "Cached (fetched: " + record.Timestamp(entry.fetched) + ", expires: " + record.Timestamp(entry.expires) + ")",
	}
	s.envelope.Warnings = append(s.envelope.Warnings, entry.warnings...)
	return entry.data, true
}

// store keeps the data of a fresh answer, and the warnings that reading it
// gave. What is kept is redacted: an upstream may echo a server parameter.
func (s *cacheSlot) store(data ordjson.Value, warnings []string, redact *secret.Redactor) {
	if s == nil {
		return
	}
	now := s.cache.now().UTC().Truncate(time.Millisecond)
	told := s.envelope.Cache
	told.FetchedAt = now
	entry := cacheEntry{id: s.envelope.ID, request: s.key.hash, paramHash: s.key.paramHash, fetched: now, expires: now.Add(s.ttl), ttl: s.ttl, data: redact.Value(data)}
	for _, w := range warnings {
		entry.warnings = append(entry.warnings, redact.Text(w))
	}
	if err := s.cache.put(s.key.path, &entry); err != nil {
		s.warn(err)
		return
	}
	told.ExpiresAt = entry.expires
	told.Message += " Cached for " + span(s.ttl)
}

// put writes an entry and sees to it that the cache does not grow without end.
func (c *Cache) put(path string, entry *cacheEntry) error {
	b := entry.append(nil)
	size := int64(len(b))
	if size > c.limit/2 {
		return fmt.Errorf("it takes %d bytes, more than half of the %d that --cache-size allows", size, c.limit)
	}
	if err := c.save(path, b); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.grown >= 0 {
		c.grown += size
	}
	if c.grown < 0 || c.grown > c.limit/16 {
		c.grown = 0
		c.trim()
	}
	return nil
}

// span writes a time to live for people: "7 days", "90 seconds".
func span(d time.Duration) string {
	for _, unit := range []struct {
		name string
		d    time.Duration
	}{{"day", 24 * time.Hour}, {"hour", time.Hour}, {"minute", time.Minute}, {"second", time.Second}} {
		if d%unit.d == 0 {
			n := int(d / unit.d)
			if n == 1 {
				return "1 " + unit.name
			}
			return strconv.Itoa(n) + " " + unit.name + "s"
		}
	}
	return d.String()
}
