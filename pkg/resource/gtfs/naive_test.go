package gtfs

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// world is a generated feed as Go values, from which departures are worked out
// in the plainest way.
type world struct {
	zone     string
	stops    []worldStop
	calendar map[string]worldService
	trips    []worldTrip
}

type worldStop struct{ id, parent, zone string }

type worldService struct {
	days       [7]bool // from Sunday
	start, end time.Time
	exceptions map[string]int // by date: 1 added, 2 removed
	regular    bool           // is in calendar.txt
}

type worldTrip struct {
	id, service string
	times       []worldTime
	headways    [][3]int // start, end, seconds
}

type worldTime struct {
	stop           string
	arrive, depart int
	pickup         int
}

// The weeks of the worlds have a day of 23 and one of 25 hours in each zone.
var worldStarts = map[string][]string{
	"Europe/Berlin":    {"20260326", "20261022"},
	"America/New_York": {"20260305", "20261029"},
	"Pacific/Auckland": {"20260402", "20260924"},
	"Asia/Tokyo":       {"20260301"},
}

func newWorld(r *rand.Rand) (*world, time.Time) {
	zones := []string{"Europe/Berlin", "America/New_York", "Pacific/Auckland", "Asia/Tokyo"}
	w := &world{zone: zones[r.IntN(len(zones))], calendar: map[string]worldService{}}
	starts := worldStarts[w.zone]
	begin, _ := parseDate(starts[r.IntN(len(starts))])
	w.stops = []worldStop{{"station", "", ""}, {"p1", "station", ""}, {"p2", "station", "Asia/Tokyo"},
		{"alone", "", ""}, {"abroad", "", zones[r.IntN(len(zones))]}}
	if r.IntN(2) == 0 {
		w.stops[0].zone = zones[r.IntN(len(zones))]
	}
	for i := range 4 {
		s := worldService{start: begin.AddDate(0, 0, r.IntN(3)), exceptions: map[string]int{}, regular: r.IntN(4) > 0}
		s.end = s.start.AddDate(0, 0, r.IntN(8))
		for d := range s.days {
			s.days[d] = r.IntN(2) == 0
		}
		for range 1 + r.IntN(3) {
			s.exceptions[begin.AddDate(0, 0, r.IntN(10)-1).Format(dateLayout)] = 1 + r.IntN(2)
		}
		w.calendar[fmt.Sprint("service", i)] = s
	}
	for i := range 12 {
		w.trips = append(w.trips, newTrip(r, i))
	}
	return w, begin
}

func newTrip(r *rand.Rand, i int) worldTrip {
	t := worldTrip{id: fmt.Sprint("trip", i), service: fmt.Sprint("service", r.IntN(4))}
	places := []string{"p1", "p2", "alone", "abroad"}
	at := []int{0, 5, 20, 23, 24, 30, 47, 99, 120}[r.IntN(9)]*3600 + r.IntN(3600)
	for range 2 + r.IntN(4) {
		at += r.IntN(1800)
		stay := r.IntN(2) * r.IntN(600)
		t.times = append(t.times, worldTime{places[r.IntN(len(places))], at, at + stay,
			[]int{0, 0, 0, 1, 2}[r.IntN(5)]})
		at += stay
	}
	if r.IntN(3) == 0 {
		from := r.IntN(26 * 3600)
		for range 1 + r.IntN(2) {
			every := 300 + r.IntN(1500)
			to := from + every*(1+r.IntN(9)) + r.IntN(2)*r.IntN(every)
			t.headways = append(t.headways, [3]int{from, to, every})
			from = to
		}
	}
	return t
}

// files writes the world as a feed.
func (w *world) files() map[string]string {
	f := map[string]*strings.Builder{}
	add := func(name, header, format string, args ...any) {
		if f[name] == nil {
			f[name] = &strings.Builder{}
			f[name].WriteString(header + "\n")
		}
		fmt.Fprintf(f[name], format+"\n", args...)
	}
	add("agency.txt", "agency_name,agency_url,agency_timezone", "A,https://a.example,%s", w.zone)
	add("routes.txt", "route_id,route_short_name,route_type", "r,R,3")
	for _, s := range w.stops {
		place := 0
		if s.id == "station" {
			place = placeStation
		}
		add("stops.txt", "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,stop_timezone",
			"%s,%s,1,2,%d,%s,%s", s.id, s.id, place, s.parent, s.zone)
	}
	for id, s := range w.calendar {
		if s.regular {
			line := id
			for d := range 7 {
				line += fmt.Sprintf(",%d", map[bool]int{true: 1}[s.days[(d+1)%7]])
			}
			add("calendar.txt", "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,"+
				"end_date", "%s,%s,%s", line, s.start.Format(dateLayout), s.end.Format(dateLayout))
		}
		for date, kind := range s.exceptions {
			add("calendar_dates.txt", "service_id,date,exception_type", "%s,%s,%d", id, date, kind)
		}
	}
	for _, t := range w.trips {
		add("trips.txt", "route_id,service_id,trip_id", "r,%s,%s", t.service, t.id)
		for i, s := range t.times {
			add("stop_times.txt", "trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type",
				"%s,%d:%02d:%02d,%s,%s,%d,%d",
				t.id, s.arrive/3600, s.arrive/60%60, s.arrive%60, clockText(s.depart), s.stop, i*i, s.pickup)
		}
		for _, h := range t.headways {
			add("frequencies.txt", "trip_id,start_time,end_time,headway_secs", "%s,%s,%s,%d", t.id, clockText(h[0]),
				clockText(h[1]), h[2])
		}
	}
	files := map[string]string{}
	for name, b := range f {
		files[name] = b.String()
	}
	return files
}

