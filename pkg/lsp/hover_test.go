package lsp

import (
	"encoding/json"
	"strings"
	"testing"
)

// hovered is what the editor shows of a place.
func (c *client) hovered(file, mark string) string {
	c.t.Helper()
	a := c.request("textDocument/hover", c.at(file, mark))
	var h struct {
		Contents struct{ Kind, Value string }
	}
	if err := json.Unmarshal(a.Result, &h); err != nil || a.Error != nil {
		c.t.Fatalf("%s %+v: %v", a.Result, a.Error, err)
	}
	if h.Contents.Value != "" && h.Contents.Kind != "markdown" {
		c.t.Errorf("%+v", h)
	}
	return h.Contents.Value
}

func TestHover(t *testing.T) {
	c := dial(t, "../../testdata/catalog", "community")
	for _, tt := range []struct {
		file, mark string
		want       []string
	}{
		{arrivals, "'tidewatch/tool/get|Tides'", []string{"**tidewatch/tool/getTides**", "High and low waters",
			"GET https://localhost:18443/v1/stations/{{station}}/tides", "\"maximum\": 14", "\"required\": ["}},
		{"agents/harbour-master/agent.mjs", "'tidewatch/tool/list|Stations': null", []string{"\"german-bight\","}},
		{stations, "ref: 'sea|Areas'", []string{"**shared/list/seaAreas**", "Sea areas of the North Sea",
			"version 1.0.0", "alias  code  tidal  pilot\ngerman-bight  11  true  Elbe Pilot\n"}},
		{stations, "enum({{sea|Areas:alias}})", []string{"\nalias\ngerman-bight\ndogger\n"}},
		{stations, "met|hod: 'GET'", []string{"method: 'GET' | 'POST' | 'PUT' | 'DELETE'", "required"}},
		{stations, "method: 'G|ET'", []string{"method: 'GET' | 'POST'"}},
		{stations, "sche|maHash", []string{"schemaHash: string", "chapter 01"}},
		{"registry.json", `"schemaS|pec"`, []string{"schemaSpec: "}},
		{stations, "// Tide|watch:", nil},
	} {
		got := c.hovered(tt.file, tt.mark)
		for _, want := range tt.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s %s: %q is not in\n%s", tt.file, tt.mark, want, got)
			}
		}
		if len(tt.want) == 0 && got != "" {
			t.Errorf("%s %s: %s", tt.file, tt.mark, got)
		}
	}
	c.edit(stations, "method: 'GET'", "method: 'GIT'")
	if got := c.hovered(stations, "met|hod: 'GIT'"); !strings.HasPrefix(got, "[VAL032](https://") ||
		!strings.Contains(got, "Fix: ") || !strings.Contains(got, "method: 'GET' | 'POST'") {
		t.Errorf("of a finding:\n%s", got)
	}
}

// What a schema says is text: it loads no pictures, and leaves no block of code.
func TestHoverOfUntrustedTexts(t *testing.T) {
	c := dial(t, "../../testdata/catalog", "community")
	c.edit(seaAreas, "description: 'Sea areas of", "description: '![x](https://evil.example/x.png) <img> Sea areas of")
	got := c.hovered(stations, "ref: 'sea|Areas'")
	if strings.Contains(got, "![x]") || strings.Contains(got, "<img>") || !strings.Contains(got, "evil") {
		t.Error(got)
	}
	for _, text := range []string{"a```b", "````\nx", ""} {
		block := fenced("", text)
		fence, rest, _ := strings.Cut(block, "\n")
		if body, ok := strings.CutSuffix(rest, "\n"+fence); !ok || strings.Contains(body, fence) {
			t.Errorf("%q", block)
		}
	}
}
