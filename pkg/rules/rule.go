// Package rules holds the validation rules of the specification: a rule is a
// row (what the code means, why, how bad it is in which profile) and a check.
// One file per family of codes; chapter 09 is their registry.
package rules

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/record"
)

// Rule is one row of the registry. Codes are never reused: a retired code
// stays as a row with Replaced set.
type Rule struct {
	Code      string
	Name      string          // short, kebab-case: "main-namespace-pattern"
	Spec      record.Severity // under --profile spec
	Community record.Severity // under --profile community (READINGS)
	Since     string          // version of the specification, or of fmcp for our own codes
	Chapter   string          // "09" or "READINGS 16"
	Summary   string          // what must hold, one sentence
	Why       string          // what goes wrong otherwise
	Fix       string          // what to do, in general; a finding names the particulars
	From      Spec            // the rule does not apply to older versions; "" is every version
	Late      bool            // runs after the others, since it must not repeat what they found
	Check     func(*Pass)     // nil where another stage reports the code
	Replaced  string          // code that took over; the rule never reports
}

// Profile names a set of severities.
type Profile string

// The profiles of READINGS: the specification as written, and what the public
// catalogs live by.
const (
	ProfileSpec      Profile = "spec"
	ProfileCommunity Profile = "community"
)

// Severity is how the rule reports under a profile.
func (r *Rule) Severity(p Profile) record.Severity {
	if p == ProfileCommunity {
		return r.Community
	}
	return r.Spec
}

// families lists the tables of all families, each in its own file.
var families = [][]Rule{mainRules, toolRules, parameterRules, outputRules, listRules, metaRules, compatRules, loadRules, secRules, callRules, serveRules}

var registry = func() []*Rule {
	var all []*Rule
	for _, f := range families {
		for i := range f {
			all = append(all, &f[i])
		}
	}
	slices.SortFunc(all, func(a, b *Rule) int { return strings.Compare(a.Code, b.Code) })
	return all
}()

// All returns every rule, tombstones included, ordered by code.
func All() []*Rule { return registry }

// Lookup returns the rule of a code.
func Lookup(code string) (*Rule, bool) {
	i, ok := slices.BinarySearchFunc(registry, code, func(r *Rule, c string) int { return strings.Compare(r.Code, c) })
	if !ok {
		return nil, false
	}
	return registry[i], true
}
