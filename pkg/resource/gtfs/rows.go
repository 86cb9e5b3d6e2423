package gtfs

import (
	"strconv"

	"github.com/flowmcp/fmcp/pkg/words"
)

// cell is the text of a field in the row, "" where the file has no such column.
func (in *rows) cell(name string) string { return in.cells[in.table.at(name)] }

// row does what is particular to a table: its keys, and presence and values
// that depend on other fields (Reference, "Field Definitions").
func (l *loader) row(in *rows) {
	at, ok := l.key(in)
	switch in.table.name {
	case "agency":
		l.agency(in)
	case "stops":
		l.stop(in, ok)
	case "routes":
		l.route(in)
	case "calendar":
		if start, end := in.cell("start_date"), in.cell("end_date"); end < start {
			l.say(in, CodeCalendar, "end_date",
				"found "+words.Quote(end)+", which is before start_date "+words.Quote(start), "")
		}
	case "calendar_dates":
		l.keysOf(services).add(in.cell("service_id"), in.line)
		if in.cell("exception_type") == "0" {
			l.say(in, CodeBadValue, "exception_type", `found "0", expected 1 for added or 2 for removed`, "")
		}
	case "trips":
		if ok && int(at) == len(l.trips) {
			l.trips = append(l.trips, trip{})
		}
	case "stop_times":
		l.stopTime(in)
	case "frequencies":
		l.frequency(in)
	}
}

// key remembers the key of the row, where it is one field.
func (l *loader) key(in *rows) (at int32, ok bool) {
	t := in.table
	single := len(t.key) == 1
	if !single && t.name != "shapes" {
		return 0, false
	}
	id := in.cell(t.key[0])
	if id == "" {
		return 0, false // said where it must be there
	}
	at, twin := l.keysOf(t.name).add(id, in.line)
	if twin != 0 && single {
		l.say(in, CodeTwice, t.key[0], "found "+words.Quote(id)+" again, which is in line "+strconv.Itoa(int(twin)),
			"give each row an ID of its own")
		return at, false
	}
	return at, true
}

func (l *loader) agency(in *rows) {
	l.agencies++
	zone := in.cell("agency_timezone")
	if l.agencies == 1 {
		l.zone = zone
	}
	if zone != "" && zone != l.zone {
		l.say(in, CodeBadValue, "agency_timezone",
			"found "+words.Quote(zone)+", expected "+words.Quote(l.zone)+" as of the other agencies", "")
	}
	if l.agencies > 1 && in.cell("agency_id") == "" {
		l.say(in, CodeNoValue, "agency_id", "the value is missing, which a feed of several agencies needs", "")
	}
}

// stop checks what depends on location_type; parents are looked up when all
// stops are there (finish.go).
func (l *loader) stop(in *rows, added bool) {
	place, _ := strconv.Atoi(in.cell("location_type"))
	if added {
		l.places = append(l.places, int8(place))
	}
	if place > placeEntrance {
		return
	}
	for _, name := range [3]string{"stop_name", "stop_lat", "stop_lon"} {
		if in.cell(name) == "" {
			l.say(in, CodeNoValue, name, "the value is missing, which stops, stations and entrances need", "")
		}
	}
}

// The values of stops.location_type.
const (
	placeStop     = 0 // or platform
	placeStation  = 1
	placeEntrance = 2
	placeNode     = 3
	placeBoarding = 4 // a part of a platform
)

func (l *loader) route(in *rows) {
	if in.cell("route_short_name") == "" && in.cell("route_long_name") == "" {
		l.say(in, CodeNoValue, "route_short_name", "a route needs route_short_name or route_long_name", "")
	}
	if l.agencies > 1 && in.cell("agency_id") == "" {
		l.say(in, CodeNoValue, "agency_id", "the value is missing, which a feed of several agencies needs", "")
	}
	if n, err := strconv.Atoi(in.cell("route_type")); err == nil && n >= 0 && modeName(n) == "" {
		l.say(in, CodeRouteType, "route_type", "found "+strconv.Itoa(n)+
			", expected 0 to 7, 11 or 12, or a type of the extension, such as 109", "")
	}
}

