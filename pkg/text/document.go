package text

import (
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// Document is the text of a skill as a file, which is the same for everybody
// (decision "Skills as files"): it says which inputs there are, which stay as they
// are written where they are used, and in the place of an answer stands the call.
func Document(x *catalog.Index, s *catalog.Skill) string {
	f := &filler{index: x, text: s.Body(), delivery: &Delivery{}, beside: true, results: map[string]result{}}
	for _, call := range s.Prefill {
		if _, twice := f.results[call.Tool]; !twice {
			f.results[call.Tool] = result{failed: f.refuses(call), text: f.named(call)}
		}
	}
	text := strings.TrimSpace(f.fill(s.Content))
	if len(s.Inputs) > 0 {
		text = "## Inputs\n\nIn the text below `{{input:key}}` stands for the input of that key.\n\n" +
			parameters(InputSchema(x, s)) + "\n\n" + text
	}
	if s.Output != "" {
		text += "\n\n## Output\n\n" + s.Output
	}
	return text
}

// named is a call by the name that it has over MCP.
func (f *filler) named(call catalog.Prefill) string {
	name, params := call.Tool, call.Params
	if c := f.callee(call); c != nil {
		name = c.WireName
	}
	if f.index.Type(call.Tool) == record.TypeResource {
		params = params.Without("query") // which name has
	}
	if !params.Exists() {
		params = ordjson.NewObject()
	}
	return "[call " + name + " with " + ordjson.Text(params) + "]"
}

// callee is the tool or the query that a call is of, nil where there is none.
func (f *filler) callee(call catalog.Prefill) *catalog.Callable {
	id, query := f.target(call)
	rec, _ := f.index.Record(id)
	switch r := rec.(type) {
	case *catalog.Tool:
		return &r.Callable
	case *catalog.Resource:
		for _, q := range r.Queries {
			if q.Name == query {
				return &q.Callable
			}
		}
	}
	return nil
}
