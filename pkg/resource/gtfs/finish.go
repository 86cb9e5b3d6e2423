package gtfs

import (
	"context"
	"fmt"
	"strings"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/flowmcp/fmcp/pkg/words"
)

// indexes are made when all rows are there: one sort costs less than looking
// for the place of each row. Those of keys come first, by finish.
var indexes = []string{
	"CREATE INDEX stop_times_by_stop ON stop_times (stop_id, departure_time)",
	"CREATE INDEX stop_times_by_booking ON stop_times (pickup_booking_rule_id) WHERE pickup_booking_rule_id IS " +
		"NOT NULL",
	"CREATE INDEX stop_times_by_booking_off ON stop_times (drop_off_booking_rule_id) WHERE drop_off_booking_rule_id " +
		"IS NOT NULL",
	"CREATE INDEX trips_by_route ON trips (route_id, service_id)",
	"CREATE INDEX stops_by_parent ON stops (parent_station) WHERE parent_station IS NOT NULL",
	"CREATE INDEX stops_by_place ON stops (stop_lat, stop_lon)",
}

// finish looks at what can be seen only when all rows are there.
func (l *loader) finish(ctx context.Context) error {
	for _, t := range tables {
		if l.loaded(t.name) {
			if err := l.keyIndex(ctx, t); err != nil {
				return err
			}
		}
	}
	if !l.loaded("calendar") && !l.loaded("calendar_dates") {
		l.rep.add(Finding{Code: CodeNoFile, File: "calendar.txt",
			Message: "found neither calendar.txt nor calendar_dates.txt with rows", Fix: "a feed needs one of them"})
	}
	if !l.rep.hasAll(tables) {
		return nil
	}
	if err := l.parents(ctx); err != nil {
		return err
	}
	if err := l.headways(ctx); err != nil {
		return err
	}
	return l.checkTrips(ctx)
}

// headways reports those of one trip that overlap, so that it would leave twice
// (Reference, frequencies.txt).
func (l *loader) headways(ctx context.Context) error {
	if !l.loaded("frequencies") {
		return nil
	}
	trip, until, line := "", 0, 0
	const q = `SELECT rowid, trip_id, start_time, end_time FROM frequencies
		WHERE trip_id IS NOT NULL AND start_time IS NOT NULL AND end_time IS NOT NULL
		ORDER BY trip_id, length(start_time), start_time`
	return l.each(ctx, q, func(row *sqlite.Stmt) error {
		begin, _ := parseClock(row.ColumnText(2))
		end, _ := parseClock(row.ColumnText(3))
		switch {
		case row.ColumnText(1) != trip:
			trip, until = row.ColumnText(1), 0
		case begin < until:
			l.rep.add(Finding{Code: CodeTripTimes, File: "frequencies.txt", Line: row.ColumnInt(0), Field: "start_time",
				Message: fmt.Sprintf("found %s, but line %d has trip %s run until %s",
					words.Quote(row.ColumnText(2)), line, words.Quote(trip), clockText(until))})
		}
		if end > until {
			until, line = end, row.ColumnInt(0)
		}
		return nil
	})
}

// loaded reports whether a table has rows.
func (l *loader) loaded(name string) bool { return l.rep.rowsOf(name) > 0 }

// hasAll reports whether all required tables have rows.
func (r *Report) hasAll(tables []*table) bool {
	for _, t := range tables {
		if t.must && r.rowsOf(t.name) == 0 {
			return false
		}
	}
	return true
}

func (r *Report) rowsOf(name string) int64 {
	for _, t := range r.Rows {
		if t.Table == name {
			return t.Rows
		}
	}
	return 0
}

// keyIndex makes the index of a key, and says which rows have the same where it
// cannot be unique.
func (l *loader) keyIndex(ctx context.Context, t *table) error {
	if t.key == nil {
		return nil
	}
	columns := strings.Join(t.key, ", ")
	err := sqlitex.ExecuteTransient(l.db, "CREATE UNIQUE INDEX "+t.name+"_key ON "+t.name+" ("+columns+")", nil)
	if err == nil {
		return nil
	}
	if sqlite.ErrCode(err) != sqlite.ResultConstraintUnique {
		return failed(ctx, err)
	}
	if err := l.exec(ctx, "CREATE INDEX "+t.name+"_key ON "+t.name+" ("+columns+")"); err != nil {
		return err
	}
	if len(t.key) == 1 {
		return nil // said when the row went by
	}
	q := fmt.Sprintf("SELECT max(rowid), min(rowid), count(*), %s FROM %s GROUP BY %s HAVING count(*) > 1 ORDER BY 1 "+
		"LIMIT %d",
		strings.Join(t.key, " || ', ' || "), t.name, columns, MaxFindings+1)
	return l.each(ctx, q, func(row *sqlite.Stmt) error {
		line, first, n, key := row.ColumnInt(0), row.ColumnInt(1), row.ColumnInt(2), row.ColumnText(3)
		l.rep.add(Finding{Code: CodeTwice, File: t.file(), Line: line, Field: columns,
			Message: fmt.Sprintf("found %s in %s, the first in line %d", words.Quote(key), words.Count(n, "row"),
				first), Fix: "the two together make a row unique"})
		return nil
	})
}

// each calls f for each row of one of our own queries.
func (l *loader) each(ctx context.Context, query string, f func(row *sqlite.Stmt) error, args ...any) error {
	if err := sqlitex.Execute(l.db, query, &sqlitex.ExecOptions{Args: args, ResultFunc: f}); err != nil {
		return failed(ctx, err)
	}
	return nil
}

// with runs one of our own statements with values.
func (l *loader) with(ctx context.Context, query string, args ...any) error {
	return l.each(ctx, query, nil, args...)
}

