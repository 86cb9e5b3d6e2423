package serve

import (
	"maps"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/serve/complete"
	"github.com/flowmcp/fmcp/pkg/serve/listing"
	"github.com/flowmcp/fmcp/pkg/words"
)

// complete proposes values of an argument of a prompt or a template.
func (r *Request) complete() ([][]byte, *Error) {
	of, schema, err := r.completed()
	if err != nil {
		return nil, err
	}
	name, typed := r.Params.Get("argument").Get("name"), r.Params.Get("argument").Get("value")
	property := schema.Get("properties").Get(name.Str())
	switch {
	case !name.Is(ordjson.String) || !typed.Is(ordjson.String):
		return nil, failure(mcp.INVALID_PARAMS, CodeBadParams,
			"expected params.argument to have name and value, two strings; found %s",
			ordjson.Shown(r.Params.Get("argument")))
	case !property.Exists():
		known := "; it has none"
		if keys := listing.Keys(schema); len(keys) > 0 {
			known = words.DidYouMean(name.Str(), keys) + "; known are " + words.List(keys)
		}
		return nil, failure(mcp.INVALID_PARAMS, CodeBadParams, "%s has no argument %s%s", of, ordjson.Shown(name),
			known)
	}
	values, total := complete.Match(complete.Values(property), typed.Str())
	return r.encoded(mcp.CompleteResult{Result: r.result(),
		Completion: mcp.Completion{Values: values, Total: total, HasMore: total > len(values)}})
}

// completed is what params.ref refers to, and the schema of its arguments: a template
// has those of the tool that asks the same.
func (r *Request) completed() (of string, schema ordjson.Value, err *Error) {
	ref := r.Params.Get("ref")
	name, uri := ref.Get("name").Str(), ref.Get("uri")
	switch ref.Get("type").Str() {
	case "ref/prompt":
		p, err := r.surface.prompt(name)
		if err != nil {
			return "", schema, err
		}
		return name, p.Inputs(), nil
	case "ref/resource":
		id, ok := r.surface.templates[uri.Str()]
		if !ok {
			return "", schema, nothingAt(mcp.INVALID_PARAMS, uri,
				"there is no template %s%s; resources/templates/list has all of them", ordjson.Shown(uri),
				words.DidYouMean(uri.Str(), slices.Sorted(maps.Keys(r.surface.templates))))
		}
		if t := r.surface.tools[r.surface.wireName(id)]; t != nil {
			schema = t.Definition().Get("inputSchema")
		}
		return uri.Str(), schema, nil
	}
	return "", schema, failure(mcp.INVALID_PARAMS, CodeBadParams,
		`expected params.ref.type to be "ref/prompt" or "ref/resource", found %s`, ordjson.Shown(ref.Get("type")))
}
