package resolve

import (
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

func TestCheckID(t *testing.T) {
	x := &Index{}
	x.Add(schemaLoad("providers/tidewatch/stations.mjs", `{"namespace":"tidewatch","tools":{"getTides":{}}}`))
	tests := []struct {
		id    string
		index *Index
		want  string // in the text of the answer
		code  string // "" for valid
	}{
		{"tidewatch/tool/getTides", nil, "valid in its form", ""},
		{"tidewatch/tool/getTides", x, "main.tools.getTides", ""},
		{"tidewatch/stations", x, "schema  tidewatch/stations", ""},
		{"tidewatch/tool/getTide", x, `has no tool "getTide"`, catalog.CodeUnknownID},
		{"tidewatch/station", x, `has no schema "station"`, catalog.CodeUnknownID},
		{"tides/tool/getTides", x, `no namespace "tides"`, catalog.CodeUnknownID},
		{"tidewatch/getTides", x, "did you mean tidewatch/tool/getTides?", "ID005"},
		{"Tidewatch/tool/getTides", x, "must match", "ID002"},
		{"tidewatch/tool/get_tides", nil, "must match", "ID004"},
		{"tidewatch/tide_stations", nil, "valid in its form", ""},
		{"a\x1b[2Jb", nil, `"a\x1b[2Jb" is invalid`, "ID001"},
	}
	for _, tt := range tests {
		c := tt.index.CheckID(tt.id, false)
		code := ""
		if c.Problem != nil {
			code = c.Problem.Code
		}
		if code != tt.code || !strings.Contains(c.Text(), tt.want) {
			t.Errorf("%s: code %q, %s; want %q and %q", tt.id, code, c.Text(), tt.code, tt.want)
		}
		v := c.JSON()
		if v.Get("id").Str() != tt.id || v.Get("valid").True() != (tt.code == "") || v.Get("code").Str() != tt.code {
			t.Errorf("%s: %s", tt.id, ordjson.Text(v))
		}
	}
}
