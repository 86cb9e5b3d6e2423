package skills

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// checkPrefillParams reports parameters that the tool of an entry of prefill does
// not take. PH002 speaks about a tool that is not there.
func checkPrefillParams(p *engine.Pass) {
	if p.Ctx.Catalog == nil {
		return
	}
	for _, entry := range p.Root.At("prefill").Items() {
		id, params := entry.Get("tool").Str(), entry.At("params").Fields()
		keys, ok := userKeys(p, id)
		if !ok {
			continue
		}
		for _, n := range params {
			if !slices.Contains(keys, n.Key()) {
				fix := "remove it; " + id + " takes no parameters"
				if len(keys) > 0 {
					fix = "remove it; " + id + " takes " + strings.Join(keys, ", ")
				}
				p.Report(n, "found "+engine.Quote(n.Key())+", which is not a parameter of "+engine.Quote(id),
					p.DidYouMean(n.Key(), keys, fix))
			}
		}
	}
}

// userKeys are the parameters of a tool, by its ID or its name in the scope, that
// the user sets; not ok where the tool cannot be read.
func userKeys(p *engine.Pass, tool string) ([]string, bool) {
	id, err := catalog.ParsePrimitiveID(tool)
	if s := p.Scope(); err != nil && s.Folder == "providers" {
		id, err = catalog.ID{Namespace: s.Name, Type: engine.TypeTool, Name: tool}, nil
	}
	if err != nil || id.Type != engine.TypeTool {
		return nil, false
	}
	load := p.Ctx.LoadID(id)
	if load == nil {
		return nil, false
	}
	schema := model.NewSchema(load.Data)
	for _, t := range schema.Tools() {
		if t.Name != id.Name {
			continue
		}
		var keys []string
		for _, q := range t.Parameters(schema.RequiredServerParams()) {
			if q.Source == model.User {
				keys = append(keys, q.Key)
			}
		}
		return keys, true
	}
	return nil, false
}
