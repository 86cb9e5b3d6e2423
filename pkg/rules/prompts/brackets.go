package prompts

import (
	"strings"

	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/lazy"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// formerPlaceholder is an ID or the key of an input between the brackets of
// version 2 (chapter 12, "Migration Note").
var formerPlaceholder = lazy.Regexp(`\[\[([a-zA-Z][a-zA-Z0-9-]*(?:/[a-zA-Z0-9-]+){0,2})\]\]`)

func checkFormerPlaceholders(p *engine.Pass) {
	n, seen := content(p), map[string]bool{}
	matches := formerPlaceholder().FindAllStringSubmatchIndex(n.Str(), -1)
	for i, at := range matches {
		written, name := n.Str()[at[0]:at[1]], n.Str()[at[2]:at[3]]
		if seen[name] {
			continue
		}
		seen[name] = true
		var changes []edit.Change
		for _, same := range matches[i:] {
			if n.Str()[same[2]:same[3]] == name {
				changes = append(changes, edit.Part(n.Pointer(), same[0], same[1], withType(name)))
			}
		}
		p.Report(n.In(at[0]), "found "+engine.Quote(written)+", which would be delivered as it stands",
			"write "+withType(name)).Fixed(false, changes...)
	}
}

// withType is the placeholder that chapter 08 has for one in brackets (section 2,
// "Step 7"): {{tool:coingecko/simplePrice}}, {{input:tokenSymbol}}.
func withType(name string) string {
	switch parts := strings.Split(name, "/"); len(parts) {
	case 1:
		return "{{input:" + name + "}}"
	case 2:
		return "{{tool:" + name + "}}"
	default:
		return "{{" + parts[1] + ":" + parts[0] + "/" + parts[2] + "}}"
	}
}
