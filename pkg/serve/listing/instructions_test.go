package listing

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/flowmcp/fmcp/pkg/catalog"
)

func TestInstructions(t *testing.T) {
	none := func(string, string) bool { return false }
	tools := []Tool{{ID: "tides/tool/a"}, {ID: "coins/tool/a"}, {ID: "coins/resource/b/q"}}
	hidden := []Tool{{ID: "x/tool/a", ServerParams: []string{"KEY"}},
		{ID: "x/tool/b", ServerParams: []string{"KEY", "ID"}}}
	tail := " An answer has status, messages and data; messages say what is wrong or missing."
	for _, tt := range []struct {
		about  catalog.Catalog
		shown  []Tool
		hidden []Tool
		want   string
	}{
		{catalog.Catalog{Description: "Tides and coins. "}, tools, nil,
			"Tides and coins. It has 3 tools; the name of each ends in its namespace: coins (2), tides (1)." + tail},
		{catalog.Catalog{Name: "sea"}, tools[:1], hidden,
			"Calls web APIs and reads data of the FlowMCP catalog sea. It has 1 tool; the name of each ends in its " +
				"namespace: tides (1)." + tail +
				" 2 tools hidden, since the user has not set their keys: KEY (2 tools of x), ID (1 tool of x)."},
		{catalog.Catalog{Name: "sea"}, nil, nil,
			"Calls web APIs and reads data of the FlowMCP catalog sea. It has no tools." + tail},
	} {
		if got := (&Listing{About: tt.about}).Instructions("", tt.shown, tt.hidden, none); got != tt.want {
			t.Errorf("%s\nwant\n%s", got, tt.want)
		}
	}
	// However large the catalog is, what is cut says so and is text.
	var many, keyed []Tool
	for i := range 3000 {
		many = append(many, Tool{ID: fmt.Sprintf("namespace%d/tool/x", i)})
		keyed = append(keyed, Tool{ServerParams: []string{fmt.Sprintf("%s_%d", strings.Repeat("K", 50), i)}})
	}
	for _, n := range []int{90, 100, 110, 3000} {
		wordy := &Listing{About: catalog.Catalog{Description: strings.Repeat("ü", 2000)}}
		got := wordy.Instructions(" How.", many[:n], keyed, none)
		if len(got) > maxInstructions || len(got) < maxInstructions-40 || !utf8.ValidString(got) ||
			!strings.Contains(got, " more. How. An") || !strings.HasSuffix(got, "K_1002 (1 tool of ) and 2993 more.") {
			t.Errorf("%d namespaces: %d bytes: %s", n, len(got), got)
		}
	}
	if got := (&Listing{}).Instructions("", many[:40], nil, none); !strings.Contains(got, "namespace9 (1).") {
		t.Errorf("40 namespaces have room: %s", got)
	}
}
