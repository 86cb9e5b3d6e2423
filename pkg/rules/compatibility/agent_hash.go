package compatibility

import (
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/walk"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Chapter 06, "Integrity Verification", calls a difference a warning and has no
// code for it.
func checkAgentHash(p *engine.Pass) {
	hash := p.Root.Get("hash")
	if !hash.Exists() || p.Ctx.Catalog == nil || p.Ctx.Files == nil {
		return // optional
	}
	want, tools := walk.AgentHash(p.Root.Value, p.Ctx.LoadID)
	if want == "" || hash.Str() == want { // without one: AGT007
		return
	}
	p.Report(p.Root.At("hash"), engine.Found(hash)+", but the hash of the agent's "+words.Count(len(tools), "tool")+
		" is "+want,
		"review what changed in the tools, then write hash: '"+want+"', as fmcp-resolve agent rehash does").
		Fixed(false, engine.SetText(p.Root.At("hash"), want))
}
