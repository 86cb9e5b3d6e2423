// Command poison looks for poisoned text (MCP040 to MCP050) in real texts, to see how many false alarms there are:
//
//	fmcp-scan CATALOG | fmcp-load | go run ./scripts/poison
//
// It reads JSON, takes every string in it for a text, each once, and prints what is found, and how many texts there
// were. With -learn it writes the weights of words (pkg/rules/poison/weights.txt), which it learns from those texts and
// from files of attacks:
//
//	go run ./scripts/poison -learn pkg/rules/poison/testdata/attacks*.ndjson < real.ndjson
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/rules/poison"
)

func main() {
	texts, err := readTexts(os.Stdin)
	switch {
	case err != nil:
	case len(os.Args) > 1 && os.Args[1] == "-learn":
		err = learn(os.Stdout, described(texts), os.Args[2:])
	default:
		look(texts)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "poison:", err)
		os.Exit(1)
	}
}

// text is a string of the input, and the field that it is in.
type text struct{ field, text string }

func readTexts(in io.Reader) ([]text, error) {
	var list []text
	seen := map[string]bool{}
	for decoder := json.NewDecoder(bufio.NewReaderSize(in, 1<<20)); ; {
		var v any
		if err := decoder.Decode(&v); err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return list, err
		}
		each(v, "", func(field, s string) {
			if !seen[s] {
				seen[s] = true
				list = append(list, text{field, s})
			}
		})
	}
}

// described are the texts that describe something: in those of several words it
// shows how people do so.
func described(texts []text) []string {
	var list []string
	for _, t := range texts {
		if !poison.IsContent(t.field) && strings.Contains(t.text, " ") {
			list = append(list, t.text)
		}
	}
	return list
}

func look(texts []text) {
	found := 0
	for _, t := range texts {
		hits := poison.Scan(t.text, !poison.IsContent(t.field))
		if len(hits) > 0 {
			found++
		}
		for _, h := range hits {
			fmt.Printf("%s %s\n\tin %s: %.400q\n", h.Code, h.Message, t.field, t.text)
		}
	}
	fmt.Printf("%d of %d texts\n", found, len(texts))
}

// each calls f for the texts of a value, and the name of the field that each is in.
func each(v any, field string, f func(field, text string)) {
	switch v := v.(type) {
	case string:
		f(field, v)
	case []any:
		for _, e := range v {
			each(e, field, f)
		}
	case map[string]any:
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		slices.Sort(names) // so that what is learned is the same each time
		for _, name := range names {
			each(v[name], name, f)
		}
	}
}
