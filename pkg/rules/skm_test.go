package rules

import (
	"testing"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/walk"
)

func TestXMLTag(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "a < b > c": "", "a<b": "", "1 <2> 3": "<2>", "<b>x</b>": "<b>", "x </system>": "</system>",
		"<<x>>": "<x>", "a <- b, c -> d": "", "<!-- x -->": "<!-- x -->", "<": "", "<>": "", "< x>": "",
	} {
		if got := xmlTag(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestIsSemverTagged(t *testing.T) {
	for text, want := range map[string]bool{
		"1.0.0": true, "0.10.20": true, "1.0.0-rc.1": true, "1.0.0+b": true, "1.0.0-rc+b": true,
		"": false, "1.0": false, "1.0.0.0": false, "01.0.0": false, "1.00.0": false, "1.0.0-": false, "1.0.0+": false, "v1.0.0": false, "1.0.0 ": false, "1.0.0-ä": false,
	} {
		if got := isSemverTagged(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestPathFault(t *testing.T) {
	for name, good := range map[string]bool{
		"references/a.md": true, "references/a/b.MD": true, "./references/a.md": true, "references//a.md": true,
		"references": false, "references/": false, "references/a": false, "references/../a.md": false, "../references/a.md": false,
		"/references/a.md": false, `C:\references\a.md`: false, "C:references/a.md": false, "referencesa.md": false, "a.md": false,
	} {
		if fault, _ := pathFault(name); (fault == "") != good {
			t.Errorf("%q: %q, want good %v", name, fault, good)
		}
	}
}

// noFiles is a folder without files.
type noFiles struct{}

func (noFiles) Load(string) *record.Load { return nil }
func (noFiles) Read(string) []byte       { return nil }
func (noFiles) Exists(string) bool       { return false }
func (noFiles) List(string) []string     { return nil }

// Whatever a SKILL.md says, its rules find a place in it for what they report.
func FuzzSkillMD(f *testing.F) {
	f.Add("---\nname: a\ndescription: <b>\nx-personal-mcp:\n  id: a\n  version: 1.0\n  tags: [A]\n  capabilities: [x]\n  depends_on: [a, B]\n  references: {R: {path: ../x}}\n---\n# A")
	f.Add("---\nx-personal-mcp: {capabilities: [], references: {a: 1, b: {path: c.md, title: 1}}, depends_on: 1}\nmetadata: {a: 1}\nallowed-tools: [1]\n---\n")
	f.Add("# A")
	f.Fuzz(func(t *testing.T, text string) {
		v, err := model.SkillMD(text)
		if err != nil {
			return
		}
		load := &record.Load{Type: record.TypeSkillMD, Src: record.Source{Path: "skills/a/SKILL.md"}, Data: v, Static: true}
		ctx := &Context{Catalog: walk.NewFacts("."), Files: noFiles{}}
		ctx.Catalog.Add(load)
		for _, found := range append(Check(load, ctx), CheckCatalog(load, ctx)...) {
			if _, at := ordjson.Lookup(v, found.Pointer); at < 0 || at > len(text) {
				t.Fatalf("%s at byte %d of %d", found.Rule.Code, at, len(text))
			}
		}
	})
}
