package main

import (
	"context"
	"fmt"

	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/exec"
	"github.com/flowmcp/fmcp/pkg/exec/fetch"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/serve"
)

// offer is what a catalog has, and what of it is served.
type offer struct {
	*serve.Listing
	caller    *caller
	have      serve.HaveKey
	shown     []serve.Tool
	hidden    []serve.Tool // they lack keys
	resources []serve.Resource
}

// offer looks what of a catalog can be served. What cannot, and why, is said.
func (c *served) offer(tools *exec.Catalog, calls *exec.Caller, say func(string)) (*offer, error) {
	listing, err := serve.List(tools.Index, c.style(), func(e *record.Error) { say(e.Error()) })
	if err != nil {
		return nil, err
	}
	if len(listing.Tools)+len(listing.Resources)+len(listing.Prompts) == 0 {
		return nil, fmt.Errorf("%s has no tool, resource, prompt or skill to serve", c.Catalog)
	}
	o := &offer{Listing: listing, caller: &caller{tools: tools, calls: calls, room: fetch.NewRoom(maxAnswers)}}
	domains := listing.Domains()
	calls.Env.AskedBy(func(key string) []string { return domains[key] })
	o.have = func(domain, key string) bool { _, ok := calls.Env.For(domain).Lookup(key); return ok }
	o.shown, o.hidden = serve.Visible(listing.Tools, o.have)
	if text := serve.HiddenNote(o.hidden, o.have); text != "" {
		say(text)
	}
	for _, text := range reasons(calls.Env, o.hidden) {
		say(text)
	}
	o.shown, o.resources = o.caller.answerable(o.shown, listing.Resources, say)
	return o, nil
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
