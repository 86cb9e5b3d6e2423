package serve

import (
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/serve/listing"
)

// TestEras: which revision a request is of is said by its _meta alone.
func TestEras(t *testing.T) {
	const (
		version = `"io.modelcontextprotocol/protocolVersion"`
		able    = `"io.modelcontextprotocol/clientCapabilities":{}`
		unknown = `"uri":"flowmcp://demo/resource/nothing"`
	)
	c := serving(t, Contents{Tools: demoTools(t), Caller: echo,
		Resources: []listing.Resource{{URI: "flowmcp://demo/resource/some"}}}, Options{})
	for _, tc := range []struct{ method, params, at, want string }{
		{"resources/read", `{` + unknown + `}`, "/error/code", "-32002"},
		{"resources/read", `{` + unknown + `}`, "/error/data",
			`{"code":"MCP012","uri":"flowmcp://demo/resource/nothing"}`},
		{"resources/read", `{` + unknown + `,` + modernMeta + `}`, "/error/code", "-32602"},
		{"resources/read", `{` + unknown + `,` + modernMeta + `}`, "/error/data",
			`{"code":"MCP012","uri":"flowmcp://demo/resource/nothing"}`},
		{"tools/list", `{"_meta":{` + version + `:"2027-01-01"}}`, "/error/code", "-32022"},
		{"tools/list", `{"_meta":{` + version + `:"2027-01-01"}}`, "/error/data",
			`{"supported":["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"],` +
				`"requested":"2027-01-01"}`},
		{"tools/list", `{"_meta":{` + version + `:"DRAFT",` + able + `}}`, "/error/code", "-32022"},
		{"tools/list", `{"_meta":{` + version + `:7,` + able + `}}`, "/error/code", "-32602"},
		{"tools/list", `{"_meta":{` + version + `:"2026-07-28"}}`, "/error/code", "-32602"},
		{"tools/list", `{"_meta":{` + version + `:"2026-07-28","io.modelcontextprotocol/clientCapabilities":[]}}`,
			"/error/code", "-32602"},
		{"tools/list", `{"_meta":{` + able + `}}`, "/error/code", "-32602"},
		{"tools/list", `{"_meta":{"progressToken":1}}`, "/result/resultType", "null"},
		{"tools/list", `{"_meta":{` + version + `:"2025-11-25"}}`, "/result/resultType", "null"},
		{"tools/list", `{` + modernMeta + `}`, "/result/resultType", `"complete"`},
		{"initialize", `{` + modernMeta + `}`, "/error/code", "-32601"},
		{"server/discover", `{}`, "/error/code", "-32602"},
		{"server/discover", `{"_meta":{}}`, "/error/code", "-32602"},
		{"server/discover", `{"_meta":{` + version + `:"2025-11-25"}}`, "/error/code", "-32601"},
		{"subscriptions/listen", `{"notifications":{}}`, "/error/code", "-32602"},
	} {
		c.send(request("1", tc.method, tc.params))
		answer := c.recv()
		if v, _ := ordjson.Lookup(answer, tc.at); ordjson.Text(v) != tc.want {
			t.Errorf("%s %s: %s = %s, want %s", tc.method, tc.params, tc.at, ordjson.Text(v), tc.want)
		}
	}
}
