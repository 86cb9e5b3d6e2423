package gtfs

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// placeKinds name location_type; a stop with a parent is a platform.
var placeKinds = []string{"stop", "station", "entrance", "node", "boarding area"}

func kindOf(row ordjson.Value) string {
	place := int(numberOf(row.Get("location_type")))
	switch {
	case place == placeStop && textOf(row.Get("parent_station")) != "":
		return "platform"
	case place < 0 || place >= len(placeKinds):
		return placeKinds[placeStop]
	}
	return placeKinds[place]
}

// stopObject is what all tools say of a stop.
func stopObject(row ordjson.Value) *object {
	return (&object{}).text("stopId", textOf(row.Get("stop_id"))).text("name",
		textOf(row.Get("stop_name"))).text("kind", kindOf(row)).
		text("code", textOf(row.Get("stop_code"))).text("platform", textOf(row.Get("platform_code"))).text("station",
		textOf(row.Get("parent_station"))).
		value("lat", row.Get("stop_lat")).value("lon", row.Get("stop_lon"))
}

const stopFields = "s.stop_id, s.stop_name, s.stop_code, s.platform_code, s.parent_station, s.location_type, " +
	"s.stop_lat, s.stop_lon"

// stop returns the row of a stop.
func (c *call) stop(id string) (ordjson.Value, error) {
	rows, err := c.query("SELECT "+stopFields+
		", s.stop_desc, s.stop_url, s.stop_timezone, s.wheelchair_boarding FROM {stops} s WHERE s.stop_id = ?", id)
	if err == nil && len(rows) == 0 {
		err = fail(CodeNoRow, "find its stopId by searchStops", "there is no stop %s", words.Quote(id))
	}
	if err != nil {
		return ordjson.Value{}, err
	}
	return rows[0], nil
}

func (c *call) getStop() ([]ordjson.Value, error) {
	row, err := c.stop(c.text("stop"))
	if err != nil {
		return nil, err
	}
	at, err := c.boarding(row)
	if err != nil {
		return nil, err
	}
	zone, err := c.zoneOf(row)
	if err != nil {
		return nil, err
	}
	o := stopObject(row).text("description", row.Get("stop_desc").Str()).text("url", row.Get("stop_url").Str()).
		text("timezone", zone.String()).text("wheelchair", yesNo(row.Get("wheelchair_boarding")))
	var platforms []ordjson.Value
	ids := make([]string, len(at))
	for i, s := range at {
		if ids[i] = textOf(s.Get("stop_id")); ids[i] == textOf(row.Get("stop_id")) {
			continue
		}
		platforms = append(platforms, (&object{}).text("stopId", ids[i]).text("name",
			textOf(s.Get("stop_name"))).text("platform", textOf(s.Get("platform_code"))).done())
	}
	if numberOf(row.Get("location_type")) == placeStation {
		o.value("platforms", ordjson.NewArray(platforms...))
	}
	rows, err := c.part(200, "routes that stop there",
		"SELECT DISTINCT t.route_id FROM {stop_times} st JOIN {trips} t ON t.trip_id = st.trip_id WHERE st.stop_id "+
			"IN (SELECT value FROM json_each(?)) ORDER BY 1", list(ids))
	if err != nil {
		return nil, err
	}
	var routes []ordjson.Value
	for _, r := range rows {
		route, err := c.route(textOf(r.Get("route_id")))
		if err != nil {
			return nil, err
		}
		routes = append(routes, (&object{}).text("routeId", route.id).text("name", route.name).text("mode",
			route.mode).done())
	}
	return []ordjson.Value{o.value("routes", ordjson.NewArray(routes...)).done()}, nil
}

// boarding returns where riders of a place board: the platforms of a station,
// also where the place is its entrance; the platform of a boarding area; or the
// stop itself.
func (c *call) boarding(row ordjson.Value) ([]ordjson.Value, error) {
	id, parent := textOf(row.Get("stop_id")), textOf(row.Get("parent_station"))
	switch place := numberOf(row.Get("location_type")); {
	case place == placeBoarding && parent != "":
		platform, err := c.stop(parent)
		return []ordjson.Value{platform}, err
	case (place == placeEntrance || place == placeNode) && parent != "":
		id = parent
	case place != placeStation:
		return []ordjson.Value{row}, nil
	}
	rows, err := c.query("SELECT "+stopFields+
		" FROM {stops} s WHERE s.parent_station = ? AND coalesce(s.location_type, 0) = 0 ORDER BY s.platform_code, "+
		"s.stop_id", id)
	// Some feeds have vehicles that stop at the station itself.
	return append(rows, row), err
}

// nearbyStops looks in a box of degrees first, which an index finds, and then
// measures.
func (c *call) nearbyStops() ([]ordjson.Value, error) {
	lat, lon, radius := c.args.Get("lat").Float(), c.args.Get("lon").Float(), c.args.Get("radius").Float()
	const metresPerDegree = 110_000 // a little less than the least, so that the box is large enough
	high := radius / metresPerDegree
	wide := 360.0
	if edge := math.Abs(lat) + high; edge < 89 { // nearer to a pole degrees of longitude have no width
		wide = high / math.Cos(edge*math.Pi/180)
	}
	rows, err := c.query("SELECT "+stopFields+
		` FROM {stops} s WHERE s.stop_lat BETWEEN ? AND ? AND coalesce(s.location_type, 0) <= 1
		AND (s.stop_lon BETWEEN ? AND ? OR s.stop_lon BETWEEN ? AND ? OR s.stop_lon BETWEEN ? AND ?)`,
		lat-high, lat+high, lon-wide, lon+wide, lon-wide-360, lon+wide-360, lon-wide+360, lon+wide+360)
	if err != nil {
		return nil, err
	}
	type near struct {
		row      ordjson.Value
		distance float64
	}
	var found []near
	for _, r := range withoutPlatforms(rows) {
		if d := distance(lat, lon, numberOf(r.Get("stop_lat")), numberOf(r.Get("stop_lon"))); d <= radius {
			found = append(found, near{r, d})
		}
	}
	slices.SortFunc(found, func(a, b near) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance),
			strings.Compare(textOf(a.row.Get("stop_id")), textOf(b.row.Get("stop_id"))))
	})
	var list []ordjson.Value
	for _, n := range found[:min(len(found), c.number("limit", 10))] {
		list = append(list, stopObject(n.row).value("distance", ordjson.NewInt(int(math.Round(n.distance)))).done())
	}
	return list, nil
}

// withoutPlatforms leaves out platforms whose station is in the list: it
// represents them.
func withoutPlatforms(rows []ordjson.Value) []ordjson.Value {
	there := map[string]bool{}
	for _, r := range rows {
		there[textOf(r.Get("stop_id"))] = true
	}
	return slices.DeleteFunc(slices.Clone(rows),
		func(r ordjson.Value) bool { return there[textOf(r.Get("parent_station"))] })
}

// distance is that on a sphere in metres, by the haversine formula.
func distance(lat1, lon1, lat2, lon2 float64) float64 {
	const radius, rad = 6_371_008.8, math.Pi / 180
	a, b := math.Sin((lat2-lat1)*rad/2), math.Sin((lon2-lon1)*rad/2)
	h := a*a + math.Cos(lat1*rad)*math.Cos(lat2*rad)*b*b
	return 2 * radius * math.Asin(math.Sqrt(min(1, h)))
}
