package schema

import (
	"math"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

var preloadFields = []string{"enabled", "ttl", "description"}

// eachPreload calls f with each preload that is an object; PRE001 reports the
// others.
func eachPreload(p *engine.Pass, f func(t *engine.Tool, preload *model.Node)) {
	for i := range p.Tools {
		if t := &p.Tools[i]; t.Get("preload").Is(ordjson.Object) {
			f(t, t.At("preload"))
		}
	}
}

func checkPreload(p *engine.Pass) {
	for i := range p.Tools {
		if v := p.Tools[i].Get("preload"); v.Exists() && !v.Is(ordjson.Object) {
			p.Report(p.Tools[i].At("preload"), engine.Found(v)+", expected an object", "write preload: { enabled: true, ttl: 86400 }, or leave it out")
		}
	}
}

func checkPreloadEnabled(p *engine.Pass) {
	eachPreload(p, func(_ *engine.Tool, preload *model.Node) {
		if !preload.Get("enabled").Is(ordjson.Bool) {
			p.Expect(preload, "enabled", preloadFields, "true or false", "write enabled: true, or remove preload")
		}
	})
}

func checkPreloadTTL(p *engine.Pass) {
	eachPreload(p, func(_ *engine.Tool, preload *model.Node) {
		ttl := preload.Get("ttl")
		if f := ttl.Float(); !ttl.Is(ordjson.Number) || f <= 0 || f != math.Trunc(f) || math.IsInf(f, 0) {
			p.Expect(preload, "ttl", preloadFields, "a positive whole number of seconds", "write ttl: 86400 for a day, 604800 for a week")
		}
	})
}

func checkPreloadDescription(p *engine.Pass) {
	eachPreload(p, func(_ *engine.Tool, preload *model.Node) {
		if v := preload.Get("description"); v.Exists() && !v.Is(ordjson.String) {
			p.Report(preload.At("description"), engine.Found(v)+", expected a string", "write description: 'what is cached, and how large it is', or leave it out")
		}
	})
}

// userParams counts the parameters of a tool that the user gives.
func userParams(t *engine.Tool) (required, all int) {
	for i := range t.Params {
		q := &t.Params[i]
		if q.Source != model.User {
			continue
		}
		all++
		if q.Block == nil || !q.Block.Optional() {
			required++
		}
	}
	return required, all
}

func checkPreloadIdeal(p *engine.Pass) {
	eachPreload(p, func(t *engine.Tool, preload *model.Node) {
		if _, all := userParams(t); all == 0 && preload.Get("enabled").True() && t.Get("parameters").Is(ordjson.Array) {
			p.Report(preload, "found no user parameters: one cached answer serves every call", "nothing to mend; choose a ttl that fits how often the data changes")
		}
	})
}

func checkPreloadParameters(p *engine.Pass) {
	eachPreload(p, func(t *engine.Tool, preload *model.Node) {
		text := preload.Get("description")
		if text.Exists() && !text.Is(ordjson.String) {
			return // PRE004
		}
		if required, _ := userParams(t); required > 0 && preload.Get("enabled").True() && strings.TrimSpace(text.Str()) == "" {
			p.Expect(preload, "description", preloadFields, "how the answers are cached, since the tool has required parameters",
				"write description: 'one answer is kept for each combination of values'")
		}
	})
}
