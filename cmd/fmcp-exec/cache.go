package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/flowmcp/fmcp/cmd/internal/network"
	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/exec/cache"
	"github.com/flowmcp/fmcp/pkg/exec/shared"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

type cacheCommand struct {
	network.CacheDir
	Action    string `arg:"" name:"ACTION" enum:"status,clear" help:"status lists the answers that are kept, clear removes them."`
	Namespace string `arg:"" optional:"" name:"NAMESPACE" help:"Only those of this namespace."`
}

// Run answers the management commands of chapter 11.
func (c *cacheCommand) Run(_ context.Context, app *cli.App) (int, error) {
	dir := c.Path(app)
	if shared.IsURL(dir) {
		return cli.ExitUsage, cli.Usagef("fmcp-exec cache looks at folders; in a Redis, answers are the keys " +
			"fmcp:answer:NAMESPACE/*: look at them by redis-cli")
	}
	if dir == "" {
		return cli.ExitUsage, cli.Usagef("there is no home folder: name the folder of the cache by --cache")
	}
	kept := cache.New(cache.Options{Dir: dir})
	files, others, err := kept.Files("")
	if err != nil {
		return cli.ExitFailure, err
	}
	if c.Namespace != "" {
		files = c.ofNamespace(app, files)
	}
	if c.Action == "clear" {
		return c.clear(app, kept)
	}
	if others > 0 {
		fmt.Fprintf(app.IO.Stderr, "%s: %s has files that are not answers (%d), which were skipped\n", app.Name, dir,
			others)
	}
	return stream(app).Answer(app, cli.ExitOK, statusText(dir, files), statusLines(files))
}

// ofNamespace keeps the files of the namespace that is asked for. Where there
// are none, it may be misspelt.
func (c *cacheCommand) ofNamespace(app *cli.App, files []cache.File) []cache.File {
	var kept []cache.File
	var namespaces []string
	for _, f := range files {
		if f.Namespace == c.Namespace {
			kept = append(kept, f)
		}
		namespaces = append(namespaces, f.Namespace)
	}
	if len(kept) == 0 {
		fmt.Fprintf(app.IO.Stderr, "%s: nothing of %q is in the cache%s\n", app.Name, c.Namespace,
			words.DidYouMean(c.Namespace, namespaces))
	}
	return kept
}

func (c *cacheCommand) clear(app *cli.App, answers *cache.Cache) (int, error) {
	done, err := answers.Clear(c.Namespace)
	if err != nil {
		return cli.ExitFailure, err
	}
	of := "all"
	members := []ordjson.Member{ordjson.Field("removed", ordjson.NewInt(done.Removed)),
		ordjson.Field("bytes", ordjson.NewInt(int(done.Bytes)))}
	if c.Namespace != "" {
		of = c.Namespace
		members = append([]ordjson.Member{ordjson.Field("namespace", ordjson.NewString(of))}, members...)
	}
	text := fmt.Sprintf("removed %s of %s, %d bytes\n", words.Count(done.Removed, "answer"), of, done.Bytes)
	if done.Others > 0 {
		text += "left " + words.Count(done.Others, "file of another kind") + "\n"
		members = append(members, ordjson.Field("left", ordjson.NewInt(done.Others)))
	}
	return stream(app).Answer(app, cli.ExitOK, text, []ordjson.Value{ordjson.NewObject(members...)})
}

func stateOf(f cache.File) string {
	if f.Fresh {
		return "fresh"
	}
	return "expired"
}

// statusText lists size, age and expiry (chapter 11, "Cache Management
// Commands").
func statusText(dir string, files []cache.File) string {
	var b strings.Builder
	var total int64
	for _, f := range files {
		total += f.Bytes
		fmt.Fprintf(&b, "%-7s %10d bytes  %8s old  expires %s  %q\n", stateOf(f), f.Bytes, f.Age.Truncate(time.Second),
			record.Timestamp(f.ExpiresAt), f.Path)
	}
	fmt.Fprintf(&b, "%s in %s, %d bytes\n", words.Count(len(files), "answer"), dir, total)
	return b.String()
}

func statusLines(files []cache.File) []ordjson.Value {
	var lines []ordjson.Value
	for _, f := range files {
		lines = append(lines, ordjson.NewObject(
			ordjson.Field("path", ordjson.NewString(f.Path)),
			ordjson.Field("namespace", ordjson.NewString(f.Namespace)),
			ordjson.Field("id", ordjson.NewString(f.ID)),
			ordjson.Field("state", ordjson.NewString(stateOf(f))),
			ordjson.Field("bytes", ordjson.NewInt(int(f.Bytes))),
			ordjson.Field("ageSeconds", ordjson.NewInt(int(f.Age/time.Second))),
			ordjson.Field("ttl", ordjson.NewInt(int(f.TTL/time.Second))),
			ordjson.Field("fetchedAt", ordjson.NewString(record.Timestamp(f.FetchedAt))),
			ordjson.Field("expiresAt", ordjson.NewString(record.Timestamp(f.ExpiresAt))),
		))
	}
	return lines
}
