package agents

import (
	"slices"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// checkAgentExpected reports tools that a test expects and the agent does not have:
// it can never call them (chapter 10, "Agent Test Fields"). AGT011 speaks about
// what is no ID.
func checkAgentExpected(p *engine.Pass) {
	has, known := toolsOf(p)
	wrong := func(f engine.Finding) bool { return f.Rule.Code == "AGT007" } // it may be the one that is expected
	if !known || slices.ContainsFunc(p.Findings, wrong) {
		return
	}
	for _, t := range manifest(p).Tests() {
		for _, e := range t.At("expectedTools").Items() {
			id, err := catalog.ParsePrimitiveID(e.Str())
			if err != nil || id.Type != engine.TypeTool || has.Has(id.String()) {
				continue
			}
			p.Report(e, "found "+engine.Quote(e.Str())+", which is not a tool of the agent",
				p.DidYouMean(e.Str(), has.List, "add it to tools, or expect one that is there"))
		}
	}
}

// toolsOf are the IDs of the agent's tools: those of its manifest, and of its
// selections; not known where one of these cannot be read.
func toolsOf(p *engine.Pass) (has *model.NameSet, known bool) {
	if p.Ctx.Catalog == nil || p.Root.Get("tools").Len() == 0 {
		return nil, false // AGT006
	}
	has = &model.NameSet{}
	for _, m := range manifest(p).Members("tools") {
		has.Add(m.Ref)
		if m.Inline() {
			has.Add(catalog.ID{Namespace: p.Root.Get("name").Str(), Type: engine.TypeTool, Name: m.Key()}.String())
		}
	}
	for _, e := range p.Root.At("selections").Items() {
		id, err := catalog.ParsePrimitiveID(e.Str())
		if err != nil {
			return nil, false // AGT030
		}
		l := p.Ctx.LoadID(id)
		if l == nil || !l.Data.Is(ordjson.Object) {
			return nil, false
		}
		for _, m := range (model.Selection{Node: model.Root(l.Data)}).Members("tools") {
			has.Add(m.Ref)
		}
	}
	return has, true
}
