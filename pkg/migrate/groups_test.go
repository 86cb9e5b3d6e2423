package migrate

import (
	"reflect"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

func TestGroups(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want []Group
		err  string
	}{
		"groups.json": {
			text: `{ "specVersion": "2.0.0", "groups": { "harbour-day": { "description": "Ships by day",
				"tools": [ "ships/calls.mjs::listShips" ], "hash": "sha256:00",
				"prompts": { "arrivals": { "title": "Arrivals", "file": ".flowmcp/prompts/arrivals.md" } } },
				"night": { "tools": [] } } }`,
			want: []Group{{Name: "harbour-day", Description: "Ships by day",
				Members: []string{"ships/calls.mjs::listShips"}, Prompts: []string{"arrivals"}}, {Name: "night"}},
		},
		"config.json": {
			text: `{ "root": "~/.flowmcp", "groups": { "day": { "schemas": [ "harbour/ships/calls.mjs" ] } } }`,
			want: []Group{{Name: "day", Members: []string{"harbour/ships/calls.mjs"}}},
		},
		"one that was exported": {
			text: `{ "exportedAt": "2026-02-16T12:00:00.000Z", "group": { "name": "day", "tools": [ "a/b::c" ] } }`,
			want: []Group{{Name: "day", Members: []string{"a/b::c"}}},
		},
		"no JSON":      {text: `export const x`, err: "is not JSON"},
		"no groups":    {text: `{ "groups": [] }`, err: "has no groups"},
		"no tools":     {text: `{ "groups": { "day": {} } }`, err: `no list of tools in the group "day"`},
		"another type": {text: `{ "groups": { "day": { "tools": [ {} ] } } }`, err: "has object as tools[0]"},
	} {
		got, err := Groups(test.text)
		if test.err != "" {
			if err == nil || !strings.Contains(err.Error(), test.err) {
				t.Errorf("%s: got the error %v, want %s", name, err, test.err)
			}
		} else if err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: got %+v, %v", name, got, err)
		}
	}
}

func TestMembersOfGroups(t *testing.T) {
	var s Schemas
	for file, main := range map[string]string{
		"providers/ships/calls.mjs": `{"tools":{"listShips":{},"getShip":{}},` +
			`"resources":{"registry":{"queries":{"byName":{}}}}}`,
		"providers/ships/calls-part2.mjs": `{"tools":{"getTugs":{}}}`,
		"providers/ships/callsigns.mjs":   `{"tools":{"getSign":{}}}`,
	} {
		data, err := ordjson.Parse(main)
		if err != nil {
			t.Fatal(err)
		}
		s.Add(&record.Load{Type: record.TypeSchema, ID: "ships-io/x", Data: data, Src: record.Source{Path: file}})
	}
	for member, want := range map[string][]string{
		"ships/calls.mjs::listShips":             {"ships-io/tool/listShips"},
		"ships-io/calls::listShips":              {"ships-io/tool/listShips"},
		"ships/calls.mjs::getTugs":               {"ships-io/tool/getTugs"},
		"community/ships/calls.mjs::tool::getIt": {"ships-io/tool/getIt"},
		"::resource::ships/calls::byName":        {"ships-io/resource/registry"},
		"ships/calls::resource::registry":        {"ships-io/resource/registry"},
		"ships/calls::resource::registry::byName": {
			"ships-io/resource/registry"},
		"ships/callsigns.mjs":      {"ships-io/tool/getSign"},
		"ships-io/tool/listShips":  {"ships-io/tool/listShips"},
		"trains/lines.mjs::getAll": {"trains/tool/getAll"},
		"trains/lines.mjs":         nil,
		"listShips":                nil,
		"::listShips":              nil,
		"":                         nil,
	} {
		var got []string
		for _, id := range s.IDs(member) {
			got = append(got, id.String())
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %v, want %v", member, got, want)
		}
	}
	if got := s.IDs("ships/calls.mjs"); len(got) != 3 {
		t.Errorf("a whole file: got %v", got)
	}
}
