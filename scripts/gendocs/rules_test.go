package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/rules"
	fixtures "github.com/flowmcp/fmcp/testdata/rules"
)

func TestRulePages(t *testing.T) {
	pages, err := rulePages(fixtures.FS)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rules.All() {
		page, anchor, _ := strings.Cut(r.Page(), "#")
		if strings.Count(pages[page], "\n## "+r.Code+"\n") != 1 || anchor != strings.ToLower(r.Code) {
			t.Errorf("%s is not on %s once", r.Code, r.Page())
		}
		if !strings.Contains(pages["index.md"], "\n| ["+r.Code+"]("+r.Page()+") |") {
			t.Errorf("%s is not in the index", r.Code)
		}
	}
	link := regexp.MustCompile(`\]\(([a-z]+\.md)(?:#([a-z0-9]+))?\)`)
	for name, text := range pages {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			if target, ok := pages[m[1]]; !ok ||
				m[2] != "" && !strings.Contains(target, "\n## "+strings.ToUpper(m[2])+"\n") {
				t.Errorf("%s: the link %s leads nowhere", name, m[0])
			}
		}
		if strings.Count(text, "\n```")%2 != 0 {
			t.Errorf("%s: a fence is not closed", name)
		}
	}
	want := "Output:\n\n```text\nbad.mjs:17:13: error VAL032: main.tools.getPrice.method: found \"get\", expected " +
		"GET, POST, PUT or DELETE\n"
	if !strings.Contains(pages["val.md"], want) {
		t.Errorf("the page lacks the output\n%s", want)
	}
	for _, family := range rules.Families() {
		if titles[family] == "" {
			t.Errorf("%s has no title", family)
		}
	}
}

func TestTombstone(t *testing.T) {
	var b strings.Builder
	r := &rules.Rule{Code: "VAL999", Name: "old", Summary: "It was so.", Chapter: "09", Replaced: "VAL032"}
	if err := ruleSection(&b, r, fixtures.FS); err != nil {
		t.Fatal(err)
	}
	const chapter = "https://github.com/FlowMCP/flowmcp-spec/blob/" +
		"a44e4121342acc205cb467de1672ebc009aecd03/spec/v4.2.0/09-validation-rules.md"
	want := "\n## VAL999\n\n`old` · retired · [chapter 09](" + chapter +
		")\n\nReplaced by [VAL032](val.md#val032).\n\nIt was so.\n"
	if b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}

func TestWriteExample(t *testing.T) {
	var b strings.Builder
	writeExample(&b, "Bad:", "a\n```js\nb\n```\n")
	if want := "Bad:\n\n````text\na\n```js\nb\n```\n````\n\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}

func TestUpdateRules(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "rules")
	pages := map[string]string{"index.md": "a\n", "val.md": "b\n"}
	step := func(write bool, want int) {
		t.Helper()
		if got, err := updateMade(dir, "*.md", pages, write); err != nil || got != want {
			t.Errorf("%d pages differ, %v; want %d", got, err, want)
		}
	}
	step(false, 2)
	step(true, 2)
	step(false, 0)
	pages["val.md"] = "c\n"
	step(false, 1)
	delete(pages, "val.md") // the family is gone
	step(false, 1)
	step(true, 1)
	step(false, 0)
	if _, err := os.Stat(filepath.Join(dir, "val.md")); !os.IsNotExist(err) {
		t.Errorf("the page of a family that is gone: %v", err)
	}
}
