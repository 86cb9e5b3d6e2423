package fix

import (
	"fmt"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/record"
)

func TestSplit(t *testing.T) {
	var tools, handlers []string
	for i := range 10 {
		tools = append(tools, fmt.Sprintf("        tool%d: { method: 'GET' }", i))
		handlers = append(handlers, fmt.Sprintf("        tool%d: { preRequest: v1( %d ) }", i, i))
	}
	text := func(from, to int) string {
		return "export const main = {\n    name: 'Ten',\n    tools: {\n" + strings.Join(tools[from:to], ",\n") +
			"\n    }\n}\n\nexport const handlers = () => {\n    return {\n" +
			strings.Join(handlers[from:to], ",\n") + "\n    }\n}\n"
	}
	for name, test := range map[string]struct {
		exports []string
		all     bool
		want    string
		more    int
	}{
		"of version 1": {[]string{"schema"}, true, text(0, 8), 1},
		"safe edits":   {[]string{"schema"}, false, text(0, 10), 0},
		"of version 4": {[]string{"main"}, true, text(0, 10), 0},
	} {
		f := &File{Src: record.Source{Path: "a/ten.mjs"}, After: text(0, 10)}
		f.addFiles(&record.Load{Exports: test.exports}, test.all)
		if f.After != test.want || len(f.More) != test.more {
			t.Errorf("%s: %d more files beside\n%s", name, len(f.More), f.After)
		}
		if test.more == 1 && f.More[0] != (More{"a/ten-part2.mjs", text(8, 10)}) {
			t.Errorf("%s: %s:\n%s", name, f.More[0].Path, f.More[0].Text)
		}
	}
	if parts := split("export const main = f()"); parts != nil {
		t.Error("code is split")
	}
}
