package edit

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

func parse(t testing.TB, text string) ordjson.Value {
	t.Helper()
	v, err := ordjson.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

const output = `{"mimeType":"application/json","schema":{"type":"object","properties":{"it's":{"type":"string",` +
	`"description":"","nullable":true},"list":{"type":"array","description":"","items":{"type":"number"}}}}}`

// The block that output becomes, in the style of the specification, indented by
// eight spaces.
const block = `output: {
            mimeType: 'application/json',
            schema: {
                type: 'object',
                properties: {
                    'it\'s': { type: 'string', description: '', nullable: true },
                    list: {
                        type: 'array',
                        description: '',
                        items: { type: 'number' }
                    }
                }
            }
        }`

func TestPatch(t *testing.T) {
	tests := []struct{ name, before, after string }{
		{"after tests", "export const main = {\n  tools: {\n    a: {\n        parameters: [],\n" +
			"        tests: [ { _description: 'x' } ], // three more\n        meta: {}\n    }\n  }\n}\n",
			"export const main = {\n  tools: {\n    a: {\n        parameters: [],\n" +
				"        tests: [ { _description: 'x' } ], // three more\n        " + block +
				",\n        meta: {}\n    }\n  }\n}\n"},
		{"as the last", "export const main = { tools: {\n    a: {\n        method: 'GET', // c\n" +
			"        parameters: [] /* p */ // q\n    }\n} }",
			"export const main = { tools: {\n    a: {\n        method: 'GET', // c\n" +
				"        parameters: [], /* p */ // q\n        " + block + "\n    }\n} }"},
		{"with a comma after the last", "export const main = { tools: {\n    a: {\n        tests: [],\n    },\n} }\n",
			"export const main = { tools: {\n    a: {\n        tests: [],\n        " + trailing(block) +
				",\n    },\n} }\n"},
		{"in the place of the old",
			"export const main = { routes: {\n    a: {\n        output: { mimeType: 'text/plain', /* gone */ schema: " +
				"{} } /* stays */, // too\n        tests: []\n    },\n    b: { method: 'GET' }\n} }\n",
			"export const main = { routes: {\n    a: {\n        " + block +
				" /* stays */, // too\n        tests: []\n    },\n    b: { method: 'GET' }\n} }\n"},
		{"of a constant", "const output = {}\nexport const main = { tools: {\n    a: {\n        output,\n" +
			"        method: 'GET'\n    }\n} }\n",
			"const output = {}\nexport const main = { tools: {\n    a: {\n        " + block +
				",\n        method: 'GET'\n    }\n} }\n"},
		{"the last of two", "export const main = { tools: {\n    a: {\n        output: 1,\n" +
			"        'output': 'x' + 'y'\n    }\n} }\n",
			"export const main = { tools: {\n    a: {\n        output: 1,\n        'output': " +
				strings.TrimPrefix(quoteKeys.ReplaceAllString(block, "'$1':"), "'output': ") + "\n    }\n} }\n"},
		{"a tool of a constant", "const all = {\n    a: {\n        method: 'GET'\n    }\n}\n" +
			"export const main = { tools: all }\n",
			"const all = {\n    a: {\n        method: 'GET',\n        " + block +
				"\n    }\n}\nexport const main = { tools: all }\n"},
		{"Windows", "export const main = { tools: {\r\n    a: {\r\n        tests: []\r\n    }\r\n} }\r\n",
			strings.ReplaceAll("export const main = { tools: {\n    a: {\n        tests: [],\n        "+block+
				"\n    }\n} }\n", "\n", "\r\n")},
		{"double quotes", "export const main = { tools: {\n    a: {\n        method: \"GET\"\n    }\n} }\n",
			"export const main = { tools: {\n    a: {\n        method: \"GET\",\n        " +
				strings.NewReplacer(`'it\'s'`, `"it's"`, "'", `"`).Replace(block) + "\n    }\n} }\n"},
		{"a comment of two lines", "export const main = { tools: {\n    a: {\n        method: 'GET' /* one\n" +
			"        two */\n    }\n} }\n",
			"export const main = { tools: {\n    a: {\n        method: 'GET', " + block +
				" /* one\n        two */\n    }\n} }\n"},
		{"in one line", "export const main = { tools: {\n        a: { path: '/', tests: [], method: 'GET' }\n} }\n",
			"export const main = { tools: {\n        a: { path: '/', tests: [], " + block + ", method: 'GET' }\n} }\n"},
		{"in one line, as the last", "export const main = { tools: {\n        a: { path: '/', tests: [], }\n} }\n",
			"export const main = { tools: {\n        a: { path: '/', tests: [], " + trailing(block) + " }\n} }\n"},
		{"in one line, no comma", "export const main = { tools: {\n        a: { path: '/' }\n} }\n",
			"export const main = { tools: {\n        a: { path: '/', " + block + " }\n} }\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := patched(t, tt.before, "a")
			if got != tt.after {
				t.Errorf("got\n%s\nwant\n%s", got, tt.after)
			}
			// What is right already stays as it is.
			if again := patched(t, got, "a"); again != got {
				t.Errorf("patched again:\n%s", again)
			}
		})
	}
}

