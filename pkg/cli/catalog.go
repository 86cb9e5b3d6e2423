package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/stage"
)

// OpenCatalog opens a resolved catalog: a file that fmcp-resolve wrote, stdin
// for -, or catalog folders and schema files, which are resolved on the way.
// What is left out of those is said on stderr.
func (c *RuleFlags) OpenCatalog(ctx context.Context, app *App, path string, jobs int) (io.ReadCloser, error) {
	if path == "-" {
		return io.NopCloser(app.IO.Stdin), nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("%s: no such catalog: expected a file that fmcp-resolve wrote, or a folder", path)
	}
	if !info.IsDir() && !strings.HasSuffix(path, ".mjs") {
		return os.Open(path)
	}
	return c.resolveCatalog(ctx, app, path, jobs)
}

func (c *RuleFlags) resolveCatalog(ctx context.Context, app *App, path string, jobs int) (io.ReadCloser, error) {
	opts, err := c.Options()
	if err != nil {
		return nil, err
	}
	opts.Pass = true
	resolve, err := stage.NewResolve(catalog.Options{Community: c.community()})
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	problems := 0
	emit := func(it *stage.Item) error {
		switch rec := it.Rec.(type) {
		case *record.Resolved:
			b.Write(rec.AppendJSON(nil))
			b.WriteByte('\n')
		case *record.Error:
			problems++
		case *record.Diagnostic:
			if rec.Severity == record.SeverityError {
				problems++
			}
		}
		return nil
	}
	steps := append(stage.Loading(app.Name), stage.Validate(opts))
	if err := stage.Run(ctx, stage.Options{Jobs: jobs}, stage.Walk([]string{path}, catalog.WalkOptions{}), steps, resolve.Sink(emit), func() error { return nil }); err != nil {
		return nil, err
	}
	if err := resolve.Finish(emit); err != nil {
		return nil, err
	}
	if problems > 0 {
		fmt.Fprintf(app.IO.Stderr, "%s: %s has %d errors, and what they are about is left out; see fmcp-validate %s\n", app.Name, path, problems, path)
	}
	return io.NopCloser(&b), nil
}
