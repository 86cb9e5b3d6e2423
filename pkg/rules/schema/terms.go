package schema

import (
	"strings"
	"time"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// The fields of main about terms of service and licences (chapter 01, "Optional
// Fields"): each a string or null.

var address = orNull("the URL of a page, or null", isAddress)

func orNull(expected string, is func(string) bool) engine.Kind {
	return engine.Being(expected, func(v ordjson.Value) bool {
		return v.Is(ordjson.Null) || v.Is(ordjson.String) && is(v.Str())
	}).Optional()
}

func isAddress(s string) bool {
	return strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://")
}

func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

func isLanguage(s string) bool {
	return s == "multi" || len(s) == 2 && engine.IsLetters(s)
}
