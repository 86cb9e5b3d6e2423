package model

import (
	"slices"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// The MIME types of answers (chapter 04, "Supported MIME-Types").
const (
	MIMEJSON = "application/json"
	MIMEPNG  = "image/png"
	MIMEText = "text/plain"
)

// MIMETypes are those that output.mimeType may be.
var MIMETypes = []string{MIMEJSON, MIMEPNG, MIMEText}

// OutputTypes are the values of type in output.schema (chapter 04).
var OutputTypes = []string{"string", "number", "boolean", "object", "array"}

// MaxOutputDepth is how many levels of schemas an output may have, the root
// counted (chapter 04, "Nesting Depth Limit"; VAL063).
const MaxOutputDepth = 4

// enumKinds are the types that an enum can list values of.
var enumKinds = map[string]ordjson.Kind{"string": ordjson.String, "number": ordjson.Number, "boolean": ordjson.Bool}

// StrayInEnum is the index of the first value of an enum that no value of the
// type can be, -1 if there is none (VAL061).
func StrayInEnum(enum ordjson.Value, typ string, nullable bool) int {
	kind := enumKinds[typ]
	return slices.IndexFunc(enum.Elems(), func(v ordjson.Value) bool {
		return kind != 0 && !v.Is(kind) && !(nullable && v.Is(ordjson.Null))
	})
}
