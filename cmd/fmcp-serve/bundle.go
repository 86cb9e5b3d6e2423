package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/cmd/internal/network"
	"github.com/flowmcp/fmcp/pkg/atomicfile"
	"github.com/flowmcp/fmcp/pkg/bundle"
	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/clients"
	"github.com/flowmcp/fmcp/pkg/exec"
	"github.com/flowmcp/fmcp/pkg/exec/shared"
	"github.com/flowmcp/fmcp/pkg/lazy"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/resource/origin"
	"github.com/flowmcp/fmcp/pkg/serve/listing"
	"github.com/flowmcp/fmcp/pkg/words"
)

type bundleCommand struct {
	serveCommand
	Out string `arg:"" optional:"" name:"OUT.mcpb" help:"The bundle to write."`
	BundleFlags
}

// BundleFlags say what is in a bundle beside the catalog.
type BundleFlags struct {
	Binary        []string `group:"Bundle" placeholder:"FILE" help:"A build of fmcp-serve, at most one each for Linux, macOS and Windows (default: this command, for this system). May be repeated."`
	Author        string   `group:"Bundle" placeholder:"NAME" help:"Who makes the bundle (default: the name of the catalog)."`
	BundleVersion string   `group:"Bundle" placeholder:"VERSION" help:"Version of the bundle (default: that of the catalog, or 0.0.0)."`
	ServerJSON    string   `group:"Bundle" name:"server-json" placeholder:"FILE" help:"Also write FILE, the server.json for the MCP registry; needs --namespace and --url."`
	Namespace     string   `group:"Bundle" placeholder:"NAME" help:"Your namespace in the registry, such as io.github.me."`
	URL           string   `group:"Bundle" name:"url" placeholder:"URL" help:"Where the bundle can be downloaded."`
}

// Long is the paragraph of the help.
func (b *bundleCommand) Long() string {
	return "Writes a bundle that Claude Desktop and others install with a click: this command, the catalog, or the " +
		"part of it that you name, and a form for the server parameters. It never holds a key, even if keys are set " +
		"here. The same catalog, flags and commands make the same bytes."
}

// Examples are those of the help.
func (b *bundleCommand) Examples() []cli.Example {
	return []cli.Example{
		{Command: "fmcp-serve bundle catalog.ndjson tides.mcpb", What: "for this system"},
		{Command: "fmcp-serve bundle catalog.ndjson tides.mcpb --binary linux/fmcp-serve --binary win/fmcp-serve.exe",
			What: "for two systems"},
		{Command: "fmcp-serve bundle catalog/ tides.mcpb --server-json server.json --namespace io.github.me --url " +
			"https://github.com/me/tides/releases/download/v1/tides.mcpb", What: "with an entry for the registry"},
	}
}

func (b *bundleCommand) Run(ctx context.Context, app *cli.App) (int, error) {
	if b.Out == "" && strings.HasSuffix(b.Catalog, bundleSuffix) { // the catalog is that of FMCP_CATALOG
		b.Out, b.Catalog = b.Catalog, ""
	}
	if err := cmp.Or(b.named(app), b.checkFlags()); err != nil {
		return cli.ExitUsage, err
	}
	args, err := b.args(app)
	if err != nil {
		return cli.ExitUsage, err
	}
	s, err := b.bundled(ctx, app, args)
	if err != nil {
		return cli.ExitFailure, err
	}
	hash, err := writeBundle(b.Out, s)
	if err != nil {
		return cli.ExitFailure, fmt.Errorf("%s: %w", b.Out, words.Cause(err))
	}
	if b.ServerJSON != "" {
		entry := append(ordjson.AppendIndent(nil, s.Registry(b.Namespace, b.URL, hash), ""), '\n')
		if err := atomicfile.WriteFile(b.ServerJSON, entry); err != nil {
			return cli.ExitFailure, fmt.Errorf("%s: %w", b.ServerJSON, words.Cause(err))
		}
	}
	note(app, fmt.Sprintf("wrote %s, sha256 %s", b.Out, hash))
	return cli.ExitOK, nil
}

const bundleSuffix = ".mcpb"

// installer is the client that bundles are made for; others take them, too.
var installer, _ = clients.Find("claude-desktop")

// namespace is what the registry takes as one.
var namespace = lazy.Regexp(`^[a-zA-Z0-9.-]+$`)

func (b *bundleCommand) checkFlags() error {
	switch registry := b.Namespace != "" || b.URL != ""; {
	case !strings.HasSuffix(b.Out, bundleSuffix):
		return cli.Usagef("name the bundle to write after the catalog, as in tides%s", bundleSuffix)
	case b.ServerJSON == "" && registry:
		return cli.Usagef("--namespace and --url are for --server-json FILE")
	case b.ServerJSON != "" && (!namespace().MatchString(b.Namespace) || !strings.HasPrefix(b.URL, "https://")):
		return cli.Usagef("--server-json needs --namespace, as in io.github.me, and --url, an https:// URL")
	}
	return nil
}

// args are the flags that the server in the bundle has. What is said of the catalog
// and of keys is in the bundle already; an agent has to be started there.
func (b *bundleCommand) args(app *cli.App) ([]string, error) {
	var args []string
	for _, g := range app.Given() {
		switch {
		case g.Name == "agent":
		case slices.Contains([]string{"Bundle", "General", "Rules", "Narrowing", "Keys"}, g.Group):
			continue
		case shared.HasPassword(g.Value):
			return nil, withPassword(g)
		case g.Group == "HTTP":
			return nil, cli.Usagef("--%s: the server in a bundle talks to its client over stdin and stdout", g.Name)
		case (g.Names == "FILE" || g.Names == "DIR") && !shared.IsURL(g.Value):
			return nil, cli.Usagef("--%s names a file or a folder of this machine, which is not in the bundle", g.Name)
		}
		args = append(args, g.Arg())
	}
	return args, nil
}

