package rules

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/sql"
	"github.com/flowmcp/fmcp/pkg/words"
	"github.com/flowmcp/fmcp/pkg/zod"
)

// The checks of resourceRules (res.go) that look at queries.

func checkQueryCount(p *Pass) {
	const most = 7
	for i := range p.resources {
		r := &p.resources[i]
		if n := r.Get("queries").Len(); n > most && r.Get("queries").Is(ordjson.Object) && !r.is(model.Markdown) {
			p.report(r.At("queries"), "found "+strconv.Itoa(n)+" queries, expected at most "+strconv.Itoa(most),
				"leave rare questions to runSql, which the runtime adds, or split the resource")
		}
	}
}

// addedQueries are those that the runtime adds to each database (chapter 13,
// "Standard Queries").
var addedQueries = []string{"runSql", "describeTables"}

func checkQueryName(p *Pass) {
	p.eachQuery(func(q *query) {
		if slices.Contains(addedQueries, q.Name) {
			p.reportAs(record.SeverityWarning, q.Node, "found the name "+quote(q.Name)+", which is that of a query that the runtime adds",
				"remove the query, or give it another name")
			return
		}
		p.camelKey(q.Node, "query", "bySymbol")
	})
}

func checkQuerySQL(p *Pass) {
	p.eachQuery(func(q *query) {
		const fix = "write sql: 'SELECT … WHERE name = ?'"
		if v := q.Get("sql"); !v.Is(ordjson.String) || strings.TrimSpace(q.sql) == "" {
			p.expectText(q.Node, "sql", queryFields, fix)
			return
		}
		var bad *sql.Error
		switch n := len(q.statements); {
		case q.dynamic || errors.As(q.sqlErr, &bad) && len(q.strayPlaceholders()) > 0: // RES014
		case bad != nil:
			p.report(q.At("sql"), "the text is no SQL: "+bad.Error(), bad.Fix)
		case n == 0:
			p.report(q.At("sql"), "found no statement in "+quote(q.sql)+", expected one", fix)
		case n > 1:
			p.report(q.At("sql"), "found "+strconv.Itoa(n)+" statements, expected one", "make each statement a query of its own")
		}
	})
}

// strayPlaceholders are the {{name}} of the SQL, which stand for nothing there:
// values are bound, they never become part of the text. Those of prompts have a
// rule of their own (PH004).
func (q *query) strayPlaceholders() []string {
	if q.dynamic || !strings.Contains(q.sql, "{{") {
		return nil
	}
	var list []string
	for _, ph := range model.Placeholders(q.sql) {
		if isAlnumName(ph.Name) && !slices.Contains(promptTypes, ph.Type) {
			list = append(list, q.sql[ph.Start:ph.End])
		}
	}
	return list
}

func checkQueryDescription(p *Pass) {
	p.eachQuery(func(q *query) {
		p.expectText(q.Node, "description", queryFields, "say in a sentence what the query returns")
	})
}

func checkQueryParameters(p *Pass) {
	p.eachQuery(func(q *query) {
		if !q.Get("parameters").Is(ordjson.Array) {
			p.expect(q.Node, "parameters", queryFields, "an array", "write parameters: [ { position: { key, value }, z: { primitive, options } } ], or parameters: [] for no values")
		}
	})
}

func checkQueryOutput(p *Pass) {
	const example = "{ mimeType: 'application/json', schema: { type: 'array', items: { type: 'object', properties: { … } } } }"
	p.eachQuery(func(q *query) {
		switch {
		case q.output == nil:
			p.expect(q.Node, "output", queryFields, "an object with mimeType and schema", "write output: "+example)
			return
		case q.output.Len() == 0:
			p.report(q.output, "found an empty object, expected mimeType and schema", "write output: "+example)
			return
		}
		if !q.output.Get("mimeType").Is(ordjson.String) {
			p.expect(q.output, "mimeType", outputFields, model.MIMEJSON, "write mimeType: 'application/json'")
		}
		if q.schema == nil {
			p.expect(q.output, "schema", outputFields, "an object", "write schema: { type: 'array', items: { type: 'object', properties: { … } } }")
		}
	})
}

func checkQueryTests(p *Pass) {
	p.eachQuery(func(q *query) {
		if tests := q.Get("tests"); !tests.Is(ordjson.Array) || tests.Len() == 0 {
			p.expect(q.Node, "tests", queryFields, "an array of at least one test", "write tests: [ { _description: 'what it shows', key: value }, … ]")
		}
	})
}

func checkQueryPlaceholders(p *Pass) {
	p.eachQuery(func(q *query) {
		if q.dynamic {
			p.dynamicParameters(q)
			return
		}
		if stray := q.strayPlaceholders(); stray != nil {
			p.report(q.At("sql"), "found "+someOf(stray)+", expected ? for each value",
				"write ? where a value belongs, without quotes; the parameters are bound in their order")
			return
		}
		if len(q.statements) != 1 {
			return // RES007
		}
		statement := q.statements[0]
		if named := namedPlaceholders(statement); named != nil {
			p.report(q.At("sql"), "found "+someOf(named)+", expected ? alone, since values are bound by their order",
				"write ? in its place, one for each parameter, in the order of the parameters")
			return
		}
		if n := q.Get("parameters").Len(); q.Get("parameters").Is(ordjson.Array) && n != statement.Slots {
			fix := "remove the parameters that have no ?, or write a ? for each"
			if n < statement.Slots {
				fix = "add a parameter for each ?, in the order of the SQL"
			}
			p.report(q.At("parameters"), "found "+words.Count(n, "parameter")+" and "+words.Count(statement.Slots, "placeholder ?")+" in the SQL, expected as many of both", fix)
		}
	})
}

