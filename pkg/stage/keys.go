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

func (k *keyAsks) observe(it *Item, again bool) {
	if load, ok := it.Rec.(*record.Load); ok && load.Type == record.TypeSchema && load.Data.Is(ordjson.Object) {
		if again {
			k.Remove(load.Src.File())
		}
		k.Add(load)
	}
}

// sharedKeys are the findings about keys that schemas of several domains ask
// for, but for those that were there a round before.
func (v *validator) sharedKeys() Batch {
	var out Batch
	said := map[string]bool{}
	for _, d := range rules.SharedKeys(&v.keys.KeyAsks, v.opts.Profile) {
		said[d.Message] = true
		if d = v.filter(d); d != nil && !v.keys.said[d.Message] {
			out = append(out, New(d))
		}
	}
	v.keys.said = said
	return out
}
