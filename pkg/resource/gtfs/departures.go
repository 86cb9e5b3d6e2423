package gtfs

import (
	"cmp"
	"slices"
	"time"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// departure is one departure that is found.
type departure struct {
	at       time.Time
	day      time.Time // of service
	row      ordjson.Value
	headway  int // in seconds; 0 where the time is exact
	sequence float64
}

// getDepartures looks at every service day that reaches into the window: today,
// and those before whose trips are still under way.
func (c *call) getDepartures() ([]ordjson.Value, error) {
	stop, err := c.stop(c.text("stop"))
	if err != nil {
		return nil, err
	}
	zone, err := c.zoneOf(stop)
	if err != nil {
		return nil, err
	}
	spans, err := c.window(zone)
	if err != nil {
		return nil, err
	}
	at, err := c.boarding(stop)
	if err != nil {
		return nil, err
	}
	platforms := map[string]ordjson.Value{}
	ids := make([]string, len(at))
	for i, s := range at {
		ids[i] = textOf(s.Get("stop_id"))
		platforms[ids[i]] = s
	}
	var found []departure
	for _, s := range spans {
		last := s.to.In(c.zone)
		today := time.Date(last.Year(), last.Month(), last.Day(), 0, 0, 0, 0, time.UTC)
		for back := range maxClock/(24*3600) + 2 {
			more, err := c.departuresOf(today.AddDate(0, 0, -back), s.from, s.to, list(ids))
			if err != nil {
				return nil, err
			}
			found = append(found, more...)
		}
	}
	slices.SortFunc(found, func(a, b departure) int {
		return cmp.Or(a.at.Compare(b.at), cmp.Compare(textOf(a.row.Get("route_id")), textOf(b.row.Get("route_id"))),
			cmp.Compare(textOf(a.row.Get("trip_id")), textOf(b.row.Get("trip_id"))),
			cmp.Compare(a.sequence, b.sequence), a.day.Compare(b.day))
	})
	return c.departureObjects(found[:min(len(found), c.number("limit", 20))], zone, platforms)
}

// departuresOf finds departures of one service day from from on and before to.
func (c *call) departuresOf(day, from, to time.Time, stops string) ([]departure, error) {
	start := dayStart(day, c.zone)
	low, high := seconds(from.Sub(start)), seconds(to.Sub(start))
	if high <= 0 || low >= maxClock {
		return nil, nil
	}
	found, err := c.scheduled(day, start, max(low, 0), min(high, maxClock), stops)
	if err != nil || len(c.tables["frequencies"]) == 0 {
		return found, err
	}
	more, err := c.repeated(day, start, low, high, stops)
	return append(found, more...), err
}

// seconds rounds up, so that what is at or after a moment is at or after it.
func seconds(d time.Duration) int {
	return int((d + time.Second - 1) / time.Second)
}

// boardable is what all departures have in common: a rider may board, and the
// trip goes on.
const boardable = `st.stop_id IN (SELECT value FROM json_each(?)) AND coalesce(st.pickup_type, 0) <> 1
	AND st.stop_sequence < (SELECT max(x.stop_sequence) FROM {stop_times} x WHERE x.trip_id = st.trip_id)`

const departureFields = `st.trip_id, st.stop_id, st.stop_sequence, st.departure_time, st.pickup_type, ` +
	`st.stop_headsign, t.route_id, t.trip_headsign`

// scheduled finds departures by the times of stop_times.
func (c *call) scheduled(day, start time.Time, low, high int, stops string) ([]departure, error) {
	condition, days := running(day)
	var found []departure
	for _, r := range textRanges(low, high) {
		args := append([]any{stops, r.low, r.high, r.length}, days...)
		rows, err := c.query("SELECT "+departureFields+
			" FROM {stop_times} st JOIN {trips} t ON t.trip_id = st.trip_id WHERE "+boardable+`
			AND st.departure_time BETWEEN ? AND ? AND length(st.departure_time) = ? AND `+condition+`
			AND NOT EXISTS (SELECT 1 FROM {frequencies} f WHERE f.trip_id = st.trip_id)
			ORDER BY st.departure_time, t.route_id, st.trip_id, st.stop_sequence LIMIT ?`, append(args,
			c.number("limit", 20))...)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			secs, ok := parseClock(row.Get("departure_time").Str())
			if ok {
				found = append(found, departure{start.Add(time.Duration(secs) * time.Second), day, row, 0,
					numberOf(row.Get("stop_sequence"))})
			}
		}
	}
	return found, nil
}

