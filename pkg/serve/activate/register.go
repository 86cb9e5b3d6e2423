package activate

import (
	"errors"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/serve"
	"github.com/flowmcp/fmcp/pkg/serve/listing"
	"github.com/flowmcp/fmcp/pkg/words"
)

// loadPrompts looks for the prompts of the agent.
func (a *activation) loadPrompts() (string, error) { return a.loadTexts(record.TypePrompt) }

// loadSkills looks for the skills of the agent, and for its selections with all
// that they refer to (AGT030).
func (a *activation) loadSkills() (string, error) {
	a.checkSelections(a.agent.Selections, map[string]bool{})
	return a.loadTexts(record.TypeSkill)
}

// loadTexts looks for the members of a type that the agent has, or defines itself.
func (a *activation) loadTexts(typ record.Type) (string, error) {
	for i, part := range model.SelectionFields {
		for _, id := range a.agent.Members[i] {
			if part.Type == string(typ) && a.tools.Type(id) != typ {
				a.add(id + ": the catalog has no such " + part.Type + words.DidYouMean(id, a.Catalog.Of(typ)))
			}
		}
	}
	for _, own := range a.agent.Own {
		if name, ok := strings.CutPrefix(own, string(typ)+" "); ok {
			a.add(name + ": its file is not in the catalog, or exports no content")
		}
	}
	ids := a.tools.Of(typ)
	switch {
	case a.lines != nil:
		return "", errors.New("not all that the agent refers to is in the catalog")
	case len(ids) == 0:
		return "the agent has no " + string(typ) + "s", errNothing
	}
	return words.List(ids), nil
}

// checkSelections adds a line for each selection that cannot be loaded, in the
// words of chapter 17; seen are those that were looked at.
func (a *activation) checkSelections(ids []string, seen map[string]bool) {
	for _, id := range ids {
		if seen[id] {
			continue
		}
		seen[id] = true
		g, err := a.tools.Group(id)
		if err != nil {
			why := "the catalog has none" + words.DidYouMean(id, a.Catalog.Of(record.TypeSelection))
			for _, d := range a.Found {
				if d.Subject == id {
					why = d.Code + " " + d.Message
				}
			}
			a.add("AGT030 Selection " + id + " cannot be loaded: " + why)
			continue
		}
		for _, member := range slices.Concat(g.Members[:]...) {
			if a.tools.Type(member) == "" {
				a.add("AGT030 " + catalog.NotFoundText(id, member))
			}
		}
		a.checkSelections(g.Selections, seen)
	}
}

// registerTools makes the definitions that clients get, for the steps after it too.
func (a *activation) registerTools() (string, error) {
	var wrong []string
	list, err := listing.Of(a.tools.Index, a.Style,
		func(e *record.Error) { wrong = append(wrong, e.Error()) })
	if err == nil && wrong != nil {
		err = errors.New(strings.Join(wrong, "; "))
	}
	if err != nil {
		return "", err
	}
	a.listing = list
	if _, err := serve.NewSurface(serve.Contents{Tools: list.Tools, Resources: list.Resources}); err != nil {
		return "", err
	}
	var names []string
	for _, t := range list.Tools {
		names = append(names, t.WireName)
	}
	return words.Count(len(names), "tool") + ": " + words.List(names), nil
}

func (a *activation) registerPrompts() (string, error) { return a.registerTexts(record.TypePrompt) }
func (a *activation) registerSkills() (string, error)  { return a.registerTexts(record.TypeSkill) }

// registerTexts names the prompts, or skills, that clients get.
func (a *activation) registerTexts(typ record.Type) (string, error) {
	var names []string
	for _, p := range a.listing.Prompts {
		if p.Type == typ {
			names = append(names, p.ID)
		}
	}
	if names == nil {
		return "the agent has no " + string(typ) + "s", errNothing
	}
	return words.List(names), nil
}

func (a *activation) registerResources() (string, error) {
	if len(a.listing.Resources) == 0 {
		return "the agent has no resources", errNothing
	}
	var uris []string
	for _, r := range a.listing.Resources { // one of each template too
		if !slices.Contains(uris, r.URI) {
			uris = append(uris, r.URI)
		}
	}
	return words.List(uris), nil
}
