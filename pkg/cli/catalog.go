package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/plural"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/stage"
)

// OpenCatalog opens a resolved catalog: a file that fmcp-resolve wrote, stdin
// for -, or catalog folders and schema files, which are resolved on the way.
// What is left out of those is said on stderr.
func (c *RuleFlags) OpenCatalog(ctx context.Context, app *App, path string, jobs int) (io.ReadCloser, error) {
	opts, err := c.Options()
	if err != nil {
		return nil, err
	}
	opts.Pass = true
	r, _, err := c.openCatalog(ctx, app, path, jobs, stage.Validate(opts))
	return r, err
}

// OpenSources is OpenCatalog for who works on the schemas: of folders and files
// all is taken that can be resolved, whatever fmcp-validate has to say about it.
// leftOut are the files that errors are about, one for each.
func (c *RuleFlags) OpenSources(ctx context.Context, app *App, path string, jobs int) (r io.ReadCloser, leftOut []string, err error) {
	return c.openCatalog(ctx, app, path, jobs)
}

// openCatalog opens a resolved catalog; folders and files go through steps
// after they were loaded.
func (c *RuleFlags) openCatalog(ctx context.Context, app *App, path string, jobs int, steps ...stage.Step) (r io.ReadCloser, leftOut []string, err error) {
	if path == "-" {
		return io.NopCloser(app.IO.Stdin), nil, nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: no such catalog: expected a file that fmcp-resolve wrote, or a folder", path)
	}
	if !info.IsDir() && !strings.HasSuffix(path, ".mjs") {
		file, err := os.Open(path)
		return file, nil, err
	}
	resolve, err := stage.NewResolve(catalog.Options{Community: c.community()})
	if err != nil {
		return nil, nil, err
	}
	var b bytes.Buffer
	emit := func(it *stage.Item) error {
		switch rec := it.Rec.(type) {
		case *record.Resolved:
			b.Write(rec.AppendJSON(nil))
			b.WriteByte('\n')
		case *record.Error:
			file := rec.Input
			if rec.Loc != nil {
				file = rec.Loc.Path
			}
			leftOut = append(leftOut, file)
		case *record.Diagnostic:
			if rec.Severity == record.SeverityError {
				leftOut = append(leftOut, rec.Loc.Path)
			}
		}
		return nil
	}
	steps = append(stage.Loading(app.Name), steps...)
	if err := stage.Run(ctx, stage.Options{Jobs: jobs}, stage.Walk([]string{path}, catalog.WalkOptions{}, nil), steps, resolve.Sink(emit), func() error { return nil }); err != nil {
		return nil, nil, err
	}
	if err := resolve.Finish(emit); err != nil {
		return nil, nil, err
	}
	if n := len(leftOut); n > 0 {
		fmt.Fprintf(app.IO.Stderr, "%s: %s has %s, and what they are about is left out; see fmcp-validate %s\n", app.Name, path, plural.Of(n, "error"), path)
	}
	return io.NopCloser(&b), leftOut, nil
}