// quoteKeys finds the keys that are names.
var quoteKeys = regexp.MustCompile(`(\b[a-zA-Z]+):`)

// trailing is the block with commas after the last members.
func trailing(block string) string {
	var lines []string
	for line := range strings.SplitSeq(block, "\n") {
		if last := line[len(line)-1]; len(lines) > 0 && last != ',' && last != '{' {
			line += ","
		}
		lines = append(lines, line)
	}
	return strings.TrimSuffix(strings.Join(lines, "\n"), ",")
}

func patched(t *testing.T, before string, tools ...string) string {
	t.Helper()
	s, err := ReadSource(before, "main")
	if err != nil {
		t.Fatal(err)
	}
	key := "tools"
	if s.Value().Get("routes").Exists() {
		key = "routes"
	}
	var edits []Edit
	for _, name := range tools {
		edits = append(edits, Edit{ordjson.Pointer(key, name), parse(t, output)})
	}
	after, err := s.Patch(edits)
	if err != nil {
		t.Fatal(err)
	}
	return after
}

func TestPatchStyle(t *testing.T) {
	after := patched(t, "export const main = {\n\t\"tools\": {\n\t\t\"a\": {\n\t\t\t\"method\": \"GET\"\n\t\t}\n"+
		"\t}\n}\n", "a")
	for _, want := range []string{"\t\t\t\"method\": \"GET\",\n\t\t\t\"output\": {\n" +
		"\t\t\t\t\"mimeType\": \"application/json\",\n",
		"\t\t\t\t\t\t\"it's\": { \"type\": \"string\", \"description\": \"\", \"nullable\": true },\n"} {
		if !strings.Contains(after, want) {
			t.Errorf("%s\n has no %q", after, want)
		}
	}
}

func TestPatchEmptyTool(t *testing.T) {
	after := patched(t, "export const main = { tools: { a: {} } }", "a")
	if want := "a: { output: {\n"; !strings.Contains(after, want) {
		t.Errorf("%s\n has no %q", after, want)
	}
}

func TestPatchRefuses(t *testing.T) {
	tests := []struct{ src, want string }{
		{"export const main = { tools: { a: { path: f() } } }",
			"line 1, column 43: main is made by code: the name `f` is not literal data"},
		{"export const main = { tools: {", "unexpected end of file"},
		{"export const schema = {}", "the file does not export main"},
		{"export const main = { tools: { b: {} } }", "main.tools.a: there is no such tool"},
		{"const x = { path: '/' }\nexport const main = { tools: { a: x, b: x } }", "cannot be edited safely"},
		{"const x = { output: {} }\nexport const main = { tools: { a: x, b: x } }", "cannot be edited safely"},
	}
	for _, tt := range tests {
		s, err := ReadSource(tt.src, "main")
		if err == nil {
			_, err = s.Patch([]Edit{{"/tools/a", parse(t, output)}})
		}
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.src, err, tt.want)
		}
	}
}

func TestPatchRenewsSchemaHash(t *testing.T) {
	src := "export const main = {\n    schemaHash: 'HASH',\n    tools: {\n        a: {\n            method: 'GET'\n" +
		"        }\n    }\n}\n"
	s, err := ReadSource(src, "main")
	if err != nil {
		t.Fatal(err)
	}
	right := strings.Replace(src, "HASH", record.SchemaHash(s.Value()), 1)
	after, err := ReadSource(patched(t, right, "a"), "main")
	if err != nil {
		t.Fatal(err)
	}
	if got := after.Value().Get("schemaHash").Str(); got != record.SchemaHash(after.Value()) {
		t.Errorf("schemaHash is %s, the hash of main is %s", got, record.SchemaHash(after.Value()))
	}
	if wrong := patched(t, src, "a"); !strings.Contains(wrong, "'HASH'") {
		t.Error("a hash that was wrong before was changed")
	}
	constant := "const h = '" + record.SchemaHash(s.Value()) + "'\n" + strings.Replace(src, "'HASH'", "h", 1)
	if got := patched(t, constant, "a"); !strings.Contains(got, "schemaHash: '") ||
		!strings.HasPrefix(got, constant[:20]) {
		t.Errorf("hash from a constant:\n%s", got)
	}
}

