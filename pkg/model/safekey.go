package model

import (
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/lazy"
)

// maxSafeKey is how long a property key may be for the APIs of models.
const maxSafeKey = 64

var unsafeKey = lazy.Regexp(`[^a-zA-Z0-9_-]+`)

// SafeKeys returns the keys that MCP clients are shown for those of a tool's
// user parameters that the APIs of models refuse, and with them every request
// of the session: page_number for page[number] (docs/decisions.md, "Property
// keys"). Keys that stay are not in it; it is nil where all do. No two keys of
// a tool are shown alike, and the same keys give the same answer.
func SafeKeys(keys []string) map[string]string {
	var safe map[string]string
	taken, last := map[string]bool{}, map[string]int{} // last number of a name
	for _, key := range keys {
		taken[key] = true
	}
	for _, key := range keys {
		if _, known := safe[key]; known || key != "" && len(key) <= maxSafeKey && !unsafeKey().MatchString(key) {
			continue
		}
		base := strings.Trim(unsafeKey().ReplaceAllString(key, "_"), "_")
		if base == "" {
			base = "key"
		}
		name := base[:min(len(base), maxSafeKey)]
		for taken[name] {
			last[base]++
			suffix := "_" + strconv.Itoa(last[base]+1)
			name = base[:min(len(base), maxSafeKey-len(suffix))] + suffix
		}
		taken[name] = true
		if safe == nil {
			safe = map[string]string{}
		}
		safe[key] = name
	}
	return safe
}
