package exec

import (
	"context"
	"net/url"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// selector is the parameter by which a call of a resource names its query.
const selector = "query"

// Find finds what a call asks for and what is left of its parameters. Of a
// resource, the parameter query names the query; where that has a parameter
// query itself, a call by the query's own ID or MCP name gives it. The errors
// are *words.Problem.
func (c *Catalog) Find(id string, params ordjson.Value) (Target, ordjson.Value, error) {
	if c.Type(id) != record.TypeResource {
		t, err := c.Target(id)
		return t, params, err
	}
	name := params.Get(selector)
	if name.Exists() && !name.Is(ordjson.String) {
		return nil, params, fail(CodeUnknownQuery, "query is %s, expected the name of a query", name.Kind())
	}
	t, err := c.query(id, name.Str())
	if params.Is(ordjson.Object) {
		params = params.Without(selector)
	}
	return t, params, err
}

// CallID finds what a call asks for, as Find does, and calls it.
func (c *Caller) CallID(ctx context.Context, tools *Catalog, id string, params ordjson.Value,
	o Options) *record.Envelope {
	t, params, err := tools.Find(id, params)
	if err != nil {
		return Failure(id, o.Tag, err)
	}
	return c.Call(ctx, t, params, o)
}

// FindWords is Find for parameters of the command line; of several query=… the
// first names the query. Where there is no such tool it is nil, and the
// parameters are those by which Find says so too.
func (c *Catalog) FindWords(id string, words []string) (Target, ordjson.Value, error) {
	var given ordjson.Value
	if c.Type(id) == record.TypeResource {
		name := ""
		for i, w := range words {
			if value, ok := strings.CutPrefix(w, selector+"="); ok {
				name, words = value, append(append([]string{}, words[:i]...), words[i+1:]...)
				break
			}
		}
		if name != "" {
			id += "/" + name
			given = ordjson.NewObject(ordjson.Field(selector, ordjson.NewString(name)))
		}
	}
	t, err := c.Target(id)
	if err != nil {
		return nil, given, err
	}
	params, err := ParamsFromText(t, words)
	return t, params, err
}

// query finds a query of a resource. Where none is named, the only one is
// meant: a document has one.
func (c *Catalog) query(id, name string) (Target, error) {
	list, err := c.queriesOf(id)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(list))
	for i, q := range list {
		if names[i] = q.Name; names[i] == name || name == "" && len(list) == 1 {
			return q, nil
		}
	}
	known := "; it has none"
	if len(names) > 0 {
		known = "; it has " + strings.Join(names, ", ")
	}
	if name == "" {
		return nil, fail(CodeUnknownQuery, "%s is a resource, and a call names one of its queries by query=NAME%s", id,
			known)
	}
	return nil, fail(CodeUnknownQuery, "%s has no query %s%s%s", id, words.Quote(name),
		words.DidYouMean(name, names), known)
}

// Queries are the queries of a resource, those that the runtime adds included.
// The errors are *words.Problem.
func (c *Catalog) Queries(id string) ([]*Query, error) {
	if c.Type(id) != record.TypeResource {
		return nil, c.unknown(id)
	}
	list, err := c.queriesOf(id)
	if err == nil && len(list) == 0 {
		err = fail(CodeUnknownQuery, "%s has no queries", id)
	}
	return list, err
}

// SplitURI takes the URI of a resource apart (catalog.URI): the ID, of the
// resource or a query, and the parameters after ? as words of the form
// key=value. The error is a *words.Problem.
func SplitURI(uri string) (id string, args []string, err error) {
	id, query, _ := strings.Cut(strings.TrimPrefix(uri, model.URIScheme), "?")
	for _, part := range strings.Split(query, "&") {
		if part == "" {
			continue
		}
		word, err := url.QueryUnescape(part)
		if err != nil {
			return "", nil, fail(CodeBadValue, "%s is not percent-encoded as a URI is: %v", words.Quote(part), err)
		}
		args = append(args, word)
	}
	return id, args, nil
}

// AtAddress is what the address of a resource stands for: a query by its own
// ID, and else the only query, or the tables of a database. The errors are *words.Problem.
func (c *Catalog) AtAddress(id string) (Target, error) {
	if c.Type(id) != record.TypeResource {
		return c.Target(id)
	}
	list, err := c.Queries(id)
	for _, q := range list {
		if len(list) == 1 || q.Describes() {
			return q, nil
		}
	}
	if err == nil {
		err = fail(CodeUnknownQuery, "%s has several queries, and each has an address of its own", id)
	}
	return nil, err
}
