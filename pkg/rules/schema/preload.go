package schema

import (
	"math"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// preloadRules are PRE001–PRE006, the rules of chapter 11 about tool.preload.
// That chapter calls them VAL060 to VAL065, which chapter 09 gives to the output
// of a tool (decision "Output codes").
var preloadRules = []engine.Rule{
	preload("PRE001", "preload-object", record.SeverityError, checkPreload,
		"preload, if there is one, is an object; chapter 11 calls this VAL060.",
		"What it says about caching cannot be read.",
		"Write preload: { enabled: true, ttl: 86400 }."),
	preload("PRE002", "preload-enabled", record.SeverityError, checkPreloadEnabled,
		"preload.enabled is true or false; chapter 11 calls this VAL061.",
		"Answers are cached only where it is true; a text or a number says neither.",
		"Write enabled: true."),
	preload("PRE003", "preload-ttl", record.SeverityError, checkPreloadTTL,
		"preload.ttl is a positive whole number, the seconds that an answer is kept; chapter 11 calls this VAL062.",
		"Without it a cached answer is never, or always, too old.",
		"Write ttl: 86400 for a day, 604800 for a week."),
	preload("PRE004", "preload-description", record.SeverityWarning, checkPreloadDescription,
		"preload.description, if there is one, is a string; chapter 11 calls this VAL063.",
		"It is shown to the user whenever an answer comes from the cache.",
		"Write description: 'All hospitals in Germany (~760KB)'."),
	preload("PRE005", "preload-ideal", record.SeverityInfo, checkPreloadIdeal,
		"A tool with preload.enabled and no user parameters is an ideal candidate for the cache; chapter 11 calls this VAL064.",
		"Every call asks the same, so that one answer serves all of them. It is good news, and nothing has to be done.",
		"Nothing to mend: choose a ttl that fits how often the data changes."),
	preload("PRE006", "preload-parameters", record.SeverityWarning, checkPreloadParameters,
		"A tool with preload.enabled and required user parameters says in preload.description how it is cached; chapter 11 calls this VAL065.",
		"Each combination of values is cached for itself, since the key of the cache holds them; readers should know what they get.",
		"Write description: 'One answer is kept for each city'."),
}

// preload is a row; tools have had preload since version 2.
func preload(code, name string, severity record.Severity, check func(*engine.Pass), summary, why, fix string) engine.Rule {
	return engine.Rule{
		Code: code, Name: name, Spec: severity, Community: severity, Since: "2.0.0", Chapter: "11",
		Summary: summary, Why: why, Fix: fix, Check: check,
	}
}

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
