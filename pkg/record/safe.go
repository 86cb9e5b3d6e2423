package record

import (
	"net/http"
	"slices"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// ReadOnly says whether a call of a tool changes nothing, so that it is safe to
// repeat: as meta.isReadOnly has it (chapter 19), and without meta where it is a
// GET of which no handler can make another request (docs/decisions.md,
// "Read-only tools").
func ReadOnly(meta ordjson.Value, method string, stages []string) bool {
	if meta.Exists() {
		return meta.Get("isReadOnly").True()
	}
	return method == http.MethodGet && !slices.Contains(stages, "preRequest") &&
		!slices.Contains(stages, "executeRequest")
}

// Alone says whether a tool must not run beside itself (chapter 19,
// meta.isConcurrencySafe).
func Alone(meta ordjson.Value) bool {
	v := meta.Get("isConcurrencySafe")
	return v.Is(ordjson.Bool) && !v.True()
}
