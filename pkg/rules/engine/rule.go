package engine

import (
	"slices"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/record"
)

// Rule is one row of the registry. Codes are never reused: a retired code
// stays as a row with Replaced set.
type Rule struct {
	Code      string
	Name      string          // short, kebab-case: "main-namespace-pattern"
	Spec      record.Severity // under --profile spec
	Community record.Severity // under --profile community (docs/decisions.md)
	Since     string          // version of the specification, or of fmcp for our own codes
	Chapter   string          // "09", or a heading of docs/decisions.md, or ownCode
	Summary   string          // what must hold, one sentence
	Why       string          // what goes wrong otherwise
	Fix       string          // what to do, in general; a finding names the particulars
	From      Spec            // the rule does not apply to older versions; "" is every version
	On        []record.Type   // types of files that the rule looks at; nil is schemas only
	Whole     bool            // looks at the file as a whole, even where its export is missing or no object
	Late      bool            // runs after the others, since it must not repeat what they found
	Catalog   bool            // needs the whole catalog: runs when the last record has come by
	Folder    bool            // of Catalog, but looks at files that do not come by, and at no other record
	Step      bool            // its edits take a file towards the next version of the specification
	Check     func(*Pass)     // nil where another stage reports the code
	Replaced  string          // code that took over; the rule never reports

	blocks func(p *Pass, at *model.Node) bool // see Set.Block; nil where a finding keeps nothing from being called
}

// on reports whether the rule looks at files of the type.
func (r *Rule) on(t record.Type) bool {
	if r.On == nil {
		return t == record.TypeSchema
	}
	return slices.Contains(r.On, t)
}

// CatalogRules says which rules run on a catalog that is checked in parts: on a part of
// it, those that need the whole cannot, and on all parts put together nothing else has
// to (decision "Shards"). "" is all rules.
type CatalogRules string

// The choices beside all rules.
const (
	NoCatalogRules   CatalogRules = "none"
	OnlyCatalogRules CatalogRules = "only"
)

// Runs reports whether a rule runs. Where the parts are put together there need not be
// any file.
func (c CatalogRules) Runs(r *Rule) bool {
	return c == "" || (r.Catalog && !r.Folder) == (c == OnlyCatalogRules)
}

// Profile names a set of severities.
type Profile string

// The profiles of docs/decisions.md: the specification as written, and what the public
// catalogs follow.
const (
	ProfileSpec      Profile = "spec"
	ProfileCommunity Profile = record.ProfileCommunity
)

// Severity is how the rule reports under a profile.
func (r *Rule) Severity(p Profile) record.Severity {
	if p == ProfileCommunity {
		return r.Community
	}
	return r.Spec
}
