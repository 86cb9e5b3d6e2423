// Package rules holds the validation rules of the specification: a rule is a
// row (what the code means, why, how bad it is in which profile) and a check.
// Each family of codes is a package below this one; engine is what they stand
// on. Chapter 09 is their registry().
package rules

import (
	"sync"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/agents"
	"github.com/flowmcp/fmcp/pkg/rules/catalog"
	"github.com/flowmcp/fmcp/pkg/rules/commands"
	"github.com/flowmcp/fmcp/pkg/rules/compatibility"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/rules/ids"
	"github.com/flowmcp/fmcp/pkg/rules/lists"
	"github.com/flowmcp/fmcp/pkg/rules/migration"
	"github.com/flowmcp/fmcp/pkg/rules/output"
	"github.com/flowmcp/fmcp/pkg/rules/poison"
	"github.com/flowmcp/fmcp/pkg/rules/prompts"
	"github.com/flowmcp/fmcp/pkg/rules/resources"
	"github.com/flowmcp/fmcp/pkg/rules/schema"
	"github.com/flowmcp/fmcp/pkg/rules/security"
	"github.com/flowmcp/fmcp/pkg/rules/selections"
	"github.com/flowmcp/fmcp/pkg/rules/skillmd"
	"github.com/flowmcp/fmcp/pkg/rules/skills"
	"github.com/flowmcp/fmcp/pkg/rules/tests"
)

// What others need of the engine.
type (
	Rule     = engine.Rule
	Finding  = engine.Finding
	Context  = engine.Context
	Files    = engine.Files
	Callable = engine.Callable
	Spec     = engine.Spec
	Profile  = engine.Profile

	CatalogRules = engine.CatalogRules
)

const (
	Spec20           = engine.Spec20
	Spec30           = engine.Spec30
	Spec42           = engine.Spec42
	ProfileSpec      = engine.ProfileSpec
	ProfileCommunity = engine.ProfileCommunity
	HomeURI          = engine.HomeURI
	ToolSection      = engine.ToolSection
	ResourceSection  = engine.ResourceSection
	MaxListed        = engine.MaxListed
	ManifestName     = engine.ManifestName
	NoCatalogRules   = engine.NoCatalogRules
	OnlyCatalogRules = engine.OnlyCatalogRules
)

// ParseSpec reads a version as the user writes it; "" is the newest.
func ParseSpec(text string) (Spec, error) { return engine.ParseSpec(text) }

// registry holds the rules of all families. Their texts are read when a command
// first asks for a rule.
var registry = sync.OnceValue(func() *engine.Set {
	set := engine.NewSet(
		schema.Family, output.Family, lists.Family, tests.Family, resources.Family, agents.Family, selections.Family,
		prompts.Family, skills.Family, skillmd.Family, catalog.Family, ids.Family, compatibility.Family,
		commands.Family, migration.Family,
		security.Family, poison.Family,
	)
	for _, b := range blocks {
		set.Block(b.code, b.holds)
	}
	return set
})

// Check runs the rules for the record's type and returns what they find, in the
// order of their codes. Rules that need the whole catalog are left to
// CheckCatalog. ctx may be shared by goroutines.
func Check(load *record.Load, ctx *engine.Context) []engine.Finding {
	return registry().Check(load, ctx)
}

// Blocking returns what keeps a schema, or a part of it, from being called, with
// Blocks set. Unlike Check it needs no catalog but its lists.
func Blocking(load *record.Load, ctx *engine.Context) []engine.Finding {
	return registry().Blocking(load, ctx)
}

// NeedsCatalog reports whether CheckCatalog may have something to say about the
// file.
func NeedsCatalog(load *record.Load) bool { return registry().NeedsCatalog(load) }

// CheckCatalog is Check for the rules that need the whole catalog, which
// ctx.Catalog and ctx.Files show them.
func CheckCatalog(load *record.Load, ctx *engine.Context) []engine.Finding {
	return registry().CheckCatalog(load, ctx)
}

// Codes returns the codes of the rules that report.
func Codes() []string {
	var codes []string
	for _, r := range All() {
		if r.Replaced == "" {
			codes = append(codes, r.Code)
		}
	}
	return codes
}

// All returns every rule, tombstones included, ordered by code.
func All() []*engine.Rule { return registry().All() }

// Lookup returns the rule of a code.
func Lookup(code string) (*engine.Rule, bool) { return registry().Lookup(code) }
