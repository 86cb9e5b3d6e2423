package gtfs

import (
	"strconv"
	"time"
	"unicode/utf8"
)

// maxClock bounds times of a service day: 8 days. Departures are looked for on
// that many days before (calendar.go), and no trip takes longer.
const maxClock = 8 * 24 * 3600

// value reads one value of a file: a string, an int64 or a float64. What it
// expected is in the second result, which is "" where the value is good.
func (f *field) value(s string) (any, string) {
	switch f.kind {
	case text:
		return s, ""
	case clock:
		secs, ok := parseClock(s)
		if !ok || secs >= maxClock {
			return nil, "a time HH:MM:SS below 192:00:00"
		}
		return formatClock(s, secs), ""
	case date:
		if _, ok := parseDate(s); !ok {
			return nil, "a date YYYYMMDD"
		}
		return s, ""
	case zone:
		if _, err := loadZone(s); err != nil {
			return nil, "a time zone such as Europe/Berlin"
		}
		return s, ""
	}
	return f.numeric(s)
}

func (f *field) numeric(s string) (any, string) {
	switch f.kind {
	case count, choice:
		n, err := strconv.ParseInt(s, 10, 64)
		switch {
		case f.kind == choice && (err != nil || n < 0 || n > int64(f.max)):
			return nil, "a whole number from 0 to " + strconv.Itoa(f.max)
		case err != nil || n < 0:
			return nil, "a whole number of 0 or more"
		}
		return n, ""
	}
	x, err := strconv.ParseFloat(s, 64)
	switch {
	case err != nil || x-x != 0: // NaN and the infinities
		return nil, "a number"
	case f.kind == lat && (x < -90 || x > 90):
		return nil, "a latitude from -90 to 90"
	case f.kind == lon && (x < -180 || x > 180):
		return nil, "a longitude from -180 to 180"
	}
	return x, ""
}

// parseClock reads H:MM:SS with up to three digits of hours as seconds.
func parseClock(s string) (int, bool) {
	n := len(s)
	if n < 7 || n > 9 || s[n-3] != ':' || s[n-6] != ':' {
		return 0, false
	}
	var parts [3]int
	for i, part := range [3]string{s[:n-6], s[n-5 : n-3], s[n-2:]} {
		for _, c := range []byte(part) {
			if c < '0' || c > '9' {
				return 0, false
			}
			parts[i] = parts[i]*10 + int(c-'0')
		}
	}
	if parts[1] > 59 || parts[2] > 59 {
		return 0, false
	}
	return parts[0]*3600 + parts[1]*60 + parts[2], true
}

// formatClock writes a time with at least two digits of hours, so that times as
// text are in their order, but for those above 100 hours. It returns s where
// that is one already.
func formatClock(s string, secs int) string {
	if len(s) == 8 || len(s) == 9 && secs >= 100*3600 {
		return s
	}
	return clockText(secs)
}

// clockText is a time of the service day as text.
func clockText(secs int) string {
	b := make([]byte, 0, 9)
	for i, n := range [3]int{secs / 3600, secs / 60 % 60, secs % 60} {
		if i > 0 {
			b = append(b, ':')
		}
		if n < 10 {
			b = append(b, '0')
		}
		b = strconv.AppendInt(b, int64(n), 10)
	}
	return string(b)
}

// dateLayout is how GTFS writes dates.
const dateLayout = "20060102"

// parseDate reads YYYYMMDD as midnight UTC: a date, not an instant.
func parseDate(s string) (time.Time, bool) {
	if len(s) != len(dateLayout) {
		return time.Time{}, false
	}
	t, err := time.Parse(dateLayout, s)
	return t, err == nil
}

// isText reports whether the value can be a value of a table: valid UTF-8.
func isText(s string) bool { return utf8.ValidString(s) }
