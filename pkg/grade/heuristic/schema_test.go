package heuristic

import (
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// main is a schema as tests write it: a description and tools.
type main struct {
	says  string
	tools []tool
}

// tool is one of its tools: its name, its description, its parameters, the values of
// its tests.
type tool struct {
	name, says string
	params     []param
	tests      []string // JSON
}

// param is a parameter: key, primitive, options by ";", description.
type param struct{ key, primitive, options, says string }

func str(s string) ordjson.Value { return ordjson.NewString(s) }

// load makes the record of a schema.
func (m main) load(t testing.TB, id string) *record.Load {
	t.Helper()
	var tools []ordjson.Member
	for _, tool := range m.tools {
		tools = append(tools, ordjson.Field(tool.name, tool.value(t)))
	}
	data := ordjson.NewObject(
		ordjson.Field("namespace", str("weather")), ordjson.Field("name", str("Skies")),
		ordjson.Field("description", str(m.says)), ordjson.Field("root", str("https://api.skies.example")),
		ordjson.Field("tools", ordjson.NewObject(tools...)))
	return &record.Load{Type: record.TypeSchema, ID: id, Src: record.Source{Path: id + ".mjs", Root: "c"}, Data: data}
}

func (tl tool) value(t testing.TB) ordjson.Value {
	t.Helper()
	var params, tests []ordjson.Value
	for _, p := range tl.params {
		var options []string
		if p.options != "" {
			options = strings.Split(p.options, ";")
		}
		of := []ordjson.Member{
			ordjson.Field("position", ordjson.NewObject(ordjson.Field("key", str(p.key)),
				ordjson.Field("value", str("{{USER_PARAM}}")), ordjson.Field("location", str("query")))),
			ordjson.Field("z", ordjson.NewObject(ordjson.Field("primitive", str(p.primitive)),
				ordjson.Field("options", ordjson.Strings(options)))),
		}
		if p.says != "" {
			of = append(of, ordjson.Field("description", str(p.says)))
		}
		params = append(params, ordjson.NewObject(of...))
	}
	for _, test := range tl.tests {
		v, err := ordjson.Parse(test)
		if err != nil {
			t.Fatal(err)
		}
		tests = append(tests, v)
	}
	return ordjson.NewObject(ordjson.Field("method", str("GET")), ordjson.Field("path", str("/")),
		ordjson.Field("description", str(tl.says)), ordjson.Field("parameters", ordjson.NewArray(params...)),
		ordjson.Field("tests", ordjson.NewArray(tests...)))
}

// good is a schema that says what it should.
var good = main{
	says: "Search weather stations in Germany and get hourly measurements by station and date from the Skies API. " +
		"Returns temperature in degrees Celsius, wind speed in km, rain and pressure of 400+ stations since 1980. " +
		"Free, no API key required.",
	tools: []tool{
		{
			name: "searchStations",
			says: "Search weather stations by name or postal code. Returns id, name, coordinates and altitude in " +
				"meters.",
			params: []param{
				{"name", "string()", "", "Name of the station or its town, e.g. Potsdam"},
				{"limit", "number()", "optional();default(10);min(1);max(100)", "Most stations to return"},
			},
			tests: []string{`{"name":"Potsdam","limit":3}`, `{"name":"Zugspitze"}`},
		},
		{
			name: "getMeasurements",
			says: "Get hourly temperature, wind and rain of a station for a day. Returns a list of hours, each with " +
				"values and their quality.",
			params: []param{
				{"stationId", "string()", "regex(^[0-9]{5}$)", "Five digits, from searchStations"},
				{"date", "string()", "", "Day in UTC as YYYY-MM-DD"},
			},
			tests: []string{`{"stationId":"03987","date":"2024-05-01"}`, `{"stationId":"05792","date":"2023-01-31"}`},
		},
	},
}

// with is good after a change to a copy of it.
func with(change func(*main)) main {
	m := main{says: good.says}
	for _, t := range good.tools {
		t.params = append([]param(nil), t.params...)
		m.tools = append(m.tools, t)
	}
	change(&m)
	return m
}

// saying is good with another description.
func saying(text string) main { return with(func(m *main) { m.says = text }) }

// telling is good with another description of its second tool.
func telling(text string) main { return with(func(m *main) { m.tools[1].says = text }) }

// taking is good with another parameter in the place of stationId.
func taking(p param) main { return with(func(m *main) { m.tools[1].params[0] = p }) }
