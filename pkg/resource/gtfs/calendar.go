package gtfs

import (
	"strings"
	"time"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// running is the condition that the service of a trip t runs on a day: by the
// calendar unless an exception takes the day away, or by an exception that adds
// it (Reference, calendar_dates.txt).
func running(day time.Time) (string, []any) {
	date := day.Format(dateLayout)
	weekday := strings.ToLower(day.Weekday().String())
	return `(EXISTS (SELECT 1 FROM {calendar} c WHERE c.service_id = t.service_id AND c.` + weekday +
		` = 1 AND c.start_date <= ? AND c.end_date >= ?)
		AND NOT EXISTS (SELECT 1 FROM {calendar_dates} e WHERE e.service_id = t.service_id AND
			e.date = ? AND e.exception_type = 2)
		OR EXISTS (SELECT 1 FROM {calendar_dates} e WHERE e.service_id = t.service_id AND
			e.date = ? AND e.exception_type = 1))`, []any{date, date, date, date}
}

// dayStart is when the times of a service day are counted from: noon less 12
// hours, which is midnight but for days on which the clock changes (Reference,
// "Time").
func dayStart(day time.Time, zone *time.Location) time.Time {
	return time.Date(day.Year(), day.Month(), day.Day(), 12, 0, 0, 0, zone).Add(-12 * time.Hour)
}

// day is the date that the caller gave, or today where the agencies are.
func (c *call) day() (time.Time, error) {
	if c.text("date") == "" {
		now := c.Now().In(c.zone)
		return time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC), nil
	}
	return readDate(c.text("date"))
}

// readDate reads 2026-05-11, or 20260511 as GTFS writes it.
func readDate(s string) (time.Time, error) {
	for _, layout := range [2]string{time.DateOnly, dateLayout} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fail(CodeBadCall, "write it as 2026-05-11", "date is %s, which is not a date", words.Quote(s))
}

// zoneOf is the time zone of a stop: that of its station, else its own, else
// that of the agencies (Reference, stop_timezone).
func (c *call) zoneOf(stop ordjson.Value) (*time.Location, error) {
	own := textOf(stop.Get("stop_timezone"))
	if parent := textOf(stop.Get("parent_station")); parent != "" {
		station, err := c.stop(parent)
		if err != nil {
			return nil, err
		}
		if textOf(station.Get("parent_station")) != "" { // of a boarding area's platform
			if station, err = c.stop(textOf(station.Get("parent_station"))); err != nil {
				return nil, err
			}
		}
		own = textOf(station.Get("stop_timezone"))
	}
	if own == "" {
		return c.zone, nil
	}
	zone, err := loadZone(own)
	if err != nil {
		return nil, fail(CodeNotDB, "convert the feed again", "stop_timezone is %s, which is not a time zone",
			words.Quote(own))
	}
	return zone, nil
}

// span is a stretch of time, without its end.
type span struct{ from, to time.Time }

// window is the time that the caller asks for, at a stop in that zone: two
// spans for a time of the hour that is there twice where the clock is put back.
func (c *call) window(zone *time.Location) ([]span, error) {
	now := c.Now().In(zone).Truncate(time.Minute)
	date, clock := c.text("date"), c.text("time")
	day, at := now, now
	var err error
	if date != "" {
		if day, err = readDate(date); err != nil {
			return nil, err
		}
		at = time.Time{}
	}
	if clock != "" {
		if at, err = readClock(clock); err != nil {
			return nil, err
		}
	}
	from, again := now, time.Duration(0) // and not the same time of day, which may be there twice
	if date != "" || clock != "" {
		from, again = firstOf(time.Date(day.Year(), day.Month(), day.Day(), at.Hour(), at.Minute(), at.Second(), 0,
			zone))
	}
	if date != "" && clock == "" && !c.args.Get("minutes").Exists() {
		// The whole day, which has 23 or 25 hours where the clock changes.
		next, _ := firstOf(time.Date(day.Year(), day.Month(), day.Day()+1, 0, 0, 0, 0, zone))
		return []span{{from, next}}, nil
	}
	to := from.Add(time.Duration(c.number("minutes", 60)) * time.Minute)
	spans := []span{{from, to}}
	if again > 0 {
		second := from.Add(again)
		if second.Before(to) {
			second = to
		}
		spans = append(spans, span{second, to.Add(again)})
	}
	return spans, nil
}

// firstOf is the first moment at which clocks show what they show at t, and how
// long after it they show the same again; 0 where they do not.
func firstOf(t time.Time) (first time.Time, again time.Duration) {
	start, end := t.ZoneBounds()
	if back := putBack(start); back > 0 && t.Add(-back).Before(start) {
		return t.Add(-back), back
	}
	if back := putBack(end); back > 0 && !t.Add(back).Before(end) {
		return t, back
	}
	return t, 0
}

// putBack is how far the clock is put back at a change of it, which is zero
// where a zone has none.
func putBack(change time.Time) time.Duration {
	if change.IsZero() {
		return 0
	}
	_, before := change.Add(-time.Second).Zone()
	_, after := change.Zone()
	return time.Duration(before-after) * time.Second
}

// readClock reads a time of a day: 08:30, 8:30 or 08:30:00.
func readClock(s string) (time.Time, error) {
	for _, layout := range [2]string{"15:04", time.TimeOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fail(CodeBadCall, "write it as 08:30", "time is %s, which is not a time of a day",
		words.Quote(s))
}