// patch(1), git and a reading of the diff by its definition make the same file
// of it.
func TestDiff(t *testing.T) {
	for _, before := range []string{
		"// head\nexport const main = {\n    tools: {\n        a: {\n            method: 'GET'\n        },\n\n" +
			"        // b\n        b: {\n            method: 'GET',\n            output: {}\n        }\n    }\n}\n",
		"export const main = { tools: { a: { method: 'GET' }, b: { method: 'GET' } } }",
		"export const main = {\r\n    tools: {\r\n        a: {\r\n            method: 'GET'\r\n        },\r\n" +
			"        b: { method: 'GET' }\r\n    }\r\n}\r\n",
	} {
		for _, path := range []string{"providers/x/a.mjs", "with space.mjs", "ü.mjs"} {
			after := patched(t, before, "a", "b")
			diff, err := Diff(path, before, after)
			if err != nil {
				t.Fatal(err)
			}
			if got := apply(t, before, diff); got != after {
				t.Errorf("%s applied by hand:\n%q\nwant\n%q\n%s", path, got, after, diff)
			}
			for _, command := range [][]string{{"patch", "-p1", "--no-backup-if-mismatch"}, {"git", "apply", "-"}} {
				if _, err := exec.LookPath(command[0]); err == nil {
					if got := applied(t, command, path, before, diff); got != after {
						t.Errorf("%s applied by %s:\n%q\nwant\n%q\n%s", path, command[0], got, after, diff)
					}
				}
			}
		}
	}
	if diff, err := Diff("a.mjs", "x", "x"); diff != "" || err != nil {
		t.Errorf("no change: %q, %v", diff, err)
	}
	for _, path := range []string{"", "/etc/x", "../x", "a/../x", "a\nb", "a\x1bb", `a"b`, "a//b", "./a"} {
		if diff, err := Diff(path, "a", "b"); err == nil {
			t.Errorf("the path %q was accepted: %s", path, diff)
		}
	}
}

func applied(t *testing.T, command []string, path, before, diff string) string {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(before), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(diff)
	cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s\n%s", command[0], err, out, diff)
	}
	after, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(after)
}

// apply makes the changes of a unified diff, and checks what it says of the
// text before.
func apply(t *testing.T, before, diff string) string {
	t.Helper()
	old := strings.SplitAfter(before, "\n")
	var out strings.Builder
	done := 0
	lines := strings.SplitAfter(diff, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "@@ ") {
			start, _, _ := strings.Cut(strings.Fields(line)[1][1:], ",")
			n, err := strconv.Atoi(start)
			if err != nil {
				t.Fatal(err)
			}
			for ; done < n-1; done++ {
				out.WriteString(old[done])
			}
			continue
		}
		if line == "" || !strings.ContainsAny(line[:1], " -+") || strings.HasPrefix(line, "--- ") ||
			strings.HasPrefix(line, "+++ ") {
			continue
		}
		text := line[1:]
		if strings.HasPrefix(lines[i+1], `\`) {
			text = strings.TrimSuffix(text, "\n")
		}
		if line[0] != '+' {
			if old[done] != text {
				t.Fatalf("line %d is %q, the diff has %q", done+1, old[done], text)
			}
			done++
		}
		if line[0] != '-' {
			out.WriteString(text)
		}
	}
	for ; done < len(old); done++ {
		out.WriteString(old[done])
	}
	return out.String()
}

// A source of any kind is patched rightly or refused.
func FuzzPatch(f *testing.F) {
	for _, src := range []string{
		"export const main = { tools: { a: { method: 'GET' } } }",
		"const x = { output: {} }\nexport const main = { tools: { a: x } }",
		"export const main = {\n  tools: {\n    a: {\n      tests: [], // c\n" +
			"      /* d */ output: { a: '}' } /* e */,\n    },\n  },\n}",
		"const output = 1\nexport const main = { tools: { a: { output, x: `}` } } }",
		"export const main = { schemaHash: '00000000', tools: { 'a': { \"output\": 'a' + 'b' } } }",
	} {
		f.Add(src)
	}
	out := parse(f, output)
	f.Fuzz(func(t *testing.T, src string) {
		s, err := ReadSource(src, "main")
		if err != nil {
			return
		}
		text, err := s.Patch([]Edit{{"/tools/a", out}})
		if err != nil {
			return
		}
		after, err := ReadSource(text, "main")
		if err != nil {
			t.Fatalf("%v\n%q", err, text)
		}
		if got := lookup(after.Value(), "/tools/a/output"); !ordjson.Equal(got, out) {
			t.Errorf("output is %s\n%q", ordjson.Text(got), text)
		}
		if _, err := Diff("a.mjs", src, text); err != nil {
			t.Error(err)
		}
	})
}
