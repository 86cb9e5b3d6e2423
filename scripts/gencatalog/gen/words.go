package gen

var places = []string{"harbour", "meadow", "granite", "lantern", "orchard", "summit", "willow", "copper", "ember",
	"fjord", "quarry", "saffron", "tundra", "velvet", "zephyr", "juniper"}

var subjects = []string{"weather", "transit", "markets", "library", "energy", "parcels", "museums", "rivers", "recipes",
	"patents", "forests", "airports"}

var entities = []string{
	"station list", "daily reading", "alert", "price history", "route", "supplier", "opening hours", "annual report",
	"sensor status", "forecast", "ticket", "exchange quote", "timetable", "product", "visitor count", "licence",
}

var verbs = []string{"get", "search", "list", "compare"}

var prose = []string{
	"the", "current", "values", "of", "every", "known", "item", "with", "its", "identifier", "and", "timestamp", "as",
	"published", "by", "the provider",
	"including", "historical", "series", "filtered", "by", "region", "sorted", "from newest", "to oldest", "measured",
	"in", "metric units", "where", "available", "otherwise", "empty",
}

var queryParams = []param{
	{key: "limit", location: "query", value: "{{USER_PARAM}}", primitive: "number()",
		options: []string{"min(1)", "max(250)", "default(50)"}, samples: []string{"10", "50", "250"}, optional: true},
	{key: "page", location: "query", value: "{{USER_PARAM}}", primitive: "number()",
		options: []string{"optional()", "min(1)"}, samples: []string{"1", "2", "3"}, optional: true},
	{key: "order", location: "query", value: "{{USER_PARAM}}", primitive: "enum(asc,desc)",
		options: []string{"default(asc)"}, samples: []string{"'asc'", "'desc'", "'asc'"}, optional: true},
	{key: "query", location: "query", value: "{{USER_PARAM}}", primitive: "string()", options: []string{"min(2)"},
		samples: []string{"'north'", "'café central'", "'line 7'"}},
	{key: "from", location: "query", value: "{{USER_PARAM}}", primitive: "string()", options: []string{"optional()"},
		samples: []string{"'2024-01-01'", "'2023-06-30'", "'2020-02-29'"}, optional: true},
	{key: "detailed", location: "query", value: "{{USER_PARAM}}", primitive: "boolean()",
		options: []string{"default(false)"}, samples: []string{"true", "false", "true"}, optional: true},
	{key: "latitude", location: "query", value: "{{USER_PARAM}}", primitive: "number()",
		options: []string{"min(-90)", "max(90)"}, samples: []string{"52.52", "-33.87", "0"}},
}

var fields = []struct{ name, kind, description string }{
	{"id", "string", "Identifier, unique within the provider"}, {"name", "string", "Display name"},
	{"value", "number", "Last measured value"}, {"unit", "string", "Unit of the value, as the provider writes it"},
	{"updatedAt", "string", "Time of the last change (ISO 8601)"},
	{"active", "boolean", "Whether the item is in service"}, {"latitude", "number", "Degrees north"},
	{"longitude", "number", "Degrees east"},
	{"change24h", "number", "Change over the last 24 hours, in percent"},
	{"rank", "number", "Place in the provider's own ranking"}, {"url", "string", "Page of the item"},
	{"notes", "string", "Remarks of the operator"},
}
