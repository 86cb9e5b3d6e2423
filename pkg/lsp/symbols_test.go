package lsp

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// where are the locations that a request is answered with: "FILE:LINE:COLUMN TEXT".
func (c *client) where(method string, params map[string]any) string {
	c.t.Helper()
	a := c.request(method, params)
	var list []location
	if err := json.Unmarshal(a.Result, &list); err != nil || a.Error != nil {
		c.t.Fatalf("%s %+v: %v", a.Result, a.Error, err)
	}
	var lines []string
	for _, l := range list {
		path, _ := pathOf(l.URI)
		rel, err := filepath.Rel(c.root, path)
		if err != nil {
			c.t.Fatal(err)
		}
		t := newText(c.text(filepath.ToSlash(rel)))
		lines = append(lines, fmt.Sprintf("%s:%d:%d %s", filepath.ToSlash(rel), l.Range.Start.Line,
			l.Range.Start.Character, t.src[t.offset(l.Range.Start):t.offset(l.Range.End)]))
	}
	return strings.Join(lines, "\n")
}

// From each place that refers to something a way leads to where that is defined.
func TestDefinition(t *testing.T) {
	c := dial(t, "../../testdata/catalog", "community")
	const tides = stations + ":53:8 getTides"
	for _, tt := range []struct{ file, mark, want string }{
		{arrivals, "'tidewatch/tool/get|Tides'", tides},
		{"agents/harbour-master/agent.mjs", "'tidewatch/tool/get|Tides': null", tides},
		{"agents/harbour-master/prompts/daily-brief.mjs", "{{tool:tidewatch/|getTides}}", tides},
		{"providers/tidewatch/harbours.mjs", "dependsOn: [ 'listStations', 'get|Tides' ]", tides},
		{"providers/tidewatch/prompts/window.mjs", "{{tool:|getTides", tides},
		{stations, "|getTides: {", tides},
		{stations, "ref: 'sea|Areas'", seaAreas + ":4:15 seaAreas"},
		{stations, "enum({{sea|Areas:alias}})", seaAreas + ":4:15 seaAreas"},
		{"providers/tidewatch/harbours.mjs", "references: [ 'tidewatch/prompt/|about' ]",
			"providers/tidewatch/harbours.mjs:87:8 about"},
		{stations, "description: 'Tide |gauges", ""},
		{stations, "me|thod: 'GET'", ""},
	} {
		if got := c.where("textDocument/definition", c.at(tt.file, tt.mark)); got != tt.want {
			t.Errorf("%s %s: %s, want %s", tt.file, tt.mark, got, tt.want)
		}
	}
}

// All places are found that refer to a tool, as the editor has their files.
func TestReferences(t *testing.T) {
	c := dial(t, "../../testdata/catalog", "community")
	c.edit(arrivals, "export", "\n// new lines\nexport")
	at := c.at(stations, "|getTides: {")
	got := strings.Split(c.where("textDocument/references", at), "\n")
	for _, want := range []string{
		"agents/harbour-master/agent.mjs:10:9 tidewatch/tool/getTides",
		arrivals + ":10:74 tidewatch/tool/getTides",
		"providers/tidewatch/harbours.mjs:92:42 getTides",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("%s is not among\n%s", want, strings.Join(got, "\n"))
		}
	}
	if slices.Contains(got, stations+":53:8 getTides") {
		t.Error("the definition is among the references")
	}
	at["context"] = map[string]any{"includeDeclaration": true}
	if all := strings.Split(c.where("textDocument/references", at), "\n"); len(all) != len(got)+1 {
		t.Errorf("with the definition:\n%s", strings.Join(all, "\n"))
	}
	// While the file of the definition is broken, it is where it was.
	c.edit(stations, "getTides: {", "getTides: { 'open")
	if got := c.where("textDocument/definition", c.at(arrivals, "'tidewatch/tool/get|Tides'")); got !=
		stations+":53:8 getTides" {
		t.Errorf("in a broken file: %s", got)
	}
}
