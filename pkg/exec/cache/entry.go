package cache

import (
	"io"
	"os"
	"strconv"
	"time"

	"github.com/tidwall/gjson"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// entry is an answer in the cache. Its file has the format of chapter 11,
// "Cache Storage", with the tool's id, the hash of the request and the warnings
// beside the members of meta that are named there.
type entry struct {
	id        string
	request   string // the hash of its key
	paramHash string
	fetched   time.Time
	expires   time.Time
	ttl       time.Duration
	warnings  []string
	data      ordjson.Value // Missing where only the head was read
}

// fresh reports whether the entry may be used. One from the future was written
// before the clock was set back: its age is not known.
func (e *entry) fresh(now time.Time) bool {
	return !e.fetched.After(now) && now.Before(e.expires)
}

// shorten makes the entry expire as a schema wants that has a shorter ttl now
// than when the entry was written.
func (e *entry) shorten(ttl time.Duration) {
	if end := e.fetched.Add(ttl); end.Before(e.expires) {
		e.expires = end
	}
}

func (e *entry) append(b []byte) []byte {
	data := ordjson.Append(nil, e.data)
	b = append(b, `{"meta":{"fetchedAt":"`+record.Timestamp(e.fetched)...)
	b = append(b, `","expiresAt":"`+record.Timestamp(e.expires)+`","ttl":`...)
	b = strconv.AppendInt(b, int64(e.ttl/time.Second), 10)
	b = append(b, `,"size":`...)
	b = strconv.AppendInt(b, int64(len(data)), 10)
	b = append(b, `,"paramHash":`...)
	if e.paramHash == "" {
		b = append(b, "null"...)
	} else {
		b = ordjson.AppendString(b, e.paramHash)
	}
	b = append(b, `,"id":`...)
	b = ordjson.AppendString(b, e.id)
	b = append(b, `,"request":`...)
	b = ordjson.AppendString(b, e.request)
	if len(e.warnings) > 0 {
		b = append(b, `,"warnings":`...)
		b = ordjson.Append(b, ordjson.Strings(e.warnings))
	}
	b = append(b, `},"data":`...)
	b = append(b, data...)
	return append(b, "}\n"...)
}

// readEntry reads an entry of at most limit bytes. What is missing, unreadable,
// broken or something else altogether is nil: a miss.
func readEntry(path string, limit int64) *entry {
	// Not opened before it is known what it is: a pipe would wait for a writer.
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() || info.Size() > limit {
		return nil
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return parseEntry(b)
}

// parseEntry reads an entry. What is broken or something else altogether is nil.
func parseEntry(b []byte) *entry {
	v, err := ordjson.Parse(string(b))
	if err != nil {
		return nil
	}
	meta := v.Get("meta")
	e := entryOf(func(key string) string { return meta.Get(key).Str() }, meta.Get("ttl").Float())
	if e == nil || !v.Get("data").Exists() {
		return nil
	}
	e.warnings, e.data = record.StringsOf(meta.Get("warnings")), v.Get("data")
	return e
}

// headSize is as much of a file as holds its meta.
const headSize = 16 << 10

// readHead reads all of an entry but its data, or returns nil where the file is
// not an entry.
func readHead(path string) *entry {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	b := make([]byte, headSize)
	n, err := io.ReadFull(f, b)
	if err != nil && n == 0 {
		return nil
	}
	meta := gjson.GetBytes(b[:n], "meta")
	return entryOf(func(key string) string { return meta.Get(key).Str }, meta.Get("ttl").Float())
}

func entryOf(text func(key string) string, ttl float64) *entry {
	fetched, err := time.Parse(time.RFC3339, text("fetchedAt"))
	if err != nil {
		return nil
	}
	expires, err := time.Parse(time.RFC3339, text("expiresAt"))
	if err != nil {
		return nil
	}
	return &entry{
		id: text("id"), request: text("request"), paramHash: text("paramHash"), fetched: fetched, expires: expires,
		ttl: time.Duration(min(max(ttl, 0), MaxTTL.Seconds())) * time.Second,
	}
}
