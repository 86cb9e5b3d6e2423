package exec

import (
	"context"
	"math"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/resource"
	"github.com/flowmcp/fmcp/pkg/words"
	"github.com/flowmcp/fmcp/pkg/zod"
)

// Query is what a tool asks that is no API: the data of a resource (chapter
// 13). Such a tool has no method, root and path.
type Query struct {
	Spec     *resource.Spec
	Resource string // key in main.resources
	Name     string // key in its queries
	SQL      string // "" of a document, and of a standard tool of a sealed database
	Dynamic  bool   // the caller gives the statement
	Added    bool   // by the runtime and not by the schema
}

// describes reports whether it is the query describeTables that the runtime adds.
func (q *Query) describes() bool { return q.Added && q.Name == "describeTables" }

// NewQueries views a resolved record of type resource as tools, one for each
// query: parameters, output and tests are the same (chapter 13, "Query
// Definition"). Their ID is the resource's with / and the query's name behind
// it. folder is the one that the paths of the catalog are relative to. The
// error, an *Error, names what in the record cannot be used.
func NewQueries(r *record.Resolved, folder string) ([]*Tool, error) {
	d := r.Data
	if r.Type != record.TypeResource || !d.Get("queries").Is(ordjson.Array) {
		return nil, fail(CodeBadRecord, "%s is a record of type %s, expected a resource with queries", r.ID,
			words.Quote(r.Type))
	}
	spec := resource.NewSpec(r, folder)
	var list []*Tool
	for _, q := range d.Get("queries").Elems() {
		t, err := newQuery(spec, q)
		if err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	return list, nil
}

func newQuery(spec *resource.Spec, q ordjson.Value) (*Tool, error) {
	d := spec.Data
	name := q.Get("name").Str()
	t := &Tool{
		ID: spec.ID + "/" + name, Name: d.Get("name").Str() + "." + name, WireName: q.Get("wireName").Str(),
		MimeType: q.Get("output").Get("mimeType").Str(), Output: q.Get("output").Get("schema"),
		Handlers: record.StringsOf(q.Get("handlers")), Schema: d.Get("schema").Str(),
		Data:  q.With("src", d.Get("src")).With("hashes", d.Get("hashes")),
		Query: &Query{Spec: spec, Resource: d.Get("name").Str(), Name: name, SQL: q.Get("sql").Str(), Added: q.Get("added").True()},
	}
	if name == "" {
		return nil, fail(CodeBadRecord, "%s: a query has no name", spec.ID)
	}
	t.Query.Dynamic = model.IsDynamic(t.Query.SQL)
	for i, p := range q.Get("parameters").Elems() {
		param := Param{Key: p.Get("key").Str(), Value: p.Get("value")}
		param.Z, _ = zod.Parse(p.Get("primitive").Str(), record.StringsOf(p.Get("options")))
		if param.Key == "" {
			return nil, fail(CodeBadRecord, "%s: parameters[%d]: the key is missing (VAL041)", t.ID, i)
		}
		if p.Get("source").Str() == model.User.String() {
			param.Source = model.User
		}
		t.Params = append(t.Params, param)
		t.fields = append(t.fields, zod.Field{Key: param.Key, Source: param.Source, Z: param.Z})
	}
	t.safe = model.SafeKeys(t.UserKeys())
	return t, nil
}

// runQuery does the steps of a call that asks a resource.
func (c *Caller) runQuery(ctx context.Context, t *Tool, in Input, params ordjson.Value, e *record.Envelope) []*Error {
	asked, limits, err := t.statement(in)
	if err != nil {
		return asErrors(err)
	}
	e.Query = asked
	if e.DryRun {
		e.Status, e.Data = true, ordjson.NewNull()
		return nil
	}
	if c.Resources == nil {
		return asErrors(fail(CodeInternal, "resources are not open here"))
	}
	ask := c.ask
	switch {
	case t.Query.SQL != "":
	case t.Query.Spec.Source == model.Markdown:
		ask = c.read
	case t.Query.Spec.Source == model.SQLiteGTFS:
		ask = c.standard
	}
	tracedOf(ctx).query(asked)
	data, err := ask(ctx, t, asked, limits, e)
	if err != nil {
		return asErrors(err)
	}
	tracedOf(ctx).rows(data)
	if len(t.Handlers) > 0 {
		if t.Script == nil {
			return asErrors(fail(CodeHandlers, "the query has a handler, and the catalog does not carry its source: resolve it anew"))
		}
		if data, err = c.PostQuery(ctx, t.Script, t.Query.Resource, t.Query.Name, data, params, e); err != nil {
			return asErrors(err)
		}
	}
	e.Status, e.Data = true, data
	e.Warnings = append(e.Warnings, CheckOutput(t.Output, data)...)
	return nil
}

// read reads a document, or the part of it that is asked for.
func (c *Caller) read(ctx context.Context, t *Tool, asked *record.Query, _ resource.Limits, e *record.Envelope) (ordjson.Value, error) {
	text, err := c.Resources.Read(ctx, t.Query.Spec, asked.Params)
	if err != nil {
		return ordjson.Value{}, err
	}
	e.Warnings = append(e.Warnings, text.Warnings...)
	partly(e, t, text.Cut...)
	return ordjson.NewString(text.Body), nil
}

// standard asks a sealed database by one of the standard tools.
func (c *Caller) standard(ctx context.Context, t *Tool, asked *record.Query, _ resource.Limits, e *record.Envelope) (ordjson.Value, error) {
	res, err := c.Resources.Standard(ctx, t.Query.Spec, t.Query.Name, asked.Params, c.QueryTime)
	e.Warnings = append(e.Warnings, res.Warnings...)
	partly(e, t, res.Cut...)
	if n := asked.Params.Get("limit"); err == nil && n.Is(ordjson.Number) && res.Rows.Len() == int(n.Float()) {
		partly(e, t, "there are as many rows as the limit of "+strconv.Itoa(res.Rows.Len())+" allows, and there may be more: give a larger limit, or ask for less")
	}
	return res.Rows, err
}

// partly says of an answer that it is not all there is. That is no warning, which
// not every client shows to its model: the model would take a part for the whole
// (docs/decisions.md, "Messages of answers").
func partly(e *record.Envelope, t *Tool, cut ...string) {
	for _, what := range cut {
		e.Messages = append(e.Messages, message(t.Name, fail(CodePartly, "%s", what)))
	}
}

// ask sends a statement to the database.
func (c *Caller) ask(ctx context.Context, t *Tool, asked *record.Query, limits resource.Limits, e *record.Envelope) (ordjson.Value, error) {
	limits.Time = c.QueryTime
	args := make([]any, asked.Params.Len())
	for i, v := range asked.Params.Elems() {
		args[i] = bound(v)
	}
	var res resource.Result
	var err error
	if t.Query.describes() {
		res, err = c.Resources.Describe(ctx, t.Query.Spec, asked.SQL, limits)
	} else {
		res, err = c.Resources.Query(ctx, t.Query.Spec, asked.SQL, args, limits)
	}
	e.Cache, e.Warnings = res.Cached, append(e.Warnings, res.Warnings...)
	if err != nil {
		return ordjson.Value{}, err
	}
	partly(e, t, res.Cut...)
	switch n := res.Rows.Len(); {
	case res.More:
		partly(e, t, "there are more than "+strconv.Itoa(n)+" rows, the rest is left out: ask for less, or page with LIMIT and OFFSET")
	case t.Query.Dynamic && n == limits.Rows:
		partly(e, t, "there are as many rows as the limit of "+strconv.Itoa(n)+" allows, and there may be more: give limit, at most "+strconv.Itoa(resource.MaxLimit)+", or page with LIMIT and OFFSET")
	}
	return res.Rows, nil
}

// statement is what a query sends: its statement, or that of the caller, and
// the values of the placeholders in the order of the parameters (chapter 13,
// "Binding Order").
func (t *Tool) statement(in Input) (*record.Query, resource.Limits, error) {
	if err := t.Query.wholeNumbers(in); err != nil {
		return nil, resource.Limits{}, err
	}
	q := &record.Query{Source: string(t.Query.Spec.Source), Name: t.Query.Name, SQL: t.Query.SQL, Params: ordjson.NewArray()}
	if t.Query.SQL == "" {
		q.Params = in.object(t.Params)
		return q, resource.Limits{}, nil
	}
	if t.Query.Dynamic {
		text, rows, err := t.Query.Spec.Dynamic(in.Get("sql").Str(), int(in.Get("limit").Float()))
		q.SQL = text
		return q, resource.Limits{Rows: rows}, err
	}
	values := make([]ordjson.Value, len(t.Params))
	for i, p := range t.Params {
		v := p.Value
		if p.Source == model.User {
			v = inText(p.Value.Str(), in.Get(p.Key))
		}
		values[i] = p.typed(v)
	}
	q.Params = ordjson.NewArray(values...)
	return q, resource.Limits{}, nil
}

// counts are the parameters of queries that the runtime adds which z-blocks, that
// know no integers, cannot say are whole numbers.
var counts = []string{"limit", "minutes", "points", "direction", "context"}

func (q *Query) wholeNumbers(in Input) error {
	for _, key := range counts {
		if v := in.Get(key); q.Added && v.Is(ordjson.Number) && v.Float() != math.Trunc(v.Float()) {
			return fail(CodeBadValue, "parameter %s: expected a whole number, got the number %s", words.Quote(key),
				v.NumberText())
		}
	}
	return nil
}

// object is the values that were given, in the order of the parameters.
func (in Input) object(params []Param) ordjson.Value {
	var members []ordjson.Member
	for _, p := range params {
		if v := in.Get(p.Key); v.Exists() {
			members = append(members, ordjson.Field(p.Key, v))
		}
	}
	return ordjson.NewObject(members...)
}

// inText is the caller's value in a text around it, such as %{{USER_PARAM}}%;
// alone it keeps its type. What is left out is null.
func inText(text string, v ordjson.Value) ordjson.Value {
	const whole = "{{" + userParam + "}}"
	switch {
	case !v.Exists():
		return ordjson.NewNull()
	case text == whole || !strings.Contains(text, whole):
		return v
	}
	return ordjson.NewString(strings.ReplaceAll(text, whole, scalar(v)))
}

// typed is a value of the parameter's primitive: SQLite compares the number 7 and
// the text '7' as different, and a fixed value is written as text, as is one with
// text around it.
func (p *Param) typed(v ordjson.Value) ordjson.Value {
	if !v.Is(ordjson.String) && !v.Is(ordjson.Number) && !v.Is(ordjson.Bool) {
		return v
	}
	if typed, err := p.Z.FromText(scalar(v)); err == nil {
		return typed
	}
	return v // VAL042
}

// bound is a value as SQLite takes it: a number without a fraction is an
// integer with all its digits.
func bound(v ordjson.Value) any {
	switch v.Kind() {
	case ordjson.String:
		return v.Str()
	case ordjson.Bool:
		return v.True()
	case ordjson.Number:
		if n, err := strconv.ParseInt(v.NumberText(), 10, 64); err == nil {
			return n
		}
		if f := v.Float(); f == float64(int64(f)) && f > -1<<53 && f < 1<<53 {
			return int64(f)
		}
		return v.Float()
	case ordjson.Null, ordjson.Missing:
		return nil
	}
	return ordjson.Text(v)
}