func (s worldService) runs(day time.Time) bool {
	if kind := s.exceptions[day.Format(dateLayout)]; kind != 0 {
		return kind == 1
	}
	return s.regular && s.days[day.Weekday()] && !day.Before(s.start) && !day.After(s.end)
}

// departures are those of a stop in a window: every day, every trip, every
// stop, every start.
func (w *world) departures(t *testing.T, stop string, from, to time.Time, begin time.Time) []string {
	zone, err := time.LoadLocation(w.zone)
	if err != nil {
		t.Fatal(err)
	}
	type hit struct {
		at   time.Time
		text string
	}
	var hits []hit
	for d := -12; d < 25; d++ {
		day := begin.AddDate(0, 0, d)
		noon := time.Date(day.Year(), day.Month(), day.Day(), 12, 0, 0, 0, zone)
		for _, trip := range w.trips {
			if !w.calendar[trip.service].runs(day) {
				continue
			}
			shifts := []int{0}
			if trip.headways != nil {
				shifts = nil
				for _, h := range trip.headways {
					for s := h[0]; s < h[1]; s += h[2] {
						shifts = append(shifts, s-trip.times[0].depart)
					}
				}
			}
			for i, s := range trip.times[:len(trip.times)-1] {
				if s.pickup == 1 || s.stop != stop && (stop != "station" || s.stop != "p1" && s.stop != "p2") {
					continue
				}
				for _, shift := range shifts {
					at := noon.Add(time.Duration(s.depart+shift-12*3600) * time.Second)
					if !at.Before(from) && at.Before(to) {
						hits = append(hits, hit{at, fmt.Sprintf("%s %s %s %s %d", at.UTC().Format(time.RFC3339),
							trip.id, s.stop, day.Format(time.DateOnly), i)})
					}
				}
			}
		}
	}
	slices.SortFunc(hits, func(a, b hit) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.text, b.text)) })
	var list []string
	for _, h := range hits {
		list = append(list, h.text[:strings.LastIndexByte(h.text, ' ')])
	}
	return list
}

// zoneOf is the zone in which times at a stop are given.
func (w *world) zoneOf(stop string) string {
	for _, s := range w.stops {
		if s.id == stop && s.parent != "" {
			return w.zoneOf(s.parent)
		}
		if s.id == stop {
			return cmp.Or(s.zone, w.zone)
		}
	}
	return w.zone
}

// getDepartures finds the same as a naive search, over generated feeds whose
// weeks have days of 23 and 25 hours.
func TestDeparturesAreThoseOfThePlainWay(t *testing.T) {
	found := 0
	for seed := range uint64(worlds) {
		r := rand.New(rand.NewPCG(seed, 1))
		w, begin := newWorld(r)
		files := w.files()
		if files["calendar.txt"] == "" {
			delete(files, "calendar.txt")
		}
		d := sealed(t, mustImport(t, files))
		for range 25 {
			stop := w.stops[r.IntN(len(w.stops))].id
			zone, err := time.LoadLocation(w.zoneOf(stop))
			if err != nil {
				t.Fatal(err)
			}
			day := begin.AddDate(0, 0, r.IntN(14)-2)
			from := time.Date(day.Year(), day.Month(), day.Day(), r.IntN(24), r.IntN(60), 0, 0, zone)
			minutes := 1 + r.IntN(1440)
			long := time.Duration(minutes) * time.Minute
			want := w.departures(t, stop, from, from.Add(long), begin)
			for _, again := range []time.Time{from.Add(30 * time.Minute), from.Add(time.Hour)} {
				if again.Format("15:04") == from.Format("15:04") { // the hour that is there twice
					want = append(want, w.departures(t, stop, again, again.Add(long), begin)...)
				}
			}
			slices.Sort(want)
			want = slices.Compact(want)
			params := fmt.Sprintf(`{"stop":%q,"date":%q,"time":%q,"minutes":%d,"limit":200}`, stop,
				from.Format(time.DateOnly), from.Format("15:04"), minutes)
			if local := time.Date(from.Year(), from.Month(), from.Day(), from.Hour(), from.Minute(), 0, 0,
				zone); !local.Equal(from) || len(want) > 200 {
				continue // an hour that is there twice begins with the first of them
			}
			if r.IntN(4) == 0 { // the whole day, however long it is
				from = time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, zone)
				want = w.departures(t, stop, from, from.AddDate(0, 0, 1), begin)
				params = fmt.Sprintf(`{"stop":%q,"date":%q,"limit":200}`, stop, from.Format(time.DateOnly))
				if len(want) > 200 {
					continue
				}
			}
			rows, err := ask(t, d, "getDepartures", params)
			if err != nil {
				t.Fatal(err)
			}
			got := lines(t, rows)
			found += len(got)
			slices.Sort(want)
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d, %s %s:\n got %s\nwant %s", seed, w.zone, params, strings.Join(got, "\n     "),
					strings.Join(want, "\n     "))
			}
		}
	}
	if found < 40*worlds {
		t.Errorf("only %d departures were compared", found)
	}
}

// lines are rows of getDepartures as world.departures writes them. The rows are
// in order.
func lines(t *testing.T, rows ordjson.Value) []string {
	t.Helper()
	var list []string
	var last time.Time
	for _, r := range rows.Elems() {
		at, err := time.Parse(time.RFC3339, r.Get("departure").Str())
		if err != nil || at.Before(last) {
			t.Fatalf("%v: %s after %s", err, r.Get("departure").Str(), last)
		}
		last = at
		list = append(list, strings.Join([]string{at.UTC().Format(time.RFC3339), r.Get("tripId").Str(),
			r.Get("stopId").Str(), r.Get("serviceDate").Str()}, " "))
	}
	return list
}
