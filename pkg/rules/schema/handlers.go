package schema

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/words"
)

// stagesOf are the stages that a handler of that name may have. A query makes
// no request that there could be a stage before, and a resource has no handlers
// but those of its queries (chapter 13, "Handler Integration").
func stagesOf(p *engine.Pass, handler string) []string {
	name, queryName, nested := strings.Cut(handler, "/")
	r := p.Schema.Get("resources").Get(name)
	if !r.Exists() || p.Schema.Get(p.Schema.ToolsKey()).Get(handler).Exists() {
		return toolStages(p)
	}
	queries := r.Get("queries")
	switch {
	case queries.Len() == 0:
		return stages
	case nested && queries.Get(queryName).Exists():
		return queryStages
	case nested:
		return stages // its name is what is wrong
	}
	var names []string
	for _, m := range queries.Members() {
		names = append(names, m.Key)
	}
	return names
}

var queryStages = []string{"postRequest"}

func checkHandlersFunction(p *engine.Pass) {
	if p.Exports("handlers") && p.Load.Handlers == nil {
		p.ReportHandlers("", "found an export handlers that is not a function, expected a function that returns "+
			"an object",
			"write export const handlers = ( { sharedLists, libraries } ) => ( { … } )")
	}
}

// stages are the handlers that a tool may have (chapter 01, "Handler Types").
var (
	stages   = []string{"preRequest", "executeRequest", "postRequest"}
	stages20 = []string{"preRequest", "postRequest"}
)

func toolStages(p *engine.Pass) []string {
	if p.Ctx.SpecInForce() == engine.Spec20 {
		return stages20
	}
	return stages
}

func checkHandlerNames(p *engine.Pass) {
	var names *model.NameSet
	for _, h := range p.Load.Handlers {
		if names == nil {
			names = handledNames(p)
		}
		handlerName(p, h.Name, names)
		stages := stagesOf(p, h.Name)
		for _, s := range h.Stages {
			if slices.Contains(stages, s) {
				continue
			}
			fix := p.DidYouMean(s, stages, "use one of "+strings.Join(stages, ", "))
			p.ReportHandlers(h.Name+"/"+s,
				"handlers: found "+engine.Quote(h.Name)+" with a stage "+engine.Quote(s)+", expected one of "+
					strings.Join(stages, ", "), fix)
		}
	}
}

// handledNames are the names of tools, resources and queries.
func handledNames(p *engine.Pass) *model.NameSet {
	names := &model.NameSet{}
	for _, m := range p.Schema.Get(p.Schema.ToolsKey()).Members() {
		names.Add(m.Key)
	}
	for _, r := range p.Schema.Get("resources").Members() {
		names.Add(r.Key)
		for _, q := range r.Value.Get("queries").Members() {
			names.Add(r.Key + "/" + q.Key)
		}
	}
	return names
}

func handlerName(p *engine.Pass, name string, names *model.NameSet) {
	if name == record.UnknownHandlers || names.Has(name) {
		return
	}
	resources := p.Schema.Get("resources")
	if resource, _, ok := strings.Cut(name, "/"); ok && resources.Get(resource).Exists() &&
		!resources.Get(resource).Get("queries").Exists() {
		return
	}
	otherwise := "remove it: the schema has no tools or resources"
	if len(names.List) > 0 {
		otherwise = "remove it, or rename it to one of " + words.List(names.List)
	}
	fix := p.DidYouMean(name, names.List, otherwise)
	p.ReportHandlers(name, "handlers: found "+engine.Quote(name)+
		", which is not the name of a tool or resource of this schema: it never runs, and callers get the answer "+
		"without it", fix)
}
