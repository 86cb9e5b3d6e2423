package stage

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// Untrusted schemas that are short, and would take minutes or all memory to
// judge, if what is in them were multiplied with itself.
func TestHostileSchemas(t *testing.T) {
	const many = 15_000
	list := func(format string) string {
		var b strings.Builder
		for i := range many {
			fmt.Fprintf(&b, strings.ReplaceAll(format, "#", "%[1]d"), i)
		}
		return b.String()
	}
	const head = "export const main = { namespace: 'evil', name: 'Evil', description: 'd', version: '4.2.0', root: " +
		"'https://example.com', "
	tool := func(rest string) string {
		return head + "tools: { a: { method: 'GET', path: '/', description: 'd', " + rest + " } } }"
	}
	dir := t.TempDir()
	for name, src := range map[string]string{
		"commas": tool("parameters: [{ position: { key: 'k', value: '{{USER_PARAM}}', location: 'query' }, z: { " +
			"primitive: 'enum(" + strings.Repeat(",", many) + ")', options: [] } }], tests: []"),
		"options": tool("parameters: [{ position: { key: 'k', value: '{{USER_PARAM}}', location: 'query' }, z: { " +
			"primitive: 'string()', options: [" + list("'mni(#)',") + "] } }], tests: []"),
		"fields": tool(list("x#: 1, ") + "parameters: [], tests: []"),
		"tests":  tool("parameters: [], tests: [{ _description: 'd', " + list("q#: 1, ") + "}]"),
		"keywords": tool("parameters: [], tests: [], output: { mimeType: 'application/json', schema: { type: " +
			"'object', " + list("k#: 1, ") + "} }"),
		"headers": head + "requiredServerParams: [" + list("'K_#', ") + "], headers: {" + list("h#: '{{X_#}}', ") +
			"}, tools: {} }",
		"tools": head + "tools: { " + list("t#: {}, ") + "} }",
		"entries": "export const list = { meta: { name: 'entries', version: '1.0.0', description: 'd', dependsOn: []," +
			" fields: [" + list("{ key: 'k#', type: 'string', description: 'd' }, ") + "] }, entries: [" +
			list("{ x#: 1 }, ") + "] }",
	} {
		if err := os.WriteFile(filepath.Join(dir, name+".mjs"), []byte(src), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	found := map[string]int{}
	err := Run(context.Background(), Options{Jobs: 2}, Walk([]string{dir}, walk.Options{}, nil),
		append(Loading("test"), Validate(ValidateOptions{})...), func(it *Item) error {
			if d, ok := it.Rec.(*record.Diagnostic); ok {
				found[strings.TrimSuffix(filepath.Base(d.Loc.Path), ".mjs")]++
			}
			return nil
		}, func() error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"commas", "options"} {
		if found[name] == 0 || found[name] > 100 {
			t.Errorf("%s: %d findings, expected some, and at most 100", name, found[name])
		}
	}
	for _, name := range []string{"fields", "tests", "entries", "keywords", "headers", "tools"} {
		if found[name] < rules.MaxFindings || found[name] > rules.MaxFindings+2 {
			t.Errorf("%s: %d findings, expected %d, and what counts the others", name, found[name], rules.MaxFindings)
		}
	}
}
