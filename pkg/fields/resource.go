package fields

import "github.com/flowmcp/fmcp/pkg/model"

// Resource is one entry of main.resources (chapter 13; decisions "Database files", "HTTP
// resources", "GTFS resources" and "Addresses of resources").
var Resource = &Object{Name: "Resource", Chapter: "13", Text: "A database or a document that AI clients can read.",
	Variants: []string{"SqliteResource", "GtfsResource", "MarkdownResource", "HttpResource"}}

var (
	resourceText = Field{Name: "description", Type: text, Required: true, Text: "What the resource holds."}
	resourceURI  = Field{Name: "uri", Type: text, Chapter: "decision Addresses of resources",
		Text: "Its address for MCP clients, such as weather://stations; otherwise it is made of the ID."}
	queries = Field{Name: "queries", Type: mapOf(ref("Query")).keyed(camel).atMost(7), Required: true,
		Text: "The queries, each under the name that it is called by; {} leaves runSql and describeTables."}
	origin = Type{Kind: String, Words: []string{model.Global, model.Project, model.Inline}}
)

// SQLite is a resource that is a database on this machine.
var SQLite = &Object{Name: "SqliteResource", Chapter: "13", Text: "A SQLite database.", Fields: []Field{
	{Name: "source", Type: words(string(model.SQLite)), Required: true, Text: "What the resource is made of."},
	{Name: "mode", Type: words(model.InMemory, model.FileBased), Required: true,
		Text: "in-memory is for reading, file-based for a database that queries write to."},
	{Name: "origin", Type: origin, When: "unless there is database",
		Text: "The folder of the file: ~/.flowmcp/resources, .flowmcp/resources, or resources beside the schema."},
	{Name: "name", Type: like(`^[^/\\]+\.db$`, "ends with .db, without folders"), When: "unless there is database",
		Text: "The name of the file."},
	resourceText, resourceURI, queries,
	{Name: "database", Type: text, Instead: "origin and name", Text: "The path of the file, as version 3.0 has it."},
}}

// GTFS is a resource that is a timetable. It has queries of its own as it is a database.
var GTFS = &Object{Name: "GtfsResource", Chapter: "13",
	Text: "A timetable in a SQLite database that an add-on has made of a GTFS feed.", Fields: []Field{
		{Name: "source", Type: words(string(model.SQLiteGTFS)), Required: true, Text: "What the resource is made of."},
		{Name: "mode", Type: words(model.FileBased), Required: true, Text: "How the database is opened."},
		{Name: "path", Type: text, Required: true,
			Text: "The absolute path of the file, or one that begins with ${FLOWMCP_RESOURCES}."},
		{Name: "addon", Type: text, Required: true, Text: "The add-on that made the database."},
		{Name: "addonVersion", Type: text, Text: "Which versions of the add-on, such as >=0.1.0."},
		{Name: "addonSource", Type: like(`^github:`, "github: and a repository"), Text: "Where the add-on is from."},
		{Name: "description", Type: text, Text: resourceText.Text}, resourceURI,
		{Name: "queries", Type: queries.Type, Default: "{}", Text: "Queries beside those that the add-on provides."},
	}}

// Markdown is a resource that is a document.
var Markdown = &Object{Name: "MarkdownResource", Chapter: "13", Text: "A document, read whole or in part.",
	Fields: []Field{
		{Name: "source", Type: words(string(model.Markdown)), Required: true, Text: "What the resource is made of."},
		{Name: "origin", Type: origin, Required: true,
			Text: "The folder of the file: inline is the folder resources beside the schema."},
		{Name: "name", Type: like(`^[^/\\]+\.md$`, "ends with .md, without folders"), Required: true,
			Text: "The name of the file."},
		resourceText, resourceURI,
	}}

// HTTP is a resource that is a database elsewhere.
var HTTP = &Object{Name: "HttpResource", Chapter: "13", Text: "A SQLite database that is downloaded and kept.",
	Fields: []Field{
		{Name: "source", Type: words(string(model.HTTP)), Required: true, Text: "What the resource is made of."},
		{Name: "url", Type: like(`^https://`, "starts with https://"), Required: true, Text: "Where the database is."},
		{Name: "path", Type: like(`\.db$`, "ends with .db"), Required: true, Text: "The file that it is kept in."},
		{Name: "cacheTtl", Type: Type{Kind: Number, Above0: true}, Required: true,
			Text: "After how many seconds it is downloaded again: 86400 is a day."},
		resourceText, resourceURI, queries,
	}}

// Query is one entry of a resource's queries.
var Query = &Object{Name: "Query", Chapter: "13", Text: "A statement that AI clients can have run, as a tool.",
	Fields: []Field{
		{Name: "sql", Type: text, Required: true,
			Text: "The statement; parameters fill its ? in their order."},
		{Name: "description", Type: text, Required: true, Text: "What the query returns and when to use it."},
		{Name: "uri", Type: text, Chapter: resourceURI.Chapter,
			Text: "Its address for MCP clients, such as weather://stations/{id}; otherwise it is made of the ID."},
		{Name: "parameters", Type: arrayOf(ref("QueryParameter")), Required: true,
			Text: "The values that fill the ? of the statement."},
		{Name: "output", Type: ref("Output"), Required: true, Text: "What the rows look like: an array of objects."},
		{Name: "tests", Type: arrayOf(ref("Test")).atLeast(3), Required: true, Chapter: "10",
			Text: "Calls that work, with real values."},
	}}

// QueryParameter is an element of a query's parameters.
var QueryParameter = &Object{Name: "QueryParameter", Chapter: "13", Text: "One value that a statement gets.",
	Fields: []Field{
		{Name: "position", Type: ref("QueryPosition"), Required: true, Text: "Where the value comes from."},
		{Name: "z", Type: ref("Z"), Required: true,
			Text: "What the value may be; array() and object() are not possible."},
		description,
	}}

// QueryPosition is the position of a query's parameter, which has no location.
var QueryPosition = &Object{Name: "QueryPosition", Chapter: "13",
	Text: "Where the value of a query's parameter comes from.",
	Fields: []Field{
		{Name: "key", Type: text, Required: true, Text: "The name of the parameter."},
		{Name: "value", Type: usually("{{USER_PARAM}}"), Required: true,
			Text: "{{USER_PARAM}} for what the caller gives, or a fixed value."},
	}}
