package exec

import (
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// TestOpenDomain: of a root that leaves open whose host is called no request is
// made, whatever its handlers would fill in.
func TestOpenDomain(t *testing.T) {
	for _, root := range []string{"https://--a--:443", "https://--net--.--tld--", "https://--a--.co.uk", "https://--user--.github.io/x"} {
		_, err := BuildRequest(bareTool(t, "GET", root), Input{})
		if e := asError(err); err == nil || e.Code != CodeHostRefused || !strings.Contains(e.Msg, "CMP022") {
			t.Errorf("%s: %v", root, err)
		}
		_, held, err := draft(bareTool(t, "GET", root), Input{map[string]ordjson.Value{}})
		if err != nil || held.rootErr == nil || held.root != nil {
			t.Errorf("%s: with handlers: %v, root %v", root, err, held)
		}
	}
	if _, err := BuildRequest(bareTool(t, "GET", "https://--region--.example.com"), Input{}); err != nil {
		t.Error(err)
	}
}
