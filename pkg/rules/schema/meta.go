package schema

import (
	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/migrate"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// proposedMeta is the meta that a tool has as far as the schema says it (pkg/migrate).
func proposedMeta(p *engine.Pass, tool *model.Node) ordjson.Value {
	return migrate.Meta(migrate.Tool{
		Name: tool.Key(), Method: tool.Get("method").Str(), Description: tool.Get("description").Str(),
		Namespace: p.Schema.Namespace(), Fetches: p.Load.Fetches && p.Handles(tool.Key(), "executeRequest"),
	})
}

// addedMeta gives a tool the meta that is proposed for it: somebody has to look at it, and
// models see it (decision "Proposed meta").
func addedMeta(p *engine.Pass, tool *model.Node) (safe bool, changes []edit.Change) {
	if tool.Get("meta").Exists() || p.Schema.Get("meta").Exists() { // whose is to be moved
		return false, nil
	}
	return false, []edit.Change{engine.AddMember(tool, "meta", proposedMeta(p, tool), "output", "parameters")}
}

// addedToMeta is addedMeta for one field of a meta that is there.
func addedToMeta(field string) func(*engine.Pass, *model.Node) (bool, []edit.Change) {
	return func(p *engine.Pass, meta *model.Node) (safe bool, changes []edit.Change) {
		if meta.Get(field).Exists() {
			return false, nil
		}
		v := proposedMeta(p, meta.Parent()).Get(field)
		return false, []edit.Change{engine.AddMember(meta, field, v)}
	}
}
