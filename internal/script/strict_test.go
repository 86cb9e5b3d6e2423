//go:build unix

package script

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

var strictCatalog = flag.String("catalog", "",
	"a further catalog whose tools TestListedToolsSuitClients lists, under --profile community")

var (
	strictName = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]{0,62}$`) // Gemini, and 63 for all
	strictKey  = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)         // OpenAI and Anthropic
)

// strictFaults says what at least one known client or model API refuses in a
// tool of tools/list. One such tool costs the user the whole session.
func strictFaults(tool ordjson.Value) (faults []string) {
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	if name := tool.Get("name").Str(); !strictName.MatchString(name) {
		fault("name %q", name)
	}
	if size := len(ordjson.Text(tool)); size > 100_000 {
		fault("a definition of %d bytes", size)
	}
	input := tool.Get("inputSchema")
	if input.Get("type").Str() != "object" || !input.Get("properties").Is(ordjson.Object) {
		fault("inputSchema is not an object with properties")
	}
	for _, word := range []string{"anyOf", "oneOf", "allOf", "not", "enum", "$ref", "$schema"} {
		if input.Get(word).Exists() {
			fault("%s at the top of inputSchema", word)
		}
	}
	for _, key := range input.Get("required").Elems() {
		if !input.Get("properties").Get(key.Str()).Exists() {
			fault("required key %s has no property", ordjson.Text(key))
		}
	}
	strictSchema("inputSchema", input, fault)
	return faults
}

// strictSchema looks at a schema and those inside it.
func strictSchema(at string, s ordjson.Value, fault func(string, ...any)) {
	types := []string{"object", "string", "number", "integer", "boolean", "array"}
	if !slices.Contains(types, s.Get("type").Str()) {
		fault("%s has type %s", at, ordjson.Text(s.Get("type")))
	}
	if s.Get("type").Str() == "array" && !s.Get("items").Is(ordjson.Object) {
		fault("%s is an array without items", at)
	}
	if enum := s.Get("enum"); enum.Exists() {
		if enum.Len() == 0 {
			fault("%s has an empty enum", at)
		}
		for _, v := range enum.Elems() {
			if !v.Is(ordjson.String) {
				fault("%s has %s in its enum", at, ordjson.Text(v))
			}
		}
	}
	for _, m := range s.Get("properties").Members() {
		if !strictKey.MatchString(m.Key) {
			fault("key %q", m.Key)
		}
		strictSchema(at+"."+m.Key, m.Value, fault)
	}
}

func TestStrictFaults(t *testing.T) {
	tests := []struct{ tool, want string }{
		{`{"name":"ok_1","inputSchema":{"type":"object","properties":{"a-b":{"type":"array","items":{}}},` +
			`"required":["a-b"]}}`, ""},
		{`{"name":"a.b","inputSchema":{"type":"object","properties":{}}}`, `name "a.b"`},
		{`{"name":"` + strings.Repeat("x", 64) + `","inputSchema":{"type":"object","properties":{}}}`, "name"},
		{`{"name":"x","inputSchema":{"type":"object"}}`, "not an object with properties"},
		{`{"name":"x","inputSchema":{"type":"object","properties":{},"anyOf":[]}}`, "anyOf"},
		{`{"name":"x","inputSchema":{"type":"object","properties":{"page[size]":{"type":"number"}}}}`,
			`key "page[size]"`},
		{`{"name":"x","inputSchema":{"type":"object","properties":{"a":{"type":"object",` +
			`"properties":{"$b":{"type":"string"}}}}}}`, `key "$b"`},
		{`{"name":"x","inputSchema":{"type":"object","properties":{"a":{"type":"array"}}}}`, "array without items"},
		{`{"name":"x","inputSchema":{"type":"object","properties":{"a":{}}}}`, "has type"},
		{`{"name":"x","inputSchema":{"type":"object","properties":{"a":{"type":"string","enum":[]}}}}`, "empty enum"},
		{`{"name":"x","inputSchema":{"type":"object","properties":{"a":{"type":"string","enum":[1]}}}}`,
			"1 in its enum"},
		{`{"name":"x","inputSchema":{"type":"object","properties":{},"required":["a"]}}`, `required key "a"`},
		{`{"name":"x","description":"` + strings.Repeat("x", 100_000) +
			`","inputSchema":{"type":"object","properties":{}}}`, "a definition of"},
	}
	for _, tt := range tests {
		v, err := ordjson.Parse(tt.tool)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(strictFaults(v), "; "); tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
			t.Errorf("%.100s: %q, want %q", tt.tool, got, tt.want)
		}
	}
}

