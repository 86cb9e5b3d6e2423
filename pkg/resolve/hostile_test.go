package resolve

import (
	"fmt"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/sharedlist"
)

// A list that is named again and again must not be written out each time.
func TestHostileEnums(t *testing.T) {
	const n = 60_000
	var entries, params strings.Builder
	for i := range n {
		fmt.Fprintf(&entries, `,{"a":"value-%d"}`, i)
	}
	for i := range 50 {
		fmt.Fprintf(&params, `,{"position":{"key":"k%d","value":"{{USER_PARAM}}","location":"query"},`+
			`"z":{"primitive":"enum({{big:a}})","options":["optional()"]}}`, i)
	}
	lists := listsOf(t, `{"meta":{"name":"big","version":"1.0.0","description":"d","fields":[{"key":"a",`+
		`"type":"string","description":"d"}],"dependsOn":[]},"entries":[`+entries.String()[1:]+`]}`)
	refs := refsOf(`[{"ref":"big","version":"1.0.0"}]`)
	text, problems, _ := sharedlist.Interpolate("enum("+strings.TrimSuffix(strings.Repeat("{{big:a}},", 20_000), ",")+
		")", refs, lists)
	if len(problems) > 0 || strings.Count(text, ",") != n-1 {
		t.Errorf("%d bytes, %v", len(text), problems)
	}
	b := &builder{namespace: "evil", refs: refs, lists: lists,
		schema: model.NewSchema(parse(`{"root":"https://example.com","tools":{"a":{"method":"GET","path":"/",` +
			`"description":"d","parameters":[` + params.String()[1:] + `]}}}`))}
	b.load = &record.Load{Type: record.TypeSchema, ID: "evil/evil", Data: b.schema.Value}
	if tl := b.build(b.schema.Tools()[0]); tl != nil {
		t.Error("the tool was built")
	}
	if len(b.problems) == 0 || !strings.Contains(b.problems[0].Message,
		"the enums of the schema have more than 4 MiB of values before it") {
		t.Errorf("%v", b.problems)
	}
}
