package serve

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/serve/listing"
	"github.com/flowmcp/fmcp/pkg/serve/skills"
	"github.com/flowmcp/fmcp/pkg/words"
)

// readResource finds what is read. It may take its time, as a call does.
func (r *Request) readResource() (*work, *Error) {
	uri := r.Params.Get("uri")
	if !uri.Is(ordjson.String) {
		return nil, failure(mcp.INVALID_PARAMS, CodeBadParams,
			"expected params.uri to be an address of resources/list, found %s", ordjson.Shown(uri))
	}
	found, address := r.surface.find(uri.Str())
	w := &work{about: uri.Str(), do: func() ([]byte, *Error) { return r.readAt(found, uri.Str(), address) }}
	switch {
	case found != nil:
	case strings.HasPrefix(uri.Str(), skills.Scheme) && !r.surface.skills.Empty():
		w.do = func() ([]byte, *Error) { return r.readSkill(uri) }
	default:
		return nil, r.unknownResource(uri, addressOf(uri.Str()))
	}
	return w, nil
}

// addressOf is a URI without parameters.
func addressOf(uri string) string {
	address, _, _ := strings.Cut(uri, "?")
	return address
}

// unknownResource is the error of a read of no resource. What changes something
// is a tool alone. The code is the revision's.
func (r *Request) unknownResource(uri ordjson.Value, address string) *Error {
	hint := words.DidYouMean(address, slices.Sorted(maps.Keys(r.surface.uris)))
	if wire := r.surface.wireName(strings.TrimPrefix(address, model.URIScheme)); wire != "" {
		hint = ` (did you mean the tool "` + wire + `"?)`
	}
	code := mcp.RESOURCE_NOT_FOUND
	if mcp.IsModernProtocol(r.revision) {
		code = mcp.INVALID_PARAMS
	}
	if err := r.withheld(code, uri, address); err != nil {
		return err
	}
	return nothingAt(code, uri,
		"there is no resource %s%s; resources/list and resources/templates/list have the addresses of all",
		ordjson.Shown(uri), hint)
}

// withheld says why what is at an address is not served; nil where there is no reason.
func (r *Request) withheld(code int, uri ordjson.Value, address string) *Error {
	err := r.surface.notServed(address)
	if err != nil {
		err.Code, err.Data = code, errorData{Code: err.Data.(errorData).Code, URI: uri.Str()}
	}
	return err
}

func nothingAt(code int, uri ordjson.Value, format string, args ...any) *Error {
	err := failure(code, CodeUnknownResource, format, args...)
	err.Data = errorData{Code: CodeUnknownResource, URI: uri.Str()}
	return err
}

// readAt reads at an address and makes the answer, which is of the URI that was asked
// for.
func (r *Request) readAt(found *listing.Resource, uri, address string) ([]byte, *Error) {
	if err := r.stopping(uri); err != nil {
		return nil, err
	}
	env := r.surface.caller.Read(r.ctx, address)
	r.server.logWarnings(uri, env)
	if !env.Status {
		return nil, refusal(env)
	}
	content := mcp.TextResourceContents{URI: uri, MIMEType: model.MIMEJSON}
	text := env.Data.Str()
	if env.Data.Is(ordjson.String) {
		content.MIMEType = cmp.Or(found.MIME, model.MIMEMarkdown)
	} else {
		text = ordjson.Text(env.Data)
	}
	b := listing.Reopened(listing.AppendJSON(appendStart(nil, r.ID), r.cacheable(0)))
	b = appendText(append(b, `"contents":[`...), content, text)
	if texts := Messages(env); len(texts) > 0 {
		// A document stays as it is; what is to be said of it is beside it.
		content.MIMEType, content.Text = model.MIMEText, strings.Join(texts, "\n")
		b = listing.AppendJSON(append(b, ','), content)
	}
	return r.fitting(append(b, "]}}\n"...))
}

// refusal is the error of an envelope with nothing that could be answered.
func refusal(env *record.Envelope) *Error {
	return failure(mcp.INVALID_PARAMS, failedBy(env), "%s", strings.Join(env.Messages, "; "))
}

// fitting is an answer that clients accept.
func (r *Request) fitting(b []byte) ([]byte, *Error) {
	if limit := r.server.opts.maxAnswer; len(b) > limit {
		return nil, failure(mcp.INTERNAL_ERROR, CodeAnswerTooLong,
			"the answer takes %d bytes, more than the limit of %d that clients accept; ask for less", len(b), limit)
	}
	return b, nil
}

// find finds what is read at a URI, and the address by which a Caller knows it: a
// schema may state another (decision "Addresses of resources"). It is nil where
// nothing is read there.
func (s *Surface) find(uri string) (r *listing.Resource, address string) {
	path, query, _ := strings.Cut(uri, "?")
	var given []string
	if r = s.uris[path]; r == nil || r.Path != nil {
		if r, given = s.match(path); r == nil {
			return nil, ""
		}
	}
	if r.Document || strings.HasPrefix(path, model.URIScheme) {
		return r, uri
	}
	if query != "" {
		given = append(given, query)
	}
	if address = model.URIScheme + r.ID; len(given) > 0 {
		address += "?" + strings.Join(given, "&")
	}
	return r, address
}

// match finds the address that names parameters as a path has them, with the
// parameters as they come after a ?.
func (s *Surface) match(path string) (*listing.Resource, []string) {
	for _, r := range s.paths {
		values := r.Path.FindStringSubmatch(path)
		if values == nil {
			continue
		}
		named, _, _ := model.AddressParameters(r.URI)
		for i, key := range named {
			value, err := url.PathUnescape(values[i+1])
			if err != nil {
				return nil, nil
			}
			named[i] = key + "=" + url.QueryEscape(value)
		}
		return r, named
	}
	return nil, nil
}
