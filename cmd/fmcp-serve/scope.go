package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/serve"
	"github.com/flowmcp/fmcp/pkg/serve/listing"
	"github.com/flowmcp/fmcp/pkg/serve/skills"
	"github.com/flowmcp/fmcp/pkg/words"
)

// scope is a catalog and what of it is wanted.
type scope struct {
	whole *catalog.Index
	left  func() map[string]string // by ID, what leaves it out; asked for when somebody calls it
}

func newScope(whole *catalog.Index, wanted catalog.Narrowing) *scope {
	return &scope{whole, sync.OnceValue(func() map[string]string {
		left, _ := whole.LeftOut(wanted) // which was narrowed by it at the start
		return left
	})}
}

// wanted is what the flags and the configuration ask for.
func (c *served) wanted() (catalog.Narrowing, error) {
	wanted, err := c.Narrowing()
	if err != nil {
		return wanted, err
	}
	file, err := c.Configuration(c.Catalog)
	if err != nil {
		return wanted, cli.Usagef("%v", err)
	}
	if file != nil {
		wanted.Allow, wanted.Deny = file.Allow, slices.Concat(wanted.Deny, file.Deny)
	}
	return wanted, nil
}

// leftOut is what is left out by an MCP name, an ID or an address, and by what;
// "" for nothing.
func (s *scope) leftOut(name string) (id, by string) {
	if s == nil {
		return "", ""
	}
	left := s.left()
	for _, id := range []string{s.whole.Named(name), name, strings.TrimPrefix(name, model.URIScheme), skills.ID(name)} {
		if left[id] != "" {
			return id, left[id]
		}
	}
	for _, id := range s.whole.Of(record.TypeSkillMD) {
		if left[id] == "" {
			continue
		}
		bundle, err := s.whole.SkillMD(id)
		if err == nil && slices.ContainsFunc(bundle.Documents, func(d catalog.Document) bool { return d.URI == name }) {
			return id, left[id]
		}
	}
	return "", ""
}

// keyless is a tool that lacks keys. It has no more of the tool than is said.
type keyless struct {
	id, name, domain string
	keys             []string
}

// why says why something is not served that the catalog has: the answer to a call of
// it.
func (o *offer) why(s *scope) func(name string) *words.Problem {
	var hidden []keyless
	for _, t := range o.hidden {
		hidden = append(hidden, keyless{t.ID, t.WireName, t.Domain, t.ServerParams})
	}
	sealed, env := o.sealed, o.caller.calls.Env
	return func(name string) *words.Problem {
		id, by := s.leftOut(name)
		if by != "" {
			return &words.Problem{Code: serve.CodeOutOfScope, Message: "this server does not offer " + id + ": " + by +
				" leaves it out", Fix: "do without it, or have the server started with other settings"}
		}
		for _, t := range hidden {
			if name == t.name || name == t.id {
				return &words.Problem{Code: listing.CodeHidden, Message: t.id + " is hidden: " +
					env.For(t.domain).Advice(t.keys), Fix: "then start the server again"}
			}
		}
		if why := sealed[name]; why != "" {
			return &words.Problem{Code: serve.CodeRefused, Message: name + " is not served: " + why}
		}
		return nil
	}
}

// scope says how much of the catalog the flags and the configuration leave out.
func (r *checkup) scope(s *scope) {
	if s == nil {
		return
	}
	count := map[string]int{}
	for _, by := range s.left() {
		count[by]++
	}
	var texts []string
	for _, by := range slices.Sorted(maps.Keys(count)) {
		texts = append(texts, fmt.Sprintf("%d by %s", count[by], by))
	}
	n := len(s.left())
	c := check{of: "scope", status: "ok", text: "nothing is left out", figures: []ordjson.Member{figure("leftOut", n)}}
	if n > 0 {
		c.text = fmt.Sprintf("%d of the catalog left out: %s", n, words.List(texts))
	}
	r.add(c)
}
