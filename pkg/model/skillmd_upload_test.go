package model

import (
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// TestUploadText: standard fields keep their values, the others are texts in metadata,
// and the body stays byte for byte.
func TestUploadText(t *testing.T) {
	for name, c := range map[string]struct{ text, front string }{
		"nothing to move": {"---\nname: a # x\ndescription: >\n  b\n  c\n---\n\r\nBody", ""},
		"portable fields alone": {"---\nname: a\ndescription: b\nlicense: MIT\nallowed-tools: [Read]\n" +
			"compatibility: x\nmetadata: { k: 1 }\n---\n", ""},
		"all": {"---\nname: a\nwhen_to_use: \"now\"\nmodel: null\nx-personal-mcp:\n  id: a\n  version: 1.0.0\n" +
			"  tags: [t]\ndescription: |\n  b: \"c\"\n  # d\nmetadata:\n  k: v\n  n: 2\n---\n# Body\n---\n",
			`{"name":"a","description":"b: \"c\"\n# d\n","metadata":{"k":"v","n":"2","frontmatter.when_to_use":"now",` +
				`"frontmatter.model":"null","x-personal-mcp.id":"a","x-personal-mcp.version":"1.0.0",` +
				`"x-personal-mcp.tags":"[\"t\"]"}}`},
		"the block is what counts": {
			"---\nname: a\nmetadata: { x-personal-mcp.id: b }\nx-personal-mcp: { id: a }\n---\n",
			`{"name":"a","metadata":{"x-personal-mcp.id":"a"}}`},
	} {
		v, err := SkillMD(c.text)
		if err != nil {
			t.Fatal(name, err)
		}
		out, moved := UploadText(c.text, v)
		if c.front == "" {
			if out != c.text || moved != nil {
				t.Errorf("%s: %q, %v", name, out, moved)
			}
			continue
		}
		w, err := SkillMD(out)
		if err != nil {
			t.Fatalf("%s: %q: %v", name, out, err)
		}
		if got := ordjson.Text(w.Get("frontmatter")); got != c.front || w.Get("body").Str() != v.Get("body").Str() {
			t.Errorf("%s:\n%s, want\n%s\n%s", name, got, c.front, out)
		}
		if again, moved := UploadText(out, w); again != out || moved != nil {
			t.Errorf("%s: projected again it is %q", name, again)
		}
	}
}
