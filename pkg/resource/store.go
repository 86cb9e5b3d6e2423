package resource

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/resource/markdown"
	"github.com/flowmcp/fmcp/pkg/resource/origin"
	"github.com/flowmcp/fmcp/pkg/resource/remote"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Store opens the data of resources when it is first asked for, and keeps it
// open. It is safe for concurrent use; the zero value finds project and inline
// resources in the current folder.
type Store struct {
	Places      origin.Places
	Remote      Remote
	MaxDocument int64 // bytes of a document that are returned at once; 0 is DefaultBytes
	OnCopies    bool  // what is written goes to copies, which Close removes: tests leave the user's data as it is

	mu    sync.Mutex
	found map[string]string // paths by place: two resources may have one file
	open  map[key]*opened

	copied *remote.Copies // nil until the first is asked for
}

// key identifies an open file.
type key struct {
	path   string
	writes bool
	sealed bool // its seal was verified
}

// opened is a database and what its file was when it was opened.
type opened struct {
	info fs.FileInfo
	done chan struct{} // closed once db or err is set
	db   database      // where err is nil
	err  error
}

// database is what statements are sent to.
type database interface {
	Query(ctx context.Context, text string, args []any, limits Limits) (Result, error)
	changed(now fs.FileInfo, was fs.FileInfo) bool // the file is not the one that was opened
	Close()
}

// Query sends a statement to the database of a resource. The errors are *words.Problem.
func (s *Store) Query(ctx context.Context, spec *Spec, text string, args []any, limits Limits) (Result, error) {
	copied, err := s.fetch(ctx, spec)
	if err != nil {
		return Result{}, err
	}
	db, err := s.database(ctx, spec, copied.Path, limits.orDefault().Time)
	if err != nil && spec.sealed() {
		return Result{}, unusable(err)
	}
	if err != nil {
		return Result{}, err
	}
	res, err := db.Query(ctx, text, args, limits)
	res.Cached, res.Warnings = copied.Cached, copied.Warnings
	return res, err
}

// Read reads the document of a resource, or the part of it that the parameters
// of a call ask for. The errors are *words.Problem.
func (s *Store) Read(ctx context.Context, spec *Spec, params ordjson.Value) (markdown.Text, error) {
	part, err := markdown.NewPart(params)
	if err != nil {
		return markdown.Text{}, err
	}
	place, err := spec.place(s.Places)
	if err != nil {
		return markdown.Text{}, err
	}
	f, err := place.Open()
	if err != nil {
		return markdown.Text{}, err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return markdown.Text{}, fail(CodeMissing, "%s cannot be read: %v", spec.File, words.Cause(err))
	}
	limit := s.MaxDocument
	if limit <= 0 {
		limit = DefaultBytes
	}
	text, err := markdown.Read(&awake{ctx, f}, info.Size(), part, limit)
	if ctx.Err() != nil {
		return markdown.Text{}, fail(CodeCancelled, "the call was cancelled")
	}
	return text, err
}

// awake is a file whose reading ends with the call that waits for it: a
// document may have any size.
type awake struct {
	ctx context.Context
	f   *os.File
}

func (a *awake) Read(p []byte) (int, error) {
	if err := a.ctx.Err(); err != nil {
		return 0, err
	}
	return a.f.Read(p)
}

// Close closes what is open.
func (s *Store) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for at, o := range s.open {
		o.close()
		delete(s.open, at)
	}
}

// close closes what is open, or what is being opened as soon as it is.
func (o *opened) close() {
	end := func() {
		<-o.done
		if o.err == nil {
			o.db.Close()
		}
	}
	select {
	case <-o.done:
		end()
	default:
		go end()
	}
}

// wait waits until the database is open, as long as the caller does.
func (o *opened) wait(ctx context.Context, limit time.Duration) error {
	select {
	case <-o.done:
		return o.err
	default:
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-o.done:
		return o.err
	case <-ctx.Done():
		return stopped(ctx, limit)
	case <-timer.C:
		return fail(CodeBusy, "the database could not be opened within %s: another process may hold it; "+
			"try again", limit)
	}
}

