// Command poison looks for poisoned text (MCP040 to MCP050) in real texts, to see how many false alarms there are:
//
//	fmcp-scan CATALOG | fmcp-load | go run ./scripts/poison
//
// It reads lines of JSON, takes every string in them for a text, each once, and prints what is found, and how many
// texts there were.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"github.com/flowmcp/fmcp/pkg/rules/poison"
)

func main() {
	seen, found := map[string]bool{}, 0
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	for decoder := json.NewDecoder(lines); ; {
		var v any
		if err := decoder.Decode(&v); err != nil {
			break
		}
		each(v, "", func(key, text string) {
			if seen[text] {
				return
			}
			seen[text] = true
			hits := poison.Scan(text, !poison.IsContent(key))
			if len(hits) > 0 {
				found++
			}
			for _, h := range hits {
				fmt.Printf("%s %s\n\tin %s: %.400q\n", h.Code, h.Message, key, text)
			}
		})
	}
	fmt.Printf("%d of %d texts\n", found, len(seen))
}

// each calls f for the texts of a value, and the name of the field that each is in.
func each(v any, key string, f func(key, text string)) {
	switch v := v.(type) {
	case string:
		f(key, v)
	case []any:
		for _, e := range v {
			each(e, key, f)
		}
	case map[string]any:
		for name, e := range v {
			each(e, name, f)
		}
	}
}
