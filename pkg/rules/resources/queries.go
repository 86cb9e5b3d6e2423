package resources

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/fields"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/sql"
	"github.com/flowmcp/fmcp/pkg/words"
	"github.com/flowmcp/fmcp/pkg/zod"
)

// The checks that look at queries.

func checkQueryCount(p *engine.Pass) {
	const most = 7
	for i := range p.Resources {
		r := &p.Resources[i]
		if n := r.Get("queries").Len(); n > most && r.Get("queries").Is(ordjson.Object) && !r.Is(model.Markdown) {
			p.Report(r.At("queries"), "found "+strconv.Itoa(n)+" queries, expected at most "+strconv.Itoa(most),
				"leave rare questions to runSql, which the runtime adds, or split the resource")
		}
	}
}

// addedQueries are those that the runtime adds to each database (chapter 13,
// "Standard Queries").
var addedQueries = []string{model.RunSQL, model.DescribeTables}

func checkQueryName(p *engine.Pass) {
	p.EachQuery(func(q *engine.Query) {
		if slices.Contains(addedQueries, q.Name) {
			p.ReportAs(record.SeverityWarning, q.Node,
				"found the name "+engine.Quote(q.Name)+", which is that of a query that the runtime adds",
				"remove the query, or give it another name")
			return
		}
		p.CamelKey(q.Node, "query", "bySymbol")
	})
}

func checkQuerySQL(p *engine.Pass) {
	p.EachQuery(func(q *engine.Query) {
		var bad *words.SyntaxError
		switch n := len(q.Statements); {
		// RES014
		case strings.TrimSpace(q.SQL) == "" || q.Dynamic || errors.As(q.SQLErr, &bad) && len(strayPlaceholders(q)) > 0:
		case bad != nil:
			p.Report(q.At("sql"), "the text is not SQL: "+bad.Message+" (at byte "+strconv.Itoa(bad.Offset)+")",
				bad.Fix)
		case n == 0:
			p.Report(q.At("sql"), "found no statement in "+engine.Quote(q.SQL)+", expected one", sqlExample)
		case n > 1:
			p.Report(q.At("sql"), "found "+strconv.Itoa(n)+" statements, expected one",
				"make each statement a query of its own")
		}
	})
}

// strayPlaceholders are the {{name}} of the SQL, which stand for nothing there:
// values are bound, they never become part of the text. Those of prompts have a
// rule of their own (PH004).
func strayPlaceholders(q *engine.Query) []string {
	if q.Dynamic || !strings.Contains(q.SQL, "{{") {
		return nil
	}
	var list []string
	for _, ph := range model.Placeholders(q.SQL) {
		if engine.IsAlnumName(ph.Name) && !slices.Contains(engine.PromptTypes, ph.Type) {
			list = append(list, q.SQL[ph.Start:ph.End])
		}
	}
	return list
}

func checkQueryOutput(p *engine.Pass) {
	p.EachQuery(func(q *engine.Query) {
		if q.Output != nil && q.Output.Len() == 0 {
			p.Report(q.Output, "found an empty object, expected mimeType and schema", outputExample)
		}
	})
}

