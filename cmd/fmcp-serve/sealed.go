package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/exec"
	"github.com/flowmcp/fmcp/pkg/serve"
	"github.com/flowmcp/fmcp/pkg/serve/listing"
)

// answerable leaves out what a sealed database cannot answer: the standard tools
// whose capabilities it lacks, and all of a resource whose database is missing or
// has no seal, which note says (chapter 13, "Seal Requirement").
func (o *offer) answerable(resources []listing.Resource, note func(string)) {
	hidden, refused := map[string]string{}, map[string]string{}
	for _, t := range o.shown {
		resource := resourceOf(t.ID)
		if t.Capability == "" || refused[resource] != "" {
			continue
		}
		switch can, err := o.caller.can(t.ID); {
		case err != nil:
			refused[resource] = err.Error()
			note(serve.CodeRefused + ": " + resource + " is not served: " + err.Error())
		case !can:
			hidden[t.ID] = "its database has no " + t.Capability
		}
	}
	o.sealed = map[string]string{}
	left := func(id string, names ...string) bool {
		why := cmp.Or(hidden[id], refused[resourceOf(id)])
		if why != "" {
			for _, name := range append(names, id) {
				o.sealed[name] = why
			}
		}
		return why != ""
	}
	o.shown = slices.DeleteFunc(o.shown, func(t listing.Tool) bool { return left(t.ID, t.WireName) })
	o.resources = slices.DeleteFunc(resources, func(r listing.Resource) bool { return left(r.ID, r.URI) })
}

// resourceOf is the Spec-ID of the resource of a query.
func resourceOf(id string) string {
	return id[:max(0, strings.LastIndexByte(id, '/'))]
}

// can asks the database of a standard tool whether it can answer it.
func (c *caller) can(id string) (bool, error) {
	t, err := c.tools.Target(id)
	if err != nil {
		return false, err
	}
	q, ok := t.(*exec.Query)
	if !ok {
		return false, fmt.Errorf("%s is not a query", id)
	}
	return c.calls.Resources.Can(q.Spec, q.Name)
}

// without are the resources whose files are not there, and why. They are served all
// the same: a file may come later.
func (o *offer) without() (list []string) {
	seen := map[string]bool{}
	for _, t := range o.shown {
		found, _ := o.caller.tools.Target(t.ID)
		q, ok := found.(*exec.Query)
		if resource := resourceOf(t.ID); ok && !seen[resource] {
			seen[resource] = true
			if err := o.caller.calls.Resources.Missing(q.Spec); err != nil {
				list = append(list, resource+": "+err.Error())
			}
		}
	}
	return list
}
