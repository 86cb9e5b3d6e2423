package gtfs

import (
	"cmp"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// bookings name booking_type.
var bookings = []string{"real time", "same day", "days before"}

func (c *call) getFlexBookingRules() ([]ordjson.Value, error) {
	route := c.text("route")
	if route != "" {
		if _, err := c.route(route); err != nil {
			return nil, err
		}
	}
	rules, err := c.part(1000, "booking rules", "SELECT * FROM {booking_rules} b ORDER BY b.booking_rule_id")
	if err != nil {
		return nil, err
	}
	var found []ordjson.Value
	for _, b := range rules {
		id := textOf(b.Get("booking_rule_id"))
		service, err := c.flexService(id, route)
		if err != nil {
			return nil, err
		}
		if route != "" && len(service) == 0 {
			continue
		}
		kind := ""
		if n := int(numberOf(b.Get("booking_type"))); n >= 0 && n < len(bookings) {
			kind = bookings[n]
		}
		found = append(found, (&object{}).text("bookingRuleId", id).text("booking", kind).value("noticeMinutes",
			b.Get("prior_notice_duration_min")).
			value("lastDay", b.Get("prior_notice_last_day")).text("lastTime", textOf(b.Get("prior_notice_last_time"))).
			text("message", cmp.Or(textOf(b.Get("message")), textOf(b.Get("pickup_message")),
				textOf(b.Get("drop_off_message")))).
			text("phone", textOf(b.Get("phone_number"))).text("url", textOf(b.Get("booking_url"))).text("info",
			textOf(b.Get("info_url"))).
			value("service", ordjson.NewArray(service...)).done())
		if len(found) == c.number("limit", 20) {
			break
		}
	}
	return found, nil
}

// flexService says where and when a rule holds.
func (c *call) flexService(rule, route string) ([]ordjson.Value, error) {
	rows, err := c.part(200, "services of the rule "+words.Quote(rule),
		`SELECT DISTINCT t.route_id, st.start_pickup_drop_off_window AS opens, st.end_pickup_drop_off_window AS closes,
			coalesce((SELECT s.stop_name FROM {stops} s WHERE s.stop_id = st.stop_id),
				(SELECT g.location_group_name FROM {location_groups} g
					WHERE g.location_group_id = st.location_group_id),
				(SELECT l.stop_name FROM {locations} l WHERE l.location_id = st.location_id),
				st.location_group_id, st.location_id) AS place
		FROM (SELECT * FROM {stop_times} WHERE pickup_booking_rule_id = ?
			UNION SELECT * FROM {stop_times} WHERE drop_off_booking_rule_id = ?) st
		JOIN {trips} t ON t.trip_id = st.trip_id WHERE ? = '' OR t.route_id = ? ORDER BY t.route_id, opens, place`,
		rule, rule, route, route)
	if err != nil {
		return nil, err
	}
	var list []ordjson.Value
	for _, r := range rows {
		line, err := c.route(textOf(r.Get("route_id")))
		if err != nil {
			return nil, err
		}
		list = append(list, (&object{}).text("routeId", line.id).text("route", line.name).text("place",
			textOf(r.Get("place"))).
			text("from", textOf(r.Get("opens"))).text("to", textOf(r.Get("closes"))).done())
	}
	return list, nil
}
