package record

import (
	"time"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// Answer reads an envelope of a tool or a query whole. Of what the cache did it says the
// state alone.
func Answer(v ordjson.Value) *Envelope {
	e := envelopeOf(v)
	e.Tag, e.Data, e.DryRun = v.Get("tag"), v.Get("data"), v.Get("dryRun").True()
	e.Duration = time.Duration(v.Get("durationMs").Float()) * time.Millisecond
	if !e.Data.Exists() {
		e.Data = ordjson.NewNull()
	}
	if state := v.Get("cache").Get("state"); state.Exists() {
		e.Cache = &Cached{State: CacheState(state.Str())}
	}
	switch request := v.Get("request"); {
	case request.Get("query").Exists():
		e.Query = &Query{Source: request.Get("source").Str(), Name: request.Get("query").Str(),
			SQL: request.Get("sql").Str(), Params: request.Get("params")}
	case request.Exists():
		e.Request = &HTTPRequest{Method: request.Get("method").Str(), URL: request.Get("url").Str(),
			Body: request.Get("body")}
		for _, h := range request.Get("headers").Members() {
			e.Request.Headers = append(e.Request.Headers, Header{h.Key, h.Value.Str()})
		}
	}
	return e
}
