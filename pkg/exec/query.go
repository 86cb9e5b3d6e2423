package exec

import (
	"context"
	"math"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/resource"
	"github.com/flowmcp/fmcp/pkg/sandbox"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Query is a query of a resource, ready to be asked (chapter 13). The queries of
// a resource share its Spec, and so what is open.
type Query struct {
	*catalog.Query
	params
	Spec   *resource.Spec
	Script *sandbox.Script // the handler's source; nil where the catalog does not carry it
}

// NewQueries makes the queries of a resource ready. folder is the one that the
// paths of the catalog are relative to. The error, a *words.Problem, names what in the
// record cannot be used.
func NewQueries(r *catalog.Resource, folder string) ([]*Query, error) {
	spec := &resource.Spec{Resource: r, Folder: folder}
	var list []*Query
	for _, one := range r.Queries {
		q := &Query{Query: one, Spec: spec}
		if q.Name == "" {
			return nil, fail(CodeBadRecord, "%s: a query has no name", r.ID)
		}
		q.read(&one.Callable)
		list = append(list, q)
	}
	return list, nil
}

// Label implements Target.
func (q *Query) Label() string { return q.Resource.Name + "." + q.Name }

// runQuery does the steps of a call that asks a resource.
func (c *Caller) runQuery(ctx context.Context, q *Query, in Input, params ordjson.Value,
	e *record.Envelope) []*words.Problem {
	asked, limits, err := q.statement(in)
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
	case q.SQL != "":
	case q.Spec.Source == model.Markdown:
		ask = c.read
	case q.Spec.Source == model.SQLiteGTFS:
		ask = c.standard
	}
	tracedOf(ctx).query(asked)
	data, err := ask(ctx, q, asked, limits, e)
	if err != nil {
		return asErrors(err)
	}
	tracedOf(ctx).rows(data)
	if len(q.Handlers) > 0 {
		if data, err = c.postQuery(ctx, q, data, params, e); err != nil {
			return asErrors(err)
		}
	}
	e.Status, e.Data = true, data
	e.Warnings = append(e.Warnings, CheckOutput(q.OutputSchema(), data)...)
	return nil
}

// postQuery is what the postRequest of a query makes of its rows, the rows
// themselves where the schema has no such handler (chapter 13, "Handler
// Integration"). payload has the parameters of the caller.
func (c *Caller) postQuery(ctx context.Context, q *Query, rows, payload ordjson.Value,
	e *record.Envelope) (ordjson.Value, error) {
	if q.Script == nil || c.Sandbox == nil {
		return rows, fail(CodeHandlers, "the query has a handler, and the catalog does not carry its source: resolve "+
			"it again")
	}
	ctx, cancel := context.WithTimeout(ctx, c.Client.Timeout())
	defer cancel()
	given := ordjson.NewObject(
		ordjson.Field("status", ordjson.NewBool(true)), ordjson.Field("messages", ordjson.NewArray()),
		ordjson.Field("data", rows),
	)
	input := ordjson.NewObject(ordjson.Field("response", rows), ordjson.Field("struct", given),
		ordjson.Field("payload", payload))
	out, err := c.handler(ctx, q.Script, sandbox.Call{
		Name: q.Resource.Name, Query: q.Name, Stage: sandbox.PostRequest, Input: ordjson.Append(nil, input),
		Warn: func(w string) { e.Warnings = append(e.Warnings, w) },
	})
	if err != nil || !out.Exists() {
		return rows, err
	}
	said, err := verdict(sandbox.PostRequest, out, func(s string) string { return s })
	if said != "" {
		e.Messages = append(e.Messages, sandbox.PostRequest+" says: "+said)
	}
	return out.Get("response"), err
}

// read reads a document, or the part of it that is asked for.
func (c *Caller) read(ctx context.Context, q *Query, asked *record.Query, _ resource.Limits,
	e *record.Envelope) (ordjson.Value, error) {
	text, err := c.Resources.Read(ctx, q.Spec, asked.Params)
	if err != nil {
		return ordjson.Value{}, err
	}
	e.Warnings = append(e.Warnings, text.Warnings...)
	partly(e, q, text.Cut...)
	return ordjson.NewString(text.Body), nil
}

