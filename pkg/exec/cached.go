package exec

import (
	"maps"
	"slices"
	"time"

	"github.com/flowmcp/fmcp/pkg/exec/cache"
	"github.com/flowmcp/fmcp/pkg/exec/secret"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// cacheTTL is how long answers of a tool are kept, 0 where they are not: its
// preload does not say so, or its calls are there to change something.
func cacheTTL(t *Tool) time.Duration {
	preload := t.Preload
	ttl := preload.Get("ttl")
	if !preload.Get("enabled").True() || !ttl.Is(ordjson.Number) || !slices.Contains([]string{"GET", "POST"}, t.Method) {
		return 0
	}
	seconds := ttl.Float()
	if !(seconds >= 1) {
		return 0
	}
	return time.Duration(min(seconds, 1<<32)) * time.Second
}

// slot finds the place in the cache for a call, nil where its answer is not
// cached.
func (c *Caller) slot(t *Tool, in Input, req *Request, env *secret.Env, e *record.Envelope) *cache.Slot {
	ttl := cacheTTL(t)
	if c.Cache == nil || ttl == 0 {
		return nil
	}
	k := cache.Key{
		ID: t.ID, Name: t.Name, Type: t.MIMEType(), Request: req.Redacted(), TTL: ttl,
		Note: t.Preload.Get("description").Str(),
	}
	var params []ordjson.Member
	for _, key := range slices.Sorted(maps.Keys(in.values)) {
		params = append(params, ordjson.Field(key, in.values[key]))
	}
	k.Params = ordjson.NewObject(params...)
	for _, key := range req.ServerKeys() {
		v, _ := env.Lookup(key)
		k.Server = append(k.Server, key, v)
	}
	return c.Cache.Slot(k, e)
}