// bundled is the server, with the part of the catalog that is wanted.
func (b *bundleCommand) bundled(ctx context.Context, app *cli.App, args []string) (*bundle.Server, error) {
	if b.Binary == nil {
		own, err := os.Executable()
		if err != nil {
			return nil, err
		}
		b.Binary = []string{own}
	}
	s := &bundle.Server{Author: b.Author}
	for _, file := range b.Binary {
		binary, err := bundle.OpenBinary(file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		s.Binaries = append(s.Binaries, binary)
	}
	if err := s.Check(); err != nil {
		return nil, err
	}
	calls, err := b.Caller(app, &b.CatalogFlags, network.Recording{})
	if err != nil {
		return nil, err
	}
	defer calls.Close()
	tools, err := b.narrowed(ctx, app)
	if err != nil {
		return nil, err
	}
	list, err := listing.Of(tools.Index, b.style(), func(e *record.Error) { note(app, e.Error()) })
	if err != nil {
		return nil, err
	}
	about := list.About
	s.Title = cmp.Or(b.Name, about.Name, app.Name)
	s.Name = clients.ServerName(s.Title)
	s.Author = cmp.Or(s.Author, s.Title)
	s.Version = cmp.Or(b.BundleVersion, about.Version, "0.0.0")
	s.Description = cmp.Or(about.Description, "Calls web APIs and reads data of the FlowMCP catalog "+s.Title)
	s.Args = withMode(app, args, installer, len(list.Tools))
	s.Keys = keysOf(list.Tools)
	for i := range s.Keys {
		s.Keys[i].Required = s.Keys[i].Required || b.Agent != "" // which does not start without
	}
	var absent []string
	if s.Files, absent, err = filesOf(tools); err != nil {
		return nil, err
	}
	if absent != nil {
		note(app, fmt.Sprintf("%s without data, whose files are not in the bundle: %s",
			words.Count(len(absent), "resource"), words.List(absent)))
	}
	s.Catalog, err = linesOf(app, tools.Index)
	return s, err
}

// linesOf is a catalog as fmcp-resolve writes it.
func linesOf(app *cli.App, index *catalog.Index) ([]byte, error) {
	end := record.End{Stage: app.Name, Counts: map[record.Kind]int{}}
	var text []byte
	for rec, err := range index.Records {
		if err != nil {
			return nil, err
		}
		text = append(rec.AppendJSON(text), '\n')
		end.Counts[record.KindResolved]++
	}
	return append(end.AppendJSON(text), '\n'), nil
}

// filesOf are the files of resources that lie beside the schemas of a catalog: a
// server finds them beside its catalog. absent are the resources whose files lie
// elsewhere on this machine, or nowhere.
func filesOf(tools *exec.Catalog) (files []bundle.File, absent []string, err error) {
	for _, id := range tools.Of(record.TypeResource) {
		r, err := tools.Resource(id)
		if err != nil {
			return nil, nil, err
		}
		if r.URL != "" {
			continue
		}
		file, err := fileOf(r, tools.Folder)
		if err != nil {
			absent = append(absent, id)
			continue
		}
		files = append(files, file)
	}
	slices.SortFunc(files, func(a, b bundle.File) int { return strings.Compare(a.Name, b.Name) })
	return slices.Compact(files), absent, nil
}

func fileOf(r *catalog.Resource, folder string) (bundle.File, error) {
	if r.Origin != model.Inline {
		return bundle.File{}, fmt.Errorf("its origin is %s", r.Origin)
	}
	inBundle, err := (&origin.Places{}).File(r.Origin, r.File, path.Ext(r.File), r.Src.Path)
	if err != nil {
		return bundle.File{}, err
	}
	here, err := (&origin.Places{Catalog: folder}).File(r.Origin, r.File, path.Ext(r.File), r.Src.Path)
	if err != nil {
		return bundle.File{}, err
	}
	at, err := here.Path()
	return bundle.File{Name: inBundle.String(), Path: at}, err
}

// keysOf are the server parameters of tools, in order, and whom they are for.
func keysOf(tools []listing.Tool) []bundle.Key {
	count, of, to := map[string]int{}, map[string][]string{}, map[string][]string{}
	for _, t := range tools {
		namespace, _, _ := strings.Cut(t.ID, "/")
		for _, key := range t.ServerParams {
			count[key]++
			of[key], to[key] = append(of[key], namespace), append(to[key], t.Domain)
		}
	}
	var keys []bundle.Key
	for _, key := range slices.Sorted(maps.Keys(count)) {
		domains := distinct(to[key])
		goes := "sent to " + words.List(domains)
		if len(domains) > 1 { // docs/keys.md, "Where keys go"
			goes = "asked for by " + words.List(domains) + ", and sent to none before it is bound to one"
		}
		keys = append(keys, bundle.Key{Name: key, Required: count[key] == len(tools),
			Description: fmt.Sprintf("For %s of %s; %s.", words.Count(count[key], "tool"),
				words.List(distinct(of[key])), goes)})
	}
	return keys
}

func distinct(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}

// writeBundle writes a bundle, and returns the hash of its bytes.
func writeBundle(file string, s *bundle.Server) (string, error) {
	f, err := atomicfile.Create(file, 0o644)
	if err != nil {
		return "", err
	}
	defer f.Abort()
	hash := sha256.New()
	if err := s.Write(io.MultiWriter(f, hash)); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), f.Commit()
}
