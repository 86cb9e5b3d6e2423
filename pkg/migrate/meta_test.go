package migrate

import (
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

func TestMeta(t *testing.T) {
	for _, c := range []struct {
		tool                Tool
		reads, atOnce, gone string
		hint                string
	}{
		{tool: Tool{Name: "getTokenPrice", Method: "GET", Description: "Returns the current price of a token in USD."},
			reads: "true", atOnce: "true", gone: "false", hint: "current price token USD"},
		{tool: Tool{Name: "getBalance", Method: "POST", Namespace: "ankr",
			Description: "Balance of an address. Ask often."},
			reads: "false", atOnce: "true", gone: "false", hint: "ankr Balance address"},
		{tool: Tool{Name: "matrix", Method: "POST", Description: "Calculates the time between de and EU places"},
			reads: "false", atOnce: "true", gone: "false", hint: "time EU places"},
		{tool: Tool{Name: "deleteMonitor", Method: "DELETE", Description: "Deletes a monitor."},
			reads: "false", atOnce: "false", gone: "true", hint: "Deletes monitor delete"},
		{tool: Tool{Name: "removePin", Method: "GET", Description: "x"},
			reads: "false", atOnce: "false", gone: "true", hint: "remove Pin"},
		{tool: Tool{Name: "sendMessage", Method: "GET", Description: "Send a message to a chat"},
			reads: "false", atOnce: "false", gone: "false", hint: "Send message chat"},
		{tool: Tool{Name: "getUser", Method: "get", Description: "The user"}, // as version 1 allowed
			reads: "true", atOnce: "true", gone: "false", hint: "user"},
		{tool: Tool{Name: "updateUser", Method: "PUT", Description: "Changes the user"},
			reads: "false", atOnce: "false", gone: "false", hint: "Changes user update"},
		{tool: Tool{Name: "getChart", Method: "GET", Description: "Chart of a pair", Fetches: true},
			reads: "false", atOnce: "true", gone: "false", hint: "Chart pair"},
		{tool: Tool{Name: "search_by_name", Method: "GET", Namespace: "open-meteo"},
			reads: "true", atOnce: "true", gone: "false", hint: "open meteo name"},
		{tool: Tool{Name: "x", Method: "GET",
			Description: "one two three four five six seven eight nine ten eleven twelve"},
			reads: "true", atOnce: "true", gone: "false", hint: "two three four five six seven eight nine ten eleven"},
	} {
		meta := Meta(c.tool)
		for _, f := range [][2]string{{"isReadOnly", c.reads}, {"isConcurrencySafe", c.atOnce},
			{"isDestructive", c.gone}, {"searchHint", `"` + c.hint + `"`}, {"aliases", "[]"}, {"alwaysLoad", "false"}} {
			if got := ordjson.Text(meta.Get(f[0])); got != f[1] {
				t.Errorf("%s: %s: %s, want %s", c.tool.Name, f[0], got, f[1])
			}
		}
	}
}
