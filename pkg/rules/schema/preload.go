package schema

import (
	"strings"

	"github.com/flowmcp/fmcp/pkg/fields"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// eachPreload calls f with each preload that is an object; PRE001 reports the
// others.
func eachPreload(p *engine.Pass, f func(t *engine.Tool, preload *model.Node)) {
	for i := range p.Tools {
		if t := &p.Tools[i]; t.Get("preload").Is(ordjson.Object) {
			f(t, t.At("preload"))
		}
	}
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
			p.Report(preload, "found no user parameters: one cached answer serves every call",
				"nothing to fix; choose a ttl that fits how often the data changes")
		}
	})
}

func checkPreloadParameters(p *engine.Pass) {
	eachPreload(p, func(t *engine.Tool, preload *model.Node) {
		text := preload.Get("description")
		if text.Exists() && !text.Is(ordjson.String) {
			return // PRE004
		}
		if required, _ := userParams(t); required > 0 && preload.Get("enabled").True() &&
			strings.TrimSpace(text.Str()) == "" {
			p.Expect(preload, "description", fields.Preload.Known(),
				"how the answers are cached, since the tool has required parameters",
				"write description: 'one answer is kept for each combination of values'")
		}
	})
}
