package model

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/yaml"
)

// uploadFields are the fields of a frontmatter that a SKILL.md may have where it is
// uploaded: the portable ones of Agent Skills (skill-md-frontmatter, "Anthropic Upload
// Compatibility Rule").
var uploadFields = []string{"name", "description", "license", "compatibility", "allowed-tools", "metadata"}

// UploadText is a SKILL.md as it may be uploaded, and the fields that have moved into
// metadata: those of x-personal-mcp under "x-personal-mcp.FIELD", others under
// "frontmatter.FIELD", as text, or as JSON where they are none. Where none has moved it
// is the text as it is. v is what SkillMD reads of text; its frontmatter is a mapping,
// and so is metadata, where there is one.
func UploadText(text string, v ordjson.Value) (out string, moved []string) {
	front := v.Get("frontmatter")
	metadata := map[string]string{}
	var order []string
	put := func(key string, v ordjson.Value) {
		if _, there := metadata[key]; !there {
			order = append(order, key)
		}
		metadata[key] = ordjson.Unquoted(v)
	}
	for _, m := range front.Get("metadata").Members() {
		put(m.Key, m.Value)
	}
	for _, m := range front.Members() {
		switch {
		case slices.Contains(uploadFields, m.Key):
			continue
		case m.Key == SkillExtension && m.Value.Is(ordjson.Object):
			for _, e := range m.Value.Members() {
				put(SkillExtension+"."+e.Key, e.Value)
			}
		default:
			put("frontmatter."+m.Key, m.Value)
		}
		moved = append(moved, m.Key)
	}
	if moved == nil {
		return text, nil
	}
	var b strings.Builder
	b.WriteString(yaml.Fence + "\n")
	for _, m := range front.Members() { // JSON is YAML
		if m.Key != "metadata" && slices.Contains(uploadFields, m.Key) {
			b.WriteString(m.Key + ": " + ordjson.Text(m.Value) + "\n")
		}
	}
	b.WriteString("metadata:\n")
	for _, key := range order {
		quoted := func(s string) string { return ordjson.Text(ordjson.NewString(s)) }
		b.WriteString("  " + quoted(key) + ": " + quoted(metadata[key]) + "\n")
	}
	b.WriteString(yaml.Fence + "\n")
	return b.String() + v.Get("body").Str(), moved
}
