// Package cache keeps answers in a folder (chapter 11), or where several processes share
// them. It knows no tool: what decides about an answer comes as a Key.
package cache

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/flowmcp/fmcp/pkg/atomicfile"
	"github.com/flowmcp/fmcp/pkg/exec/secret"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// DefaultSize is how many bytes a cache holds by default.
const DefaultSize = 256 << 20

// Cache keeps answers in a folder, for the tools whose preload allows it
// (chapter 11). What it keeps is the answer as read, before any handler, which
// therefore run on every hit (decision "Cached answers"). It is a help and never an obstacle:
// what it cannot read is a miss, what it cannot write a warning. It may be used
// by many goroutines, and its folder by many processes.
type Cache struct {
	dir     string
	shared  Shared // in the place of dir
	limit   int64
	refresh bool
	now     func() time.Time

	asking sync.Mutex // of the secret that is shared
	asked  time.Time  // when it was last received

	mu      sync.Mutex
	secret  []byte             // nil until the folder's was read; guarded by asking where it is shared
	grown   int64              // bytes written since the size was looked at; -1 before that
	answers map[string]*answer // that calls under way will give, by the hash of their key
}

// Options say where answers are kept and for how long.
type Options struct {
	Dir     string // made if it is missing; "" caches nothing, with a warning
	Shared  Shared // where they are kept in the place of Dir; nil for none
	Size    int64  // bytes that all answers may take; 0 is DefaultSize. With Shared, one answer may take half of it
	Refresh bool   // read nothing, write everything (--refresh)

	Now func() time.Time // nil is time.Now
}

// New makes a cache. Nothing is read or written before a tool is called
// whose answers are cached.
func New(o Options) *Cache {
	c := &Cache{dir: o.Dir, shared: o.Shared, limit: cmp.Or(o.Size, DefaultSize), refresh: o.Refresh, now: o.Now,
		grown: -1}
	if c.now == nil {
		c.now = time.Now
	}
	if c.shared != nil {
		c.secret = newSecret()
	}
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

// Slot is the place in the cache for the answer to one call. A nil one
// keeps nothing.
type Slot struct {
	cache    *Cache
	at       place
	ttl      time.Duration
	note     string
	envelope *record.Envelope

	// Of a call whose equals of other processes wait for it:
	holder string                              // its name among them; "" for no such call
	hold   func(context.Context) (goOn func()) // is called before a wait
	leave  func()                              // ends its turn; nil while it has none
}

// Slot finds the place for the answer of a call.
func (c *Cache) Slot(ctx context.Context, k Key, e *record.Envelope) *Slot {
	s := &Slot{cache: c, ttl: k.TTL, note: k.Note, envelope: e}
	if c.shared != nil {
		s.at = c.placeOf(c.sharedSecret(ctx), k)
		return s
	}
	secret, err := c.folderSecret()
	if err != nil {
		s.warn(err)
		return nil
	}
	s.at = c.placeOf(secret, k)
	return s
}

// MaxTTL is how long an answer is kept at most.
const MaxTTL = 10 * 365 * 24 * time.Hour

func (s *Slot) warn(err error) {
	s.envelope.Warnings = append(s.envelope.Warnings,
		"the answer is not cached ("+err.Error()+"): name a folder that can be written by --cache, or add --no-cache")
}

// Load returns the data of the answer in the cache, if it holds one that may
// still be used, and says in the envelope how that went. Its error is ErrGaveUp.
func (s *Slot) Load(ctx context.Context) (_ ordjson.Value, ok bool, _ error) {
	if s == nil {
		return ordjson.Value{}, false, nil
	}
	cached := &record.Cached{State: record.CacheMiss, Message: "Fetching fresh data..."}
	s.envelope.Cache = cached
	if s.cache.refresh {
		cached.State, cached.Message = record.CacheRefresh, "Refreshing cache..."
		return ordjson.Value{}, false, nil
	}
	entry, err := s.read(ctx)
	if entry == nil || entry.request != s.at.hash {
		return ordjson.Value{}, false, err
	}
	entry.shorten(s.ttl)
	if !entry.fresh(s.cache.now()) {
		cached.State, cached.Message = record.CacheExpired, "Cache expired, refreshing..."
		return ordjson.Value{}, false, nil
	}
	*cached = record.Cached{
		State: record.CacheHit, FetchedAt: entry.fetched, ExpiresAt: entry.expires, Note: s.note,
		Message: "Cached (fetched: " + record.Timestamp(entry.fetched) + ", expires: " +
			record.Timestamp(entry.expires) + ")",
	}
	s.envelope.Warnings = append(s.envelope.Warnings, entry.warnings...)
	return entry.data, true, nil
}

// read is the entry that is kept, nil for none.
func (s *Slot) read(ctx context.Context) (*entry, error) {
	if s.cache.shared != nil {
		return s.fromAll(ctx)
	}
	return readEntry(s.at.path, s.cache.limit), nil
}

// Store keeps the data of a fresh answer, and the warnings that reading it
// gave. What is kept is redacted: an upstream may echo a server parameter.
func (s *Slot) Store(ctx context.Context, data ordjson.Value, warnings []string, redact *secret.Redactor) {
	if s == nil {
		return
	}
	now := s.cache.now().UTC().Truncate(time.Millisecond)
	cached := s.envelope.Cache
	cached.FetchedAt = now
	entry := entry{id: s.envelope.ID, request: s.at.hash, paramHash: s.at.paramHash, fetched: now,
		expires: now.Add(s.ttl), ttl: s.ttl, data: redact.Value(data)}
	for _, w := range warnings {
		entry.warnings = append(entry.warnings, redact.Text(w))
	}
	kept, err := s.cache.keep(ctx, s.at, &entry)
	if err != nil {
		s.warn(err)
	}
	if !kept {
		return
	}
	cached.ExpiresAt = entry.expires
	cached.Message += " Cached for " + span(s.ttl)
}

// keep writes an entry. Shared reports its errors itself.
func (c *Cache) keep(ctx context.Context, at place, entry *entry) (kept bool, _ error) {
	b := entry.append(nil)
	if int64(len(b)) > c.limit/2 {
		return false, fmt.Errorf("it takes %d bytes, more than half of the %d that --cache-size allows", len(b),
			c.limit)
	}
	if c.shared != nil {
		return c.shared.Put(ctx, at.name, b, entry.ttl) == nil, nil
	}
	err := c.put(at.path, b)
	return err == nil, err
}

// put writes a file and sees to it that the folder does not grow without end.
func (c *Cache) put(path string, b []byte) error {
	if err := c.write(path, b); err != nil {
		return err
	}
	size := int64(len(b))
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
