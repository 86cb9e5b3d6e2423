package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/exec"
	"github.com/flowmcp/fmcp/pkg/exec/secret"
	"github.com/flowmcp/fmcp/pkg/serve"
	"github.com/flowmcp/fmcp/pkg/serve/audit"
	"github.com/flowmcp/fmcp/pkg/serve/listing"
	"github.com/flowmcp/fmcp/pkg/serve/skills"
	"github.com/flowmcp/fmcp/pkg/walk"
	"github.com/flowmcp/fmcp/pkg/watch"
	"github.com/flowmcp/fmcp/pkg/words"
)

// reloadFlags say how changes of the catalog are noticed.
type reloadFlags struct {
	Poll time.Duration `group:"Server" placeholder:"TIME" help:"How often to look for changes of the catalog, such as 2s, if the system does not report them (default: 1s)."`
}

// minPoll is the shortest --poll: to look more often would only take a processor.
const minPoll = 10 * time.Millisecond

func (f *reloadFlags) check() error {
	if f.Poll != 0 && f.Poll < minPoll {
		return cli.Usagef("--poll is %s, expected a time of at least %s, such as 2s", f.Poll, minPoll)
	}
	return nil
}

// loaded is a catalog that can be served.
type loaded struct {
	surface *serve.Surface
	has     string // how much of what
	whole   bool   // it has a correct end record
	leftOut int    // files and tools that are not in it since they are wrong
}

// reloader puts another surface in the place of the present one when the catalog
// has changed.
type reloader struct {
	*serveCommand
	app    *cli.App
	calls  *exec.Caller
	wrap   func(serve.Caller) serve.Caller
	count  func(error) // counts a catalog that was read again, and why it is not served
	log    *audit.Log
	server *serve.Server
	last   *loaded             // that is served
	stamp  string              // of the files when they were read
	keys   map[string][]string // that tools of any catalog have asked for, by their names
	said   map[string]bool     // lines of stderr of the last load
	// redactor has the keys that neither stderr nor the log is to show.
	redactor atomic.Pointer[secret.Redactor]
	why      string // the last load was not served
}

// first loads what is served at the start.
func (r *reloader) first(ctx context.Context) (err error) {
	r.stamp = r.look(ctx, func(string) {})
	var said bytes.Buffer
	app := *r.app
	app.IO.Stderr = io.MultiWriter(&said, r.app.IO.Stderr)
	r.last, err = r.load(ctx, &app)
	r.fresh(&said)
	return err
}

// load reads and checks the catalog as the flags say. What is to be known of it is
// said on the stderr of app.
func (r *reloader) load(ctx context.Context, app *cli.App) (*loaded, error) {
	defer sparing(app)()
	// Which schemas ask for a key is another matter for each catalog.
	env := *r.calls.Env
	own := *r.calls
	own.Env = &env
	tools, err := r.ready(ctx, app, &own)
	if err != nil {
		return nil, err
	}
	if err := r.CheckExposed(app, tools.HandlerSchemas); err != nil {
		return nil, err
	}
	o, err := r.offer(tools, &own)
	if err != nil {
		return nil, err
	}
	o.tell(app)
	if text := r.crowded(o.shown); text != "" {
		note(app, text)
	}
	r.redact(o, own.Env)
	surface, err := r.surface(app, serve.Contents{
		Name: cmp.Or(r.Name, o.About.Name, app.Name), Version: cli.Version(),
		Instructions: o.Instructions(r.how(), o.shown, o.hidden, o.have),
		Tools:        o.shown, Resources: o.resources, Prompts: o.Prompts,
		Caller: r.wrap(o.caller),
		Hidden: o.why(r.scope),
		Mark:   o.caller.mark,
		Asking: r.asking(tools.Index),
		Skills: skills.New(tools.Index, func(id, why string) {
			note(r.app, listing.CodeNotServable+": "+id+" is left out of skills/list: "+why)
		}),
	}, tools, &own)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.Catalog, err)
	}
	l := &loaded{surface: surface, whole: tools.Arrival.NotWhole() == nil,
		has: words.List([]string{words.Count(len(o.shown), "tool"), words.Count(len(o.resources), "resource"),
			words.Count(len(o.Prompts), "prompt")})}
	if info, err := os.Stat(r.Catalog); err == nil && info.IsDir() {
		l.leftOut = o.About.Counts.LeftOut
	}
	return l, nil
}