func namedPlaceholders(s sql.Statement) []string {
	var names []string
	seen := map[string]bool{}
	for _, param := range s.Params {
		if param.Name != "" && !seen[param.Name] {
			seen[param.Name] = true
			names = append(names, param.Name)
		}
	}
	return names
}

// someOf lists names for a message, not all where a stranger wrote a thousand.
func someOf(names []string) string {
	const most = 5
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:most], ", ") + " and " + strconv.Itoa(len(names)-most) + " more"
}

// dynamicParameters holds a query whose SQL the caller gives against chapter
// 13, "DYNAMIC_SQL Rules" 3: a parameter sql gives it.
func (p *Pass) dynamicParameters(q *query) {
	given := func(param param) bool { return param.Key == "sql" && param.Source == model.User }
	if parameters := q.Get("parameters"); parameters.Is(ordjson.Array) && !slices.ContainsFunc(q.params, given) {
		p.report(q.At("parameters"), "found no parameter sql, which gives the statement for {{DYNAMIC_SQL}}",
			"add { position: { key: 'sql', value: '{{USER_PARAM}}' }, z: { primitive: 'string()', options: [ 'min(6)' ] } }, or leave the query to runSql, which the runtime adds")
	}
}

// eachQueryParam calls f for every parameter of a query that is an object.
func (p *Pass) eachQueryParam(f func(*param)) {
	p.eachQuery(func(q *query) {
		for i := range q.params {
			f(&q.params[i])
		}
	})
}

func checkQueryLocation(p *Pass) {
	p.eachQueryParam(func(q *param) {
		if v := q.position.Get("location"); v.Exists() {
			p.report(q.At("position").At("location"), found(v)+", expected no location, since a query makes no request", "remove it")
		}
	})
}

func checkQueryServerParam(p *Pass) {
	p.eachQueryParam(func(q *param) {
		switch {
		case q.Source == model.Server:
			p.report(q.At("position").At("value"), found(q.Value)+", a server parameter; expected {{USER_PARAM}} or a fixed value",
				"write value: '{{USER_PARAM}}', or the value itself")
		case q.Bare != "":
			p.report(q.At("position").At("value"), found(q.Value)+", which is read as {{USER_PARAM}}", "write value: '{{USER_PARAM}}'")
		}
	})
}

func checkQueryPrimitive(p *Pass) {
	p.eachQueryParam(func(q *param) {
		if q.block != nil && (q.block.Type() == zod.Array || q.block.Type() == zod.Object) {
			p.report(q.At("z").At("primitive"), found(q.z.Get("primitive"))+", expected string(), number(), boolean() or enum(…)",
				"write one parameter for each value, or string() for a text of JSON")
		}
	})
}

// checkQueryOutputArray reports the type of a query's rows, a missing one or
// none of the five too: VAL061 leaves them to it. A misspelt one is an unknown
// keyword there.
func checkQueryOutputArray(p *Pass) {
	p.eachQuery(func(q *query) {
		if q.schema == nil || q.schema.Get("type").Str() == "array" || misspelt(q.schema.Value, "type", outputKeywords) != "" {
			return
		}
		fix := "write type: 'array'"
		if q.schema.Get("type").Str() == "object" {
			fix = "write type: 'array', items: { type: 'object', … }"
		}
		p.expect(q.schema, "type", outputKeywords, "\"array\", since a query returns rows", fix)
	})
}

// readOnly reports whether the resource is a database that is opened to be
// read.
func (r *resource) readOnly() bool {
	return r.is(model.HTTP) || r.is(model.SQLite) && r.Mode == model.InMemory
}

func checkReadOnly(p *Pass) {
	for i := range p.resources {
		r := &p.resources[i]
		if !r.readOnly() {
			continue
		}
		for j := range r.queries {
			q := &r.queries[j]
			if q.dynamic || len(q.statements) != 1 || selects(q.statements[0]) {
				continue
			}
			fix := "write a SELECT, or mode: 'file-based' with origin: 'project' if the query is to write"
			if r.is(model.HTTP) {
				fix = "write a SELECT; what was downloaded is opened read-only"
			}
			what := quote(q.sql)
			if v := q.statements[0].Verb; v != "" {
				what = v
			}
			p.report(q.At("sql"), "found "+what+", expected SELECT, or WITH and SELECT, in a database that is only read", fix)
		}
	}
}

// selects reports whether a statement begins with SELECT, or with WITH and does
// not write. What stands behind a WITH that cannot be followed, the database
// decides.
func selects(s sql.Statement) bool {
	return s.Verb == "SELECT" || s.With && (s.Verb == "WITH" || s.Reads())
}
