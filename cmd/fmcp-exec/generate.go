package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/exec"
	"github.com/flowmcp/fmcp/pkg/exec/captured"
	"github.com/flowmcp/fmcp/pkg/exec/derive"
	"github.com/flowmcp/fmcp/pkg/exec/suite"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/report"
	"github.com/flowmcp/fmcp/pkg/stage"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// generator derives outputs from the answers of tests, and patches the sources
// (chapter 10, steps 5 and 6).
type generator struct {
	*results
	set     derive.Set
	sources map[string]source // by file
	files   []derive.File
}

// source is a schema's file: a path in a folder, as the catalog has it.
type source struct{ folder, path string }

// generate prints a patch to stdout. All else, the envelopes of the tests and
// what there is to say about the outputs, goes to stderr.
func (c *testCommand) generate(ctx context.Context, app *cli.App, run *cli.StreamCommand, plan *suite.Plan,
	runner *suite.Runner, results *results) (int, error) {
	g := &generator{results: results, sources: map[string]source{}}
	for i, one := range plan.Cases() {
		if one.Target != nil {
			g.add(one.Target, c.folders[i])
		}
	}
	side := *app
	side.IO.Stdout, side.Palette, run.Format = app.IO.Stderr, app.ErrPalette(), cli.FormatText
	side.IO.StdoutTTY = app.IO.StderrTTY
	status, err := c.answers(ctx, &side, run, plan, runner, g)
	if err != nil {
		return status, err
	}
	for _, f := range g.files {
		diff := f.Diff
		if app.IO.StdoutTTY { // to be read and not applied; the source may be untrusted
			diff = report.VisibleLines(diff)
		}
		if _, err := io.WriteString(app.IO.Stdout, diff); err != nil {
			return cli.ExitFailure, err
		}
		if s := g.sources[f.Path]; f.Diff != "" && !here(f.Path) {
			fmt.Fprintf(app.IO.Stderr, "%s: %s is outside of this folder: apply its patch with patch -p1 -d %s\n",
				app.Name, f.Path, s.folder)
		}
	}
	if status == cli.ExitOK && g.set.Responses() == 0 && !run.AllowEmpty {
		return cli.ExitFailure, errors.New("no output was derived: there is no response with status true; " +
			"--allow-empty accepts that")
	}
	return status, nil
}

// answers makes the calls of the tests, or takes the answers that are kept.
func (c *testCommand) answers(ctx context.Context, app *cli.App, run *cli.StreamCommand, plan *suite.Plan,
	runner *suite.Runner, g *generator) (int, error) {
	if c.Captures == "" {
		return c.test(ctx, app, run, plan, runner, g.step())
	}
	kept := *run
	kept.AllowEmpty = true // only what is wrong with the files is sent on
	return kept.Run(ctx, app, cli.Pipeline{Steps: []stage.Step{g.step()}, Whole: true,
		Source: func(_ context.Context, send func(stage.Batch) bool) error {
			return captured.Read(c.Captures,
				func(a captured.Answer) { g.set.Add(a.ID, a.Status, a.Data, a.ContentType) },
				func(file string, err error) {
					send(stage.Batch{stage.New(&record.Error{Stage: info.Name, Input: file,
						Code: captured.CodeBadCapture, Message: err.Error()})})
				})
		}})
}

// add adds a tool whose source is in a folder.
func (g *generator) add(t exec.Target, folder string) {
	path := t.Record().Src.Path
	file := filepath.Join(folder, filepath.FromSlash(path))
	g.sources[file] = source{folder, path}
	g.set.Tool(t, file)
}

// step is that of the results, and derives outputs of them.
func (g *generator) step() stage.Step {
	step := g.results.step()
	envelopes := step.InOrder
	step.InOrder = func(it *stage.Item) (stage.Batch, error) {
		if res, ok := it.Rec.(*suite.Result); ok {
			g.set.Add(res.ID, res.Status, res.Data, res.ContentType)
		}
		return envelopes(it)
	}
	step.Finish = func(_ context.Context, emit func(stage.Batch) bool) error {
		g.files = g.set.Files(g.read, g.shown)
		for _, f := range g.files {
			for _, d := range f.Found {
				emit(stage.Batch{stage.New(d)})
			}
		}
		return nil
	}
	return step
}

// read reads a source. The path is that of a catalog, which may be a
// untrusted: it does not lead out of the folder.
func (g *generator) read(file string) (string, error) {
	if path := g.sources[file].path; !filepath.IsLocal(filepath.FromSlash(path)) {
		return "", fmt.Errorf("its path in the catalog, %q, leads out of the catalog", path)
	}
	text, err := walk.ReadFile(file, stage.MaxFile)
	if errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("%s: no such file; name the folder that the catalog was resolved from by --source", file)
	}
	return string(text), err
}

// shown is how the patch names a file: from the folder in which the command
// runs, else from that of the catalog.
func (g *generator) shown(file string) string {
	if here(file) {
		abs, _ := filepath.Abs(file)
		wd, _ := os.Getwd()
		rel, _ := filepath.Rel(wd, abs)
		return filepath.ToSlash(rel)
	}
	return g.sources[file].path
}

// here reports whether a file is below the folder in which the command runs.
func here(file string) bool { return isBelow(file, ".") }

// isBelow reports whether a file is below a folder, or is the very file.
func isBelow(file, folder string) bool {
	rel, err := relative(folder, file)
	return err == nil && filepath.IsLocal(filepath.FromSlash(rel))
}

// relative is the path of a file below a folder, with slashes.
func relative(root, path string) (string, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return "", err
	}
	if path, err = filepath.Abs(path); err != nil {
		return "", err
	}
	rel, err := filepath.Rel(root, path)
	return filepath.ToSlash(rel), err
}
