package rules_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
)

const manifest = `{
	"name": "watch", "description": "d", "version": "flowmcp/4.0.0", "model": "a/b", "systemPrompt": "s", "tools": {"a/tool/x": null},
	"tests": [
		{"_description": "d", "input": "i", "expectedTools": ["a/tool/x"], "expectedContent": ["c"]},
		{"_description": "d", "input": "i", "expectedTools": ["a/tool/y"], "expectedContent": ["c"]},
		{"_description": "d", "input": "i", "expectedTools": ["a/tool/z"], "expectedContent": ["c"]}
	]
}`

func loadAgent(t *testing.T, text string) *record.Load {
	t.Helper()
	v, err := ordjson.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return &record.Load{Type: record.TypeAgent, ID: "watch/agent/watch", Exports: []string{"agent"}, Data: v}
}

// What is judged otherwise under a profile or a version (decision "Agent members" and "Versions of primitives").
func TestAgentSeverities(t *testing.T) {
	array := strings.Replace(manifest, `{"a/tool/x": null}`, `["a/tool/x"]`, 1)
	legacy := strings.Replace(manifest, "4.0.0", "3.0.0", 1)
	for _, c := range []struct {
		name, text string
		ctx        *rules.Context
		want       []string
	}{
		{"good", manifest, &rules.Context{}, nil},
		{"array", array, &rules.Context{}, []string{"AGT006 error"}},
		{"array, community", array, &rules.Context{Profile: rules.ProfileCommunity}, []string{"AGT006 warning"}},
		{"empty array, community", strings.Replace(array, `["a/tool/x"]`, "[]", 1),
			&rules.Context{Profile: rules.ProfileCommunity}, []string{"AGT006 error"}},
		{"version 3", legacy, &rules.Context{}, []string{"AGT004 warning"}},
		{"version 3 under --spec 3.0", legacy, &rules.Context{Spec: rules.Spec30}, nil},
		{"version 2", strings.Replace(manifest, "4.0.0", "2.0.0", 1), &rules.Context{}, []string{"AGT004 error"}},
		{"under --spec 2.0, which has no agents", `{}`, &rules.Context{Spec: rules.Spec20}, nil},
	} {
		load := loadAgent(t, c.text)
		var got []string
		for _, f := range rules.Check(load, c.ctx) {
			got = append(got, f.Rule.Code+" "+f.Severity.String())
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: found %v, want %v", c.name, got, c.want)
		}
	}
}

// A manifest without a catalog around it may refer to any, but not in any form.
func TestAgentAlone(t *testing.T) {
	text := strings.Replace(manifest, `"a/tool/x": null`, `"a/tool/x": null, "a/x": null`, 1)
	load := loadAgent(t, text)
	for _, ctx := range []*rules.Context{{}, {Files: noFiles{}}} {
		found := rules.CheckCatalog(load, ctx)
		if len(found) != 1 || found[0].Rule.Code != "AGT007" || found[0].Pointer != "/tools/a~1x" {
			t.Errorf("found %v, want AGT007 about the key that is not an ID", found)
		}
	}
}
