package gtfs

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"zombiezen.com/go/sqlite"

	"github.com/flowmcp/fmcp/pkg/atomicfile"
	"github.com/flowmcp/fmcp/pkg/resource/origin"
)

// Options of one import.
type Options struct {
	Feed        string // the zip archive
	Out         string // the database
	Force       bool   // replace a database that is there
	SourceURL   string // meta.sourceUrl; "" writes file: and the name of the feed
	Converter   string // meta.converterVersion, "fmcp-exec@0.1.0"
	Now         time.Time
	MaxUnpacked int64 // bytes of all files of the feed; 0 is DefaultMaxUnpacked
}

// DefaultMaxUnpacked bounds the files of a feed unpacked.
const DefaultMaxUnpacked = 32 << 30

// Import makes a sealed database of a feed. The report says what was found, also
// where there is an error. Where the feed is not clean, or anything fails, no
// database is written: there is none without a seal.
//
// Errors are *words.Problem, or the cause of ctx.
func Import(ctx context.Context, o Options) (*Report, error) {
	rep := &Report{Feed: o.Feed, Target: o.Out, BuildDate: o.Now.UTC().Format(time.RFC3339)}
	if !o.Force {
		if _, err := os.Lstat(o.Out); err == nil {
			return rep, fail(CodeExists, "remove it, or add --force", "%s is there already", o.Out)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return rep, notWritten(err)
		}
	}
	if sameFile(o.Feed, o.Out) {
		return rep, fail(CodeExists, "name another file for the database", "%s is the feed itself", o.Out)
	}
	if left := origin.Leftover(o.Out); left != "" {
		return rep, fail(CodeExists, "close what uses that database, or remove the file",
			"%s is left of another database, and would be played back into the new one", left)
	}
	if o.MaxUnpacked <= 0 {
		o.MaxUnpacked = DefaultMaxUnpacked
	}
	feed, err := openArchive(o.Feed, o.MaxUnpacked, rep)
	if err != nil {
		return rep, err
	}
	defer feed.close()
	rep.Hash = feed.hash
	if o.SourceURL == "" {
		o.SourceURL = "file:" + filepath.Base(o.Feed)
	}
	file, err := atomicfile.Create(o.Out, 0o666)
	if err != nil {
		return rep, notWritten(err)
	}
	defer file.Abort()
	if file.Temp() == "" {
		return rep, fail(CodeNotWritten, "name a file that ends with .db", "%s is not a regular file", o.Out)
	}
	if err := write(ctx, file.Temp(), feed, rep, o); err != nil || !rep.Clean() {
		rep.sort()
		return rep, err
	}
	rep.sort()
	info, err := os.Stat(file.Temp())
	if err != nil {
		return rep, notWritten(err)
	}
	if err := file.Commit(); err != nil {
		return rep, notWritten(err)
	}
	rep.Bytes, rep.Out = info.Size(), o.Out
	return rep, nil
}

func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	other, failed := os.Stat(b)
	return err == nil && failed == nil && os.SameFile(one, other)
}

// pragmas are for a file that is thrown away unless all goes well: no journal
// but what takes back one statement, and one fsync at the end, by atomicfile.
var pragmas = []string{
	"PRAGMA journal_mode = MEMORY", "PRAGMA synchronous = OFF", "PRAGMA locking_mode = EXCLUSIVE",
	"PRAGMA cache_size = -65536",
	"PRAGMA temp_store = FILE", "BEGIN",
}

// write fills the database.
func write(ctx context.Context, name string, feed *archive, rep *Report, o Options) error {
	db, err := sqlite.OpenConn(name, sqlite.OpenReadWrite)
	if err != nil {
		return notWritten(err)
	}
	defer func() { _ = db.Close() }()
	db.SetInterrupt(ctx.Done())
	l := &loader{db: db, feed: feed, rep: rep, keys: map[string]*keys{}, unusable: map[string]bool{}}
	if err := l.exec(ctx, pragmas...); err != nil {
		return err
	}
	if err := l.all(ctx); err != nil || !rep.Clean() {
		return err
	}
	if err := l.seal(ctx, o); err != nil {
		return err
	}
	if err := l.exec(ctx, "COMMIT", "PRAGMA analysis_limit = 400", "ANALYZE"); err != nil {
		return err
	}
	if err := db.Close(); err != nil {
		return notWritten(err)
	}
	return nil
}

// all loads and checks all files of the feed.
func (l *loader) all(ctx context.Context) error {
	for _, t := range tables {
		if t.name == "trips" { // stop_times refer to zones
			if err := l.zones(ctx); err != nil {
				return err
			}
		}
		if err := l.table(ctx, t); err != nil {
			return err
		}
	}
	if err := l.finish(ctx); err != nil || !l.rep.Clean() {
		return err
	}
	for _, t := range tables { // what the standard tools ask for
		if !l.loaded(t.name) {
			if err := l.exec(ctx, createTable(t)); err != nil {
				return err
			}
		}
	}
	if err := l.exec(ctx, indexes...); err != nil {
		return err
	}
	return l.searchTable(ctx)
}
