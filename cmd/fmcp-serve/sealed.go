package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/exec"
	"github.com/flowmcp/fmcp/pkg/serve"
)

// answerable leaves out what a sealed database cannot answer: the standard tools
// whose capabilities it lacks, and all of a resource whose database is missing or
// has no seal, which note says (chapter 13, "Seal Requirement").
func (c *caller) answerable(tools []serve.Tool, resources []serve.Resource, note func(string)) ([]serve.Tool,
	[]serve.Resource) {
	hidden, refused := map[string]bool{}, map[string]bool{}
	for _, t := range tools {
		resource := resourceOf(t.ID)
		if t.Capability == "" || refused[resource] {
			continue
		}
		can, err := c.can(t.ID)
		hidden[t.ID] = !can
		if refused[resource] = err != nil; err != nil {
			note(serve.CodeRefused + ": " + resource + " is not served: " + err.Error())
		}
	}
	left := func(id string) bool { return hidden[id] || refused[resourceOf(id)] }
	return slices.DeleteFunc(tools, func(t serve.Tool) bool { return left(t.ID) }),
		slices.DeleteFunc(resources, func(r serve.Resource) bool { return left(r.ID) })
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
