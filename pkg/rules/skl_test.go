package rules_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// loadOf makes a load record of JSON.
func loadOf(t *testing.T, typ record.Type, path, json string) *record.Load {
	t.Helper()
	v, err := ordjson.Parse(json)
	if err != nil {
		t.Fatal(err)
	}
	return &record.Load{Type: typ, ID: "a/" + string(typ) + "/x", Src: record.Source{Path: path}, Data: v,
		Exports: []string{string(typ)}}
}

const wholeSkill = `{"name":"x","version":"flowmcp/4.0.0","description":"d","output":"o",
	"requires":{"tools":["t","a/tool/t"],"resources":["r"]},"prefill":[{"tool":"a/tool/t","params":{}}],
	"content":"{{tool:t}} {{tool:a/t}} {{resource:r}} {{skill:s}} {{prompt:p}} {{prefill:a/tool/t}} {{list:alias}}"}`

// Where there is no catalog to look things up in, rules about it are silent.
func TestReferencesWithoutCatalog(t *testing.T) {
	const prompt = `{"name":"x","version":"flowmcp-prompt/1.0.0","namespace":"a","dependsOn":["t"],` +
		`"references":["a/prompt/p"],"contentFile":"./prompts/x.mjs"}`
	for name, l := range map[string]*record.Load{
		"skill": loadOf(t, record.TypeSkill, "x.mjs", wholeSkill),
		"prompt": loadOf(t, record.TypePrompt, "x.mjs",
			`{"agent":"a","dependsOn":["a/tool/t"],"references":["a/prompt/p"],"content":"{{tool:t}} {{tool:a/t}} `+
				`{{prompt:a/p}}"}`),
		"content": loadOf(t, record.TypeContent, "x.mjs", `"{{tool:t}} {{tool:a/t}} {{prompt:a/p}}"`),
		"schema":  loadOf(t, record.TypeSchema, "x.mjs", `{"namespace":"a","prompts":{"p":`+prompt+`}}`),
	} {
		for place, ctx := range map[string]*rules.Context{"no context": {},
			"a file alone": {Catalog: walk.NewFacts(".")}} {
			if got := rules.CheckCatalog(l, ctx); len(got) > 0 {
				t.Errorf("%s, %s: %s: %s", name, place, got[0].Rule.Code, got[0].Message)
			}
		}
	}
}

// An older specification knows its own version of skills, and none before 3.
func TestSkillVersionOfOlderSpec(t *testing.T) {
	l := loadOf(t, record.TypeSkill, "x.mjs", strings.Replace(wholeSkill, "flowmcp/4.0.0", "flowmcp-skill/1.0.0", 1))
	for spec, want := range map[rules.Spec]bool{rules.Spec20: false, rules.Spec30: false, rules.Spec42: true} {
		found := false
		for _, f := range rules.Check(l, &rules.Context{Spec: spec}) {
			found = found || f.Rule.Code == "SKL004"
		}
		if found != want {
			t.Errorf("--spec %s: SKL004 %t, want %t", spec, found, want)
		}
	}
}

// No text makes the rules slow: 20,000 different placeholders on as many lines.
func TestManyPlaceholders(t *testing.T) {
	var text strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&text, `{{input:a%d}} {{tool:ns/b%d}} {{tool:c%d}}\n`, i, i, i)
	}
	l := loadOf(t, record.TypeSkill, "providers/a/skills/x.mjs", `{"content":"`+text.String()+`"}`)
	ctx := &rules.Context{Catalog: walk.NewFacts(".")}
	start := time.Now()
	found := len(rules.Check(l, ctx)) + len(rules.CheckCatalog(l, ctx))
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("took %s", took)
	}
	if found <= rules.MaxFindings {
		t.Errorf("found %d faults, want more than are reported", found)
	}
}
