package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/flowmcp/fmcp/pkg/atomicfile"
	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/report"
	"github.com/flowmcp/fmcp/pkg/stage"
	"github.com/flowmcp/fmcp/pkg/walk"
)

type registryCommand struct {
	Build registryBuild `cmd:"" help:"Print the registry of a catalog as it should be, or write it."`
	Check registryCheck `cmd:"" help:"Compare the registry of a catalog with its files."`
}

type registryBuild struct {
	Write bool     `group:"Registry" help:"Write registry.json and _lists/_registry.json if they change."`
	Paths []string `arg:"" name:"DIR" help:"Catalogs, or a folder of them."`
}

// Long is the paragraph of the help.
func (b *registryBuild) Long() string {
	return "What only the author knows stays: description, versions, names of schemas, unknown fields, the order " +
		"of the entries. Entries without a file are removed; new ones come last. As text it prints the changes as a " +
		"patch, as NDJSON the whole registries."
}

// Examples are those of the help.
func (b *registryBuild) Examples() []cli.Example {
	return []cli.Example{{Command: "fmcp-resolve registry build -f text catalog/", What: "what is out of date"},
		{Command: "fmcp-resolve registry build --write catalog/", What: "bring it up to date"}}
}

// Formats are those of -f and -o.
func (b *registryBuild) Formats() []string { return cli.AnswerFormats }

// Run builds the registries. Where a file cannot be read none is: the entry of that
// file would be lost.
func (b *registryBuild) Run(ctx context.Context, app *cli.App) (int, error) {
	var loads []*record.Load
	code, err := outer(app).ReadLoads(ctx, app, b.Paths, func(l *record.Load) { loads = append(loads, l) })
	if err != nil || code != cli.ExitOK {
		return code, err
	}
	var text strings.Builder
	var lines []ordjson.Value
	add := func(file string, v ordjson.Value) error {
		was, _ := walk.ReadFile(file, stage.MaxFile)
		now := ordjson.Pretty(v, string(was))
		patch, err := edit.Diff(strings.TrimLeft(filepath.ToSlash(file), "./"), string(was), now)
		if err != nil {
			return err
		}
		text.WriteString(patch)
		lines = append(lines, ordjson.NewObject(ordjson.Field("path", ordjson.NewString(file)),
			ordjson.Field("changed", ordjson.NewBool(now != string(was))), ordjson.Field("registry", v)))
		if !b.Write || now == string(was) {
			return nil
		}
		return atomicfile.WriteFile(file, []byte(now))
	}
	for _, r := range walk.Registries(loads) {
		v := r.Build(func(name string) []byte {
			text, _ := walk.ReadFile(filepath.Join(r.Dir, filepath.FromSlash(name)), stage.MaxFile)
			return text
		})
		err := add(filepath.Join(r.Dir, "registry.json"), v)
		if lists := r.BuildLists(v.Get("schemaSpec").Str()); err == nil && lists.Get("lists").Len() > 0 {
			err = add(filepath.Join(r.Dir, filepath.FromSlash(walk.ListRegistry)), lists)
		}
		if err != nil {
			return cli.ExitFailure, fmt.Errorf("%s: %w", r.Dir, err)
		}
	}
	return outer(app).Answer(app, cli.ExitOK, report.VisibleLines(text.String()), lines)
}

type registryCheck struct {
	cli.JudgeFlags
	cli.ShowFlags
	cli.Paths
}

// Long is the paragraph of the help.
func (r *registryCheck) Long() string {
	return "These are the findings of fmcp-validate about registries: the CAT codes, and CMP026 for contentHash. " +
		"`fmcp-resolve registry build --write` corrects most of them."
}

// Formats are those of -f and -o.
func (r *registryCheck) Formats() []string { return cli.FindingFormats }

// Run checks the registries.
func (r *registryCheck) Run(ctx context.Context, app *cli.App) (int, error) {
	c := outer(app)
	source, err := c.Input(app, r.Paths.Paths)
	if err != nil {
		return cli.ExitUsage, err
	}
	if _, err := r.Configure(&c.StreamCommand, r.Paths.Paths); err != nil {
		return cli.ExitUsage, err
	}
	opts, err := r.Options(r.Paths.Paths...)
	if err != nil {
		return cli.ExitUsage, err
	}
	opts.Filter = func(d *record.Diagnostic) *record.Diagnostic {
		if !strings.HasPrefix(d.Code, "CAT") && d.Code != catalog.CodeContentHash {
			return nil
		}
		return d
	}
	return c.StreamCommand.Run(ctx, app, cli.Pipeline{
		Source: source, Steps: append(c.Loading(app), stage.Validate(opts)...), Show: &r.ShowFlags,
	})
}
