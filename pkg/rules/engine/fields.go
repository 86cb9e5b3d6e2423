package engine

import "github.com/flowmcp/fmcp/pkg/fields"

// What main and tools may have in older versions.
var (
	mainFields30 = fields.Main.KnownIn(fields.Version3) // with skills: VAL016 speaks about it in version 4
	mainFields20 = fields.Main.KnownIn(fields.Version2)
	toolFields20 = fields.Tool.KnownIn(fields.Version2)
)

// MainFields are the fields of main in the version that is checked.
func (p *Pass) MainFields() []string {
	switch p.Ctx.SpecInForce() {
	case Spec20:
		return mainFields20
	case Spec30:
		return mainFields30
	}
	return fields.Main.Known()
}

// ToolFields are the fields of a tool in the version that is checked. VAL016 speaks
// about tools in version 2, which are of a later one.
func (p *Pass) ToolFields() []string {
	if p.Ctx.SpecInForce() == Spec20 && !p.Schema.Get("tools").Exists() {
		return toolFields20
	}
	return fields.Tool.Known()
}
