// Package commands holds the codes that no rule finds: what goes wrong while files
// and streams are read (LOD), when a tool is called (EXE: they are in the messages
// of an envelope), between those who score and fmcp-grade (GRD), between fmcp-serve
// and a client (MCP: data.code of a JSON-RPC error, or the start of a message), and
// in GTFS feeds and the databases made of them (GTF; chapter 13, "SQLite-GTFS
// Resources").
package commands

import (
	_ "embed"

	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

//go:embed rules.txt
var text string

// Family are the rules of this package.
var Family = engine.Family{
	Text: text,
	Checks: map[string]func(*engine.Pass){
		"LOD033": func(p *engine.Pass) { p.ListProblems("LOD033") },
	},
}
