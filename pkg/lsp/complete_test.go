package lsp

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// completed are the labels that are proposed where | is put in place of a text.
func (c *client) completed(file, old, text string) (labels []string, list completionList) {
	c.t.Helper()
	before := c.text(file)
	c.set(file, before)
	mark := strings.Replace(text, "|", "", 1)
	c.edit(file, old, mark)
	a := c.request("textDocument/completion", c.at(file, text))
	if err := json.Unmarshal(a.Result, &list); err != nil || a.Error != nil {
		c.t.Fatalf("%s %+v: %v", a.Result, a.Error, err)
	}
	for _, item := range list.Items {
		labels = append(labels, item.Label)
	}
	c.set(file, before)
	return labels, list
}

func TestCompletion(t *testing.T) {
	const agent, brief = "agents/harbour-master/agent.mjs", "agents/harbour-master/prompts/daily-brief.mjs"
	c := dial(t, "../../testdata/catalog", "community")
	for _, tt := range []struct {
		file, old, text string
		want            []string // all must be there
		not             []string
	}{
		{stations, "method: 'GET',", "method: '|", []string{"GET", "POST", "PUT", "DELETE"}, []string{"true"}},
		{stations, "method: 'GET',", "method: |", []string{"GET", "DELETE"}, nil},
		{stations, "method: 'GET',", "meth|", []string{"method"}, []string{"path", "description"}},
		{stations, "method: 'GET',", "tests: 1, |", []string{"method", "preload", "headers"},
			[]string{"path", "description"}},
		{stations, "docs:", "do|", []string{"docs"}, []string{"routes", "name"}},
		{stations, "{ ref: 'seaAreas',", "{ ref: 's|", []string{"seaAreas"}, nil},
		{stations, "{ ref: 'seaAreas', version: '1.0.0'", "{ ref: 'seaAreas', version: '|'", []string{"1.0.0"}, nil},
		{stations, "enum({{seaAreas:alias}})", "enum({{|", []string{"USER_PARAM", "seaAreas:alias", "seaAreas:pilot"},
			[]string{"tool:tidewatch/getTides"}},
		{stations, "enum({{seaAreas:alias}})", "enum({{seaAreas:|}})", []string{"seaAreas:alias"},
			[]string{"USER_PARAM"}},
		{"providers/parcelbird/shipments.mjs", "{{SERVER_PARAM:PARCELBIRD_TOKEN}}", "{{SERV|}}",
			[]string{"SERVER_PARAM:PARCELBIRD_TOKEN"}, nil},
		{stations, "headers: {", "requiredServerParams: [ '|' ], headers: {", []string{"PARCELBIRD_TOKEN"}, nil},
		{arrivals, "'tidewatch/tool/getTides'", "'tide|'", []string{"tidewatch/tool/getTides"},
			[]string{"harbourlog/tool/listArrivals"}},
		{agent, "'tidewatch/tool/getTides': null", "'harbourlog|'", []string{"harbourlog/tool/getBerths"},
			[]string{"harbourlog/tool/getWarnings", "tidewatch/tool/getTides"}},
		{brief, "{{tool:tidewatch/getTides}}", "{{tool:tide|", []string{"tool:tidewatch/getTides"},
			[]string{"USER_PARAM"}},
		{"providers/tidewatch/harbours.mjs", "dependsOn: [ 'listStations', 'getTides' ]", "dependsOn: [ 'get|' ]",
			[]string{"getTides", "tidewatch/tool/getTides"}, nil},
		{"providers/tidewatch/prompts/window.mjs", "{{tool:getTides}}", "{{tool:|}}",
			[]string{"tool:getTides", "tool:tidewatch/getTides"}, nil},
		{agent, "export const agent = {", "export const main = { abou|,", []string{"about"}, []string{"namespace"}},
		{stations, "// Tidewatch:", "// Tide|watch:", nil, []string{"name"}},
		{"registry.json", `"schemaSpec": "4.2.0",`, `"sch|`, []string{"schemaSpec"}, nil},
	} {
		labels, _ := c.completed(tt.file, tt.old, tt.text)
		for _, want := range tt.want {
			if !slices.Contains(labels, want) {
				t.Errorf("%s %s: %q is not among %q", tt.file, tt.text, want, labels)
			}
		}
		for _, not := range tt.not {
			if slices.Contains(labels, not) {
				t.Errorf("%s %s: %q is among %q", tt.file, tt.text, not, labels)
			}
		}
	}
}

// What is put in is right where it stands: with quotes, colon and braces as they are
// missing.
func TestCompletionTexts(t *testing.T) {
	c := dial(t, "../../testdata/catalog", "community")
	for _, tt := range []struct{ file, old, text, label, want string }{
		{stations, "method: 'GET',", "method: |,", "GET", "method: 'GET',"},
		{stations, "method: 'GET',", "method: 'P|OST',", "POST", "method: 'POST',"},
		{stations, "method: 'GET',", "meth|", "method", "method: "},
		{stations, "method: 'GET',", "meth|: 'GET',", "method", "method: 'GET',"},
		{stations, "enum({{seaAreas:alias}})", "enum({{sea|})", "seaAreas:code", "enum({{seaAreas:code}}})"},
		{stations, "enum({{seaAreas:alias}})", "enum({{sea|}})", "seaAreas:code", "enum({{seaAreas:code}})"},
		{"registry.json", `"schemaSpec": "4.2.0",`, `sch|`, "schemaSpec", `"schemaSpec": `},
		{"agents/harbour-master/agent.mjs", "'tidewatch/tool/getTides': null", "hARB|", "harbourlog/tool/getBerths",
			"'harbourlog/tool/getBerths': "},
	} {
		_, list := c.completed(tt.file, tt.old, tt.text)
		i := slices.IndexFunc(list.Items, func(item completionItem) bool { return item.Label == tt.label })
		if i < 0 {
			t.Errorf("%s: %s is not among %+v", tt.text, tt.label, list.Items)
			continue
		}
		e := list.Items[i].TextEdit
		src := newText(strings.Replace(c.text(tt.file), tt.old, strings.Replace(tt.text, "|", "", 1), 1))
		got := src.src[:src.offset(e.Range.Start)] + e.NewText + src.src[src.offset(e.Range.End):]
		if want := strings.Replace(c.text(tt.file), tt.old, tt.want, 1); got != want {
			t.Errorf("%s: %+v", tt.text, e)
		}
	}
}
