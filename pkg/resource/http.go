package resource

import (
	"bytes"
	"context"
	"math"
	"time"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/resource/remote"
)

// Remote says how the databases of http resources come to this machine.
type Remote struct {
	Fetcher remote.Fetcher // nil fails them
	Refresh bool           // fetch each once more (--refresh)
	NoCache bool           // likewise, and use none that cannot be renewed (--no-cache)
}

// copies makes the copies of a store when the first is asked for.
func (s *Store) copies() *remote.Copies {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.copied == nil {
		s.copied = &remote.Copies{Places: &s.Places, Fetch: s.Remote.Fetcher, Refresh: s.Remote.Refresh,
			NoCache: s.Remote.NoCache, Check: checkDownload}
	}
	return s.copied
}

// fetch brings the database of an http resource to this machine. Other
// resources have theirs there.
func (s *Store) fetch(ctx context.Context, spec *Spec) (remote.Copy, error) {
	if spec.Source != model.HTTP {
		return remote.Copy{}, nil
	}
	if s.Remote.Fetcher == nil {
		return remote.Copy{}, fail(CodeMissing, "nothing is fetched here: the database of %s is on the network",
			spec.ID)
	}
	return s.copies().Get(ctx, remote.Source{URL: spec.URL, Path: spec.Path, TTL: ttlOf(spec.CacheTTL.Float())})
}

// maxTTL bounds cacheTtl, which is a number of any size.
const maxTTL = 10 * 365 * 24 * time.Hour

// ttlOf reads cacheTtl, a number of seconds.
func ttlOf(seconds float64) time.Duration {
	if math.IsNaN(seconds) || seconds < 0 {
		return 0
	}
	return time.Duration(min(seconds, maxTTL.Seconds()) * float64(time.Second))
}

// checkDownload refuses what a server sends in place of a database: pages that
// say so, archives, and files that are cut short.
func checkDownload(head []byte, size int64) error {
	const name = "what the url gives"
	text := bytes.ToLower(bytes.TrimLeft(head, " \t\r\n\ufeff"))
	for _, kind := range []struct{ begins, name string }{
		{"<!doctype", "a web page"}, {"<html", "a web page"}, {"<?xml", "XML"}, {"{", "JSON"}, {"[", "JSON"},
		{"PK\x03\x04", "a ZIP archive"}, {"\x1f\x8b", "compressed by gzip"}, {"\xfd7zXZ", "compressed by xz"},
		{"BZh", "compressed by bzip2"}, {"\x28\xb5\x2f\xfd", "compressed by zstd"},
	} {
		if begins := []byte(kind.begins); bytes.HasPrefix(text, begins) || bytes.HasPrefix(head, begins) {
			return fail(CodeCorrupt, "%s is %s and no SQLite database: correct the url", name, kind.name)
		}
	}
	return judge(name, head, size)
}
