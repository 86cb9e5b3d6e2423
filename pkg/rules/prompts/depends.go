package prompts

import (
	"slices"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// checkPromptUnlisted reports tools that the content of a prompt refers to and
// dependsOn does not list (chapter 12, "dependsOn"). PRM009 speaks about those that
// are not there.
func checkPromptUnlisted(p *engine.Pass) {
	s := p.Scope()
	for _, n := range prompts(p) {
		told := func(e *model.Node) bool { return p.Told(e.Pointer()) }
		if !n.Get("dependsOn").Is(ordjson.Array) || slices.ContainsFunc(n.At("dependsOn").Items(), told) {
			continue // PRM006
		}
		listed := &engine.Mentions{}
		for _, e := range n.DependsOn() {
			listed.Add(engine.NamesOf(e.Str()))
		}
		engine.EachReference(textOf(p, n), func(ref model.Reference, written string, _ *model.Node) {
			if ref.Type != engine.TypeTool || listed.Has(ref.Namespace, ref.Name) {
				return
			}
			id := catalog.ID{Namespace: ref.Namespace, Type: engine.TypeTool, Name: ref.Name}
			entry := id.String()
			switch {
			case ref.Namespace == "" && s.Known() && s.Has(engine.TypeTool, ref.Name):
				entry = s.IDOf(engine.TypeTool, ref.Name)
			case ref.Namespace == "" || !p.IDs().Known || !p.IDs().Defines(id):
				return
			}
			if n.owner == "namespace" {
				entry = ref.Name
			}
			p.Report(n.At("dependsOn"), "the content has "+written+", which dependsOn does not list",
				"add '"+entry+"' to dependsOn")
			listed.Add("", ref.Name)
		})
	}
}

// textOf is the content of a prompt, its own or that of its file; a node without
// text where there is none.
func textOf(p *engine.Pass, n prompt) *model.Node {
	if n.owner != "namespace" || p.Ctx.Catalog == nil || p.Ctx.Files == nil {
		return n.At("content")
	}
	if l := p.Ctx.Files.Load(p.InCatalog(n.Get("contentFile").Str())); l != nil {
		return model.Root(l.Data)
	}
	return n.At("content")
}
