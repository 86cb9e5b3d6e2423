package cache

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/flowmcp/fmcp/pkg/atomicfile"
	"github.com/flowmcp/fmcp/pkg/exec/percent"
)

// Dir is the recommended folder of chapter 11, "Cache Storage", or "" where
// there is no home folder.
func Dir(getenv func(string) string) string {
	for _, name := range []string{"HOME", "USERPROFILE"} {
		if home := getenv(name); home != "" {
			return filepath.Join(home, ".flowmcp", "cache")
		}
	}
	return ""
}

// File is an answer that is kept in a cache.
type File struct {
	Path      string // relative to the folder, with /
	Namespace string
	ID        string // Spec-ID of the tool; "" where another program wrote it
	Bytes     int64  // size of the file
	FetchedAt time.Time
	ExpiresAt time.Time
	TTL       time.Duration
	Age       time.Duration // 0 where the clock was set back since
	Fresh     bool          // it may still be used
}

// Cleared is what Clear did.
type Cleared struct {
	Removed int   // answers
	Bytes   int64 // of their files
	Others  int   // files that are not answers, and stayed
}

// placed is a file that stands where an entry would.
type placed struct {
	path string
	info fs.FileInfo
}

// walk calls visit for each file that stands where an entry would, of one
// namespace, or of all where that is "". A folder that is not there has none.
func (c *Cache) walk(namespace string, visit func(placed)) error {
	names, err := folders(c.dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		if namespace != "" && name != percent.FileName(namespace) {
			continue
		}
		dir := filepath.Join(c.dir, name)
		if err := visitFiles(dir, visit); err != nil {
			return err
		}
		tools, err := folders(dir)
		if err != nil {
			return err
		}
		for _, tool := range tools {
			if err := visitFiles(filepath.Join(dir, tool), visit); err != nil {
				return err
			}
		}
	}
	return nil
}

// folders are the names of the folders in one; links are not followed.
func folders(dir string) ([]string, error) {
	list, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var names []string
	for _, d := range list {
		if d.IsDir() && !strings.HasPrefix(d.Name(), ".") {
			names = append(names, d.Name())
		}
	}
	return names, nil
}

func visitFiles(dir string, visit func(placed)) error {
	list, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, d := range list {
		if !d.Type().IsRegular() || !strings.HasSuffix(d.Name(), entrySuffix) && !atomicfile.IsTemp(d.Name()) {
			continue
		}
		if info, err := d.Info(); err == nil { // else it was removed in between
			visit(placed{filepath.Join(dir, d.Name()), info})
		}
	}
	return nil
}

// Files lists what a namespace has in the cache, or all where that is "", by
// path. others counts files that are not entries.
func (c *Cache) Files(namespace string) (list []File, others int, err error) {
	now := c.now()
	err = c.walk(namespace, func(f placed) {
		e := readHead(f.path)
		if e == nil {
			if !atomicfile.IsTemp(filepath.Base(f.path)) {
				others++
			}
			return
		}
		rel, _ := filepath.Rel(c.dir, f.path)
		rel = filepath.ToSlash(rel)
		space, _, known := strings.Cut(e.id, "/")
		if !known {
			space, _, _ = strings.Cut(rel, "/")
		}
		list = append(list, File{
			Path: rel, Namespace: space, ID: e.id, Bytes: f.info.Size(), FetchedAt: e.fetched, ExpiresAt: e.expires,
			TTL: e.ttl, Age: max(0, now.Sub(e.fetched)), Fresh: e.fresh(now),
		})
	})
	slices.SortFunc(list, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	return list, others, err
}

// Clear removes what a namespace has in the cache, or all where that is "", and
// what killed processes left. Files that are not entries stay, as does
// the folder's secret.
func (c *Cache) Clear(namespace string) (done Cleared, err error) {
	var errs []error
	var parents []string
	walkErr := c.walk(namespace, func(f placed) {
		stale := c.left(f)
		switch {
		case stale:
		case atomicfile.IsTemp(filepath.Base(f.path)):
			return // somebody writes it
		case readHead(f.path) == nil:
			done.Others++
			return
		}
		if err := remove(f.path); err != nil {
			errs = append(errs, err)
			return
		}
		parents = append(parents, filepath.Dir(f.path), filepath.Dir(filepath.Dir(f.path)))
		if !stale {
			done.Removed++
			done.Bytes += f.info.Size()
		}
	})
	slices.SortFunc(parents, func(a, b string) int { return cmp.Compare(len(b), len(a)) }) // the inner ones first
	for _, dir := range parents {
		if dir != filepath.Clean(c.dir) {
			_ = os.Remove(dir) // stays where something is in it
		}
	}
	return done, errors.Join(append(errs, walkErr)...)
}

// remove removes a file; that another process was faster is not an error.
func remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// tempAge is how old an unfinished file is whose process has died: one that
// lives writes it in one go.
const tempAge = time.Minute

// left reports whether a process that was killed has left a file.
func (c *Cache) left(f placed) bool {
	return atomicfile.IsTemp(filepath.Base(f.path)) && c.now().Sub(f.info.ModTime()) > tempAge
}

// trim brings the cache back to nine tenths of its limit where it is over it:
// what has expired goes first, then what is oldest. That it cannot is no
// reason to disturb a call.
func (c *Cache) trim() {
	var files []placed
	var total int64
	_ = c.walk("", func(f placed) {
		if atomicfile.IsTemp(filepath.Base(f.path)) {
			if c.left(f) {
				_ = remove(f.path)
			}
			return
		}
		total += f.info.Size()
		files = append(files, f)
	})
	if total <= c.limit {
		return
	}
	now := c.now()
	heads := map[string]*entry{}
	files = slices.DeleteFunc(files, func(f placed) bool {
		heads[f.path] = readHead(f.path)
		if heads[f.path] == nil {
			total -= f.info.Size() // of another program
		}
		return heads[f.path] == nil
	})
	slices.SortFunc(files, func(a, b placed) int {
		x, y := heads[a.path], heads[b.path]
		if x.fresh(now) != y.fresh(now) {
			if y.fresh(now) {
				return -1
			}
			return 1
		}
		return x.fetched.Compare(y.fetched)
	})
	for _, f := range files {
		if total <= c.limit*9/10 {
			return
		}
		if remove(f.path) == nil {
			total -= f.info.Size()
		}
	}
}
