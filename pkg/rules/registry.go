package rules

import "github.com/flowmcp/fmcp/pkg/record"

// registry holds the rules of all families.
var registry = NewSet(mainRules, toolRules, parameterRules, outputRules, listRules, sharedListRules, idRules, dependRules, catalogRules, preloadRules, metaRules, resourceRules, testRules, skillRules, agentRules, agentPartRules, selectionRules, skillMDRules, promptRules, placeholderRules, slashRules, compatRules, misspeltRules, keyRules, loadRules, secRules, callRules, serveRules, feedRules)

// Check runs the rules for the record's type and returns what they find, in the
// order of their codes. Rules that need the whole catalog are left to
// CheckCatalog. ctx may be shared by goroutines.
func Check(load *record.Load, ctx *Context) []Finding { return registry.Check(load, ctx) }

// NeedsCatalog reports whether CheckCatalog may have something to say about the
// file.
func NeedsCatalog(load *record.Load) bool { return registry.NeedsCatalog(load) }

// CheckCatalog is Check for the rules that need the whole catalog, which
// ctx.Catalog and ctx.Files show them.
func CheckCatalog(load *record.Load, ctx *Context) []Finding { return registry.CheckCatalog(load, ctx) }

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
func All() []*Rule { return registry.All() }

// Lookup returns the rule of a code.
func Lookup(code string) (*Rule, bool) { return registry.Lookup(code) }
