package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/clients"
	"github.com/flowmcp/fmcp/pkg/exec"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/serve"
	"github.com/flowmcp/fmcp/pkg/tokens"
	"github.com/flowmcp/fmcp/pkg/words"
)

// checkup is what was found out about a server before it serves.
type checkup struct {
	catalog string
	checks  []check
}

// check is a line of a checkup.
type check struct {
	of      string // "tools", or the ID of a client
	status  string // "ok", "warn" or "fail"
	text    string
	more    []string
	figures []ordjson.Member
}

func (r *checkup) add(c check) { r.checks = append(r.checks, c) }

func (r *checkup) failed() (n int) {
	for _, c := range r.checks {
		if c.status == "fail" {
			n++
		}
	}
	return n
}

// verdict is the last line.
func (r *checkup) verdict() string {
	if n := r.failed(); n > 0 {
		return fmt.Sprintf("%s would not be served correctly: %s", r.catalog, words.Count(n, "check")+" failed")
	}
	return r.catalog + " is ready to be served"
}

// text is the checkup for people.
func (r *checkup) text() string {
	var b strings.Builder
	for _, c := range r.checks {
		fmt.Fprintf(&b, "%-4s  %-14s  %s\n", c.status, c.of, c.text)
		for _, line := range c.more {
			b.WriteString("        " + line + "\n")
		}
	}
	return b.String() + "\n" + r.verdict() + "\n"
}

// lines are the checkup as NDJSON: a line for each check, and the verdict.
func (r *checkup) lines() []ordjson.Value {
	text := func(key, s string) ordjson.Member { return ordjson.Field(key, ordjson.NewString(s)) }
	var lines []ordjson.Value
	for _, c := range r.checks {
		members := append([]ordjson.Member{text("check", c.of), text("status", c.status), text("message", c.text)},
			c.figures...)
		if c.more != nil {
			members = append(members, ordjson.Field("details", ordjson.Strings(c.more)))
		}
		lines = append(lines, ordjson.NewObject(members...))
	}
	return append(lines, ordjson.NewObject(ordjson.Field("ready", ordjson.NewBool(r.failed() == 0)),
		ordjson.Field("failed", ordjson.NewInt(r.failed()))))
}

// figure is a number of a check.
func figure(key string, n int) ordjson.Member { return ordjson.Field(key, ordjson.NewInt(n)) }

// checkup looks at all that fmcp-serve would serve.
func (d *doctorCommand) checkup(ctx context.Context, app *cli.App, calls *exec.Caller) (*checkup, error) {
	asked, err := d.clients()
	if err != nil {
		return nil, err
	}
	catalog, err := d.narrowed(ctx, app)
	if err != nil {
		return nil, err
	}
	o, err := d.offer(catalog, calls)
	if err != nil {
		return nil, err
	}
	r := &checkup{catalog: d.Catalog}
	r.scope(d.scope)
	instructions := o.Instructions(d.how(), o.shown, o.hidden, o.have)
	surface, err := d.surface(app, serve.Contents{Tools: o.shown, Caller: o.caller}, catalog, calls)
	if err != nil {
		o.lost = append(o.lost, err.Error())
		r.offered(o)
		return r, nil
	}
	r.offered(o)
	listed, pages := surface.Listed()
	tools := definitions(listed)
	r.cost(tools, pages, instructions)
	name := clients.ServerName(cmp.Or(d.Name, o.About.Name, app.Name))
	for _, c := range asked {
		r.client(c, c.Mode(len(o.shown)), c.Check(name, instructions, tools))
	}
	return r, nil
}

// clients are those that are asked for.
func (d *doctorCommand) clients() ([]*clients.Client, error) {
	if d.Client == nil {
		return clients.All(), nil
	}
	var asked []*clients.Client
	for _, id := range d.Client {
		c, err := clients.Find(string(id))
		if err != nil {
			return nil, cli.Usagef("--client: %v", err)
		}
		asked = append(asked, c)
	}
	return asked, nil
}

// definitions are tools as clients see them.
func definitions(listed []ordjson.Value) []clients.Tool {
	list := make([]clients.Tool, len(listed))
	for i, d := range listed {
		list[i] = clients.Tool{Name: d.Get("name").Str(), Description: d.Get("description").Str(),
			Schema: d.Get("inputSchema")}
	}
	return list
}

// offered says what is served, and what is not.
func (r *checkup) offered(o *offer) {
	c := check{of: "tools", status: "ok", more: o.lost,
		text: fmt.Sprintf("%s, %s, %s to serve", words.Count(len(o.shown), "tool"),
			words.Count(len(o.resources), "resource"), words.Count(len(o.Prompts), "prompt")),
		figures: []ordjson.Member{figure("served", len(o.shown)), figure("hidden", len(o.hidden))}}
	if o.lost != nil {
		c.status = "fail"
	}
	r.add(c)
	if list := o.without(); list != nil {
		r.add(check{of: "data", status: "warn", more: list,
			text: words.Count(len(list), "resource") + " without data: calls will fail"})
	}
	if o.keys == nil {
		r.add(check{of: "keys", status: "ok", text: "none is missing"})
		return
	}
	r.add(check{of: "keys", status: "warn", text: o.keys[0], more: o.keys[1:]})
}

// largest is how many tools are named for what they cost.
const largest = 3

// cost says what the list of tools costs a model that is given all of it.
func (r *checkup) cost(tools []clients.Tool, pages int, instructions string) {
	type cost struct {
		name   string
		tokens int
	}
	sum, costs := 0, make([]cost, len(tools))
	for i, t := range tools {
		costs[i] = cost{t.Name, tokens.Count(t.Name + "\n" + t.Description + "\n" + ordjson.Text(t.Schema))}
		sum += costs[i].tokens
	}
	slices.SortStableFunc(costs, func(a, b cost) int { return cmp.Compare(b.tokens, a.tokens) })
	var named []string
	for _, c := range costs[:min(largest, len(costs))] {
		named = append(named, fmt.Sprintf("%s %d", c.name, c.tokens))
	}
	c := check{of: "list", status: "ok", text: fmt.Sprintf("costs %d tokens (o200k), instructions %d", sum,
		tokens.Count(instructions)), figures: []ordjson.Member{figure("tokens", sum)}}
	if named != nil {
		c.more = []string{"most: " + strings.Join(named, ", ")}
	}
	if pages > 1 {
		c.status = "warn"
		c.more = append(c.more, fmt.Sprintf("it has %d pages, and several clients read only the first", pages))
	}
	r.add(c)
}

// client says what a client cannot do with, and which mode suits it.
func (r *checkup) client(client *clients.Client, mode string, found []clients.Finding) {
	c := check{of: client.ID, status: "ok", text: "--mode " + mode + " suits it",
		figures: []ordjson.Member{ordjson.Field("mode", ordjson.NewString(mode))}}
	for _, f := range found {
		switch {
		case f.Lost:
			c.status = "fail"
		case c.status == "ok":
			c.status = "warn"
		}
		line := f.Text
		if n := len(f.Tools); n > 0 {
			line += ": " + strings.Join(f.Tools[:min(n, largest)], ", ")
			if n > largest {
				line += fmt.Sprintf(" and %d more", n-largest)
			}
		}
		c.more = append(c.more, line)
	}
	r.add(c)
}
