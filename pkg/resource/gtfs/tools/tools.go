// Package tools says what the standard tools of a sealed GTFS database are:
// names, parameters, outputs, and the capabilities that they need (chapter 13,
// "Add-on Authority"). It is data alone, for a catalog that is resolved where
// there is no database; package gtfs answers the calls.
package tools

import (
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// Tool is one standard tool.
type Tool struct {
	Name        string
	Capability  string // key of meta.capabilities that must be true
	Description string
	Params      []model.Parameter
	columns     []column
}

// column is a property of the rows that a tool returns.
type column struct {
	name, typ, description string
}

// The names of the tools.
const (
	SearchStops         = "searchStops"
	GetStop             = "getStop"
	NearbyStops         = "nearbyStops"
	SearchRoutes        = "searchRoutes"
	GetRoute            = "getRoute"
	GetTrips            = "getTrips"
	GetDepartures       = "getDepartures"
	GetShapeForRoute    = "getShapeForRoute"
	GetFlexBookingRules = "getFlexBookingRules"
)

// The capabilities that tools need; the first four have their names from
// chapter 13.
const (
	Lookup     = "basicLookup"
	Routing    = "routing"
	Shapes     = "shapesVisualization"
	Flex       = "flexService"
	Departures = "departures"
)

func optional(key, primitive string, options ...string) model.Parameter {
	return model.Given(key, primitive, append(options, "optional()")...)
}

func limit(most, usual string) model.Parameter {
	return model.Given("limit", "number()", "min(1)", "max("+most+")", "default("+usual+")")
}

// columns that several tools return.
var (
	stopColumns = []column{
		{"stopId", "string", "ID to call the other tools with"},
		{"name", "string", "Name of the stop"},
		{"kind", "string", "station, stop, platform, entrance, node or boarding area"},
		{"code", "string", "Code that riders know"},
		{"platform", "string", "Platform, such as 3 or B"},
		{"station", "string", "stopId of the station that it belongs to"},
		{"lat", "number", "Latitude"},
		{"lon", "number", "Longitude"},
	}
	routeColumns = []column{
		{"routeId", "string", "ID to call the other tools with"},
		{"name", "string", "Short name, such as N9, or the long one where there is none"},
		{"longName", "string", "Long name"},
		{"mode", "string", "bus, tram, subway, rail, ferry, …"},
		{"agency", "string", "Who runs it"},
	}
)

func with(base []column, more ...column) []column {
	return append(base[:len(base):len(base)], more...)
}

// All are the standard tools, in the order in which they are listed.
var All = []Tool{
	{
		SearchStops, Lookup,
		"Finds stops and stations by a part of their name or by their code. Case and accents do not matter, and " +
			"words may stand in any order. Call it first: the other tools want the stopId.",
		[]model.Parameter{model.Given("text", "string()", "min(1)", "max(200)"), limit("100", "10")},
		with(stopColumns, column{"platforms", "number", "How many platforms a station has"}),
	},
	{
		GetStop, Lookup,
		"Returns one stop or station by its stopId: place, platforms, accessibility, and the routes that stop there.",
		[]model.Parameter{model.Given("stop", "string()", "min(1)")},
		with(stopColumns,
			column{"description", "string", "What the timetable says of the stop"},
			column{"url", "string", "Web page of the stop"},
			column{"timezone", "string", "Time zone of its times"},
			column{"wheelchair", "string", "yes, no, or left out where it is not known"},
			column{"platforms", "array", "Platforms of a station: stopId, name, platform"},
			column{"routes", "array", "Routes that stop there: routeId, name, mode"}),
	},
	{
		NearbyStops, Lookup,
		"Finds stops and stations around a place, nearest first. radius is in metres, in a straight line.",
		[]model.Parameter{model.Given("lat", "number()", "min(-90)", "max(90)"),
			model.Given("lon", "number()", "min(-180)", "max(180)"),
			model.Given("radius", "number()", "min(1)", "max(5000)", "default(500)"), limit("100", "10")},
		with(stopColumns, column{"distance", "number", "Metres from the place"}),
	},
	{
		SearchRoutes, Lookup,
		"Finds routes (lines) by a part of their short or long name, or of the agency's name. Without text it " +
			"lists all.",
		[]model.Parameter{optional("text", "string()", "min(1)", "max(200)"), limit("200", "20")},
		routeColumns,
	},
	{
		GetRoute, Lookup,
		"Returns one route by its routeId, with its directions: where its trips go, and how many.",
		[]model.Parameter{model.Given("route", "string()", "min(1)")},
		with(routeColumns,
			column{"description", "string", "What the timetable says of the route"},
			column{"url", "string", "Web page of the route"},
			column{"color", "string", "Colour as six hex digits"},
			column{"directions", "array", "direction (0 or 1), headsign and number of trips of each"}),
	},
	{
		GetTrips, Routing,
		"Lists the trips of a route on a date (YYYY-MM-DD, today where it is left out) by their first departure. " +
			"Times are those of the service day: 25:10:00 is ten past one of the next day. A trip with everySeconds " +
			"starts that often, the first time at departure, until the time until.",
		[]model.Parameter{model.Given("route", "string()", "min(1)"), optional("date", "string()", "min(8)", "max(10)"),
			optional("direction", "number()", "min(0)", "max(1)"), limit("500", "50")},
		[]column{
			{"tripId", "string", "ID of the trip"},
			{"headsign", "string", "What the vehicle shows"},
			{"direction", "number", "0 or 1"},
			{"from", "string", "Name of the first stop"},
			{"departure", "string", "Time at the first stop, HH:MM:SS of the service day"},
			{"to", "string", "Name of the last stop"},
			{"arrival", "string", "Time at the last stop"},
			{"stops", "number", "How many stops it has"},
			{"wheelchair", "string", "yes, no, or left out where it is not known"},
			{"everySeconds", "number", "Headway of a trip that repeats"},
			{"until", "string", "Until when a trip repeats; it does not start at that time any more"},
		},
	},
	{
		GetDepartures, Departures,
		"Lists departures of a stop, or of all platforms of a station, from a moment on. date is YYYY-MM-DD and time " +
			"HH:MM at the stop; without both it is now. minutes is how far to look: 60, or the whole day where only " +
			"a date is given. These are scheduled times, not live ones.",
		[]model.Parameter{model.Given("stop", "string()", "min(1)"), optional("date", "string()", "min(8)", "max(10)"),
			optional("time", "string()", "min(4)", "max(8)"),
			optional("minutes", "number()", "min(1)", "max(1440)"), limit("200", "20")},
		[]column{
			{"departure", "string", "When, with the offset of the stop's time zone: 2026-05-11T08:30:00+02:00"},
			{"route", "string", "Name of the route, such as N9"},
			{"mode", "string", "bus, tram, subway, rail, ferry, …"},
			{"headsign", "string", "Where it goes"},
			{"stopId", "string", "Stop or platform that it leaves from"},
			{"platform", "string", "Platform, such as 3 or B"},
			{"routeId", "string", "ID of the route"},
			{"tripId", "string", "ID of the trip"},
			{"serviceDate", "string", "Day of the timetable, YYYY-MM-DD; past midnight that is the day before"},
			{"pickup", "string", "phone or driver, where it must be arranged by phone or with the driver"},
			{"everySeconds", "number", "The vehicle keeps this headway rather than the time"},
		},
	},
	{
		GetShapeForRoute, Shapes,
		"Returns the paths of a route as GeoJSON, the one with most trips first. points is how many points each has " +
			"at most; the path is thinned evenly.",
		[]model.Parameter{model.Given("route", "string()", "min(1)"),
			optional("direction", "number()", "min(0)", "max(1)"),
			model.Given("points", "number()", "min(2)", "max(5000)", "default(300)"), limit("20", "2")},
		[]column{
			{"shapeId", "string", "ID of the path"},
			{"direction", "number", "0 or 1"},
			{"trips", "number", "How many trips take it"},
			{"geometry", "object", "GeoJSON LineString, longitude first"},
		},
	},
	{
		GetFlexBookingRules, Flex,
		"Says how rides on demand are booked: how long ahead, by which phone number or page, for which routes, " +
			"places and hours. route narrows it to one route.",
		[]model.Parameter{optional("route", "string()", "min(1)"), limit("100", "20")},
		[]column{
			{"bookingRuleId", "string", "ID of the rule"},
			{"booking", "string", "real time, same day, or days before"},
			{"noticeMinutes", "number", "Least notice in minutes, for same day"},
			{"lastDay", "number", "Days before the ride until which it can be booked"},
			{"lastTime", "string", "Time on that day, HH:MM:SS"},
			{"message", "string", "A message for riders"},
			{"phone", "string", "Number to call"},
			{"url", "string", "Page to book at"},
			{"info", "string", "Page with more"},
			{"service", "array", "Where and when: routeId, route, place, from, to"},
		},
	},
}

// Find returns the tool of a name.
func Find(name string) (*Tool, bool) {
	for i := range All {
		if All[i].Name == name {
			return &All[i], true
		}
	}
	return nil, false
}

// Output is the tool's output as a schema writes it: rows of objects (chapter
// 04; RES021).
func (t *Tool) Output() ordjson.Value {
	text := func(key, s string) ordjson.Member { return ordjson.Field(key, ordjson.NewString(s)) }
	properties := make([]ordjson.Member, len(t.columns))
	for i, c := range t.columns {
		m := []ordjson.Member{text("type", c.typ), text("description", c.description)}
		if c.typ == "array" {
			m = append(m, ordjson.Field("items", ordjson.NewObject(text("type", "object"))))
		}
		properties[i] = ordjson.Field(c.name, ordjson.NewObject(m...))
	}
	return ordjson.NewObject(text("mimeType", model.MIMEJSON), ordjson.Field("schema", ordjson.NewObject(
		text("type", "array"),
		ordjson.Field("items", ordjson.NewObject(text("type", "object"),
			ordjson.Field("properties", ordjson.NewObject(properties...)))),
	)))
}
