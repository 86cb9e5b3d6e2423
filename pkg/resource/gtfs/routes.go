package gtfs

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// modes name route_type, and modeGroups the hundreds of its extension.
var (
	modes = map[int]string{
		0: "tram", 1: "subway", 2: "rail", 3: "bus", 4: "ferry", 5: "cable tram", 6: "aerial lift", 7: "funicular",
		11: "trolleybus", 12: "monorail",
	}
	modeGroups = map[int]string{
		1: "rail", 2: "coach", 3: "rail", 4: "urban rail", 5: "subway", 6: "subway", 7: "bus", 8: "trolleybus",
		9: "tram", 10: "ferry", 11: "air",
		12: "ferry", 13: "aerial lift",
		14: "funicular", 15: "taxi", 17: "other",
	}
)

func modeOf(v ordjson.Value) string { return cmp.Or(modeName(int(numberOf(v))), "other") }

// modeName is what runs on a route of a type, "" if it is not known.
func modeName(n int) string {
	if n >= 100 {
		return modeGroups[n/100]
	}
	return modes[n]
}

// route is what answers say of a route.
type route struct {
	id, name, longName, mode, agency string
	row                              ordjson.Value
}

func newRoute(row ordjson.Value) route {
	r := route{id: textOf(row.Get("route_id")), name: textOf(row.Get("route_short_name")),
		longName: textOf(row.Get("route_long_name")),
		mode:     modeOf(row.Get("route_type")), agency: textOf(row.Get("agency_name")), row: row}
	r.name = cmp.Or(r.name, r.longName)
	return r
}

func (r *route) object() *object {
	return (&object{}).text("routeId", r.id).text("name", r.name).text("longName", r.longName).text("mode",
		r.mode).text("agency", r.agency)
}

// A route without an agency_id is of the only agency.
const routesFrom = `SELECT r.route_id, r.route_short_name, r.route_long_name, r.route_desc, r.route_type, r.route_url,
	r.route_color,
	coalesce((SELECT a.agency_name FROM {agency} a WHERE a.agency_id = r.agency_id),
		(SELECT a.agency_name FROM {agency} a LIMIT 1)) AS agency_name
	FROM {routes} r`

// route returns a route by its ID, which is looked for once in a call.
func (c *call) route(id string) (route, error) {
	if r, ok := c.routes[id]; ok {
		return r, nil
	}
	rows, err := c.query(routesFrom+" WHERE r.route_id = ?", id)
	if err == nil && len(rows) == 0 {
		err = fail(CodeNoRow, "find its routeId by searchRoutes", "there is no route %s", words.Quote(id))
	}
	if err != nil {
		return route{}, err
	}
	r := newRoute(rows[0])
	c.routes[id] = r
	return r, nil
}

// searchRoutes looks through all routes: there are some thousands at most.
func (c *call) searchRoutes() ([]ordjson.Value, error) {
	rows, err := c.query(routesFrom +
		" ORDER BY r.route_sort_order, length(r.route_short_name), r.route_short_name, r.route_long_name, r.route_id")
	if err != nil {
		return nil, err
	}
	wanted := fold(c.text("text"))
	type hit struct {
		route
		rank int
	}
	var hits []hit
	for _, row := range rows {
		r := newRoute(row)
		if hasWords(fold(r.name+" "+r.longName+" "+r.agency), strings.Fields(wanted)) {
			hits = append(hits, hit{r, rank(r.name, wanted)})
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(a.rank, b.rank) })
	var list []ordjson.Value
	for _, h := range hits[:min(len(hits), c.number("limit", 20))] {
		list = append(list, h.object().done())
	}
	return list, nil
}

func (c *call) getRoute() ([]ordjson.Value, error) {
	r, err := c.route(c.text("route"))
	if err != nil {
		return nil, err
	}
	rows, err := c.part(50, "directions and headsigns of the route",
		`SELECT t.direction_id, t.trip_headsign, count(*) AS n FROM {trips} t WHERE t.route_id = ?
		GROUP BY t.direction_id, t.trip_headsign ORDER BY t.direction_id, n DESC, t.trip_headsign`, r.id)
	if err != nil {
		return nil, err
	}
	var directions []ordjson.Value
	for _, row := range rows {
		directions = append(directions,
			(&object{}).value("direction", row.Get("direction_id")).text("headsign",
				textOf(row.Get("trip_headsign"))).value("trips", row.Get("n")).done())
	}
	o := r.object().text("description", textOf(r.row.Get("route_desc"))).text("url",
		textOf(r.row.Get("route_url"))).text("color", textOf(r.row.Get("route_color")))
	return []ordjson.Value{o.value("directions", ordjson.NewArray(directions...)).done()}, nil
}

// inDirection is a condition on trips for a caller who asks for a direction.
func (c *call) inDirection(args []any) (string, []any) {
	if v := c.args.Get("direction"); v.Is(ordjson.Number) {
		return " AND t.direction_id = ?", append(args, c.number("direction", 0))
	}
	return "", args
}

