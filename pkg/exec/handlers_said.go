package exec

import (
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/sandbox"
)

// verdict is what a handler says in its struct of how it went: that it failed,
// which is the error, or what a caller must know of its data
// (decision "Handler results"). Beside a response it stands by itself.
// clean redacts.
func verdict(stage string, out ordjson.Value, clean func(string) string) (said string, err error) {
	st := out.Get("struct")
	if v := out.Get("verdict"); v.Exists() {
		st = v
	}
	var texts []string
	for _, m := range st.Get("messages").Elems() {
		switch m.Kind() {
		case ordjson.String:
			texts = append(texts, m.Str())
		case ordjson.Null:
		default:
			texts = append(texts, ordjson.Text(m))
		}
	}
	said = snippet(clean(strings.Join(texts, "; ")))
	switch s := st.Get("status"); {
	case !s.Exists() || s.True():
		return said, nil
	case !s.Is(ordjson.Bool):
		return "", fail(sandbox.CodeShape, "%s returned a struct whose status is %s, expected true or false", stage, snippet(clean(ordjson.Text(s))))
	case said == "":
		return "", fail(sandbox.CodeThrew, "%s says that it failed, and not why: struct.messages is empty", stage)
	}
	return "", fail(sandbox.CodeThrew, "%s says that it failed: %s", stage, said)
}
