package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/cmd/internal/network"
	"github.com/flowmcp/fmcp/pkg/atomicfile"
	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/clients"
	"github.com/flowmcp/fmcp/pkg/exec/shared"
	servehttp "github.com/flowmcp/fmcp/pkg/serve/http"
	"github.com/flowmcp/fmcp/pkg/words"
)

type configCommand struct {
	Client clientName `arg:"" optional:"" name:"CLIENT" help:"claude-desktop, claude-code, cursor, vscode, codex, gemini or zed. Without one, all are listed, with what suits each."`
	serveCommand
	ClientFlags
}

// clientName is the name of a known client.
type clientName string

// Words implements cli.Chooser.
func (*clientName) Words() []string { return clients.IDs() }

// ClientFlags say what becomes of the configuration of a client.
type ClientFlags struct {
	Write   bool   `group:"Client" help:"Edit the client's file. Everything else in it stays as it is, and FILE.bak keeps the old version."`
	Force   bool   `group:"Client" help:"Replace another server of the same name."`
	File    string `group:"Client" placeholder:"FILE" help:"The client's file (default: where the client looks for it on this system)."`
	Command string `group:"Client" placeholder:"PATH" help:"Command that the client starts (default: this one)."`
}

// Long is the paragraph of the help.
func (c *configCommand) Long() string {
	return "Prints the configuration by which an MCP client starts this server: the command, the catalog and the " +
		"flags that you give here, with absolute paths. A key that comes from a variable (--env) is named in it, " +
		"without its value. stderr says which file it belongs in. With --http, the client is told to reach a server " +
		"that runs there."
}

// Examples are those of the help.
func (c *configCommand) Examples() []cli.Example {
	return []cli.Example{
		{Command: "fmcp-serve config", What: "all clients, and what suits each"},
		{Command: "fmcp-serve config cursor catalog.ndjson --env-file ~/.keys",
			What: "print the configuration for Cursor"},
		{Command: "fmcp-serve config codex catalog.ndjson --write", What: "put the server into the file of Codex"},
	}
}

func (c *configCommand) Run(ctx context.Context, app *cli.App) (int, error) {
	if c.Client == "" {
		_, err := io.WriteString(app.IO.Stdout, clients.Table(runtime.GOOS))
		return cli.ExitOK, err
	}
	client, err := clients.Find(string(c.Client))
	if err != nil {
		return cli.ExitUsage, cli.Usagef("%v", err)
	}
	if err := cmp.Or(c.named(app), c.modeFlags.check()); err != nil {
		return cli.ExitUsage, err
	}
	if c.Catalog == "-" {
		return cli.ExitUsage, cli.Usagef("the client has no catalog on stdin: name a file or a folder")
	}
	server, err := c.server(ctx, app, client)
	if err != nil {
		return cli.ExitFailure, err
	}
	file, err := filepath.Abs(cmp.Or(c.File, client.File(clients.PlaceOf(runtime.GOOS, app.IO.Getenv))))
	if err != nil {
		return cli.ExitFailure, err
	}
	if c.Write {
		if err := c.edit(app, client, server, file); err != nil {
			return cli.ExitFailure, fmt.Errorf("%s: %w", file, err)
		}
		return cli.ExitOK, nil
	}
	note(app, "this belongs in "+file+"; --write puts it there")
	_, err = io.WriteString(app.IO.Stdout, client.Snippet(server))
	return cli.ExitOK, err
}

// server is what the client is to start. What keeps tools from being served there is
// said on stderr.
func (c *configCommand) server(ctx context.Context, app *cli.App, client *clients.Client) (*clients.Server, error) {
	o, err := c.looked(ctx, app)
	if err != nil {
		return nil, err
	}
	o.tell(app)
	s := &clients.Server{Name: clients.ServerName(cmp.Or(c.Name, o.About.Name, app.Name))}
	if c.HTTP != "" {
		return s, c.running(app, client, s)
	}
	if s.Command, err = c.command(); err != nil {
		return nil, err
	}
	if s.Args, err = c.args(app); err != nil {
		return nil, err
	}
	s.Args = withMode(app, s.Args, client, len(o.shown))
	s.Env = c.variables(o.domains)
	if len(s.Env) > 0 && !client.Reads() {
		note(app, client.Title+" passes on no variables: write values in place of the empty ones, or use an env "+
			"file (--env-file)")
	}
	return s, nil
}

// withMode are the flags of a server with the mode that suits a client and a number of
// tools, unless the user has chosen one.
func withMode(app *cli.App, args []string, client *clients.Client, tools int) []string {
	mode := client.Mode(tools)
	if mode == "all" || slices.ContainsFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "--mode=") }) {
		return args
	}
	note(app, fmt.Sprintf("%s are too many for %s, which can use %d: the configuration has --mode %s",
		words.Count(tools, "tool"), client.Title, client.Most(), mode))
	return append(args, "--mode="+mode)
}

// tokenVariable is the variable of the client that has its token for the server.
const tokenVariable = "FMCP_TOKEN"