// standard asks a sealed database by one of the standard tools.
func (c *Caller) standard(ctx context.Context, q *Query, asked *record.Query, _ resource.Limits,
	e *record.Envelope) (ordjson.Value, error) {
	res, err := c.Resources.Standard(ctx, q.Spec, q.Name, asked.Params, c.QueryTime)
	e.Warnings = append(e.Warnings, res.Warnings...)
	partly(e, q, res.Cut...)
	if n := asked.Params.Get("limit"); err == nil && n.Is(ordjson.Number) && res.Rows.Len() == int(n.Float()) {
		partly(e, q, "there are as many rows as the limit of "+strconv.Itoa(res.Rows.Len())+" allows, and there may "+
			"be more: give a larger limit, or ask for less")
	}
	return res.Rows, err
}

// partly says of an answer that it is not all there is. That is not a warning,
// which not every client shows to its model: the model would take a part for
// the whole (docs/decisions.md, "Messages of answers").
func partly(e *record.Envelope, q *Query, cut ...string) {
	for _, what := range cut {
		e.Messages = append(e.Messages, message(q.Label(), fail(CodePartly, "%s", what)))
	}
}

// ask sends a statement to the database.
func (c *Caller) ask(ctx context.Context, q *Query, asked *record.Query, limits resource.Limits,
	e *record.Envelope) (ordjson.Value, error) {
	limits.Time = c.QueryTime
	args := make([]any, asked.Params.Len())
	for i, v := range asked.Params.Elems() {
		args[i] = bound(v)
	}
	var res resource.Result
	var err error
	if q.Describes() {
		res, err = c.Resources.Describe(ctx, q.Spec, asked.SQL, limits)
	} else {
		res, err = c.Resources.Query(ctx, q.Spec, asked.SQL, args, limits)
	}
	e.Cache, e.Warnings = res.Cached, append(e.Warnings, res.Warnings...)
	if err != nil {
		return ordjson.Value{}, err
	}
	partly(e, q, res.Cut...)
	switch n := res.Rows.Len(); {
	case res.More:
		partly(e, q, "there are more than "+strconv.Itoa(n)+" rows, the rest is left out: ask for less, or page with "+
			"LIMIT and OFFSET")
	case q.Dynamic() && n == limits.Rows:
		partly(e, q, "there are as many rows as the limit of "+strconv.Itoa(n)+" allows, and there may be more: give "+
			"limit, at most "+strconv.Itoa(resource.MaxLimit)+", or page with LIMIT and OFFSET")
	}
	return res.Rows, nil
}

// statement is what a query sends: its statement, or that of the caller, and
// the values of the placeholders in the order of the parameters (chapter 13,
// "Binding Order").
func (q *Query) statement(in Input) (*record.Query, resource.Limits, error) {
	if err := q.wholeNumbers(in); err != nil {
		return nil, resource.Limits{}, err
	}
	asked := &record.Query{Source: string(q.Spec.Source), Name: q.Name, SQL: q.SQL, Params: ordjson.NewArray()}
	if q.SQL == "" {
		asked.Params = in.object(q.Params)
		return asked, resource.Limits{}, nil
	}
	if q.Dynamic() {
		text, rows, err := q.Spec.Dynamic(in.Get("sql").Str(), int(in.Get("limit").Float()))
		asked.SQL = text
		return asked, resource.Limits{Rows: rows}, err
	}
	values := make([]ordjson.Value, len(q.Params))
	for i, p := range q.Params {
		v := p.Value
		if p.Source == model.User {
			v = inText(p.Value.Str(), in.Get(p.Key))
		}
		values[i] = p.typed(v)
	}
	asked.Params = ordjson.NewArray(values...)
	return asked, resource.Limits{}, nil
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