func (c *call) getTrips() ([]ordjson.Value, error) {
	r, err := c.route(c.text("route"))
	if err != nil {
		return nil, err
	}
	day, err := c.day()
	if err != nil {
		return nil, err
	}
	condition, args := running(day)
	direction, args := c.inDirection(append(args, r.id))
	rows, err := c.query(`SELECT *,
			(SELECT s.stop_name FROM {stops} s WHERE s.stop_id =
				(SELECT x.stop_id FROM {stop_times} x WHERE x.trip_id = trip AND x.stop_sequence = first)) AS origin,
			(SELECT s.stop_name FROM {stops} s WHERE s.stop_id =
				(SELECT x.stop_id FROM {stop_times} x WHERE x.trip_id = trip AND x.stop_sequence = last)) AS terminus,
			(SELECT x.departure_time FROM {stop_times} x WHERE x.trip_id = trip AND x.stop_sequence = first) AS leaves,
			(SELECT x.arrival_time FROM {stop_times} x WHERE x.trip_id = trip AND x.stop_sequence = last) AS arrives
		FROM (SELECT t.trip_id AS trip, t.trip_headsign, t.direction_id, t.wheelchair_accessible,
			f.start_time, f.end_time, f.headway_secs,
			(SELECT min(x.stop_sequence) FROM {stop_times} x WHERE x.trip_id = t.trip_id) AS first,
			(SELECT max(x.stop_sequence) FROM {stop_times} x WHERE x.trip_id = t.trip_id) AS last,
			(SELECT count(*) FROM {stop_times} x WHERE x.trip_id = t.trip_id) AS stops
			FROM {trips} t LEFT JOIN {frequencies} f ON f.trip_id = t.trip_id WHERE `+condition+" AND t.route_id = ?"+
		direction+`)
		ORDER BY length(coalesce(start_time, leaves)), coalesce(start_time, leaves), trip LIMIT ?`, append(args,
		c.number("limit", 50))...)
	if err != nil {
		return nil, err
	}
	var list []ordjson.Value
	for _, row := range rows {
		list = append(list, tripObject(row))
	}
	return list, nil
}

// tripObject is a row of getTrips. The times of a trip that repeats are those
// of its first run.
func tripObject(row ordjson.Value) ordjson.Value {
	leaves, arrives := "", ""
	from, ok := parseClock(textOf(row.Get("leaves")))
	to, also := parseClock(textOf(row.Get("arrives")))
	if start, repeats := parseClock(textOf(row.Get("start_time"))); repeats {
		from, to = start, start+to-from
	}
	if ok && also { // or they are flexible
		leaves, arrives = clockText(from), clockText(to)
	}
	return (&object{}).text("tripId", textOf(row.Get("trip"))).text("headsign",
		textOf(row.Get("trip_headsign"))).value("direction", row.Get("direction_id")).
		text("from", textOf(row.Get("origin"))).text("departure", leaves).text("to",
		textOf(row.Get("terminus"))).text("arrival", arrives).
		value("stops", row.Get("stops")).text("wheelchair", yesNo(row.Get("wheelchair_accessible"))).
		value("everySeconds", row.Get("headway_secs")).text("until", textOf(row.Get("end_time"))).done()
}

func (c *call) getShapeForRoute() ([]ordjson.Value, error) {
	r, err := c.route(c.text("route"))
	if err != nil {
		return nil, err
	}
	direction, args := c.inDirection([]any{r.id})
	shapes, err := c.query(`SELECT t.shape_id, t.direction_id, count(*) AS n FROM {trips} `+
		`t WHERE t.route_id = ? AND t.shape_id IS NOT NULL`+direction+`
		GROUP BY t.shape_id, t.direction_id ORDER BY n DESC, t.shape_id, t.direction_id LIMIT ?`, append(args,
		c.number("limit", 2))...)
	if err != nil {
		return nil, err
	}
	var list []ordjson.Value
	for _, s := range shapes {
		line, err := c.line(textOf(s.Get("shape_id")))
		if err != nil {
			return nil, err
		}
		list = append(list, (&object{}).text("shapeId", textOf(s.Get("shape_id"))).value("direction",
			s.Get("direction_id")).value("trips", s.Get("n")).value("geometry", line).done())
	}
	return list, nil
}

// line is a shape as GeoJSON, thinned to the points that the caller wants. The
// first and the last point stay.
func (c *call) line(shape string) (ordjson.Value, error) {
	rows, err := c.query("SELECT count(*) AS n FROM {shapes} WHERE shape_id = ?", shape)
	if err != nil {
		return ordjson.Value{}, err
	}
	n, most := int(rows[0].Get("n").Float()), c.number("points", 300)
	step := 1
	if n > most {
		step = int(math.Ceil(float64(n-1) / float64(most-1)))
	}
	rows, err = c.query(`SELECT lat, lon FROM (
			SELECT shape_pt_lat AS lat, shape_pt_lon AS lon, row_number() OVER (ORDER BY shape_pt_sequence) AS i
			FROM {shapes} WHERE shape_id = ?)
		WHERE (i - 1) % ? = 0 OR i = ? ORDER BY i`, shape, step, n)
	if err != nil {
		return ordjson.Value{}, err
	}
	points := make([]ordjson.Value, len(rows))
	for i, r := range rows {
		points[i] = ordjson.NewArray(r.Get("lon"), r.Get("lat"))
	}
	return ordjson.NewObject(ordjson.Field("type", ordjson.NewString("LineString")),
		ordjson.Field("coordinates", ordjson.NewArray(points...))), nil
}
