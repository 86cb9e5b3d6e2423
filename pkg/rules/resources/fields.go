package resources

import (
	"strings"

	"github.com/flowmcp/fmcp/pkg/fields"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// objects is the table of the fields of resources and their queries (chapter 13).
var objects = []engine.Objects{
	{In: "query.output", Of: fields.Output, Fields: []engine.Field{
		{Code: "RES010", Name: "mimeType", Must: engine.String.As(model.MIMEJSON), When: isFilled,
			Lacking: engine.Lacks(ordjson.NewString(model.MIMEJSON)),
			Fix:     "write mimeType: 'application/json'"},
		{Code: "RES010", Name: "schema", Must: engine.Object, When: isFilled,
			Fix: "write schema: { type: 'array', items: { type: 'object', properties: { … } } }"},
	}},
	{In: "resource", Of: fields.Resource, Fields: []engine.Field{
		{Code: "RES002", Name: "description", Must: engine.Text, When: isDescribed,
			Fix: "say in a sentence what the resource holds"},
		{Code: "RES001", Name: "source", Must: engine.WordOf(fields.Resource, "source"),
			Fix: "write source: 'sqlite' for a database, source: 'markdown' for a text"},
	}},
	{In: "query", Of: fields.Query, Fields: []engine.Field{
		{Code: "RES007", Name: "sql", Must: engine.Text, Fix: sqlExample},
		{Code: "RES010", Name: "output", Must: engine.Object.As("an object with mimeType and schema"),
			Fix: outputExample},
		{Code: "RES008", Name: "description", Must: engine.Text, Fix: "say in a sentence what the query returns"},
		{Code: "RES009", Name: "parameters", Must: engine.Array, Lacking: noValues,
			Fix: "write parameters: [ { position: { key, value }, z: { primitive, options } } ], or parameters: [] " +
				"for no values"},
		{Code: "RES011", Name: "tests", Must: engine.Some.As("an array of at least one test"),
			Fix: "write tests: [ { _description: 'what it shows', key: value }, … ]"},
	}},
	{In: "sqlite", Of: fields.SQLite, Fields: []engine.Field{
		{Code: "RES026", Name: "origin",
			Must: engine.WordOf(fields.SQLite, "origin"), When: isPlaced, Propose: proposeOrigin,
			Fix: "write origin: 'global'"},
		{Code: "RES025", Name: "mode", Must: engine.WordOf(fields.SQLite, "mode"),
			Fix: "write mode: 'in-memory', or 'file-based' for a database that is written to"},
	}},
	{In: "sqlite-gtfs", Of: fields.GTFS, Fields: []engine.Field{
		{Code: "RES030", Name: "mode", Must: engine.WordOf(fields.GTFS, "mode"), Fix: "write mode: 'file-based'",
			Lacking: engine.Lacks(ordjson.NewString(model.FileBased))},
		{Code: "RES031", Name: "addon", Must: engine.Text,
			Fix: "name the add-on that made the database: addon: 'gtfs-sqlite-toolkit'"},
		{Code: "RES031", Name: "addonSource",
			Must: engine.Matching("github: and a repository", isGitHub, nil).Optional(),
			Fix:  "write addonSource: 'github:FlowMCP/gtfs-sqlite-toolkit'"},
		{Code: "RES031", Name: "addonVersion", Must: engine.Text.As("a range of versions").Optional(),
			Fix: "write addonVersion: '>=0.1.0', or leave it out"},
	}},
	{In: "markdown", Of: fields.Markdown, Fields: []engine.Field{
		{Code: "RES026", Name: "origin", Must: engine.WordOf(fields.Markdown, "origin"), Fix: "write origin: 'inline'"},
		{Code: "RES038", Name: "mode", Must: engine.Absent.As("no mode for source markdown"), Fix: "remove it"},
		{Code: "RES039", Name: "queries", Must: engine.Absent.As("no queries for source markdown"),
			Fix: "remove it; section, lines and search are there without it"},
	}},
	{In: "http", Of: fields.HTTP, Fields: []engine.Field{
		{Code: "RES041", Name: "cacheTtl", Must: engine.Above0.As("a number of seconds"),
			Fix: "write cacheTtl: 86400 for a day"},
	}},
}

// noValues is [] for a query without placeholders.
func noValues(_ *engine.Pass, query *model.Node) ordjson.Value {
	if strings.ContainsAny(query.Get("sql").Str(), "?:@$") {
		return ordjson.Value{}
	}
	return ordjson.NewArray()
}

func isGitHub(s string) bool { return strings.HasPrefix(s, "github:") }

const (
	sqlExample    = "write sql: 'SELECT … WHERE name = ?'"
	outputExample = "write output: { mimeType: 'application/json', schema: { type: 'array', items: { type: 'object', " +
		"properties: { … } } } }"
)

// isDescribed reports whether a resource must have a description: the table of the
// required fields of sqlite-gtfs has none.
func isDescribed(_ *engine.Pass, r *model.Node) bool {
	return r.Get("source").Str() != string(model.SQLiteGTFS) || r.Get("description").Exists()
}

// isFilled is false for an empty output, which is reported as a whole.
func isFilled(_ *engine.Pass, output *model.Node) bool { return output.Len() > 0 }

// isPlaced is false for a database of which a path says where it is (RES003).
func isPlaced(_ *engine.Pass, r *model.Node) bool {
	return !r.Get("database").Exists() || r.Get("origin").Exists()
}

func proposeOrigin(_ *engine.Pass, r *model.Node) string {
	if r.Get("mode").Str() == model.FileBased {
		return "write origin: 'project'"
	}
	return ""
}