// parents checks parent_station of all stops (Reference, stops.txt).
func (l *loader) parents(ctx context.Context) error {
	const q = `SELECT s.rowid, coalesce(s.location_type, 0), coalesce(s.parent_station, ''), p.rowid IS NOT NULL,
			coalesce(p.location_type, 0)
		FROM stops s LEFT JOIN stops p ON p.stop_id = s.parent_station
		WHERE s.parent_station IS NOT NULL OR coalesce(s.location_type, 0) >= 2 ORDER BY s.rowid`
	return l.each(ctx, q, func(row *sqlite.Stmt) error {
		line, place, parent, found, parentPlace := row.ColumnInt(0), row.ColumnInt(1), row.ColumnText(2),
			row.ColumnBool(3), row.ColumnInt(4)
		say := func(code, message string) {
			l.rep.add(Finding{Code: code, File: "stops.txt", Line: line, Field: "parent_station", Message: message})
		}
		wanted := placeStation
		if place == placeBoarding {
			wanted = placeStop
		}
		switch {
		case parent == "":
			say(CodeNoValue, "the value is missing, which entrances, nodes and boarding areas need")
		case place == placeStation:
			say(CodeStopPlace, "found "+words.Quote(parent)+", expected none: a station has no parent")
		case !found:
			say(CodeBroken, "found "+words.Quote(parent)+", which is not in stops.txt")
		case parentPlace != wanted:
			say(CodeStopPlace, fmt.Sprintf("found %s, which has location_type %d, expected %d", words.Quote(parent),
				parentPlace, wanted))
		}
		return nil
	})
}

// checkTrips looks at the first and last stops of all trips, and again at those
// whose rows were not in order or lack times.
func (l *loader) checkTrips(ctx context.Context) error {
	type again struct {
		id string
		at int32
	}
	var later []again
	err := l.each(ctx, "SELECT trip_id, rowid FROM trips WHERE trip_id IS NOT NULL ORDER BY rowid",
		func(row *sqlite.Stmt) error {
			id, line := row.ColumnText(0), row.ColumnInt(1)
			at, ok := l.keys["trips"].find(id)
			if !ok {
				return nil
			}
			switch t := &l.trips[at]; {
			case t.stops < 2:
				l.rep.add(Finding{Code: CodeUnused, File: "trips.txt", Line: line, Field: "trip_id",
					Message: "trip " + words.Quote(id) + " has " + words.Count(int(t.stops), "stop") +
						" in stop_times.txt, so that it cannot be boarded"})
			case t.said:
			case t.again || t.gaps && t.timed:
				later = append(later, again{id, at})
			case !t.timed:
				l.rep.add(Finding{Code: CodeTripTimes, File: "trips.txt", Line: line, Field: "trip_id",
					Message: "the last stop of trip " + words.Quote(id) + " needs a time in stop_times.txt"})
			}
			return nil
		})
	if err != nil {
		return err
	}
	filled := 0
	for _, a := range later {
		n, err := l.tripAgain(ctx, a.id)
		if err != nil {
			return err
		}
		filled += n
	}
	if filled > 0 {
		l.rep.add(Finding{Code: CodeCompleted, File: "stop_times.txt",
			Message: fmt.Sprintf("%d stop times had no time: they were spread evenly between the times before and "+
				"after, and have timepoint 0", filled)})
	}
	return nil
}

// stopTime is a row of stop_times.
type stopTime struct {
	line             int
	sequence         int32
	arrives, departs string
	window           bool // a pickup window in the place of times
}

// tripAgain follows a trip by its rows in order, and fills in times that lack.
// It returns how many it filled in.
func (l *loader) tripAgain(ctx context.Context, id string) (int, error) {
	var list []stopTime
	const q = `SELECT rowid, coalesce(stop_sequence, 0), coalesce(arrival_time, ''), coalesce(departure_time, ''),
			start_pickup_drop_off_window IS NOT NULL
		FROM stop_times WHERE trip_id = ? ORDER BY stop_sequence`
	err := l.each(ctx, q, func(row *sqlite.Stmt) error {
		list = append(list, stopTime{row.ColumnInt(0), row.ColumnInt32(1), row.ColumnText(2), row.ColumnText(3),
			row.ColumnBool(4)})
		return nil
	}, id)
	if err != nil {
		return 0, err
	}
	var t trip
	wrong := false
	for _, s := range list {
		if message := t.next(s.sequence, s.arrives, s.departs, s.window); message != "" {
			wrong = true
			l.rep.add(Finding{Code: CodeTripTimes, File: "stop_times.txt", Line: s.line, Field: "arrival_time",
				Message: message})
		}
	}
	if !t.timed {
		l.rep.add(Finding{Code: CodeTripTimes, File: "stop_times.txt", Line: list[len(list)-1].line,
			Field: "arrival_time", Message: "the last stop of a trip needs a time"})
		return 0, nil
	}
	if wrong || !t.gaps {
		return 0, nil
	}
	return l.fill(ctx, list)
}

// fill spreads the times of stops without one evenly between those around them.
func (l *loader) fill(ctx context.Context, list []stopTime) (int, error) {
	filled, last, left := 0, -1, 0
	for i, s := range list {
		arrival, ok := parseClock(s.arrives)
		if !ok {
			continue
		}
		for j := last + 1; j < i && last >= 0; j++ {
			if list[j].window {
				continue
			}
			at := clockText(left + (arrival-left)*(j-last)/(i-last))
			const q = "UPDATE stop_times SET arrival_time = ?1, departure_time = ?1, timepoint = 0 WHERE rowid = ?2"
			if err := l.with(ctx, q, at, list[j].line); err != nil {
				return filled, err
			}
			filled++
		}
		last = i
		left, _ = parseClock(s.departs)
	}
	return filled, nil
}