// run looks after the catalog until ctx ends.
func (r *reloader) run(ctx context.Context) {
	w := watch.New([]string{r.Catalog}, r.Poll, func(err error) {
		note(r.app, fmt.Sprintf("the system does not report changes of %s: %v; looking for them every %s "+
			"(--poll sets how often)", r.Catalog, err, watch.DefaultPoll))
	})
	defer w.Close()
	settle(r.app)
	for {
		if stamp := r.settled(ctx, w.Folder); stamp != r.stamp {
			r.stamp = stamp
			r.again(ctx)
		}
		if w.Wait(ctx) != nil {
			return
		}
	}
}

// quiet is how long nothing may change before the catalog is read: who saves a file
// empties it first.
const quiet = 50 * time.Millisecond

// settled is what look returns once it says the same twice.
func (r *reloader) settled(ctx context.Context, folder func(string)) string {
	stamp := r.look(ctx, folder)
	for stamp != r.stamp {
		select {
		case <-time.After(quiet):
		case <-ctx.Done():
			return r.stamp
		}
		before := stamp
		if stamp = r.look(ctx, folder); stamp == before {
			break
		}
	}
	return stamp
}

// again loads the catalog and serves it, or says why what is served stays.
func (r *reloader) again(ctx context.Context) {
	var said bytes.Buffer
	app := *r.app
	app.IO.Stderr = &said
	next, err := r.load(ctx, &app)
	defer settle(r.app)
	switch {
	case ctx.Err() != nil:
		return
	case err != nil:
	case r.last.whole && !next.whole:
		err = errors.New("it does not end with a correct end record")
	case next.leftOut > r.last.leftOut:
		err = fmt.Errorf("%s more would be left out", words.Count(next.leftOut-r.last.leftOut, "file or tool"))
	}
	for _, line := range r.fresh(&said) {
		fmt.Fprintln(r.app.IO.Stderr, line)
	}
	r.count(err)
	if err == nil {
		r.server.Replace(next.surface)
		r.last, r.why = next, ""
		note(r.app, r.Catalog+" has changed: "+next.has+" are served from now on")
		return
	}
	if why := strings.TrimPrefix(err.Error(), r.Catalog+": "); why != r.why {
		r.why = why
		note(r.app, (&words.Problem{Code: serve.CodeNotReloaded, Message: r.Catalog + " has changed, but the old " +
			"version is still served: " + why, Fix: "correct it"}).Error())
	}
}

// fresh are the lines that the load before did not say.
func (r *reloader) fresh(said *bytes.Buffer) (lines []string) {
	now := map[string]bool{}
	for line := range strings.Lines(said.String()) {
		line = strings.TrimSuffix(line, "\n")
		if now[line] = true; !r.said[line] {
			lines = append(lines, line)
		}
	}
	r.said = now
	return lines
}

// look returns another text once the catalog has changed, and calls folder with
// those that it has looked into.
func (r *reloader) look(ctx context.Context, folder func(string)) string {
	info, err := os.Stat(r.Catalog)
	if err != nil || !info.IsDir() {
		folder(filepath.Dir(r.Catalog)) // the file may be a link whose folder is replaced
		return stampOf(r.Catalog)
	}
	stamps := []string{stampOf(filepath.Join(r.Catalog, ".fmcp.yaml"))}
	err = walk.Walk(ctx, []string{r.Catalog}, walk.Options{Folder: folder}, func(f walk.File) error {
		// The data of resources is looked at when it is asked for.
		if slices.Contains([]string{".mjs", ".json", ".md"}, filepath.Ext(f.Path)) {
			stamps = append(stamps, stampOf(f.Open()))
		}
		return nil
	})
	return fmt.Sprint(stamps, err)
}

func stampOf(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprint(path, info.Size(), info.ModTime().UnixNano())
}
