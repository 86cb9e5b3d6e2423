package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/config"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/report"
	"github.com/flowmcp/fmcp/pkg/resolve"
	"github.com/flowmcp/fmcp/pkg/rules"
	"github.com/flowmcp/fmcp/pkg/stage"
	"github.com/flowmcp/fmcp/pkg/survey"
	"github.com/flowmcp/fmcp/pkg/walk"
	"github.com/flowmcp/fmcp/pkg/words"
)

// CatalogFlags say how files are judged that are given in place of a resolved
// catalog.
type CatalogFlags struct {
	RuleFlags
	Config   string `group:"Rules" placeholder:"FILE" help:"Configuration file that says how a folder is checked and, if you name it here, to which domains keys go (keys), which variables are read (env), and allow-hosts (default: .fmcp.yaml of the folder, or of those above it up to the repository's)."`
	NoConfig bool   `group:"Rules" help:"Read no configuration file of a folder."`
}

// Configuration is the configuration that a catalog is opened with: the file that
// --config names, or that of a folder; nil for none.
func (c *CatalogFlags) Configuration(path string) (*config.File, error) {
	if info, err := os.Stat(path); c.Config == "" && (err != nil || !hasSources(path, info)) {
		return nil, nil
	}
	judge := JudgeFlags{Config: c.Config, NoConfig: c.NoConfig}
	return judge.read([]string{path})
}

// hasSources reports whether a catalog is not one that fmcp-resolve wrote.
func hasSources(path string, info os.FileInfo) bool {
	return info.IsDir() || strings.HasSuffix(path, ".mjs")
}

// OpenCatalog opens a resolved catalog: a file that fmcp-resolve wrote, stdin
// for -, or catalog folders and schema files, which are resolved on the way.
// What is left out of those is said on stderr.
func (c *CatalogFlags) OpenCatalog(ctx context.Context, app *App, path string, jobs int) (io.ReadCloser, error) {
	r, _, err := c.open(ctx, app, path, jobs, func(opts stage.ValidateOptions) []stage.Step {
		opts.Pass = true
		return stage.Validate(opts)
	})
	if files, ok := r.(*resolvedFiles); ok && !files.callable {
		return nil, fmt.Errorf("%s leaves nothing to call%s", path, files.hint)
	}
	return r, err
}

// resolvedFiles is a catalog that was made of folders and files on the way.
type resolvedFiles struct {
	bytes.Buffer
	callable bool   // there is a tool or a resource
	hint     string // what else may help if there is none
	whole    int    // errors that leave nothing out
	errors   []*record.Diagnostic
}

// Judged are the errors that were found in the folders and files that a catalog of
// OpenCatalog was made of; none for a catalog that is read as it is.
func Judged(r io.Reader) []*record.Diagnostic {
	if files, ok := r.(*resolvedFiles); ok {
		return files.errors
	}
	return nil
}

// tell names a finding that is about all files, and leaves none of them out.
func (b *resolvedFiles) tell(app *App, d *record.Diagnostic) {
	if d.Code != catalog.CodeContentHash {
		return
	}
	if d.Severity == record.SeverityError {
		b.whole++
	}
	fmt.Fprintf(app.IO.Stderr, "%s: %s: %s %s: %s\n", app.Name, report.Visible(d.Loc.Path), d.Severity, d.Code,
		report.Visible(d.Message))
}

func (b *resolvedFiles) tellLeftOut(app *App, path string, n int, community bool) {
	about := "they are"
	if n == 1 {
		about = "it is"
	}
	fmt.Fprintf(app.IO.Stderr, "%s: %s has %s, and what %s about is left out; see fmcp-validate %s\n", app.Name, path,
		words.Count(n, "error"), about, path)
	if !community {
		b.hint = "; try --profile community, which allows what public catalogs have"
	}
}

// Close implements io.Closer.
func (*resolvedFiles) Close() error { return nil }

// OpenSources is OpenCatalog for who works on the schemas: of folders and files
// all is taken that can be resolved, whatever fmcp-validate has to say about it.
// leftOut are the errors, but for those of files that were left out before.
func (c *CatalogFlags) OpenSources(ctx context.Context, app *App, path string, jobs int) (r io.ReadCloser,
	leftOut []survey.LeftOut, err error) {
	return c.open(ctx, app, path, jobs, func(stage.ValidateOptions) []stage.Step { return nil })
}

