package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/cmd/internal/network"
	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/exec"
	"github.com/flowmcp/fmcp/pkg/exec/secret"
	"github.com/flowmcp/fmcp/pkg/lazy"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/report"
	"github.com/flowmcp/fmcp/pkg/words"
)

type keysCommand struct {
	cli.CatalogFlags
	network.KeyFlags
	Catalog  string `group:"Keys" short:"c" required:"" placeholder:"FILE" var:"FMCP_CATALOG" help:"The catalog: what fmcp-resolve wrote, or a folder."`
	Template bool   `group:"Keys" help:"Print an env file to fill in, with the keys that are not set."`
}

// Long is the paragraph of the help.
func (c *keysCommand) Long() string {
	return "One line for each key and each registrable domain whose tools ask for it. A key is set (and from where); " +
		"unbound: it has a value, but schemas of several domains ask for it, or it is bound to others; " +
		"unnamed: the environment has it, and --env does not name it; or missing. No value is shown."
}

// Examples are those of the help.
func (c *keysCommand) Examples() []cli.Example {
	return []cli.Example{
		{Command: "fmcp-exec keys -c catalog.ndjson -f text", What: "what is set, and what is missing"},
		{Command: "fmcp-exec keys -c catalog.ndjson --template >> .flowmcp/.env", What: "the lines to fill in"},
		{Command: "fmcp-exec keys -c catalog.ndjson | jq -r 'select(.state != \"set\").tools[]'",
			What: "the tools that lack a key"},
	}
}

// keyLine is a key for a domain.
type keyLine struct {
	catalog.Asked
	state        secret.KeyState
	from, advice string
}

func (c *keysCommand) Run(ctx context.Context, app *cli.App) (int, error) {
	run := stream(app)
	env, _, err := c.Keys(app, &c.CatalogFlags)
	if err != nil {
		return cli.ExitUsage, err
	}
	tools, err := readCatalog(ctx, app, &c.CatalogFlags, run, c.Catalog, "")
	if err != nil {
		return cli.ExitUsage, err
	}
	env.AskedBy(tools.Domains)
	lines := keyLines(tools.Asked(), env)
	if c.Template {
		_, err := io.WriteString(app.IO.Stdout, template(lines, tools))
		return cli.ExitOK, err
	}
	return run.Answer(app, cli.ExitOK, keysText(lines), keysJSON(lines))
}

func keyLines(asked []catalog.Asked, env *secret.Env) []keyLine {
	var spare []string // names of env files that no schema asks for
	for _, name := range env.Names() {
		if !slices.ContainsFunc(asked, func(a catalog.Asked) bool { return a.Key == name }) {
			spare = append(spare, name)
		}
	}
	var lines []keyLine
	for _, a := range asked {
		own := env.For(a.Domain)
		l := keyLine{Asked: a, state: own.State(a.Key), advice: own.Advice([]string{a.Key})}
		_, l.from = own.Find(a.Key)
		if near, ok := words.Closest(a.Key, spare); ok && l.state == secret.KeyMissing {
			l.advice = "an env file has " + near + ": did you mean " + a.Key + "?"
		}
		lines = append(lines, l)
	}
	return lines
}

func keysText(lines []keyLine) string {
	var b strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&b, "%-7s %s %s, %s", l.state, report.Visible(l.Key), report.Visible(l.Domain),
			words.Count(len(l.Tools), "tool"))
		if l.from != "" {
			b.WriteString(", from " + l.from)
		}
		b.WriteByte('\n')
		for _, id := range l.Tools[:min(len(l.Tools), shownTools)] {
			b.WriteString("        " + report.Visible(id) + "\n")
		}
		if more := len(l.Tools) - shownTools; more > 0 {
			fmt.Fprintf(&b, "        and %d more\n", more)
		}
		if l.advice != "" {
			b.WriteString("        " + report.Visible(l.advice) + "\n")
		}
	}
	if len(lines) == 0 {
		b.WriteString("no tool asks for a key\n")
	}
	return b.String()
}

// shownTools is how many tools of a key the text names; NDJSON has all.
const shownTools = 3

func keysJSON(lines []keyLine) []ordjson.Value {
	var list []ordjson.Value
	for _, l := range lines {
		members := []ordjson.Member{
			ordjson.Field("key", ordjson.NewString(l.Key)), ordjson.Field("domain", ordjson.NewString(l.Domain)),
			ordjson.Field("state", ordjson.NewString(l.state.String())),
		}
		if l.from != "" {
			members = append(members, ordjson.Field("from", ordjson.NewString(l.from)))
		}
		if l.advice != "" {
			members = append(members, ordjson.Field("advice", ordjson.NewString(l.advice)))
		}
		list = append(list, ordjson.NewObject(append(members, ordjson.Field("tools", ordjson.Strings(l.Tools)))...))
	}
	return list
}

// keyName is a name that an env file can have.
var keyName = lazy.Regexp(`^[A-Za-z_][A-Za-z0-9_.-]*$`)

// template is an env file with a line for each key that is not set. One that
// schemas of several domains ask for is bound in it.
func template(lines []keyLine, tools *exec.Catalog) string {
	var b strings.Builder
	for _, l := range lines {
		if l.state == secret.KeySet || !keyName().MatchString(l.Key) {
			continue
		}
		name := l.Key
		if len(tools.Domains(l.Key)) > 1 {
			name += "@" + l.Domain
		}
		of := l.Tools[0]
		if more := len(l.Tools) - 1; more > 0 {
			of += fmt.Sprintf(" and %d more", more)
		}
		fmt.Fprintf(&b, "# %s: %s\n%s=\n", report.Visible(l.Domain), report.Visible(of), name)
	}
	return b.String()
}