// oddKeys is a schema whose keys model APIs refuse.
const oddKeys = `export const main = { namespace: 'odd', name: 'Odd', description: 'Odd keys', version: '4.0.0',
	root: 'https://api.example.com', tools: {
	'/list/:XYZThings': { method: 'GET', path: '/', description: 'Lists', tests: [], parameters: [
		{ position: { key: 'page[number]', value: '{{USER_PARAM}}', location: 'query' },
			z: { primitive: 'number()', options: [] } },
		{ position: { key: '$filter', value: '{{USER_PARAM}}', location: 'query' },
			z: { primitive: 'enum(a,b)', options: [ 'optional()' ] } },
		{ position: { key: 'fl[]', value: '{{USER_PARAM}}', location: 'query' },
			z: { primitive: 'array()', options: [] } },
		{ position: { key: 'Größe', value: '{{USER_PARAM}}', location: 'query' },
			z: { primitive: 'object()', options: [] } } ] } } }
`

// Every tool that is listed suits the strictest of the known clients and model
// APIs. Catalogs that are not ours can be looked at too: -catalog DIR.
func TestListedToolsSuitClients(t *testing.T) {
	odd := t.TempDir()
	if err := os.MkdirAll(filepath.Join(odd, "providers/odd"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(odd, "providers/odd/odd.mjs"), []byte(oddKeys), 0o666); err != nil {
		t.Fatal(err)
	}
	folders := map[string]int{ // and how many tools must be listed at least
		filepath.Join(repo, "testdata/catalog"): 5, filepath.Join(repo, "testdata/script/api"): 5,
		filepath.Join(repo, "testdata/rules"): 10, odd: 1,
	}
	if *strictCatalog != "" {
		folders[*strictCatalog] = 1
	}
	for folder, least := range folders {
		tools := listed(t, folder)
		if len(tools) < least {
			t.Errorf("%s: %d tools are listed, want %d or more", folder, len(tools), least)
		}
		for _, tool := range tools {
			if faults := strictFaults(tool); faults != nil {
				t.Errorf("%s: %s: %s", folder, ordjson.Text(tool.Get("_meta").Get("flowmcp/id")),
					strings.Join(faults, "; "))
			}
		}
		t.Logf("%s: %d tools", folder, len(tools))
	}
}

// listed are the tools that fmcp-serve lists of a folder, none of them hidden.
func listed(t *testing.T, folder string) []ordjson.Value {
	t.Helper()
	dir := t.TempDir()
	command := func(in string, args ...string) []byte {
		cmd := exec.CommandContext(t.Context(), filepath.Join(bin, args[0]), args[1:]...)
		cmd.Dir, cmd.Stdin = dir, strings.NewReader(in)
		out, err := cmd.Output() // a catalog with findings is one: status 1 says nothing here
		if len(out) == 0 {
			t.Fatalf("%s: %v", args, err)
		}
		return out
	}
	catalog := command("", "fmcp-resolve", "--profile", "community", folder)
	keys := map[string]bool{}
	for line := range bytes.Lines(catalog) {
		rec, err := ordjson.Parse(string(line))
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range rec.Get("data").Get("serverParams").Elems() {
			keys[key.Str()] = true
		}
	}
	var env strings.Builder
	for key := range keys {
		env.WriteString(key + "=placeholder\n")
	}
	for name, text := range map[string]string{"keys.env": env.String(), "catalog.ndjson": string(catalog)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out := command(initialize+`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`+"\n", "fmcp-serve", "--env-file",
		"keys.env", "catalog.ndjson")
	_, second, _ := bytes.Cut(out, []byte("\n"))
	answer, err := ordjson.Parse(string(second))
	if err != nil || answer.Get("result").Get("nextCursor").Exists() {
		t.Fatalf("%s: tools/list answered %.200s, %v", folder, second, err)
	}
	return answer.Get("result").Get("tools").Elems()
}
