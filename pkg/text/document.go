package text

import (
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/ordjson"
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
			parameters(catalog.InputSchema(s.Inputs)) + "\n\n" + text
	}
	if s.Output != "" {
		text += "\n\n## Output\n\n" + s.Output
	}
	return text
}

// named is a call by the name that it has over MCP.
func (f *filler) named(call catalog.Prefill) string {
	id, query := f.target(call)
	rec, _ := f.index.Record(id)
	name, params := call.Tool, call.Params
	switch r := rec.(type) {
	case *catalog.Tool:
		name = r.WireName
	case *catalog.Resource:
		for _, q := range r.Queries {
			if q.Name == query {
				name, params = q.WireName, params.Without("query")
			}
		}
	}
	if !params.Exists() {
		params = ordjson.NewObject()
	}
	return "[call " + name + " with " + ordjson.Text(params) + "]"
}