func (l *loader) frequency(in *rows) {
	start, good := parseClock(in.cell("start_time"))
	end, also := parseClock(in.cell("end_time"))
	if good && also && end <= start {
		l.say(in, CodeTripTimes, "end_time",
			"found "+words.Quote(in.cell("end_time"))+", which is not after start_time", "")
	}
	if in.cell("headway_secs") == "0" {
		l.say(in, CodeBadValue, "headway_secs", `found "0", expected 1 or more`, "")
	}
}

// trip is what is known of a trip while its stop times go by.
type trip struct {
	stops int32
	last  int32 // stop_sequence of the last
	left  int32 // when it left that one, in seconds; -1 before the first time
	timed bool  // the last stop has a time, or a window
	gaps  bool  // a stop before has neither
	again bool  // its rows are not in their order, or their times are wrong: they are looked at once all are there
	said  bool  // one of its times is none, which is said, and nothing follows from it
}

// stopTime follows a trip by one stop.
func (l *loader) stopTime(in *rows) {
	stop := l.stopOf(in)
	at, ok := l.keys["trips"].find(in.cell("trip_id"))
	sequence, err := strconv.ParseInt(in.cell("stop_sequence"), 10, 32)
	if !ok || err != nil || sequence < 0 {
		return // said already
	}
	t := &l.trips[at]
	arrives, departs := in.cell("arrival_time"), in.cell("departure_time")
	t.said = t.said || !isClock(arrives) || !isClock(departs)
	if t.again || t.stops > 0 && int32(sequence) <= t.last {
		t.again = true
		t.stops++
		return
	}
	window := in.cell("start_pickup_drop_off_window") != ""
	if window {
		l.flexible = true
		if arrives != "" || departs != "" {
			l.say(in, CodeTripTimes, "arrival_time", "found a time beside a pickup window", "leave the times out")
		}
	} else if !stop {
		l.say(in, CodeNoValue, "stop_id",
			"the value is missing; only stops with a pickup window may be a group or a zone", "")
	}
	t.again = t.next(int32(sequence), arrives, departs, window) != ""
}

// isClock reports whether a time is one, or left out.
func isClock(s string) bool {
	_, ok := parseClock(s)
	return ok || s == ""
}

// stopOf reports whether the row has a stop, and says where it is one at which
// nothing stops, or where there is no place at all.
func (l *loader) stopOf(in *rows) bool {
	stop := in.cell("stop_id")
	if stop == "" {
		if in.cell("location_group_id") == "" && in.cell("location_id") == "" {
			l.say(in, CodeNoValue, "stop_id",
				"the value is missing, and there is no location_group_id or location_id", "")
			return true
		}
		return false
	}
	if at, ok := l.keys["stops"].find(stop); ok && int(at) < len(l.places) && l.places[at] != placeStop {
		l.say(in, CodeStopPlace, "stop_id",
			"found "+words.Quote(stop)+", which has location_type "+strconv.Itoa(int(l.places[at]))+
				", expected a stop or platform (0)", "")
	}
	return true
}

// completeTimes writes a time that is in one of the two columns into the other
// (Reference, arrival_time: where there are not separate times they are the
// same).
func (in *rows) completeTimes() {
	arrives, departs := &in.cells[in.table.at("arrival_time")], &in.cells[in.table.at("departure_time")]
	if *arrives == "" {
		*arrives = *departs
	} else if *departs == "" {
		*departs = *arrives
	}
}

// next goes on to a stop. It returns what is wrong with its times.
func (t *trip) next(sequence int32, arrives, departs string, window bool) string {
	t.stops++
	t.last = sequence
	if t.stops == 1 {
		t.left = -1
	} else if !t.timed {
		t.gaps = true
	}
	from, ok := parseClock(arrives)
	to, also := parseClock(departs)
	t.timed = ok && also || window
	switch {
	case t.timed && window:
		return ""
	case !t.timed && t.stops == 1:
		return "the first stop of a trip needs a time"
	case !t.timed:
		return ""
	case to < from:
		return "the trip departs at " + departs + ", before it arrives at " + arrives
	case int32(from) < t.left:
		return "the trip arrives at " + arrives + ", before it left the stop before at " + clockText(int(t.left))
	}
	t.left = int32(to)
	return ""
}
