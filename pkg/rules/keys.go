package rules

import (
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// SharedKey is a finding about a key that schemas of several registrable domains
// ask for, and the schema that it is at, without its data.
type SharedKey struct {
	engine.Finding
	Schema *record.Load
}

// SharedKeys are the findings about all schemas that have come by. No rule makes
// them: a schema need not wait for the others.
func SharedKeys(asks *walk.KeyAsks, profile engine.Profile) []SharedKey {
	var list []SharedKey
	for _, k := range asks.Shared() {
		r, _ := Lookup(k.Code)
		list = append(list, SharedKey{engine.Finding{Rule: r, Severity: r.Severity(profile), Message: k.Message, Fix: k.Fix, Pointer: k.Pointer}, k.Schema})
	}
	return list
}
