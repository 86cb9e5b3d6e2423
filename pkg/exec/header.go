package exec

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/exec/fetch"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// ownHeaders are set by the transport; a schema that sets them could speak for
// another host, or break the reading of the answer.
var ownHeaders = []string{"host", "content-length", "transfer-encoding", "connection", "accept-encoding", "te",
	"trailer", "upgrade", "keep-alive", "expect"}

// isOwnHeader reports whether a header, its name in lower case, is the
// transport's.
func isOwnHeader(name string) bool {
	return slices.Contains(ownHeaders, name) || strings.HasPrefix(name, "proxy-")
}

// headerList is what a tool's requests have for headers. No parameter of the
// caller is in one, so that it is made once.
type headerList struct {
	list     []header
	warnings []string
	err      *words.Problem // the first
}

func (h *headerList) fail(err *words.Problem) {
	if h.err == nil {
		h.err = err
	}
}

func (t *Tool) makeHeaders() (h headerList) {
	has := map[string]bool{}
	for _, x := range t.Headers {
		name := strings.ToLower(x.Name)
		if !model.IsHeaderName(x.Name) {
			h.fail(fail(CodeBadRequest, "header name %s is not valid: letters, digits and - only", words.Quote(x.Name)))
			continue
		}
		if isOwnHeader(name) {
			h.warnings = append(h.warnings, "header "+x.Name+" is set by fmcp itself: the schema's was not sent")
			continue
		}
		if has[name] {
			h.warnings = append(h.warnings,
				"header "+x.Name+" is there twice, in different case: the last one was sent")
			h.list = slices.DeleteFunc(h.list, func(o header) bool { return strings.EqualFold(o.name, x.Name) })
		}
		has[name] = true
		value, err := t.headerText(x)
		if err != nil {
			h.fail(err)
			continue
		}
		h.list = append(h.list, header{name: x.Name, value: value})
	}
	add := func(name, value string) {
		if !has[strings.ToLower(name)] {
			h.list = append(h.list, header{name: name, value: plainText(value)})
		}
	}
	if hasBody(t.Method) {
		add("Content-Type", model.MIMEJSON)
	}
	accept := t.MIMEType()
	if accept == "" {
		accept = model.MIMEJSON
	}
	add("Accept", accept+", */*;q=0.5")
	add("User-Agent", fetch.UserAgent)
	return h
}

// headerText reads a header's value; it may hold several server parameters.
func (t *Tool) headerText(h record.Header) (text, *words.Problem) {
	var out text
	at := 0
	for _, ph := range model.Placeholders(h.Value) {
		key, ok := ph.ServerKey(t.ServerParams)
		if !ok {
			return nil, unresolved(h.Value[ph.Start:ph.End], "header "+h.Name)
		}
		out = out.addLit(h.Value[at:ph.Start]).addHole(key, inHeader)
		at = ph.End
	}
	out = out.addLit(h.Value[at:])
	for _, p := range out {
		if !model.IsHeaderValue(p.lit) {
			return nil, fail(CodeBadRequest, "header %s holds a line break or another control character: remove it",
				h.Name)
		}
	}
	return out, nil
}
