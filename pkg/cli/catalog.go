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
	"github.com/flowmcp/fmcp/pkg/report"
	"github.com/flowmcp/fmcp/pkg/stage"
)

// OpenCatalog opens a resolved catalog: a file that fmcp-resolve wrote, stdin
// for -, or catalog folders and schema files, which are resolved on the way.
// What is left out of those is said on stderr.
func (c *RuleFlags) OpenCatalog(ctx context.Context, app *App, path string, jobs int) (io.ReadCloser, error) {
	opts, err := c.Options(path)
	if err != nil {
		return nil, err
	}
	opts.Pass = true
	r, leftOut, err := c.openCatalog(ctx, app, path, jobs, stage.Validate(opts))
	if files, ok := r.(*resolvedFiles); ok && !files.callable {
		hint := ""
		if !c.community() && len(leftOut) > 0 {
			hint = "; try --profile community, which lets pass what the public catalogs live by"
		}
		return nil, fmt.Errorf("%s leaves nothing to call%s", path, hint)
	}
	return r, err
}

// resolvedFiles is a catalog that was made of folders and files on the way.
type resolvedFiles struct {
	bytes.Buffer
	callable bool // there is a tool or a resource
}

// Close implements io.Closer.
func (*resolvedFiles) Close() error { return nil }

// OpenSources is OpenCatalog for who works on the schemas: of folders and files
// all is taken that can be resolved, whatever fmcp-validate has to say about it.
// leftOut are the files that errors are about, one for each.
func (c *RuleFlags) OpenSources(ctx context.Context, app *App, path string, jobs int) (r io.ReadCloser, leftOut []string, err error) {
	return c.openCatalog(ctx, app, path, jobs)
}

// Accept says what is wrong with a catalog that OpenCatalog has opened, once it
// is read. That it may lack something is only noted, unless requireEnd is set: a
// filter is welcome between fmcp-resolve and who reads the catalog.
func (a *App) Accept(came *record.Arrival, requireEnd bool) error {
	if came.Kinds[record.KindResolved] == 0 {
		return fmt.Errorf("%s: found %s, expected resolved records: fmcp-resolve catalog/ > catalog.ndjson (LOD039)", came.Name, came.Text())
	}
	switch err := came.NotWhole(); {
	case err == nil:
	case requireEnd:
		return fmt.Errorf("%w, and --require-end is given", err)
	default:
		fmt.Fprintf(a.IO.Stderr, "%s: warning: %s; it may lack tools, resolve it anew\n", a.Name, report.Visible(err.Error()))
	}
	return nil
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
	var b resolvedFiles
	end := record.End{Stage: app.Name, Counts: map[record.Kind]int{}}
	emit := func(it *stage.Item) error {
		switch rec := it.Rec.(type) {
		case *record.Resolved:
			end.Counts[record.KindResolved]++
			b.callable = b.callable || rec.Type == record.TypeTool || rec.Type == record.TypeResource
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
	b.Write(end.AppendJSON(nil))
	return &b, leftOut, nil
}