// running makes the server one that runs already, at --http, and that the client is
// only to reach.
func (c *configCommand) running(app *cli.App, client *clients.Client, s *clients.Server) error {
	if !client.Connects() {
		return cli.Usagef("the file of %s has no servers over HTTP: leave --http out, or add the URL in the "+
			"settings of its connectors", client.Title)
	}
	if s.URL = c.PublicURL; s.URL == "" {
		host, port, err := net.SplitHostPort(c.HTTP)
		if err != nil {
			return cli.Usagef("--http %s: %v; expected an address such as 127.0.0.1:8080", c.HTTP, err)
		}
		if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
			return cli.Usagef("--http %s is every address of this machine: say with --public-url which one clients use",
				c.HTTP)
		}
		s.URL = "http://" + net.JoinHostPort(host, port) + servehttp.Path
		if c.TLSCert != "" {
			s.URL = "https" + strings.TrimPrefix(s.URL, "http")
		}
	}
	if c.TokenFile == "" {
		return nil
	}
	s.Token = tokenVariable
	if client.Reads() {
		note(app, "the token is read from the variable "+tokenVariable+" of "+client.Title)
	} else {
		note(app, client.Title+" passes on no variables: write the token after Bearer")
	}
	return nil
}

// looked is what the server would offer.
func (c *configCommand) looked(ctx context.Context, app *cli.App) (*offer, error) {
	calls, err := c.Caller(app, &c.CatalogFlags, network.Recording{})
	if err != nil {
		return nil, err
	}
	defer calls.Close()
	if err := c.Open(app, calls, &c.CallFlags, c.CacheFlags); err != nil {
		return nil, err
	}
	tools, err := c.narrowed(ctx, app)
	if err != nil {
		return nil, err
	}
	return c.offer(tools, calls)
}

// command is what the client starts. This one is named as it was found, which may be
// a link that outlives a new version.
func (c *configCommand) command() (string, error) {
	switch {
	case c.Command == "":
		own, err := exec.LookPath(os.Args[0])
		if err != nil {
			return os.Executable()
		}
		return filepath.Abs(own)
	case !strings.ContainsRune(c.Command, filepath.Separator): // the client looks for it
		return c.Command, nil
	}
	return filepath.Abs(c.Command)
}

// args are the catalog and the flags that the user gave, but for those of this
// subcommand, and for --env: the client sets FMCP_ENV. A client starts the server in
// a folder of its own, so that what is found in this one is named.
func (c *configCommand) args(app *cli.App) ([]string, error) {
	catalog, err := filepath.Abs(c.Catalog)
	if err != nil {
		return nil, err
	}
	args := []string{catalog}
	given := app.Given()
	if info, err := os.Stat("." + c.Base); err == nil && info.IsDir() && c.Project == "" {
		given = append(given, cli.Given{Name: "project", Value: ".", Names: "DIR"})
	}
	settings, err := c.Settings.Read()
	if err != nil {
		return nil, err
	}
	for _, file := range settings.EnvFiles {
		if _, err := os.Stat(file); err == nil && !filepath.IsAbs(file) {
			given = append(given, cli.Given{Name: "env-file", Value: file, Names: "FILE"})
		}
	}
	for _, g := range given {
		if g.Group == "Client" || g.Group == "General" || g.Name == "env" {
			continue
		}
		if shared.HasPassword(g.Value) {
			return nil, withPassword(g)
		}
		at := ""
		if g.Name == "only" && strings.HasPrefix(g.Value, "@") {
			at, g.Value = "@", g.Value[1:]
		}
		if at != "" || (g.Names == "FILE" || g.Names == "DIR") && !shared.IsURL(g.Value) {
			if g.Value, err = filepath.Abs(g.Value); err != nil {
				return nil, err
			}
		}
		g.Value = at + g.Value
		args = append(args, g.Arg())
	}
	return args, nil
}

// withPassword refuses a flag that would be written to a file, for others to read.
func withPassword(g cli.Given) error {
	return cli.Usagef("the URL of --%s has a password, which would stand in the file: leave it out, and set "+
		"REDIS_PASSWORD where the server runs", g.Name)
}

// variables are those that the server is to read keys from, and FMCP_ENV with their
// names. A glob stands for the keys that the catalog asks for.
func (c *configCommand) variables(asked map[string][]string) []clients.Variable {
	if len(c.Env) == 0 {
		return nil
	}
	all := []clients.Variable{{Name: "FMCP_ENV", Value: strings.Join(c.Env, ",")}}
	for _, name := range c.Env {
		if strings.ContainsAny(name, `*?[\`) {
			for key := range asked {
				if ok, _ := path.Match(name, key); ok {
					all = append(all, clients.Variable{Name: key})
				}
			}
		} else {
			all = append(all, clients.Variable{Name: name})
		}
	}
	slices.SortStableFunc(all[1:], func(a, b clients.Variable) int { return cmp.Compare(a.Name, b.Name) })
	return slices.Compact(all)
}

// edit puts the server into the client's file.
func (c *configCommand) edit(app *cli.App, client *clients.Client, server *clients.Server, file string) error {
	was, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return words.Cause(err)
	}
	now, editErr := client.Edit(string(was), server, c.Force)
	switch {
	case editErr != nil:
		return editErr
	case now == string(was):
		note(app, file+" has the server "+server.Name+" already, and was not changed")
		return nil
	case err == nil:
		if err := atomicfile.Write(filepath.Dir(file), filepath.Base(file)+".bak", was); err != nil {
			return err
		}
	default:
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
	}
	f, err := atomicfile.Create(file, 0o600) // clients have keys in it
	if err != nil {
		return err
	}
	defer f.Abort()
	if _, err := io.WriteString(f, now); err != nil {
		return err
	}
	if err := f.Commit(); err != nil {
		return err
	}
	note(app, file+" has the server "+server.Name+" now; start "+client.Title+" again")
	return nil
}
