// Package remote keeps files of the network on this machine (chapter 13, "HTTP
// Resources"): fetched when they are first needed and when they have expired,
// once for all processes, and never half.
package remote

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/resource/origin"
	"github.com/flowmcp/fmcp/pkg/words"
)

// The codes of copies. They are rule rows in pkg/rules.
const (
	CodeCopy  = "EXE078" // a copy cannot be made or kept
	CodeTaken = "EXE079" // the file is kept for another URL
)

// fail is why there is no copy of a file.
func fail(format string, args ...any) *words.Problem {
	return words.Problemf(CodeCopy, format, args...)
}

// Request asks for a file.
type Request struct {
	URL          string
	ETag         string // of the copy that there is, "" for none
	LastModified string // likewise
	// Begin returns the writer of the file's bytes. It is called again for each
	// further try, which starts at the first byte.
	Begin func() (io.Writer, error)
}

// Answer is what came of a Request.
type Answer struct {
	NotModified  bool // the copy that there is, is still the file
	ETag         string
	LastModified string
	Notes        []string // a sentence per try that failed
}

// Fetcher fetches files under the network policy.
type Fetcher interface {
	// Download fetches a file. The errors are *words.Problem and hold no part of the
	// URL but its host.
	Download(ctx context.Context, r Request) (*Answer, error)
}

// Source is a file of the network.
type Source struct {
	URL  string
	Path string        // of the copy, as origin.Places.Path reads it; "" for one named after the URL
	TTL  time.Duration // how long a copy is as good as the file
}

// Copy is a file of the network as it is on this machine.
type Copy struct {
	Path     string // absolute
	Cached   *record.Cached
	Warnings []string
}

// Copies are the files of the network that are on this machine. It may be used
// by many goroutines, and its folders by many processes.
type Copies struct {
	Places  *origin.Places
	Fetch   Fetcher
	Refresh bool // fetch each file once more (--refresh)
	NoCache bool // likewise, and use no copy that cannot be renewed (--no-cache)
	// refuses what is not the file that is wanted, by its first 512 bytes and its size; nil takes
	// all
	Check func(head []byte, bytes int64) error
	Now   func() time.Time // nil is time.Now

	mu    sync.Mutex
	known map[Source]known
	urls  map[string]string // by the path of the copy
}

// known is what Get returned last.
type known struct {
	copy  Copy
	file  fs.FileInfo // of the copy
	err   error
	until time.Time // from when on it is to be looked at again
}

// holds reports whether it still is so: another process may have put the copy of
// another URL in the file's place.
func (k *known) holds(now time.Time) bool {
	if !now.Before(k.until) {
		return false
	}
	if k.err != nil {
		return true
	}
	info, err := os.Lstat(k.copy.Path)
	return err == nil && k.file != nil && os.SameFile(info, k.file) && info.Size() == k.file.Size() &&
		info.ModTime().Equal(k.file.ModTime())
}

// How long this process does not ask again after a fetch that failed: where an
// expired copy helps out, and if there is none.
const (
	waitWithCopy = time.Minute
	waitWithout  = 10 * time.Second
)

// Get returns the copy of a file, and fetches it if there is none or it has
// expired. Where that fails an expired copy is used, with a warning (chapter
// 13, "Caching Behavior"). The errors are *words.Problem.
func (c *Copies) Get(ctx context.Context, src Source) (Copy, error) {
	last, asked := c.recall(src)
	if asked && last.holds(c.now()) {
		return last.copy, last.err
	}
	k, err := c.keep(src)
	if err != nil {
		return Copy{}, err
	}
	k.anew = !asked && (c.Refresh || c.NoCache)
	before, _ := readNote(k.meta)
	// Only the lock says who owns a file: the note about one that was just
	// fetched is written a moment later.
	if c.look(k) == fresh {
		return c.hand(k, fresh), nil
	}
	unlock, err := lock(ctx, k.lock)
	switch {
	case ctx.Err() != nil:
		return Copy{}, &words.Problem{Code: codeCancelled, Message: "the call was cancelled before the file was there"}
	case err == nil:
		defer unlock()
		clean(k.path)
		clean(k.meta)
	}
	// Where there are no locks, processes may fetch the same file at the same
	// time: each copy is whole.
	return c.renew(ctx, k, before)
}

// codeCancelled is the code of calls for a caller who gave up.
const codeCancelled = "EXE036"

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func (c *Copies) recall(src Source) (known, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	last, ok := c.known[src]
	return last, ok
}

