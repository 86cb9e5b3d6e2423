package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/flowmcp/fmcp/cmd/internal/network"
	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/exec/fetch"
	"github.com/flowmcp/fmcp/pkg/exec/pull"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/report"
	"github.com/flowmcp/fmcp/pkg/stage"
	"github.com/flowmcp/fmcp/pkg/walk"
	"github.com/flowmcp/fmcp/pkg/words"
)

type fetchCommand struct {
	cli.CatalogFlags
	network.CallFlags
	Force  bool   `group:"Fetch" help:"Replace a catalog or an agent that is there, as a whole."`
	Source string `arg:"" name:"URL|DIR" help:"A registry.json, the folder that it is in, or the agent.mjs of an agent."`
	Dest   string `arg:"" name:"DEST" help:"The folder of catalogs, or of agents: what is fetched gets a folder of its name in it."`
}

// Long is the paragraph of the help.
func (f *fetchCommand) Long() string {
	return "The registry comes first, then the files that it lists and the prompts, skills and contents that these " +
		"name; of an agent its manifest, then what that names. A path that leads out of the catalog or of the " +
		"agent's folder, a file that is missing or too large, another contentHash: nothing is written. The network " +
		"policy is that of calls. Files of resources are not fetched."
}

// Examples are those of the help.
func (f *fetchCommand) Examples() []cli.Example {
	return []cli.Example{{Command: "fmcp-exec fetch https://example.com/catalogs/demo/registry.json schemas/",
		What: "get a catalog, into schemas/demo"},
		{Command: "fmcp-exec fetch https://example.com/demo/agents/clerk/agent.mjs schemas/mine/agents/",
			What: "get one agent, into schemas/mine/agents/clerk"}}
}

// Formats are those of -f and -o.
func (f *fetchCommand) Formats() []string { return cli.AnswerFormats }

// Run fetches the catalog.
func (f *fetchCommand) Run(ctx context.Context, app *cli.App) (int, error) {
	manifest := pull.Registry
	if path.Base(filepath.ToSlash(f.Source)) == pull.Agent {
		manifest = pull.Agent
	}
	base := strings.TrimSuffix(f.Source, manifest)
	read := fromFolder(base)
	if strings.Contains(f.Source, "://") {
		caller, err := f.Caller(app, &f.CatalogFlags, network.Recording{})
		if err != nil {
			return cli.ExitUsage, err
		}
		defer caller.Close()
		if read, err = fromURL(caller.Client, base); err != nil {
			return cli.ExitUsage, cli.Usagef("%s: %v", f.Source, err)
		}
	}
	c, err := pull.Read(ctx, read, manifest)
	if err != nil {
		return cli.ExitFailure, fmt.Errorf("%s: %w", f.Source, err)
	}
	to, err := c.Write(f.Dest, f.Force)
	if errors.Is(err, fs.ErrExist) {
		err = fmt.Errorf("%s is there already: --force replaces it", to)
	}
	if err != nil {
		return cli.ExitFailure, err
	}
	how := "its registry has no contentHash"
	switch {
	case manifest == pull.Agent:
		how = "fmcp-resolve agent verify " + c.Name + " checks its hash, once its tools are here"
	case c.Verified:
		how = "the contentHash is right"
	}
	text := fmt.Sprintf("%s: %s, %d bytes; %s\n", to, words.Count(c.Files(), "file"), c.Bytes(), how)
	return stream(app).Answer(app, cli.ExitOK, report.VisibleLines(text), []ordjson.Value{c.JSON(to)})
}

// fromFolder reads below a folder of this machine.
func fromFolder(dir string) pull.Reader {
	return func(_ context.Context, name string) ([]byte, error) {
		root, err := os.OpenRoot(filepath.Clean(dir))
		if err != nil {
			return nil, err
		}
		defer func() { _ = root.Close() }()
		if _, err := root.Stat(filepath.FromSlash(name)); err != nil { // no link leads out
			return nil, err
		}
		return walk.ReadFile(filepath.Join(dir, filepath.FromSlash(name)), stage.MaxFile)
	}
}

// fromURL reads below the folder of a manifest, on its host alone.
func fromURL(client *fetch.Client, folder string) (pull.Reader, error) {
	base, err := fetch.ParseURL(folder)
	if err != nil {
		return nil, err
	}
	if base.RawQuery != "" || base.Fragment != "" {
		return nil, errors.New("found a query or a fragment, expected the plain address of registry.json or agent.mjs")
	}
	return func(ctx context.Context, name string) ([]byte, error) {
		u := base.JoinPath((&url.URL{Path: name}).EscapedPath())
		res, err := client.Do(ctx, &fetch.Request{Method: http.MethodGet, Reads: true, URL: u,
			Origin: fetch.HostPort(base), Headers: []fetch.Header{{Name: "User-Agent", Value: fetch.UserAgent},
				{Name: "Accept", Value: "*/*"}}})
		if err == nil && res.Status != http.StatusOK {
			err = fmt.Errorf("%s answered %d %s", u.Host, res.Status, http.StatusText(res.Status))
		}
		if err != nil {
			return nil, err
		}
		return res.Body, nil
	}, nil
}
