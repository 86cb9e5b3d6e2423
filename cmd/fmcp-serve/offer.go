package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/exec"
	"github.com/flowmcp/fmcp/pkg/exec/fetch"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/serve/elicit"
	"github.com/flowmcp/fmcp/pkg/serve/listing"
)

// offer is what a catalog has, and what of it is served.
type offer struct {
	*listing.Listing
	caller    *caller
	domains   map[string][]string // that ask for a key
	have      listing.HaveKey
	shown     []listing.Tool
	hidden    []listing.Tool // they lack keys
	resources []listing.Resource
	sealed    map[string]string // why databases do not answer these, by MCP name, ID and address
	lost      []string          // what cannot be served, and why
	keys      []string          // why tools are hidden
}

// offer looks what of a catalog can be served.
func (c *served) offer(tools *exec.Catalog, calls *exec.Caller) (*offer, error) {
	o := &offer{caller: &caller{tools: tools, calls: calls, room: fetch.NewRoom(maxAnswers)}}
	lose := func(text string) { o.lost = append(o.lost, text) }
	list, err := listing.Of(tools.Index, c.style(), func(e *record.Error) { lose(e.Error()) })
	if err != nil {
		return nil, err
	}
	if len(list.Tools)+len(list.Resources)+len(list.Prompts) == 0 {
		return nil, fmt.Errorf("%s has no tool, resource, prompt or skill to serve", c.Catalog)
	}
	domains := list.Domains()
	o.Listing, o.domains = list, domains
	calls.Env.AskedBy(func(key string) []string { return domains[key] })
	o.have = func(domain, key string) bool { _, ok := calls.Env.For(domain).Lookup(key); return ok }
	o.shown, o.hidden = listing.Visible(list.Tools, o.have)
	list.Tools = nil
	if text := listing.HiddenNote(o.hidden, o.have); text != "" {
		o.keys = append(o.keys, text)
	}
	o.keys = append(o.keys, reasons(calls.Env, o.hidden)...)
	o.answerable(list.Resources, lose)
	return o, nil
}

// tell says on stderr what is not served, and why.
func (o *offer) tell(app *cli.App) {
	for _, text := range slices.Concat(o.lost, o.keys) {
		note(app, text)
	}
}

// narrowed is the part of the catalog that is wanted.
func (c *served) narrowed(ctx context.Context, app *cli.App) (*exec.Catalog, error) {
	index, _, wanted, err := c.read(ctx, app)
	if err != nil {
		return nil, err
	}
	if index, err = index.Narrow(wanted); err != nil {
		return nil, fmt.Errorf("%s: %w", c.Catalog, err)
	}
	tools := exec.NewCatalog(index)
	tools.Folder = c.Folder(c.Catalog)
	return tools, nil
}

// asking is what the agent that is served says about asking its user for inputs: a
// part of a catalog for an agent has that agent alone.
func (c *served) asking(x *catalog.Index) *elicit.Policy {
	if c.Agent == "" {
		return nil
	}
	for _, id := range x.Of(record.TypeAgent) {
		if agent, err := x.Group(id); err == nil {
			return elicit.NewPolicy(agent.Elicitation)
		}
	}
	return nil
}