// learn keeps what the next calls may have without looking.
func (c *Copies) learn(src Source, k known) {
	if k.err == nil {
		k.file, _ = os.Lstat(k.copy.Path)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil {
		c.known = map[Source]known{}
	}
	c.known[src] = k
}

// claim notes that the file at a path is the copy of a URL. Of two resources
// that name one file the second is refused: each would get the data of the
// other, or fetch it again with every call (docs/decisions.md, "HTTP
// resources").
func (c *Copies) claim(k *kept) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if url, ok := c.urls[k.path]; ok && url != k.src.URL {
		return &words.Problem{Code: CodeTaken, Message: fmt.Sprintf("%s is where another resource keeps %s, and this "+
			"one has the url %s: give one of the "+
			"two another path", k.shown, shown(url), shown(k.src.URL))}
	}
	if c.urls == nil {
		c.urls = map[string]string{}
	}
	c.urls[k.path] = k.src.URL
	return nil
}

// kept is where a copy is, and what is known about it.
type kept struct {
	src   Source
	path  string // of the copy
	shown string // as messages name it
	lock  string
	meta  string
	note  note
	anew  bool // it is to be fetched although it may not have expired
}

// keep finds the place of a copy, and makes its folder.
func (c *Copies) keep(src Source) (*kept, error) {
	if strings.Contains(src.URL, "{{") {
		return nil, fail("the url has a placeholder in it, and resources have no parameters for theirs: write the " +
			"whole URL")
	}
	place := c.Places.Below("cache", "resources", hashOf(src.URL)+".db")
	if src.Path != "" {
		var err error
		if place, err = c.Places.Path(src.Path); err != nil {
			return nil, err
		}
		if !strings.HasSuffix(place.Name(), ".db") {
			return nil, &words.Problem{Code: origin.CodeRefused,
				Message: fmt.Sprintf("path %q does not end with .db: write the name of the file that the download "+
					"is kept in", src.Path)}
		}
	}
	path, err := place.Make()
	if err != nil {
		return nil, err
	}
	dir := path[:len(path)-len(place.Name())]
	k := &kept{src: src, path: path, shown: place.String(), lock: dir + "." + place.Name() + ".lock",
		meta: path + metaSuffix}
	return k, c.claim(k)
}

// hashOf is the SHA-256 of a URL (chapter 13, "Caching Behavior").
func hashOf(url string) string {
	sum := sha256.Sum256([]byte(url))
	return hex.EncodeToString(sum[:])
}

func (c *Copies) now() time.Time {
	if c.Now != nil {
		return c.Now()
	}
	return time.Now()
}

// What to do about a copy.
type verdict int

const (
	fetchIt verdict = iota
	fresh           // it is as good as the file
	notOurs         // it was not put there by us
)

// look judges the copy that there is.
func (c *Copies) look(k *kept) verdict {
	now := c.now()
	info, err := os.Lstat(k.path)
	if err != nil {
		return fetchIt
	}
	n, readable := readNote(k.meta)
	switch {
	case !readable || n.Fetched.IsZero() && !n.Pending:
		return notOurs
	case n.URLHash != hashOf(k.src.URL):
		return fetchIt
	case n.Bytes != info.Size():
		// The process that fetched it was killed before it could write the
		// note, which is older than the file.
		n.ETag, n.LastModified = "", ""
		k.note = n
		return fetchIt
	default:
		k.note = n
		if !k.anew && !n.Fetched.After(now) && now.Before(k.expires()) {
			return fresh
		}
		return fetchIt
	}
}

func (k *kept) expires() time.Time { return k.note.Fetched.Add(k.src.TTL) }

// hand returns a copy that need not be fetched.
func (c *Copies) hand(k *kept, v verdict) Copy {
	if v == notOurs {
		out := Copy{Path: k.path, Warnings: []string{"the file " + k.shown +
			" was not downloaded by fmcp: it is used as it is and never renewed; remove it to have it downloaded"}}
		c.learn(k.src, known{copy: out, until: c.now().Add(waitWithCopy)})
		return out
	}
	out := Copy{Path: k.path, Cached: &record.Cached{
		State: record.CacheHit, FetchedAt: k.note.Fetched, ExpiresAt: k.expires(),
		Message: "Cached (fetched: " + record.Timestamp(k.note.Fetched) + ", expires: " +
			record.Timestamp(k.expires()) + ")",
	}}
	c.learn(k.src, known{copy: out, until: k.expires()})
	return out
}

// shown is a URL without what may be secret in it.
func shown(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host + u.EscapedPath()
}