// database returns the open database of a resource. path is the file that was
// fetched for it, "" if none was. A file that was replaced is opened again; one
// that could not be opened is tried again by the next call.
func (s *Store) database(ctx context.Context, spec *Spec, fetched string, limit time.Duration) (database, error) {
	path, err := s.path(spec, fetched)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	if err != nil {
		s.forget(spec, path, nil)
		if path, err = s.path(spec, fetched); err != nil {
			return nil, err
		}
		if info, err = os.Stat(path); err != nil {
			return nil, fail(CodeMissing, "%s cannot be opened: %v; check the path and its permissions", spec.File,
				words.Cause(err))
		}
	}
	o := s.opened(spec, path, info)
	if err := o.wait(ctx, limit); err != nil {
		return nil, err
	}
	if o.db.changed(info, o.info) {
		s.forget(spec, path, o)
		return s.database(ctx, spec, fetched, limit)
	}
	return o.db, nil
}

func (o *opened) open(spec *Spec, path string, beside, onCopy bool) {
	switch {
	case spec.writes() && remote.IsCopy(path):
		o.err = fail(remote.CodeTaken,
			"%s is the download of an http resource, and what is written to it is lost with the next one: give one "+
				"of the two another file", spec.File)
	case spec.writes() && onCopy:
		o.db, o.err = openCopy(path, beside)
	case spec.writes():
		o.db, o.err = openFile(path, beside)
	case spec.sealed():
		o.db, o.err = openSealed(path, beside)
	default:
		o.db, o.err = openReadOnly(path, beside)
	}
}

// path is the path of a resource's file. It is looked for once: the system takes
// all locks of a process away from a file that the process opens and closes
// beside SQLite.
func (s *Store) path(spec *Spec, fetched string) (string, error) {
	if fetched != "" {
		return fetched, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	place, err := spec.place(s.Places)
	if err != nil {
		return "", err
	}
	path, ok := s.found[place.String()]
	if !ok {
		if path, err = place.Path(); err != nil {
			return "", s.hint(spec, err)
		}
	}
	if s.found == nil {
		s.found = map[string]string{}
	}
	s.found[place.String()] = path
	return path, nil
}

// Mark is another text once the data of a resource may have changed; "" where
// nobody can tell, since the data is on the network.
func (s *Store) Mark(spec *Spec) string {
	if spec.Source == model.HTTP {
		return ""
	}
	path, err := s.path(spec, "")
	if err != nil {
		return err.Error()
	}
	mark := path
	for _, name := range []string{path, path + "-wal"} {
		if info, err := os.Stat(name); err == nil {
			mark += fmt.Sprintf(" %d %d", info.Size(), info.ModTime().UnixNano())
		}
	}
	return mark
}

// Missing is why the file of a resource cannot be found, nil where it is there, or on
// the network.
func (s *Store) Missing(spec *Spec) error {
	if spec.Source == model.HTTP {
		return nil
	}
	_, err := s.path(spec, "")
	return err
}

// hint says how to get a database that is missing.
func (s *Store) hint(spec *Spec, err error) error {
	var e *words.Problem
	describes := slices.ContainsFunc(spec.Queries, func(q *catalog.Query) bool { return q.Name == "getSchema" })
	if spec.writes() && describes && errors.As(err, &e) && e.Code == origin.CodeMissing {
		return &words.Problem{Code: e.Code, Message: e.Message + "; fmcp-exec resource create " + spec.ID + " makes it"}
	}
	return err
}

// opened returns the entry of a path, or a new one that is being opened: that
// may take as long as another process holds a lock. A database that is written
// to has an entry of its own, apart from the same file that is only read.
func (s *Store) opened(spec *Spec, path string, info fs.FileInfo) *opened {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := spec.key(path)
	o := s.open[at]
	if o == nil {
		o = &opened{info: info, done: make(chan struct{})}
		if s.open == nil {
			s.open = map[key]*opened{}
		}
		beside := false
		for other := range s.open {
			beside = beside || other.path == path
		}
		s.open[at] = o
		go func() {
			o.open(spec, path, beside, s.OnCopies)
			if o.err != nil {
				// before done: the callers that waited may be gone, and the next call tries again
				s.forget(spec, path, o)
			}
			close(o.done)
		}()
	}
	return o
}

// forget closes an entry, and lets its file be looked for again.
func (s *Store) forget(spec *Spec, path string, o *opened) {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.found, func(_, p string) bool { return p == path })
	if at := spec.key(path); o != nil && s.open[at] == o {
		delete(s.open, at)
		o.close()
	}
}
