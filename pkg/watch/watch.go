// Package watch says when to look at a catalog again. It does not say what has
// changed: events are lost, come twice, or name a file that an editor has
// already renamed, so callers walk again and compare. It is the only importer
// of the notification library.
package watch

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
)

// An editor saves in several steps: truncate and write, or write elsewhere and
// rename. Wait returns after quiet without an event, so not in between, and
// after patience at the latest, for files that never are quiet.
const (
	quiet    = 50 * time.Millisecond
	patience = 500 * time.Millisecond
)

// DefaultPoll is how often folders are polled that cannot be watched.
const DefaultPoll = time.Second

// Watcher waits for changes in folders. Folder and Wait must be called by one
// goroutine.
type Watcher struct {
	poll       time.Duration     // 0 if the system notifies
	notify     *fsnotify.Watcher // nil if it does not
	onFallback func(error)       // called with the reason for polling
	changed    chan struct{}     // holds one: something has changed since Wait returned

	have  map[string]bool // watched when the walk began; nil between walks
	added []string        // in this walk

	mu      sync.Mutex
	folders map[string]bool // whose files count: those of this walk and the last
	walked  map[string]bool // of this walk
	named   map[string]bool // that count although their folder does not
}

// New returns a watcher of the paths that the user named. If poll is not 0 it
// looks that often. If it is 0 the system notifies; if that turns out not to
// work, onFallback is called once with the reason, and the watcher looks every
// DefaultPoll.
func New(paths []string, poll time.Duration, onFallback func(error)) *Watcher {
	w := &Watcher{
		poll: poll, onFallback: onFallback, changed: make(chan struct{}, 1),
		folders: map[string]bool{}, walked: map[string]bool{}, named: map[string]bool{},
	}
	if poll > 0 {
		return w
	}
	notify, err := fsnotify.NewWatcher()
	if err != nil {
		w.fallBack(err)
		return w
	}
	w.notify = notify
	for _, p := range paths {
		// Events of the parent folder show that the path was replaced or came
		// back.
		p = filepath.Clean(p)
		w.named[p] = true
		w.add(filepath.Dir(p))
	}
	go w.listen(notify)
	return w
}

// Close ends watching.
func (w *Watcher) Close() {
	if w.notify != nil {
		_ = w.notify.Close() // nothing is lost with it
	}
}

// Folder watches a folder. It is called for every folder of a walk, before the
// folder is read, so that nothing can happen unseen in between.
func (w *Watcher) Folder(path string) {
	if w.notify == nil {
		return
	}
	if w.have == nil {
		w.have = map[string]bool{}
		for _, p := range w.notify.WatchList() {
			w.have[p] = true
		}
	}
	path = filepath.Clean(path)
	w.mu.Lock()
	w.walked[path], w.folders[path] = true, true
	w.mu.Unlock()
	if !w.have[path] {
		w.added = append(w.added, path)
		w.add(path)
	}
}

func (w *Watcher) add(path string) {
	if w.notify == nil {
		return
	}
	err := remote(path)
	if err == nil {
		err = w.notify.Add(path)
	}
	switch {
	case err == nil, errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.ENOTDIR):
		// The walk has seen, too, what is gone or cannot be read; when that
		// changes, the parent folder has an event.
	default:
		w.fallBack(err)
	}
}

// fallBack switches to polling.
func (w *Watcher) fallBack(err error) {
	if w.poll > 0 {
		return
	}
	w.Close()
	w.notify, w.poll = nil, DefaultPoll
	w.onFallback(err)
}

// Wait ends a walk and returns when it is time for the next. The error is the
// cause of ctx's end.
func (w *Watcher) Wait(ctx context.Context) error {
	w.forget()
	if w.notify == nil {
		return sleep(ctx, w.poll)
	}
	select {
	case <-w.changed:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	late := time.Now().Add(patience)
	for time.Now().Before(late) {
		select {
		case <-w.changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(quiet):
			return nil
		}
	}
	return nil
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// forget ends the watch of folders that the walk did not come to.
func (w *Watcher) forget() {
	w.mu.Lock()
	w.folders, w.walked = w.walked, map[string]bool{}
	w.mu.Unlock()
	if w.notify == nil {
		return
	}
	gone := false
	for p := range w.have {
		if !w.folders[p] && !w.around(p) {
			gone = w.notify.Remove(p) == nil || gone
		}
	}
	if gone {
		// A folder that was renamed has one watch under both names: removing
		// the old name removes the watch of the new one.
		for _, p := range w.added {
			w.add(p)
		}
		w.poke()
	}
	w.have, w.added = nil, nil
}

// around reports whether p is watched because it holds a path that the user
// named.
func (w *Watcher) around(p string) bool {
	for name := range w.named {
		if filepath.Dir(name) == p {
			return true
		}
	}
	return false
}

// listen notes events until the notifier is closed.
func (w *Watcher) listen(notify *fsnotify.Watcher) {
	for {
		select {
		case ev, ok := <-notify.Events:
			if !ok {
				return
			}
			if w.concerns(ev.Name) {
				w.poke()
			}
		case _, ok := <-notify.Errors:
			if !ok {
				return
			}
			w.poke() // events were lost: anything may have changed
		}
	}
}

// concerns reports whether the file of an event is in a folder of the walk.
func (w *Watcher) concerns(name string) bool {
	name = filepath.Clean(name)
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.folders[filepath.Dir(name)] || w.folders[name] || w.named[name]
}

func (w *Watcher) poke() {
	select {
	case w.changed <- struct{}{}:
	default:
	}
}
