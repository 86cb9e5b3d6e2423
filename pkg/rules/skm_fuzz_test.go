package rules_test

import (
	"testing"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// noFiles is a folder without files.
type noFiles struct{}

func (noFiles) Load(string) *record.Load { return nil }
func (noFiles) Read(string) []byte       { return nil }
func (noFiles) Exists(string) bool       { return false }
func (noFiles) List(string) []string     { return nil }

// Whatever a SKILL.md says, its rules find a place in it for what they report.
func FuzzSkillMD(f *testing.F) {
	f.Add("---\nname: a\ndescription: <b>\nx-personal-mcp:\n  id: a\n  version: 1.0\n  tags: [A]\n" +
		"  capabilities: [x]\n  depends_on: [a, B]\n  references: {R: {path: ../x}}\n---\n# A")
	f.Add("---\nx-personal-mcp: {capabilities: [], references: {a: 1, b: {path: c.md, title: 1}}, depends_on: 1}\n" +
		"metadata: {a: 1}\nallowed-tools: [1]\n---\n")
	f.Add("# A")
	f.Fuzz(func(t *testing.T, text string) {
		v, err := model.SkillMD(text)
		if err != nil {
			return
		}
		load := &record.Load{Type: record.TypeSkillMD, Src: record.Source{Path: "skills/a/SKILL.md"}, Data: v,
			Static: true}
		ctx := &rules.Context{Catalog: walk.NewFacts("."), Files: noFiles{}}
		ctx.Catalog.Add(load)
		for _, found := range append(rules.Check(load, ctx), rules.CheckCatalog(load, ctx)...) {
			if _, at := ordjson.Lookup(v, found.Pointer); at < 0 || at > len(text) {
				t.Fatalf("%s at byte %d of %d", found.Rule.Code, at, len(text))
			}
		}
	})
}
