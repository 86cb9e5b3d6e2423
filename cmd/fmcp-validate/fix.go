package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/config"
	"github.com/flowmcp/fmcp/pkg/fix"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/stage"
	"github.com/flowmcp/fmcp/pkg/walk"
	"github.com/flowmcp/fmcp/pkg/words"
)

// fixFlags say what is done with the edits of findings.
type fixFlags struct {
	Fix  cli.OrAll `group:"Fixing" placeholder:"all" help:"Correct in the files what a machine can decide safely, and report what remains; with =all also make changes that you have to review, each marked with a comment (CMP042)."`
	Diff bool      `group:"Fixing" help:"Print what --fix would change as a patch, and write nothing; the exit status is 1 if there is a change."`
	Out  string    `group:"Fixing" placeholder:"DIR" help:"With --fix, correct a copy in this folder, which must not exist yet."`
}

// maxPasses is how often files are looked at, as long as something changes: one edit
// may make another file's possible.
const maxPasses = 5

// fix corrects files before they are validated. It returns the paths to validate, and
// the exit status where nothing is left to do.
func (f *filesCommand) fix(ctx context.Context, app *cli.App, file *config.File, opts stage.ValidateOptions) (
	paths []string, code int, done bool, err error) {
	paths = f.Paths.Paths
	if err := f.checkFix(paths); err != nil {
		return nil, cli.ExitUsage, true, err
	}
	if f.Out != "" {
		copied, err := fix.Copy(ctx, paths[0], f.Out)
		if err != nil {
			return nil, cli.ExitFailure, true, err
		}
		paths = []string{copied}
	}
	opts.Filter, opts.Ignores = config.NewFilter(file, nil).Apply, !f.NoIgnores
	fixer := &fix.Fixer{All: f.Fix == cli.All, Wants: f.Shows, Checker: stage.NewChecker(opts)}
	var fixed []*record.Diagnostic
	var pass *fix.Pass
	names := map[string]bool{}
	for range maxPasses {
		pass, err = fixer.Run(ctx, outer(app).Jobs, stage.Walk(paths, walk.Options{}, nil), opts)
		if err != nil {
			return nil, cli.ExitFailure, true, err
		}
		if f.Diff {
			code, err := f.diff(app, pass)
			return nil, code, true, err
		}
		changed := pass.Changed()
		for _, file := range changed {
			if err := file.Write(); err != nil {
				return nil, cli.ExitFailure, true, fmt.Errorf("%s: %w", file.Src.File(), err)
			}
			names[file.Src.File()] = true
		}
		if fixed = append(fixed, pass.Fixed()...); len(changed) == 0 {
			break
		}
	}
	say(app, "fixed ", fixed, len(names), pass)
	return paths, cli.ExitOK, false, nil
}

// checkFix says what is wrong with the flags and paths.
func (f *filesCommand) checkFix(paths []string) error {
	switch {
	case f.Diff && f.Out != "":
		return cli.Usagef("--diff and --out exclude each other: --diff writes nothing")
	case f.Out != "" && f.Fix == "":
		return cli.Usagef("--out is the folder for a corrected copy: give --fix too")
	case f.Out != "" && len(paths) > 1:
		return cli.Usagef("--out makes a copy of one path, found %d", len(paths))
	case len(paths) == 0:
		return cli.Usagef("--fix and --diff need the paths of files: records on stdin cannot be corrected")
	}
	for _, p := range paths {
		if p == "-" || strings.HasSuffix(p, ".ndjson") {
			return cli.Usagef("--fix and --diff need the paths of files: the records of %s cannot be corrected", p)
		}
	}
	return nil
}

// diff prints what would change.
func (f *filesCommand) diff(app *cli.App, pass *fix.Pass) (int, error) {
	changed := pass.Changed()
	for _, file := range changed {
		patch, err := file.Diff()
		if err != nil {
			return cli.ExitFailure, err
		}
		if _, err := io.WriteString(app.IO.Stdout, patch); err != nil {
			return cli.ExitFailure, err
		}
	}
	say(app, "would fix ", pass.Fixed(), len(changed), pass)
	for _, e := range pass.Failed {
		fmt.Fprintf(app.IO.Stderr, "%s: %v\n", app.Name, e)
	}
	switch {
	case len(pass.Failed) > 0:
		return cli.ExitFailure, nil
	case len(changed) > 0:
		return cli.ExitFindings, nil
	}
	return cli.ExitOK, nil
}

// say says on stderr what was done, and of what was not done why.
func say(app *cli.App, did string, fixed []*record.Diagnostic, files int, pass *fix.Pass) {
	for _, file := range pass.Files {
		for _, d := range file.Dropped {
			fmt.Fprintf(app.IO.Stderr, "%s: %s:%d:%d: %s is left as it is: %v\n", app.Name, d.Loc.Path, d.Loc.Line,
				d.Loc.Col, d.Code, d.Why)
		}
	}
	text := did + words.Count(len(fixed), "finding") + " in " + words.Count(files, "file")
	codes := map[string]int{}
	for _, d := range fixed {
		codes[d.Code]++
	}
	for i, code := range slices.Sorted(maps.Keys(codes)) {
		text += []string{": ", ", "}[min(i, 1)] + fmt.Sprintf("%d %s", codes[code], code)
	}
	if pass.Unsafe > 0 {
		text += "; " + words.Count(pass.Unsafe, "more finding") + " with --fix=all, to be reviewed"
	}
	fmt.Fprintf(app.IO.Stderr, "%s: %s\n", app.Name, text)
}
