package resolve

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/resource/gtfs/tools"
	"github.com/flowmcp/fmcp/pkg/rules"
)

// query makes a query of a resource, or returns nil and adds the reasons to
// b.problems.
func (b *builder) query(r model.Resource, q model.ResourceQuery) *catalog.Query {
	before := len(b.problems)
	b.problems = append(b.problems,
		b.blocked[rules.Callable{Depth: 3, Section: rules.ResourceSection, Name: r.Name, Query: q.Name}]...)
	if len(b.problems) > before {
		return nil
	}
	// They have no location, and no server parameter is bound to a statement
	// (chapter 13, "Parameters").
	params := b.interpolated(q.Tool().Parameters(b.declared))
	if len(b.problems) > before {
		return nil
	}
	input, problems := InputSchema(params, b.shown(q.Get("tests")))
	b.warnings = append(b.warnings, problems...)
	one := &catalog.Query{SQL: q.SQL, URI: q.Get("uri").Str(), Callable: catalog.Callable{
		Name: q.Name, Description: q.Get("description").Str(), Parameters: parameters(params), InputSchema: input,
		Output: q.Get("output"), Tests: q.Get("tests"),
	}}
	// Only postRequest runs: there is no request to change (chapter 13,
	// "Handler Type").
	if slices.Contains(b.stages.of(r.Name+"/"+q.Name), "postRequest") {
		one.Handlers = []string{"postRequest"}
	}
	return one
}

// parameters are those of a query.
func parameters(params []model.Parameter) []catalog.Parameter {
	list := make([]catalog.Parameter, len(params))
	for i, p := range params {
		list[i] = parameter(p)
	}
	return list
}

// added is a query that the runtime adds to a resource (chapter 13, "Standard
// Queries" and "Parameter-Based Access").
type added struct {
	name, description, sql string
	params                 []model.Parameter
	capability             string        // of the database that it needs; "" for none
	output                 ordjson.Value // Missing where it depends on the call
}

// describeTables is the statement of chapter 13.
const describeTables = "SELECT m.name as table_name, p.name as column, p.type FROM sqlite_master m JOIN " +
	"pragma_table_info(m.name) p WHERE m.type = 'table'"

// addedTo returns what is added to a resource.
func addedTo(r model.Resource) []added {
	switch r.Source {
	case model.SQLite, model.HTTP:
		return sqlTools(r.Mode == model.FileBased)
	case model.SQLiteGTFS:
		// Which of them a database can answer is known where it is: a catalog
		// does not depend on files of a machine.
		var list []added
		for _, t := range tools.All {
			list = append(list, added{name: t.Name, description: t.Description, params: t.Params,
				capability: t.Capability, output: t.Output()})
		}
		return append(list, sqlTools(false)...)
	case model.Markdown:
		return []added{{name: "read", description: "Reads the document: all of it, a section by its heading, lines " +
			"by their numbers (11-33), or what a search finds with context lines around it.",
			params: []model.Parameter{model.Given("section", "string()", "min(1)", "optional()"),
				model.Given("lines", "string()", "min(1)", "optional()"),
				model.Given("search", "string()", "min(1)", "optional()"),
				model.Given("context", "number()", "min(0)", "max(50)", "optional()")}}}
	}
	return nil
}

// sqlTools are for all databases. One that is not written to takes no statement
// that writes.
func sqlTools(writes bool) []added {
	allowed := "one SELECT, with or without WITH"
	if writes {
		allowed = "one statement of any kind"
	}
	return []added{
		{name: model.RunSQL, description: "Runs a statement of SQLite: " + allowed +
			". describeTables lists tables and columns. Without a LIMIT of its own a SELECT gets one, 100 or limit.",
			sql: model.DynamicSQL,
			params: []model.Parameter{model.Given("sql", "string()", "min(1)"),
				model.Given("limit", "number()", "min(1)", "max(1000)", "default(100)")}},
		{name: model.DescribeTables, description: "Lists the tables and their columns with their types.",
			sql: describeTables},
	}
}

// addedQueries are the queries that the runtime adds, but for those that the
// schema has itself.
func addedQueries(r model.Resource) []*catalog.Query {
	var list []*catalog.Query
	for _, a := range addedTo(r) {
		if r.Source != model.Markdown && r.Get("queries").Get(a.name).Exists() {
			continue
		}
		input, _ := InputSchema(a.params, ordjson.Value{})
		list = append(list, &catalog.Query{SQL: a.sql, Capability: a.capability, Added: true,
			Callable: catalog.Callable{
				Name: a.name, Description: about(r) + a.description, Parameters: parameters(a.params),
				InputSchema: input, Output: a.output,
			}})
	}
	return list
}

// about begins the description of a query that the runtime adds: alone it would
// be the same for all resources.
func about(r model.Resource) string {
	text := strings.TrimRight(strings.TrimSpace(r.Get("description").Str()), ".")
	if text == "" {
		return ""
	}
	return text + ". "
}
