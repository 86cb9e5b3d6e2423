package gtfs

// kind is the type of a field, as the GTFS Schedule Reference calls it.
type kind uint8

const (
	text   kind = iota // any text, an ID too
	clock              // HH:MM:SS of the service day; more than 24 hours are fine
	date               // YYYYMMDD
	count              // non-negative integer
	number             // any number
	lat                // degrees
	lon                // degrees
	choice             // 0 to field.max
	zone               // a name of the time zone database
)

// field is one column of a file.
type field struct {
	name string
	kind kind
	must bool   // every row has a value
	refs string // the table whose key it names
	max  int    // of a choice
}

// table is one file of a feed and the table that it becomes; names of columns
// are those of the file, so that SQL written for GTFS works.
type table struct {
	name   string
	must   bool     // there is no feed without
	key    []string // makes a row unique; nil for none
	fields []field
}

func (t *table) file() string { return t.name + ".txt" }

// col is a field that may be empty, id one with a value in every row, ref one
// that names a row of another table, and mustRef one that always does.
func col(name string, k kind) field    { return field{name: name, kind: k} }
func id(name string) field             { return field{name: name, must: true} }
func must(name string, k kind) field   { return field{name: name, kind: k, must: true} }
func ref(name, table string) field     { return field{name: name, refs: table} }
func mustRef(name, table string) field { return field{name: name, refs: table, must: true} }
func oneOf(name string, max int) field { return field{name: name, kind: choice, max: max} }
func mustBeOneOf(name string, max int) field {
	return field{name: name, kind: choice, max: max, must: true}
}

// services is what trips refer to: calendar and calendar_dates define them
// together.
const services = "calendar"