// textRange is a range of times as texts of one length, which are in the order
// of the times, so that an index finds them.
type textRange struct {
	low, high string // both are in it
	length    int
}

// textRanges are the ranges of times from low on and before high: with two
// digits of hours, with three, and with one, which other add-ons may have left
// as it was.
func textRanges(low, high int) []textRange {
	var list []textRange
	add := func(from, to, length int, zero bool) {
		from, to = max(low, from), min(high, to)-1
		if from > to {
			return
		}
		a, b := clockText(from), clockText(to)
		if !zero {
			a, b = a[1:], b[1:]
		}
		list = append(list, textRange{a, b, length})
	}
	add(0, 100*3600, 8, true)
	add(0, 10*3600, 7, false)
	add(100*3600, maxClock, 9, true)
	return list
}

// repeated finds departures of trips that run by headway: the times of
// stop_times say only how long after the start a stop is reached (Reference,
// frequencies.txt).
func (c *call) repeated(day, start time.Time, low, high int, stops string) ([]departure, error) {
	condition, days := running(day)
	rows, err := c.query("SELECT "+departureFields+`, f.start_time, f.end_time, f.headway_secs, f.exact_times,
		(SELECT x.departure_time FROM {stop_times} x WHERE x.trip_id = st.trip_id
			ORDER BY x.stop_sequence LIMIT 1) AS origin
		FROM {stop_times} st JOIN {trips} t ON t.trip_id = st.trip_id JOIN {frequencies} f ON f.trip_id = st.trip_id
		WHERE `+boardable+" AND "+condition, append([]any{stops}, days...)...)
	if err != nil {
		return nil, err
	}
	var found []departure
	for _, row := range rows {
		begin, ok1 := parseClock(row.Get("start_time").Str())
		end, ok2 := parseClock(row.Get("end_time").Str())
		here, ok3 := parseClock(row.Get("departure_time").Str())
		origin, ok4 := parseClock(row.Get("origin").Str())
		headway := int(numberOf(row.Get("headway_secs")))
		if !ok1 || !ok2 || !ok3 || !ok4 || headway <= 0 {
			continue
		}
		first := begin
		if missed := low - (begin + here - origin); missed > 0 {
			first += (missed + headway - 1) / headway * headway
		}
		shown := headway
		if numberOf(row.Get("exact_times")) == 1 {
			shown = 0
		}
		for leaves := first; leaves < end && leaves+here-origin < high && len(found) < maxRepeated; leaves += headway {
			at := start.Add(time.Duration(leaves+here-origin) * time.Second)
			found = append(found, departure{at, day, row, shown, numberOf(row.Get("stop_sequence"))})
		}
	}
	return found, nil
}

// maxRepeated bounds the departures of one day that are made of headways, of
// which a feed could ask for one each second.
const maxRepeated = 100_000

// pickups name the values of pickup_type that riders must know.
var pickups = map[float64]string{2: "phone", 3: "driver"}

func (c *call) departureObjects(found []departure, zone *time.Location,
	platforms map[string]ordjson.Value) ([]ordjson.Value, error) {
	var list []ordjson.Value
	for _, d := range found {
		id := textOf(d.row.Get("route_id"))
		r, err := c.route(id)
		if err != nil {
			return nil, err
		}
		stop := textOf(d.row.Get("stop_id"))
		o := (&object{}).text("departure", d.at.In(zone).Format(time.RFC3339)).text("route", r.name).text("mode",
			r.mode).
			text("headsign", cmp.Or(textOf(d.row.Get("stop_headsign")), textOf(d.row.Get("trip_headsign")))).
			text("stopId", stop).text("platform", textOf(platforms[stop].Get("platform_code"))).text("routeId", id).
			text("tripId", textOf(d.row.Get("trip_id"))).text("serviceDate", d.day.Format(time.DateOnly)).
			text("pickup", pickups[numberOf(d.row.Get("pickup_type"))])
		if d.headway > 0 {
			o.value("everySeconds", ordjson.NewInt(d.headway))
		}
		list = append(list, o.done())
	}
	return list, nil
}
