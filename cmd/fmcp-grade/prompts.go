package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/grade/protocol"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/report"
)

type promptsCommand struct {
	Out string `group:"Grading" placeholder:"DIR" help:"Write DIR/SLUG/prompts.json for each schema, where SLUG is its ID with _ for /; a file that is there is replaced."`
	cli.Paths
}

// Long is the paragraph of the help.
func (p *promptsCommand) Long() string {
	return "The prompts ask a grader, such as a language model, for a score in each dimension. The grader writes a " +
		"scores.json, which fmcp-grade --scores reads. Without --out the prompts go to stdout: with -f ndjson, one " +
		"line for each schema."
}

// Examples are those of the help.
func (p *promptsCommand) Examples() []cli.Example {
	return []cli.Example{{Command: "fmcp-grade prompts --out scoring/ catalog/",
		What: "write scoring/SLUG/prompts.json for each schema"}}
}

// Formats are those of -f and -o.
func (p *promptsCommand) Formats() []string { return cli.AnswerFormats }

// Findings is what exit status 1 means.
func (p *promptsCommand) Findings() string { return "no prompts could be written for a schema" }

// Run writes the prompts of all schemas. One that has none does not keep the others
// from theirs.
func (p *promptsCommand) Run(ctx context.Context, app *cli.App) (int, error) {
	w := &promptsWriter{out: p.Out, folder: protocol.NewFolder(p.Out)}
	none := false
	code, err := outer(app).ReadLoads(ctx, app, p.Paths.Paths, func(load *record.Load) {
		if load.Type != record.TypeSchema {
			return
		}
		if err := w.add(load); err != nil {
			none = true
			fmt.Fprintf(app.IO.Stderr, "%s: %v\n", app.Name, err)
		}
	})
	switch {
	case err != nil:
		return code, err
	case w.err != nil:
		return cli.ExitFailure, w.err
	case none && code == cli.ExitOK:
		code = cli.ExitFindings
	}
	return outer(app).Answer(app, code, report.VisibleLines(w.text.String()), w.lines)
}

// promptsWriter writes prompts as they are made, and what is said of them.
type promptsWriter struct {
	out    string
	folder *protocol.Folder
	text   strings.Builder
	lines  []ordjson.Value
	err    error // of the folder: nothing is written after it
}

// add fails where there are no prompts for a schema.
func (w *promptsWriter) add(load *record.Load) error {
	if !load.Data.Is(ordjson.Object) {
		return fmt.Errorf("%s: exports no main, so there is nothing to score", load.Src.File())
	}
	prompts := protocol.NewPrompts(load)
	if err := w.folder.Claim(prompts.SchemaID, prompts.Path); err != nil || w.err != nil {
		return err
	}
	if w.out == "" {
		w.text.WriteString(ordjson.Pretty(prompts.JSON(), ""))
		w.lines = append(w.lines, prompts.JSON())
		return nil
	}
	path, err := w.folder.WritePrompts(prompts)
	if err != nil {
		w.err = err
		return nil
	}
	w.text.WriteString(load.ID + ": " + path + "\n")
	w.lines = append(w.lines, ordjson.NewObject(ordjson.Field("schemaId", ordjson.NewString(load.ID)),
		ordjson.Field("path", ordjson.NewString(path))))
	return nil
}
