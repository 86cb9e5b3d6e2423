package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/resolve"
	"github.com/flowmcp/fmcp/pkg/stage"
)

// FormatMarkdown is the format of answers that are for a pull request.
const FormatMarkdown = "markdown"

// Answer writes the answer to a question about a catalog to all outputs, whose
// formats are AnswerFormats, as text or as lines of JSON, and returns code where that went well.
func (c *StreamCommand) Answer(app *App, code int, text string, lines []ordjson.Value) (int, error) {
	return c.AnswerIn(app, code, lines, map[string]string{FormatText: text})
}

// AnswerIn is Answer for who has more texts, by their formats.
func (c *StreamCommand) AnswerIn(app *App, code int, lines []ordjson.Value, texts map[string]string) (int, error) {
	var json []byte
	for _, line := range lines {
		json = append(ordjson.Append(json, line), '\n')
	}
	return c.AnswerBy(app, code, func(w io.Writer, format string) error {
		b := json
		if text, ok := texts[format]; ok {
			b = []byte(text)
		}
		_, err := w.Write(b)
		return err
	})
}

// AnswerBy is Answer for what is too long to be held: write writes it in a format.
func (c *StreamCommand) AnswerBy(app *App, code int, write func(w io.Writer, format string) error) (int, error) {
	outs, err := c.Open(app)
	if err != nil {
		return ExitFailure, err
	}
	defer outs.Abort()
	for _, out := range outs.All {
		w := bufio.NewWriter(out)
		if err := write(w, out.Format); err != nil {
			return ExitFailure, err
		}
		if err := w.Flush(); err != nil {
			return ExitFailure, err
		}
	}
	return code, outs.Commit()
}

// ErrEmptyInput is the error of input without any record.
var ErrEmptyInput = errors.New(EmptyInput)

// ReadIndex indexes all that the input defines, as ReadLoads reads it.
func (c *StreamCommand) ReadIndex(ctx context.Context, app *App, paths []string) (*resolve.Index, int, error) {
	index := &resolve.Index{}
	code, err := c.ReadLoads(ctx, app, paths, index.Add)
	return index, code, err
}

// ReadLoads hands on the load records of the input. What cannot be read is said
// on stderr, and makes the exit status a failure; so does input without a record,
// with ErrEmptyInput, unless that is allowed.
func (c *StreamCommand) ReadLoads(ctx context.Context, app *App, paths []string,
	add func(*record.Load)) (int, error) {
	source, err := c.Input(app, paths)
	if err != nil {
		return ExitUsage, err
	}
	return c.ReadRecords(ctx, app, source, func(rec record.Record) {
		if l, ok := rec.(*record.Load); ok {
			add(l)
		}
	})
}

// ReadRecords is ReadLoads from a source, with records of other kinds too.
func (c *StreamCommand) ReadRecords(ctx context.Context, app *App, source stage.Source, add func(record.Record),
	kinds ...record.Kind) (int, error) {
	return c.Read(ctx, app, source, c.Loading(app, kinds...), func(it *stage.Item) { add(it.Rec) })
}

// Read hands on what steps make of a source. What cannot be read is also said on stderr,
// and makes the exit status a failure.
func (c *StreamCommand) Read(ctx context.Context, app *App, source stage.Source, steps []stage.Step,
	add func(*stage.Item)) (int, error) {
	failed := false
	err := stage.Run(ctx, stage.Options{Jobs: c.Jobs}, c.counted(source), steps, func(it *stage.Item) error {
		if rec, ok := it.Rec.(*record.Error); ok {
			failed = true
			fmt.Fprintf(app.IO.Stderr, "%s: %v\n", app.Name, rec)
		}
		add(it)
		return nil
	}, func() error { return nil })
	if err != nil || failed {
		return ExitFailure, err
	}
	return ExitOK, nil
}

// NotFound says that there is no answer: a finding, not a failure.
func (a *App) NotFound(err error) int {
	a.failed(err)
	return ExitFindings
}