// Accept says what is wrong with a catalog that OpenCatalog has opened, once it
// is read. That it may lack something is only noted, unless requireEnd is set: a
// filter is welcome between fmcp-resolve and who reads the catalog.
func (a *App) Accept(came *record.Arrival, requireEnd bool) error {
	if came.Kinds[record.KindResolved] == 0 {
		return fmt.Errorf("%s: found %s, expected resolved records: fmcp-resolve catalog/ > catalog.ndjson (LOD039)",
			came.Name, came.Text())
	}
	switch err := came.NotWhole(); {
	case err == nil:
	case requireEnd:
		return fmt.Errorf("%w, and --require-end is given", err)
	default:
		fmt.Fprintf(a.IO.Stderr, "%s: warning: %s; it may lack tools, resolve it again\n", a.Name,
			report.Visible(err.Error()))
	}
	return nil
}

// open opens a resolved catalog; folders and files are resolved as fmcp-resolve
// does, and go through steps after they were loaded.
func (c *CatalogFlags) open(ctx context.Context, app *App, path string, jobs int,
	steps func(stage.ValidateOptions) []stage.Step) (r io.ReadCloser, leftOut []survey.LeftOut, err error) {
	if path == "-" {
		return io.NopCloser(app.IO.Stdin), nil, nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: no such catalog: expected a file that fmcp-resolve wrote, or a folder", path)
	}
	if !hasSources(path, info) {
		file, err := os.Open(path)
		return file, nil, err
	}
	opts, err := c.options(path)
	if err != nil {
		return nil, nil, err
	}
	community := opts.Profile == rules.ProfileCommunity
	resolving, err := stage.Resolve(resolve.Options{Community: community, Library: allowlist(opts).NoLibrary},
		catalog.Narrowing{})
	if err != nil {
		return nil, nil, err
	}
	var b resolvedFiles
	end := record.End{Stage: app.Name, Counts: map[record.Kind]int{}}
	emit := func(it *stage.Item) error {
		switch rec := it.Rec.(type) {
		case nil, *record.Resolved:
			end.Counts[record.KindResolved]++
			typ := record.TypeIn(it.Line)
			b.callable = b.callable || typ == record.TypeTool || typ == record.TypeResource
			b.Write(it.Line)
			b.WriteByte('\n')
		case *record.Error:
			file := rec.Input
			if rec.Loc != nil {
				file = rec.Loc.Path
			}
			leftOut = append(leftOut, survey.LeftOut{Code: rec.Code, File: file, Message: rec.Message})
		case *record.Diagnostic:
			if b.tell(app, rec); rec.Severity == record.SeverityError {
				leftOut = append(leftOut,
					survey.LeftOut{Code: rec.Code, File: rec.Loc.Path, Message: rec.Message})
				b.errors = append(b.errors, rec)
			}
		}
		return nil
	}
	all := slices.Concat(stage.Loading(app.Name), steps(opts), []stage.Step{resolving})
	source := stage.Walk([]string{path}, walk.Options{}, nil)
	if err := stage.Run(ctx, stage.Options{Jobs: jobs}, source, all, emit, func() error { return nil }); err != nil {
		return nil, nil, err
	}
	if n := len(leftOut) - b.whole; n > 0 {
		b.tellLeftOut(app, path, n, community)
	}
	b.Write(end.AppendJSON(nil))
	return &b, leftOut, nil
}

// options say how the files of a folder are judged: as the flags say, and else
// its configuration file.
func (c *CatalogFlags) options(path string) (stage.ValidateOptions, error) {
	judge := JudgeFlags{RuleFlags: c.RuleFlags, Config: c.Config, NoConfig: c.NoConfig}
	file, err := judge.complete([]string{path})
	if err != nil {
		return stage.ValidateOptions{}, err
	}
	opts, err := judge.Options(path)
	opts.Filter = config.NewFilter(file, nil).Apply
	return opts, err
}
