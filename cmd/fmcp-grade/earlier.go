package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/exec/captured"
	"github.com/flowmcp/fmcp/pkg/grade/protocol"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/stage"
	"github.com/flowmcp/fmcp/pkg/walk"
	"github.com/flowmcp/fmcp/pkg/words"
)

// maxReport is how large a report may be, in bytes: one of 16,000 errors.
const maxReport = 4 << 20

// captures adds to a source the answers that are kept in folders.
func captures(source stage.Source, folders []string) stage.Source {
	return func(ctx context.Context, send func(stage.Batch) bool) error {
		if err := source(ctx, send); err != nil {
			return err
		}
		for _, dir := range folders {
			list, err := captured.Last(dir, func(file string, err error) {
				send(stage.Batch{stage.New(&record.Error{Stage: info.Name, Input: file, Code: captured.CodeBadCapture,
					Message: err.Error()})})
			})
			if err != nil {
				return fmt.Errorf("--captures %w", err)
			}
			for _, e := range list {
				send(stage.Batch{stage.New(e)})
			}
		}
		return nil
	}
}

// grades adds to a source the grades of earlier runs: files of records, and folders of
// the reports of chapter 22.
func grades(app *cli.App, source stage.Source, paths []string) (stage.Source, error) {
	var files, folders []string
	for _, p := range paths {
		if info, err := os.Stat(p); err == nil && info.IsDir() {
			folders = append(folders, p)
		} else {
			files = append(files, p)
		}
	}
	source, err := outer(app).And(app, source, "--grades", files, record.KindGrade, "what fmcp-grade prints")
	return func(ctx context.Context, send func(stage.Batch) bool) error {
		if err := source(ctx, send); err != nil {
			return err
		}
		for _, dir := range folders {
			if err := reports(dir, func(g *record.Grade) { send(stage.Batch{stage.New(g)}) }); err != nil {
				return fmt.Errorf("--grades %w", err)
			}
		}
		return nil
	}, err
}

// reports hands on the reports of a folder. Other files may be in it too.
func reports(dir string, add func(*record.Grade)) error {
	found := false
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fmt.Errorf("%s: cannot be read: %w", path, words.Cause(err))
		case !d.Type().IsRegular() || filepath.Ext(path) != ".json":
			return nil
		}
		text, err := walk.ReadFile(path, maxReport)
		if err != nil {
			return fmt.Errorf("%s: cannot be read: %w", path, words.Cause(err))
		}
		v, err := ordjson.Parse(string(text))
		if err != nil {
			return fmt.Errorf("%s: is not JSON: %w", path, err)
		}
		g, err := protocol.ReadReport(v)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if g != nil {
			found = true
			add(g)
		}
		return nil
	})
	if err == nil && !found {
		err = fmt.Errorf("%s: has no report of chapter 22, as --reports writes them", dir)
	}
	return err
}
