package main

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/resource/gtfs"
	"github.com/flowmcp/fmcp/pkg/words"
)

type resourceCommand struct {
	Create     createCommand     `cmd:"" help:"Make the database of a file-based resource, from its query getSchema."`
	ImportGTFS importGTFSCommand `cmd:"" name:"import-gtfs" help:"Make a sealed database of a GTFS feed, for resources of source sqlite-gtfs."`
}

type importGTFSCommand struct {
	Feed        string       `arg:"" name:"FEED" help:"The feed: a zip archive of .txt files."`
	Out         string       `arg:"" name:"DATABASE" help:"The database to write."`
	Force       bool         `group:"Import" help:"Replace a database that is there."`
	SourceURL   string       `group:"Import" name:"source-url" placeholder:"URL" help:"Where the feed comes from, for meta.sourceUrl (default: the name of the file)."`
	MaxUnpacked cli.FileSize `group:"Import" default:"32GiB" placeholder:"SIZE" help:"Largest feed that is read, unpacked (default: 32GiB)."`
}

// Long and Examples implement cli.About.
func (c *importGTFSCommand) Long() string {
	return "The feed is checked on the way. A database is written only where it is clean, and only whole: there is " +
		"none without a seal. Warnings and notes do not stop it. SOURCE_DATE_EPOCH sets the build date, so that " +
		"equal feeds make equal databases."
}

func (c *importGTFSCommand) Examples() []cli.Example {
	return []cli.Example{
		{Command: "fmcp-exec resource import-gtfs feed.zip ~/.flowmcp/resources/gtfs-ostermoor.db",
			What: "check and convert a feed"},
		{Command: "fmcp-exec resource import-gtfs feed.zip gtfs.db --force --source-url https://vbo.example/gtfs.zip",
			What: "replace a database by that of a newer feed"},
		{Command: "fmcp-exec resource import-gtfs feed.zip gtfs.db -f ndjson | jq 'select(.severity == \"error\")'",
			What: "findings as JSON lines"},
	}
}

// Findings is what exit status 1 means.
func (c *importGTFSCommand) Findings() string {
	return "the feed is not clean; no database was written"
}

// Run converts the feed.
func (c *importGTFSCommand) Run(ctx context.Context, app *cli.App) (int, error) {
	now, err := buildTime(app.IO.Getenv("SOURCE_DATE_EPOCH"))
	if err != nil {
		return cli.ExitUsage, err
	}
	rep, err := gtfs.Import(ctx, gtfs.Options{
		Feed: c.Feed, Out: c.Out, Force: c.Force, SourceURL: c.SourceURL, MaxUnpacked: int64(c.MaxUnpacked),
		Converter: app.Name + "@" + cli.Version(), Now: now,
	})
	var failed *words.Problem
	switch {
	case errors.As(err, &failed) && failed.Code == gtfs.CodeExists:
		return cli.ExitUsage, cli.Usagef("%v", err)
	case err != nil:
		return cli.ExitFailure, err
	}
	code := cli.ExitOK
	if !rep.Clean() {
		code = cli.ExitFindings
	}
	return stream(app).Answer(app, code, rep.Text(), rep.Lines())
}

// buildTime is now, or the time that reproducible builds set.
func buildTime(epoch string) (time.Time, error) {
	if epoch == "" {
		return time.Now(), nil
	}
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil {
		return time.Time{}, cli.Usagef("SOURCE_DATE_EPOCH is %q, expected seconds since 1970", epoch)
	}
	return time.Unix(seconds, 0), nil
}
