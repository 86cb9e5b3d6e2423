package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/flowmcp/fmcp/pkg/atomicfile"
	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/report"
	"github.com/flowmcp/fmcp/pkg/resolve"
	"github.com/flowmcp/fmcp/pkg/stage"
	"github.com/flowmcp/fmcp/pkg/walk"
)

type agentCommand struct {
	Verify verifyCommand `cmd:"" help:"Compare the hash in the manifest of an agent with its tools."`
	Rehash rehashCommand `cmd:"" help:"Write the hash of an agent's tools into its manifest."`
}

type verifyCommand struct {
	Name string `arg:"" name:"NAME" help:"The agent: its name, or its Spec-ID."`
	Was  string `placeholder:"FOLDER" help:"The catalog as it was when the hash was written, to show which tools changed, and how."`
	cli.Paths
}

// Long is the paragraph of the help.
func (v *verifyCommand) Long() string {
	return "The hash is calculated from the interfaces of the tools that the agent refers to (chapter 06, " +
		"\"Integrity Verification\"). The manifest stores one hash for all of them. To see which tool changed, name " +
		"the catalog as it was with --was, for example a git worktree. The exit status is 1 if the hash differs. " +
		"For a manifest without a hash, the calculated hash is printed."
}

// Examples are those of the help.
func (v *verifyCommand) Examples() []cli.Example {
	return []cli.Example{
		{Command: "fmcp-resolve agent verify crypto-research catalog/", What: "have the tools changed?"},
		{Command: "git worktree add was v1.2 && fmcp-resolve agent verify crypto-research catalog/ --was was/catalog",
			What: "which of them changed since v1.2, and how"},
	}
}

// Formats are those of -f and -o.
func (v *verifyCommand) Formats() []string { return cli.AnswerFormats }

// Run prints the answer of chapter 06, "Verification CLI".
func (v *verifyCommand) Run(ctx context.Context, app *cli.App) (int, error) {
	is, code, err := integrity(ctx, app, v.Name, v.Paths.Paths)
	if is == nil {
		return code, err
	}
	var changes []resolve.ToolChange
	if v.Was != "" {
		was, failed, err := integrity(ctx, app, v.Name, []string{v.Was})
		if was == nil {
			return failed, err
		}
		changes = is.Changes(was)
	}
	if is.State() == resolve.IntegrityMismatch && code == cli.ExitOK {
		code = cli.ExitFindings
	}
	return outer(app).Answer(app, code, report.VisibleLines(is.Text(changes, v.Was != "")),
		[]ordjson.Value{is.JSON(changes)})
}

type rehashCommand struct {
	Name  string   `arg:"" name:"NAME" help:"The agent: its name, or its Spec-ID."`
	Paths []string `arg:"" name:"PATH" help:"The catalog: folders and files."`
}

// Long is the paragraph of the help.
func (r *rehashCommand) Long() string {
	return "Nothing else in the manifest changes: the hash is replaced in place, or added after the last field. " +
		"The file is written whole or not at all."
}

// Examples are those of the help.
func (r *rehashCommand) Examples() []cli.Example {
	return []cli.Example{{Command: "fmcp-resolve agent rehash crypto-research catalog/",
		What: "after you have reviewed the changes"}}
}

// Formats are those of -f and -o.
func (r *rehashCommand) Formats() []string { return cli.AnswerFormats }

// Run writes the hash, unless it is there.
func (r *rehashCommand) Run(ctx context.Context, app *cli.App) (int, error) {
	is, code, err := integrity(ctx, app, r.Name, r.Paths)
	if is == nil || code != cli.ExitOK {
		return code, err
	}
	file, text := is.Load.Src.File(), "hash already up to date"
	if is.State() != resolve.IntegrityValid {
		if err := rehash(is); err != nil {
			return cli.ExitFailure, fmt.Errorf("%s: %w", file, err)
		}
		text = "hash written"
	}
	return outer(app).Answer(app, cli.ExitOK, report.VisibleLines(file+": "+text+": "+is.Calculated+"\n"),
		[]ordjson.Value{ordjson.NewObject(
			ordjson.Field("id", ordjson.NewString(is.Load.ID)),
			ordjson.Field("file", ordjson.NewString(file)),
			ordjson.Field("hash", ordjson.NewString(is.Calculated)),
			ordjson.Field("written", ordjson.NewBool(is.State() != resolve.IntegrityValid)),
		)})
}

// rehash writes the calculated hash into the manifest that was read.
func rehash(is *resolve.Integrity) error {
	file := is.Load.Src.File()
	text, err := walk.ReadFile(file, stage.MaxFile)
	if err != nil {
		return err
	}
	if record.Hash(text) != is.Load.Src.FileHash {
		return errors.New("the file has changed while it was read; run the command again")
	}
	export := string(record.TypeAgent)
	if !slices.Contains(is.Load.Exports, export) {
		export = "main" // decision "Agents that export main"
	}
	source, err := edit.ReadSource(string(text), export)
	if err != nil {
		return err
	}
	changed, err := source.SetText("hash", is.Calculated)
	if err != nil {
		return err
	}
	return atomicfile.WriteFile(file, []byte(changed))
}

// integrity calculates the hash of an agent of the input, nil where there is none,
// which is said on stderr.
func integrity(ctx context.Context, app *cli.App, name string, paths []string) (*resolve.Integrity, int, error) {
	resolver, err := resolve.NewResolver(resolve.Options{})
	if err != nil {
		return nil, cli.ExitFailure, err
	}
	defer func() { _ = resolver.Close() }()
	code, err := outer(app).ReadLoads(ctx, app, paths, func(l *record.Load) { resolver.Add(l, nil) })
	if err != nil {
		return nil, code, err
	}
	is, err := resolver.Integrity(name)
	if resolver.Err() != nil {
		return nil, cli.ExitFailure, resolver.Err()
	}
	if err != nil {
		return nil, app.NotFound(err), nil
	}
	return is, code, nil
}