// tables are the files of the GTFS Schedule Reference, revision SpecRevision,
// ordered so that a file follows those that it refers to. Presence that depends
// on other fields is checked in rows.go.
var tables = []*table{
	{name: "agency", must: true, key: []string{"agency_id"}, fields: []field{
		col("agency_id", text), id("agency_name"), id("agency_url"), must("agency_timezone", zone),
		col("agency_lang", text),
		col("agency_phone", text), col("agency_fare_url", text), col("agency_email", text), oneOf("cemv_support", 2),
	}},
	{name: "levels", key: []string{"level_id"}, fields: []field{
		id("level_id"), must("level_index", number), col("level_name", text),
	}},
	{name: "stops", must: true, key: []string{"stop_id"}, fields: []field{
		id("stop_id"), col("stop_code", text), col("stop_name", text), col("tts_stop_name", text),
		col("stop_desc", text),
		col("stop_lat", lat), col("stop_lon", lon), col("zone_id", text), col("stop_url", text),
		oneOf("location_type", 4),
		col("parent_station", text), col("stop_timezone", zone), oneOf("wheelchair_boarding", 2),
		ref("level_id", "levels"),
		col("platform_code", text), oneOf("stop_access", 1),
	}},
	{name: "calendar", key: []string{"service_id"}, fields: []field{
		id("service_id"), mustBeOneOf("monday", 1), mustBeOneOf("tuesday", 1), mustBeOneOf("wednesday", 1),
		mustBeOneOf("thursday", 1),
		mustBeOneOf("friday", 1), mustBeOneOf("saturday", 1), mustBeOneOf("sunday", 1), must("start_date", date),
		must("end_date", date),
	}},
	{name: "calendar_dates", key: []string{"service_id", "date"}, fields: []field{
		id("service_id"), must("date", date), mustBeOneOf("exception_type", 2),
	}},
	{name: "shapes", key: []string{"shape_id", "shape_pt_sequence"}, fields: []field{
		id("shape_id"), must("shape_pt_lat", lat), must("shape_pt_lon", lon), must("shape_pt_sequence", count),
		col("shape_dist_traveled", number),
	}},
	{name: "networks", key: []string{"network_id"}, fields: []field{id("network_id"), col("network_name", text)}},
	{name: "routes", must: true, key: []string{"route_id"}, fields: []field{
		id("route_id"), ref("agency_id", "agency"), col("route_short_name", text), col("route_long_name", text),
		col("route_desc", text),
		must("route_type", count), col("route_url", text), col("route_color", text), col("route_text_color", text),
		col("route_sort_order", count), oneOf("continuous_pickup", 3), oneOf("continuous_drop_off", 3),
		col("network_id", text), oneOf("cemv_support", 2),
	}},
	{name: "route_networks", key: []string{"route_id"},
		fields: []field{mustRef("network_id", "networks"), mustRef("route_id", "routes")}},
	{name: "booking_rules", key: []string{"booking_rule_id"}, fields: []field{
		id("booking_rule_id"), mustBeOneOf("booking_type", 2), col("prior_notice_duration_min", count),
		col("prior_notice_duration_max", count),
		col("prior_notice_last_day", count), col("prior_notice_last_time", clock), col("prior_notice_start_day", count),
		col("prior_notice_start_time", clock), ref("prior_notice_service_id", services), col("message", text),
		col("pickup_message", text),
		col("drop_off_message", text), col("phone_number", text), col("info_url", text), col("booking_url", text),
	}},
	{name: "location_groups", key: []string{"location_group_id"},
		fields: []field{id("location_group_id"), col("location_group_name", text)}},
	{name: "location_group_stops", key: []string{"location_group_id", "stop_id"}, fields: []field{
		mustRef("location_group_id", "location_groups"), mustRef("stop_id", "stops"),
	}},
	{name: "areas", key: []string{"area_id"}, fields: []field{id("area_id"), col("area_name", text)}},
	{name: "stop_areas", key: []string{"area_id", "stop_id"},
		fields: []field{mustRef("area_id", "areas"), mustRef("stop_id", "stops")}},
	{name: "trips", must: true, key: []string{"trip_id"}, fields: []field{
		mustRef("route_id", "routes"), mustRef("service_id", services), id("trip_id"), col("trip_headsign", text),
		col("trip_short_name", text),
		oneOf("direction_id", 1), col("block_id", text), ref("shape_id", "shapes"), oneOf("wheelchair_accessible", 2),
		oneOf("bikes_allowed", 2),
		oneOf("cars_allowed", 2), col("safe_duration_factor", number), col("safe_duration_offset", number),
	}},
	{name: "stop_times", must: true, key: []string{"trip_id", "stop_sequence"}, fields: []field{
		mustRef("trip_id", "trips"), col("arrival_time", clock), col("departure_time", clock), ref("stop_id", "stops"),
		ref("location_group_id", "location_groups"), ref("location_id", locations), must("stop_sequence", count),
		col("stop_headsign", text),
		col("start_pickup_drop_off_window", clock), col("end_pickup_drop_off_window", clock), oneOf("pickup_type", 3),
		oneOf("drop_off_type", 3),
		oneOf("continuous_pickup", 3), oneOf("continuous_drop_off", 3), col("shape_dist_traveled", number),
		oneOf("timepoint", 1),
		ref("pickup_booking_rule_id", "booking_rules"), ref("drop_off_booking_rule_id", "booking_rules"),
	}},
	{name: "frequencies", key: []string{"trip_id", "start_time"}, fields: []field{
		mustRef("trip_id", "trips"), must("start_time", clock), must("end_time", clock), must("headway_secs", count),
		oneOf("exact_times", 1),
	}},
	{name: "transfers", fields: []field{
		ref("from_stop_id", "stops"), ref("to_stop_id", "stops"), ref("from_route_id", "routes"),
		ref("to_route_id", "routes"),
		ref("from_trip_id", "trips"), ref("to_trip_id", "trips"), oneOf("transfer_type", 5),
		col("min_transfer_time", count),
	}},
	{name: "pathways", key: []string{"pathway_id"}, fields: []field{
		id("pathway_id"), mustRef("from_stop_id", "stops"), mustRef("to_stop_id", "stops"), must("pathway_mode", count),
		mustBeOneOf("is_bidirectional", 1), col("length", number), col("traversal_time", count),
		col("stair_count", number),
		col("max_slope", number), col("min_width", number), col("signposted_as", text),
		col("reversed_signposted_as", text),
	}},
	{name: "fare_attributes", key: []string{"fare_id"}, fields: []field{
		id("fare_id"), must("price", number), id("currency_type"), mustBeOneOf("payment_method", 1),
		oneOf("transfers", 2),
		ref("agency_id", "agency"), col("transfer_duration", count),
	}},
	{name: "fare_rules", fields: []field{
		mustRef("fare_id", "fare_attributes"), ref("route_id", "routes"), col("origin_id", text),
		col("destination_id", text), col("contains_id", text),
	}},
	{name: "timeframes", fields: []field{id("timeframe_group_id"), col("start_time", clock), col("end_time", clock),
		mustRef("service_id", services)}},
	{name: "rider_categories", key: []string{"rider_category_id"}, fields: []field{
		id("rider_category_id"), id("rider_category_name"), mustBeOneOf("is_default_fare_category", 1),
		col("eligibility_url", text),
	}},
	{name: "fare_media", key: []string{"fare_media_id"},
		fields: []field{id("fare_media_id"), col("fare_media_name", text), mustBeOneOf("fare_media_type", 4)}},
	{name: "fare_products", fields: []field{
		id("fare_product_id"), col("fare_product_name", text), ref("rider_category_id", "rider_categories"),
		ref("fare_media_id", "fare_media"),
		must("amount", number), id("currency"),
	}},
	{name: "fare_leg_rules", fields: []field{
		col("leg_group_id", text), col("network_id", text), ref("from_area_id", "areas"), ref("to_area_id", "areas"),
		col("from_timeframe_group_id", text), col("to_timeframe_group_id", text), id("fare_product_id"),
		col("rule_priority", count),
	}},
	{name: "fare_leg_join_rules", fields: []field{
		id("from_network_id"), id("to_network_id"), ref("from_stop_id", "stops"), ref("to_stop_id", "stops"),
	}},
	{name: "fare_transfer_rules", fields: []field{
		col("from_leg_group_id", text), col("to_leg_group_id", text), col("transfer_count", number),
		col("duration_limit", count),
		oneOf("duration_limit_type", 3), mustBeOneOf("fare_transfer_type", 2), col("fare_product_id", text),
	}},
	{name: "translations", fields: []field{
		id("table_name"), id("field_name"), id("language"), id("translation"), col("record_id", text),
		col("record_sub_id", text), col("field_value", text),
	}},
	{name: "feed_info", fields: []field{
		id("feed_publisher_name"), id("feed_publisher_url"), id("feed_lang"), col("default_lang", text),
		col("feed_start_date", date),
		col("feed_end_date", date), col("feed_version", text), col("feed_contact_email", text),
		col("feed_contact_url", text),
	}},
	{name: "attributions", fields: []field{
		col("attribution_id", text), ref("agency_id", "agency"), ref("route_id", "routes"), ref("trip_id", "trips"),
		id("organization_name"),
		oneOf("is_producer", 1), oneOf("is_operator", 1), oneOf("is_authority", 1), col("attribution_url", text),
		col("attribution_email", text),
		col("attribution_phone", text),
	}},
}

// locations is the table of locations.geojson, the zones of flexible services.
const (
	locations     = "locations"
	locationsFile = "locations.geojson"
)

// at is the index of a field, or -1.
func (t *table) at(name string) int {
	for i := range t.fields {
		if t.fields[i].name == name {
			return i
		}
	}
	return -1
}

// fieldNames are the names of the table's fields.
func (t *table) fieldNames() []string {
	names := make([]string, len(t.fields))
	for i := range t.fields {
		names[i] = t.fields[i].name
	}
	return names
}
