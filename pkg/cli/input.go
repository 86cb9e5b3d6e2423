package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/stage"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// Paths are the arguments of commands that read records or, in their place,
// the files that the commands before them would read.
type Paths struct {
	Paths []string `arg:"" optional:"" name:"PATH" help:"Catalogs, folders, files, or .ndjson files of records; stdin (-) if none is given."`
}

// Walk is the source of the files under paths. Run fails where none of them is
// part of a catalog.
func (c *StreamCommand) Walk(paths []string, opts walk.Options) stage.Source {
	c.Named(paths)
	return stage.Walk(paths, opts, c.Tally())
}

// Named notes paths that the user named: text reports may show lines of what is
// below them.
func (c *StreamCommand) Named(paths []string) { c.sources.named = append(c.sources.named, paths...) }

// Input is the source of the records that paths name: .ndjson files and - are
// streams, everything else is walked; with no path at all, stdin.
func (c *StreamCommand) Input(app *App, paths []string) (stage.Source, error) {
	if err := app.RequireInput(paths); err != nil {
		return nil, err
	}
	if err := c.Spare(paths); err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		paths = []string{"-"}
	}
	return func(ctx context.Context, send func(stage.Batch) bool) error {
		for _, p := range paths {
			if err := c.source(app, p)(ctx, send); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

func (c *StreamCommand) source(app *App, path string) stage.Source {
	switch {
	case path == "-":
		return c.lines(app, app.IO.Stdin, "stdin")
	case strings.HasSuffix(path, ".ndjson"):
		return c.stream(app, path)
	}
	return c.Walk([]string{path}, walk.Options{})
}

// Buffer is the source of a file that stdin has the text of, for a Scan with the
// buffers: those of an editor that has not saved, or of a commit. path is where the file
// is, or would be, in its catalog.
func (c *StreamCommand) Buffer(app *App, path string) (stage.Source, stage.Buffers, error) {
	if err := app.RequireInput(nil); err != nil {
		return nil, nil, err
	}
	b, err := io.ReadAll(io.LimitReader(app.IO.Stdin, stage.MaxFile+1))
	if err != nil {
		return nil, nil, fmt.Errorf("stdin: cannot be read: %w", err)
	}
	f, text := walk.NamedFile(path), string(b)
	c.Named([]string{path})
	c.sources.buffers = func(name string) (string, bool) { return text, name == f.Open() }
	return stage.One(f, c.Tally()), c.sources.buffers, nil
}

// stream is the source of the records of a file.
func (c *StreamCommand) stream(app *App, path string) stage.Source {
	return func(ctx context.Context, send func(stage.Batch) bool) error {
		f, err := os.Open(path)
		if err != nil {
			return fmt.Errorf("%s: cannot be read: %w", path, errors.Unwrap(err))
		}
		defer func() { _ = f.Close() }()
		return c.lines(app, f, path)(ctx, send)
	}
}

// Streams is the source of the records of files whatever their names.
func (c *StreamCommand) Streams(app *App, files []string) (stage.Source, error) {
	if err := c.Spare(files); err != nil {
		return nil, err
	}
	return func(ctx context.Context, send func(stage.Batch) bool) error {
		for _, name := range files {
			if err := c.stream(app, name)(ctx, send); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

// And is a source, and after it the records of files whatever their names, which a
// flag names; - is stdin. Each has records of a kind, which wanted says how to make.
func (c *StreamCommand) And(app *App, source stage.Source, flag string, files []string, kind record.Kind,
	wanted string) (stage.Source, error) {
	if err := c.Spare(files); err != nil {
		return nil, err
	}
	return func(ctx context.Context, send func(stage.Batch) bool) error {
		if err := source(ctx, send); err != nil {
			return err
		}
		for _, name := range files {
			records := c.stream(app, name)
			if name == "-" {
				records = c.lines(app, app.IO.Stdin, "stdin")
			}
			came := c.Tally().Kinds()[kind]
			if err := records(ctx, send); err != nil {
				return fmt.Errorf("%s %w", flag, err)
			}
			if c.Tally().Kinds()[kind] == came {
				return fmt.Errorf("%s %s: has no %s record; expected %s", flag, name, kind, wanted)
			}
		}
		return nil
	}, nil
}

func (c *StreamCommand) lines(app *App, r io.Reader, name string) stage.Source {
	return stage.Lines(r, name, app.Name, int(c.MaxLine), false, c.Tally())
}

// PathLines is the source of the paths that stdin lists, one a line, as
// git diff --name-only prints them.
func PathLines(r io.Reader) ([]string, error) {
	var paths []string
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadString('\n')
		if line = strings.TrimRight(line, "\r\n"); line != "" {
			paths = append(paths, line)
		}
		if errors.Is(err, io.EOF) {
			return paths, nil
		}
		if err != nil {
			return nil, fmt.Errorf("stdin: cannot be read: %w", err)
		}
	}
}