func checkQueryPlaceholders(p *engine.Pass) {
	p.EachQuery(func(q *engine.Query) {
		if q.Dynamic {
			dynamicParameters(p, q)
			return
		}
		if stray := strayPlaceholders(q); stray != nil {
			p.Report(q.At("sql"), "found "+someOf(stray)+", expected ? for each value",
				"write ? where a value belongs, without quotes; the parameters are bound in their order")
			return
		}
		if len(q.Statements) != 1 {
			return // RES007
		}
		statement := q.Statements[0]
		if named := namedPlaceholders(statement); named != nil {
			p.Report(q.At("sql"), "found "+someOf(named)+", expected ? alone, since values are bound by their order",
				"write ? in its place, one for each parameter, in the order of the parameters")
			return
		}
		if n := q.Get("parameters").Len(); q.Get("parameters").Is(ordjson.Array) && n != statement.Slots {
			fix := "remove the parameters that have no ?, or write a ? for each"
			if n < statement.Slots {
				fix = "add a parameter for each ?, in the order of the SQL"
			}
			p.Report(q.At("parameters"), "found "+words.Count(n, "parameter")+" and "+
				words.Count(statement.Slots, "placeholder ?")+" in the SQL, expected as many of both", fix)
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

// someOf lists names for a message, not all of a thousand.
func someOf(names []string) string {
	const most = 5
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:most], ", ") + " and " + strconv.Itoa(len(names)-most) + " more"
}

// dynamicParameters checks a query whose SQL the caller gives against chapter
// 13, "DYNAMIC_SQL Rules" 3: a parameter sql gives it.
func dynamicParameters(p *engine.Pass, q *engine.Query) {
	given := func(param engine.Param) bool { return param.Key == "sql" && param.Source == model.User }
	if parameters := q.Get("parameters"); parameters.Is(ordjson.Array) && !slices.ContainsFunc(q.Params, given) {
		p.Report(q.At("parameters"), "found no parameter sql, which gives the statement for {{DYNAMIC_SQL}}",
			"add { position: { key: 'sql', value: '{{USER_PARAM}}' }, z: { primitive: 'string()', options: [ "+
				"'min(6)' ] } }, or leave the query to runSql, which the runtime adds")
	}
}

// eachQueryParam calls f for every parameter of a query that is an object.
func eachQueryParam(p *engine.Pass, f func(*engine.Param)) {
	p.EachQuery(func(q *engine.Query) {
		for i := range q.Params {
			f(&q.Params[i])
		}
	})
}

func checkQueryLocation(p *engine.Pass) {
	eachQueryParam(p, func(q *engine.Param) {
		if v := q.Position.Get("location"); v.Exists() {
			p.Report(q.At("position").At("location"),
				engine.Found(v)+", expected no location, since a query makes no request", "remove it").
				Fixed(true, edit.Drop(q.At("position").At("location").Pointer()))
		}
	})
}

func checkQueryServerParam(p *engine.Pass) {
	eachQueryParam(p, func(q *engine.Param) {
		switch {
		case q.Source == model.Server:
			p.Report(q.At("position").At("value"),
				engine.Found(q.Value)+", a server parameter; expected {{USER_PARAM}} or a fixed value",
				"write value: '{{USER_PARAM}}', or the value itself")
		case q.Bare != "":
			p.Report(q.At("position").At("value"), engine.Found(q.Value)+", which is read as {{USER_PARAM}}",
				"write value: '{{USER_PARAM}}'")
		}
	})
}

func checkQueryPrimitive(p *engine.Pass) {
	eachQueryParam(p, func(q *engine.Param) {
		if q.Block != nil && (q.Block.Type() == zod.Array || q.Block.Type() == zod.Object) {
			p.Report(q.At("z").At("primitive"),
				engine.Found(q.Z.Get("primitive"))+", expected string(), number(), boolean() or enum(…)",
				"write one parameter for each value, or string() for a text of JSON")
		}
	})
}

// checkQueryOutputArray reports the type of a query's rows, a missing one or
// none of the five too: VAL061 leaves them to it. A misspelt one is an unknown
// keyword there.
func checkQueryOutputArray(p *engine.Pass) {
	p.EachQuery(func(q *engine.Query) {
		if q.Schema == nil || q.Schema.Get("type").Str() == "array" ||
			engine.Misspelt(q.Schema.Value, "type", fields.OutputSchema.Known()) != "" {
			return
		}
		fix := "write type: 'array'"
		if q.Schema.Get("type").Str() == "object" {
			fix = "write type: 'array', items: { type: 'object', … }"
		}
		p.Expect(q.Schema, "type", fields.OutputSchema.Known(), "\"array\", since a query returns rows", fix)
	})
}

// readOnly reports whether the resource is a database that is opened to be
// read.
func readOnly(r *engine.Resource) bool {
	return r.Is(model.HTTP) || r.Is(model.SQLite) && r.Mode == model.InMemory
}

func checkReadOnly(p *engine.Pass) {
	for i := range p.Resources {
		r := &p.Resources[i]
		if !readOnly(r) {
			continue
		}
		for j := range r.Views {
			q := &r.Views[j]
			if q.Dynamic || len(q.Statements) != 1 || selects(q.Statements[0]) {
				continue
			}
			fix := "write a SELECT, or mode: 'file-based' with origin: 'project' if the query is to write"
			if r.Is(model.HTTP) {
				fix = "write a SELECT; what was downloaded is opened read-only"
			}
			what := engine.Quote(q.SQL)
			if v := q.Statements[0].Verb; v != "" {
				what = v
			}
			p.Report(q.At("sql"), "found "+what+
				", expected SELECT, or WITH and SELECT, in a database that is only read", fix)
		}
	}
}

// selects reports whether a statement begins with SELECT, or with WITH and does
// not write. What stands after a WITH that cannot be followed, the database
// decides.
func selects(s sql.Statement) bool {
	return s.Verb == "SELECT" || s.With && (s.Verb == "WITH" || s.Reads())
}
