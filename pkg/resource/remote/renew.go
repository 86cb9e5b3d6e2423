package remote

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/flowmcp/fmcp/pkg/atomicfile"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// renew fetches a file, under its lock. Another process may have done so since
// before, while this one waited: what came of that counts.
func (c *Copies) renew(ctx context.Context, k *kept, before note) (Copy, error) {
	v := c.look(k)
	if v == fetchIt && k.note.Fetched.After(before.Fetched) && exists(k.path) {
		v = fresh
	}
	if v != fetchIt {
		return c.hand(k, v), nil
	}
	if n, ok := readNote(k.meta); ok && n.URLHash == hashOf(k.src.URL) && n.Failed.After(before.Failed) {
		return c.failed(k, &words.Problem{Code: n.FailureCode, Message: n.Failure})
	}
	had := k.note
	answer, err := c.fetch(ctx, k)
	if err != nil {
		if ctx.Err() != nil { // no other caller gave up
			return Copy{}, err
		}
		c.remember(k, err)
		return c.failed(k, err)
	}
	out := c.hand(k, fresh)
	told := *out.Cached // the next call is a hit
	out.Cached, out.Warnings = &told, answer.Notes
	switch {
	case had.Fetched.IsZero():
		told.State, told.Message = record.CacheMiss, "Fetching fresh data..."
	case k.anew:
		told.State, told.Message = record.CacheRefresh, "Refreshing cache..."
	default:
		told.State, told.Message = record.CacheExpired, "Cache expired, refreshing..."
	}
	if answer.NotModified {
		told.Message += " The file has not changed."
	}
	return out, nil
}

// failed answers where a file could not be fetched: by the copy, if there is
// one and it may be used.
func (c *Copies) failed(k *kept, err error) (Copy, error) {
	if k.note.Fetched.IsZero() || c.NoCache {
		c.learn(k.src, known{err: err, until: c.now().Add(waitWithout)})
		return Copy{}, err
	}
	out := Copy{Path: k.path, Cached: &record.Cached{
		State: record.CacheStale, FetchedAt: k.note.Fetched, ExpiresAt: k.expires(),
		Message: "Cache expired, and fetching failed",
	}}
	state := "expired"
	if c.now().Before(k.expires()) {
		out.Cached.Message, state = "Refreshing failed", "expires"
	}
	out.Warnings = []string{"the file could not be fetched, and its copy of " + record.Timestamp(k.note.Fetched) +
		" is used, which " + state + " at " + record.Timestamp(k.expires()) + ": " + err.Error()}
	c.learn(k.src, known{copy: out, until: c.now().Add(waitWithCopy)})
	return out, nil
}

// fetch brings a file in place of its copy, and notes where it came from.
func (c *Copies) fetch(ctx context.Context, k *kept) (*Answer, error) {
	var file *incoming
	defer func() { file.abort() }()
	now := c.now().UTC().Truncate(time.Millisecond)
	answer, err := c.Fetch.Download(ctx,
		Request{URL: k.src.URL, ETag: k.note.ETag, LastModified: k.note.LastModified, Begin: func() (io.Writer, error) {
			file.abort()
			var err error
			file, err = newIncoming(k.path)
			return file, err
		}})
	if err != nil {
		return nil, err
	}
	if answer.NotModified {
		k.note.Fetched, k.note.Failed, k.note.FailureCode, k.note.Failure = now, time.Time{}, "", ""
		return answer, c.write(k)
	}
	if file == nil {
		return nil, fail("nothing was sent")
	}
	if c.Check != nil {
		if err := c.Check(file.head, file.bytes); err != nil {
			return nil, err
		}
	}
	// A process that is killed in between leaves a note that does not belong to
	// the file, which is then fetched again. It never leaves a file without a
	// note, which would count as the user's.
	if k.note.Fetched.IsZero() {
		k.note = note{URL: shown(k.src.URL), URLHash: hashOf(k.src.URL), Pending: true}
		if err := c.write(k); err != nil {
			return nil, err
		}
	}
	if err := file.commit(); err != nil {
		return nil, fail("the copy cannot be written: %v", err)
	}
	k.note = note{URL: shown(k.src.URL), URLHash: hashOf(k.src.URL), Fetched: now, Bytes: file.bytes, ETag: answer.ETag,
		LastModified: answer.LastModified}
	return answer, c.write(k)
}

// remember notes that a file could not be fetched, for the processes that wait
// for it. The rest of the note stays, since it says who owns the copy.
func (c *Copies) remember(k *kept, err error) {
	n, ok := readNote(k.meta)
	if ok && n.URLHash != hashOf(k.src.URL) || !ok && exists(k.meta) {
		return // they will find out by themselves
	}
	n.URL, n.URLHash, n.Failed = shown(k.src.URL), hashOf(k.src.URL), c.now()
	n.FailureCode, n.Failure = CodeCopy, err.Error()
	var e *words.Problem
	if errors.As(err, &e) {
		n.FailureCode, n.Failure = e.Code, e.Message
	}
	_ = n.write(k.meta)
}

func (c *Copies) write(k *kept) error {
	if err := k.note.write(k.meta); err != nil {
		return fail("what is known about the copy cannot be written: %v", err)
	}
	return nil
}

// headSize is how much of a file Copies.Check sees.
const headSize = 512

// incoming is a file that is being downloaded.
type incoming struct {
	file  *atomicfile.File
	head  []byte
	bytes int64
}

func newIncoming(path string) (*incoming, error) {
	f, err := atomicfile.CreateOwn(path)
	if err != nil {
		return nil, err
	}
	return &incoming{file: f}, nil
}

// Write implements io.Writer.
func (in *incoming) Write(p []byte) (int, error) {
	if n := headSize - len(in.head); n > 0 {
		in.head = append(in.head, p[:min(n, len(p))]...)
	}
	n, err := in.file.Write(p)
	in.bytes += int64(n)
	return n, err
}

func (in *incoming) commit() error { return in.file.Commit() }

// abort throws away what was written and not committed.
func (in *incoming) abort() {
	if in != nil {
		in.file.Abort()
	}
}

// tempName is the length of what atomicfile puts between the name of a file
// and the end of that of its temporary one.
const tempName = 8

// clean removes what killed processes left of a file. The caller holds its
// lock, so that no process is writing it.
func clean(path string) {
	dir, base := filepath.Split(path)
	list, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, d := range list {
		if middle, ok := strings.CutPrefix(d.Name(), "."+base+"."); ok && atomicfile.IsTemp(d.Name()) &&
			strings.IndexByte(middle, '.') == tempName {
			_ = os.Remove(filepath.Join(dir, d.Name()))
		}
	}
}
