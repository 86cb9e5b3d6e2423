// Package resources holds the rules for main.resources (chapter 13).
package resources

import (
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// Families are the rules of this package.
var Families = [][]engine.Rule{resourceRules}

// resourceRules are RES001–RES042: main.resources (chapters 13 and 09). A query
// has parameters, an output and tests as a tool has: of these VAL040–VAL065 and
// TST speak, here is only what is different. decision "Queries per resource", "Read-only databases", decision "Database files", "HTTP resources" and "GTFS resources" say which of the
// two chapters counts where they differ.
var resourceRules = []engine.Rule{
	res("RES001", "resource-source", "3.0.0", checkResourceSource,
		"source is sqlite, sqlite-gtfs, markdown or http.",
		"It says what the resource is made of, and with it which other fields there are.",
		"Write source: 'sqlite' for a database, source: 'markdown' for a text."),
	res("RES002", "resource-description", "3.0.0", checkResourceDescription,
		"description is a string that is not empty; a sqlite-gtfs resource may leave it out.",
		"It is all that an AI client knows when it chooses a resource.",
		"Say in a sentence what the resource holds."),
	resLowered("RES003", "resource-database", "3.0.0", checkDatabase,
		"database, the deprecated field that origin and name took the place of, is a relative path that ends with .db.",
		"A path of one machine leads nowhere on another; origin and name are found on all.",
		"Write origin and name in the place of database."),
	res("RES004", "resource-database-parent", "3.0.0", checkDatabaseParent,
		"database has no .. segments.",
		"A schema of a stranger must not lead out of its folder.",
		"Write origin and name in the place of database."),
	res("RES005", "resource-count", "3.0.0", checkResourceCount,
		"A schema has at most 2 resources.",
		"Each schema keeps to one domain of data.",
		"Split the schema into several files of the same namespace."),
	resReplaced("RES006", "query-count-4", "RES028", "A resource has at most 4 queries; since version 3.1 it is 7 (decision 'Queries per resource')."),
	res("RES007", "query-sql", "3.0.0", checkQuerySQL,
		"Each query has in sql one SQL statement.",
		"It is prepared once and executed with the values of each call; a second statement would not be.",
		"Write sql: 'SELECT name FROM tokens WHERE symbol = ?'."),
	res("RES008", "query-description", "3.0.0", checkQueryDescription,
		"Each query has a description, a string that is not empty.",
		"It is all that an AI client knows when it chooses a query.",
		"Say in a sentence what the query returns, and for what values."),
	resLowered("RES009", "query-parameters", "3.0.0", checkQueryParameters,
		"Each query has an array parameters, empty for a query without values.",
		"Values are bound in the order of the array.",
		"Write parameters: [ … ], or parameters: []."),
	resLowered("RES010", "query-output", "3.0.0", checkQueryOutput,
		"Each query has an output with mimeType and schema.",
		"Without it an AI client has to guess the columns of the rows.",
		"Write output: { mimeType: 'application/json', schema: { type: 'array', items: { … } } }."),
	resLowered("RES011", "query-tests", "3.0.0", checkQueryTests,
		"Each query has at least one test; that there should be three is TST001.",
		"A query that nobody has tried may fail on its first call.",
		"Write tests: [ { _description: 'what it shows', key: value }, … ]."),
	resReplaced("RES012", "query-select", "RES029", "A statement begins with SELECT; chapter 13 asks that of databases that are only read (decision 'Read-only databases')."),
	resReplaced("RES013", "query-blocked-words", "RES029", "A statement has none of the words that write; chapter 13 leaves that to the database (decision 'Read-only databases')."),
	res("RES014", "query-placeholders", "3.0.0", checkQueryPlaceholders,
		"A query has as many parameters as its SQL has placeholders ?; {{DYNAMIC_SQL}} has a parameter sql.",
		"Values are bound by their order: of too few or too many the database makes an error, and names are not looked at.",
		"Write a ? for each parameter, in the order of the parameters."),
	res("RES015", "query-location", "3.0.0", checkQueryLocation,
		"The parameters of a query have no location.",
		"A query makes no request; the place of a value is the ? of its turn.",
		"Remove location."),
	res("RES016", "query-server-param", "3.0.0", checkQueryServerParam,
		"The value of a query's parameter is {{USER_PARAM}} or a fixed text, never a server parameter.",
		"Keys belong into requests; a database that is here needs none.",
		"Write value: '{{USER_PARAM}}', or the value itself."),
	res("RES017", "resource-name", "3.0.0", checkResourceName,
		"The name of a resource matches ^[a-z][a-zA-Z0-9]*$.",
		"The name is part of the resource's ID.",
		"Use camelCase: tokenLookup."),
	res("RES018", "query-name", "3.0.0", checkQueryName,
		"The name of a query matches ^[a-z][a-zA-Z0-9]*$, and is not that of a query which the runtime adds.",
		"The name is what clients call the query by.",
		"Use camelCase: bySymbol."),
	res("RES019", "query-primitive", "3.0.0", checkQueryPrimitive,
		"The parameters of a query are string(), number(), boolean() or enum().",
		"SQL binds single values; an array or an object is none.",
		"Write one parameter for each value."),
	resAs(record.SeverityWarning, "RES020", "resource-file", "3.0.0", checkResourceFile,
		"The file of a resource is where its origin says, unless it is a database that can be made on the first run.",
		"Every call of the resource fails until the file is there.",
		"Put the file there, or correct origin and name."),
	res("RES021", "query-output-array", "3.0.0", checkQueryOutputArray,
		"output.schema.type of a query is array.",
		"A query returns rows, be it one or none.",
		"Write type: 'array', and describe a row in items."),
	res("RES023", "query-test-serializable", "3.0.0", nil,
		"The tests of a query are JSON: no functions, no Date, no undefined.",
		"main is data that can be written as JSON; anything else is lost or changed on the way. fmcp-scan finds it in the source.",
		"Write the value out: '2026-02-17' for a date, null for nothing."),
	res("RES024", "http-url", "4.2.0", checkHTTPURL,
		"An http resource has a url, which begins with https:// and has no placeholder and no user name in it.",
		"Over plain http anybody on the way can put another database in the place of this one.",
		"Write url: 'https://data.example.com/stations.db'."),
	resLowered("RES025", "sqlite-mode", "3.1.0", checkSQLiteMode,
		"mode of a sqlite resource is in-memory or file-based.",
		"It decides whether queries may change the database.",
		"Write mode: 'in-memory', or 'file-based' for a database that is written to."),
	res("RES026", "resource-origin", "3.1.0", checkOrigin,
		"origin of a sqlite or markdown resource is global, project or inline.",
		"It says in which folder the file is.",
		"Write origin: 'global' for a database, 'inline' for a text."),
	res("RES027", "resource-file-name", "3.1.0", checkFileName,
		"name is the name of a file, without folders, that ends with .db for sqlite and .md for markdown.",
		"The folder is given by origin; with a folder in the name a schema could read any file.",
		"Write name: 'tranco-ranking.db'."),
	res("RES028", "query-count", "3.1.0", checkQueryCount,
		"A resource has at most 7 queries; the runtime adds runSql and describeTables.",
		"An AI client chooses well among few.",
		"Leave rare questions to runSql, or split the resource."),
	res("RES029", "query-read-only", "3.1.0", checkReadOnly,
		"The SQL of a database that is only read begins with SELECT or WITH, and is a query.",
		"mode in-memory and http open the database read-only: any other statement fails when it is called.",
		"Write a SELECT, or mode: 'file-based' with origin: 'project'."),
	res("RES030", "gtfs-mode", "4.2.0", checkGTFSMode,
		"mode of a sqlite-gtfs resource is file-based.",
		"Its seal is read from the file.",
		"Write mode: 'file-based'."),
	res("RES031", "gtfs-addon", "4.2.0", checkAddon,
		"A sqlite-gtfs resource names its addon; addonSource, where it is present, begins with github:.",
		"The add-on decides which tools the database is given.",
		"Write addon: 'gtfs-sqlite-toolkit'."),
	res("RES032", "gtfs-seal", "4.2.0", nil,
		"The table meta of a sqlite-gtfs database has qualitySeal sqlite-gtfs. The resource stage reports it when it opens the database.",
		"The seal says that the conversion was complete; without it nothing is known of the tables.",
		"Convert the feed again with the add-on."),
	res("RES033", "gtfs-database", "4.2.0", nil,
		"The database of a sqlite-gtfs resource can be opened. The resource stage reports it when it does.",
		"There is nothing to query.",
		"Put the database at path, or convert the feed again."),
	resAs(record.SeverityWarning, "RES034", "gtfs-revision", "4.2.0", nil,
		"meta.specRevision of a sqlite-gtfs database is one that this release knows. The resource stage reports it when it opens the database.",
		"Tables of another revision may mean something else.",
		"Convert the feed with a newer release of the add-on."),
	res("RES035", "gtfs-path-variable", "4.2.0", checkPathVariable,
		"path has no variable but ${FLOWMCP_RESOURCES}, at its start. It always has a value, since ~/.flowmcp/resources is its default; without a home folder the resource stage reports it.",
		"The file cannot be found.",
		"Write path: '${FLOWMCP_RESOURCES}/gtfs-de.db'."),
	resLowered("RES036", "http-path", "4.2.0", checkHTTPPath,
		"An http resource has a path, the file that the download is kept in; it ends with .db, and does not lead out of its folder.",
		"The file is read from there until cacheTtl is over.",
		"Write path: 'stations.db'."),
	res("RES037", "file-based-origin", "3.1.0", checkFileBasedOrigin,
		"origin of a file-based resource is project.",
		"A database that is written to belongs to one project: others would change it at the same time.",
		"Write origin: 'project', or mode: 'in-memory'."),
	res("RES038", "markdown-mode", "3.1.0", checkMarkdownMode,
		"A markdown resource has no mode.",
		"A text is always only read.",
		"Remove mode."),
	res("RES039", "markdown-queries", "3.1.0", checkMarkdownQueries,
		"A markdown resource has no queries.",
		"A text is read as a whole, by section, by lines, or searched; the runtime does that by itself.",
		"Remove queries."),
	resAs(record.SeverityWarning, "RES040", "sqlite-inline", "3.1.0", checkSQLiteInline,
		"A sqlite resource is not inline.",
		"A database in the catalog's repository is given to everybody who has the catalog, personal data in it too.",
		"Write origin: 'global', and say in the description where the database comes from."),
	res("RES041", "resource-fields", "3.1.0", checkResourceFields,
		"main.resources is an object of resources, which have all fields of their source; queries is an object of queries, cacheTtl a number of seconds, path of sqlite-gtfs an absolute path.",
		"There are no defaults: what a field leaves out nobody fills in.",
		"Add the field."),
	resAs(record.SeverityInfo, "RES042", "get-schema", "3.1.0", checkGetSchema,
		"A file-based database has a query getSchema, from which it is made on the first run.",
		"Without it somebody has to make the database by hand.",
		"Add a query getSchema whose rows are the CREATE statements: SELECT 'results' AS name, 'CREATE TABLE results (domain TEXT, score INTEGER)' AS sql. What it reads from sqlite_master is empty in a new database."),
}

// resLowered is res for an error that is a warning under community: decision "HTTP resources"
// says so of RES036, and resources of the field lack the others, while the tools
// beside them work all the same.
func resLowered(code, name, since string, check func(*engine.Pass), summary, why, fix string) engine.Rule {
	r := res(code, name, since, check, summary, why, fix)
	r.Community = record.SeverityWarning
	return r
}

func res(code, name, since string, check func(*engine.Pass), summary, why, fix string) engine.Rule {
	return resAs(record.SeverityError, code, name, since, check, summary, why, fix)
}

func resAs(severity record.Severity, code, name, since string, check func(*engine.Pass), summary, why, fix string) engine.Rule {
	chapter := "13"
	if code <= "RES024" || code == "RES036" {
		chapter = "09"
	}
	return engine.Rule{
		Code: code, Name: name, Spec: severity, Community: severity, Since: since, Chapter: chapter,
		Summary: summary, Why: why, Fix: fix, From: engine.Spec30, Check: check,
	}
}

// resReplaced is the row of a retired code.
func resReplaced(code, name, replaced, summary string) engine.Rule {
	r := res(code, name, "3.0.0", nil, summary, "See "+replaced+".", "See "+replaced+".")
	r.Replaced = replaced
	return r
}
