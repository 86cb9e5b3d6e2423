package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/exec"
	"github.com/flowmcp/fmcp/pkg/exec/suite"
	"github.com/flowmcp/fmcp/pkg/survey"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// plan finds the tests that are meant.
func (c *testCommand) plan(ctx context.Context, app *cli.App, run *cli.StreamCommand) (*suite.Plan, error) {
	plan := &suite.Plan{}
	var named *exec.Catalog // of -c
	for _, target := range c.Targets {
		if _, err := os.Stat(target); err == nil {
			if err := c.addPath(ctx, app, run, plan, target); err != nil {
				return nil, err
			}
			continue
		}
		if c.Catalog == "" {
			return nil, cli.Usagef("there is no file or folder %s; name the catalog by -c for it to be a Spec-ID",
				target)
		}
		if named == nil {
			var err error
			if named, err = c.read(ctx, app, run, c.Catalog, ""); err != nil {
				return nil, err
			}
		}
		if err := plan.Target(named, target); err != nil {
			return nil, cli.Usagef("%s: %v", c.Catalog, err)
		}
		c.planned(plan, c.Catalog)
	}
	if len(c.Targets) > 0 {
		return plan, nil
	}
	if c.Catalog == "" {
		return nil, cli.Usagef("nothing to test: name a schema file or a folder, or a catalog by -c")
	}
	all, err := c.read(ctx, app, run, c.Catalog, c.Catalog)
	if err == nil {
		plan.All(all, "")
		c.planned(plan, c.Catalog)
	}
	return plan, err
}

// read reads a catalog. Of a folder all schemas are taken that can be resolved:
// tests are for who writes them, and say what is wrong with themselves.
// What cannot be resolved of what is below tested is noted, "" for nothing.
func (c *testCommand) read(ctx context.Context, app *cli.App, run *cli.StreamCommand,
	path, tested string) (*exec.Catalog, error) {
	r, leftOut, err := c.OpenSources(ctx, app, path, run.Jobs)
	if err != nil {
		return nil, err
	}
	c.leftOut = c.leftOut || tested != "" &&
		slices.ContainsFunc(leftOut, func(l survey.LeftOut) bool { return isBelow(l.File, tested) })
	tools, err := readTools(app, r, run, path, c.Folder(path))
	if err == nil {
		c.asked = append(c.asked, tools)
	}
	return tools, err
}

// addPath adds the tools of a schema file or a folder. What is in a catalog is
// resolved as a part of it: it may need its lists.
func (c *testCommand) addPath(ctx context.Context, app *cli.App, run *cli.StreamCommand, plan *suite.Plan,
	path string) error {
	open, under := walk.Part(path)
	tools, err := c.read(ctx, app, run, open, path)
	if err != nil {
		return err
	}
	if plan.All(tools, under) == 0 {
		return cli.Usagef("%s has nothing that can be tested; see fmcp-validate %s", path, path)
	}
	c.planned(plan, open)
	return nil
}

// planned notes where the sources of the cases are that came from a catalog.
func (c *testCommand) planned(plan *suite.Plan, catalog string) {
	folder := catalog
	if info, err := os.Stat(catalog); err != nil || !info.IsDir() {
		folder = filepath.Dir(catalog) // of a schema file
		if filepath.Ext(catalog) != ".mjs" {
			folder = c.Source
		}
	}
	for len(c.folders) < len(plan.Cases()) {
		c.folders = append(c.folders, folder)
	}
}
