package stage

import (
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// keyAsks gathers the server parameters that schemas ask for.
type keyAsks struct {
	walk.KeyAsks
	said map[string]bool // findings of earlier rounds, where fmcp-scan watches
}

func (k *keyAsks) add(load *record.Load, again bool) {
	if load.Type == record.TypeSchema && load.Data.Is(ordjson.Object) {
		if again {
			k.Remove(load.Src.File())
		}
		k.Add(load)
	}
}

// sharedKeys are the findings about keys that schemas of several domains ask
// for, but for those that were there a round before.
func (j *catalogCheck) sharedKeys() (list []*record.Diagnostic) {
	said := map[string]bool{}
	for _, d := range rules.SharedKeys(&j.keys.KeyAsks, j.Profile) {
		said[d.Message] = true
		if d = j.filter(d); d != nil && !j.keys.said[d.Message] {
			list = append(list, d)
		}
	}
	j.keys.said = said
	return list
}
