package openapi

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/record"
)

// importOf imports a document that begins as all do.
func importOf(t *testing.T, paths string) *Result {
	t.Helper()
	source := "openapi: 3.1.0\ninfo: { title: Test, version: '1' }\n" +
		"servers: [ { url: https://api.test.example } ]\n" + paths
	d, err := parse("test.yaml", "/test.yaml", []byte(source), nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := d.Import(Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func text(r *Result) string {
	var b strings.Builder
	for _, f := range r.Files {
		b.WriteString(f.Text)
	}
	return b.String()
}

func TestParameters(t *testing.T) {
	tests := []struct{ name, parameter, want, finding string }{
		{"limits", "{ name: n, in: query, schema: { type: integer, minimum: 1, maximum: 9 } }",
			"primitive: 'number()', options: ['min(1)', 'max(9)', 'optional()']", ""},
		{"open limits of 3.1", "{ name: n, in: query, schema: { type: integer, exclusiveMinimum: 1 } }",
			"options: ['min(2)', 'optional()']", ""},
		{"open limits of 3.0", "{ name: n, in: query, schema: { type: integer, maximum: 9, exclusiveMaximum: true } }",
			"options: ['max(8)', 'optional()']", ""},
		{"open limit of a number", "{ name: n, in: query, schema: { type: number, exclusiveMinimum: 1 } }",
			"options: ['min(1)', 'optional()']", "is not checked for an exclusive min"},
		{"lengths", "{ name: s, in: query, schema: { type: string, minLength: 2, maxLength: 2 } }", "length(2)", ""},
		{"default", "{ name: s, in: query, schema: { type: string, default: desc } }",
			"options: ['default(desc)']", ""},
		{"a default that z refuses", "{ name: n, in: query, schema: { type: integer, maximum: 5, default: 9 } }",
			"options: ['max(5)', 'optional()']", ""},
		{"enum", "{ name: e, in: query, required: true, schema: { enum: [a, b] } }", "primitive: 'enum(a,b)'", ""},
		{"enum of numbers", "{ name: e, in: query, schema: { type: integer, enum: [1, 5] } }",
			"primitive: 'enum(1,5)'", ""},
		{"enum with a comma", "{ name: e, in: query, schema: { type: string, enum: ['a,b', c] } }",
			"One of a,b, c.", "is not checked for its values"},
		{"one value", "{ name: e, in: query, required: true, schema: { const: x1 } }", "value: 'x1'", ""},
		{"types of 3.1", "{ name: s, in: query, schema: { type: [string, 'null'] } }", "primitive: 'string()'", ""},
		{"several types", "{ name: s, in: query, schema: { anyOf: [ { type: integer }, { type: string } ] } }",
			"primitive: 'string()'", ""},
		{"date", "{ name: d, in: query, schema: { type: string, format: date } }", "A date such as 2024-01-31.", ""},
		{"pattern", "{ name: s, in: query, schema: { type: string, pattern: '^a' } }", "string()", "for a pattern"},
		{"list with commas", "{ name: l, in: query, explode: false, schema: { type: array } }", "'array()'", ""},
		{"object", "{ name: o, in: query, schema: { type: object } }", "parameters: []",
			"was left out: it is an object"},
		{"cookie", "{ name: c, in: cookie, schema: { type: string } }", "parameters: []", `is in a "cookie"`},
		{"header", "{ name: X-A, in: header, schema: { type: string } }", "parameters: []", "it is a header"},
		{"header with a value", "{ name: X-A, in: header, schema: { const: v } }",
			"headers: { 'X-A': 'v' }", "is always sent with"},
		{"header that must be", "{ name: X-A, in: header, required: true, schema: { type: string } }",
			"'X-A': '{{SERVER_PARAM:TEST_A}}'", "became a server parameter"},
		{"what a list holds", "{ name: l, in: query, schema: { type: array, items: { enum: [a, b] } } }",
			"Each is of type string, one of a, b.", "is not checked for its contents"},
		{"named as a key", "{ name: apiKey, in: query, schema: { type: string } }", "'{{USER_PARAM}}'",
			"has the name of a key"},
		{"braces", "{ name: s, in: query, description: 'a {{b}}', schema: { type: string } }", "a { {b} }", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := importOf(t, "paths:\n  /a:\n    get:\n      parameters:\n        - "+tt.parameter+"\n")
			if got := text(r); !strings.Contains(got, tt.want) {
				t.Errorf("want %s in\n%s", tt.want, got)
			}
			has := slices.ContainsFunc(r.Findings, func(d *record.Diagnostic) bool {
				return tt.finding != "" && strings.Contains(d.Message, tt.finding)
			})
			none := !slices.ContainsFunc(r.Findings, func(d *record.Diagnostic) bool {
				return strings.HasPrefix(d.Loc.Pointer, "/paths/~1a/get/parameters")
			})
			if tt.finding == "" && !none || tt.finding != "" && !has {
				t.Errorf("want the finding %q, got %v", tt.finding, messages(r))
			}
		})
	}
}

func messages(r *Result) (list []string) {
	for _, d := range r.Findings {
		list = append(list, d.Loc.Pointer+" "+d.Message)
	}
	return list
}

func TestOperationsLeftOut(t *testing.T) {
	tests := []struct{ name, operation, want string }{
		{"method", "patch: {}", "has no method PATCH"},
		{"required cookie", "get: { parameters: [ { name: c, in: cookie, required: true } ] }",
			`parameter "c" is in a`},
		{"list as body", "post: { requestBody: { content: { application/json: { schema: { type: array } } } } }",
			"its body is not an object"},
		{"file", "post: { requestBody: { content: { multipart/form-data: { schema: { type: object } } } } }",
			"its body is multipart/form-data"},
		{"body of DELETE", "delete: { requestBody: { required: true, content: { application/json: {} } } }",
			"cannot be sent by DELETE"},
		{"unknown scheme", "get: { security: [ { no: [] } ] }", `its authorization "no" is not in`},
		{"schema that is not there", "get: { parameters: [ { name: q, in: query, schema: { $ref: '#/no' } } ] }",
			`it refers to "#/no", which cannot be found`},
		{"parameter that is not there", "get: { parameters: [ { $ref: '#/no' } ] }", `it refers to "#/no"`},
		{"answer that is not there", "get: { responses: { '200': { $ref: '#/no' } } }", `it refers to "#/no"`},
		{"another machine", "get: { parameters: [ { $ref: 'https://b.example/p.yaml#/p' } ] }",
			`it refers to "https://b.example/p.yaml#/p", which is not in the folder of the document`},
		{"another folder", "get: { parameters: [ { $ref: '../p.yaml#/p' } ] }", `it refers to "../p.yaml#/p"`},
		{"server", "get: { servers: [ { url: /relative } ] }", `its server "/relative" is not a URL`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := importOf(t, "paths:\n  /ok: { get: {} }\n  /a: { "+tt.operation+" }\n")
			if r.Tools != 1 || r.Operations != 2 || !strings.Contains(strings.Join(messages(r), "\n"), tt.want) {
				t.Errorf("%d tools, want the finding %q, got %v", r.Tools, tt.want, messages(r))
			}
		})
	}
}

// A tag with more than eight operations becomes several schemas of about one size, and
// no two tools have one name.
func TestManyOperations(t *testing.T) {
	var b strings.Builder
	b.WriteString("paths:\n")
	for i := range 17 {
		b.WriteString("  /p" + strings.Repeat("x", i) + ": { get: { tags: [Some things], operationId: get it } }\n")
	}
	r := importOf(t, b.String())
	if len(r.Files) != 3 || r.Files[2].Path != "providers/test/some-things-3.mjs" {
		t.Fatalf("%d files: %v", len(r.Files), r.Files[len(r.Files)-1].Path)
	}
	for _, name := range []string{"getIt:", "getIt2:", "getIt17:"} {
		if strings.Count(text(r), name) != 1 {
			t.Errorf("want %s once", name)
		}
	}
	for _, f := range r.Files {
		if n := strings.Count(f.Text, "method:"); n < 5 || n > 6 {
			t.Errorf("%s has %d tools", f.Path, n)
		}
	}
}

// No reference leads out of the folder of the document, by dots or by a link, or to
// another machine.
func TestReferencesStayInside(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("secret.yaml", "p: { name: secret, in: query, schema: { type: string } }")
	write("api/parts/near.yaml", "p: { name: near, in: query, schema: { $ref: 'more.yaml#/s' } }")
	write("api/parts/more.yaml", "s: { type: integer }")
	if err := os.Symlink("../secret.yaml", filepath.Join(dir, "api/link.yaml")); err != nil {
		t.Fatal(err)
	}
	for ref, want := range map[string]string{"parts/near.yaml#/p": "'near'", "../secret.yaml#/p": "",
		"link.yaml#/p": "",
		filepath.Join(dir, "secret.yaml") + "#/p": "", "https://127.0.0.1:1/x.yaml#/p": "", "no.yaml#/p": ""} {
		write("api/openapi.yaml", "openapi: 3.0.0\ninfo: {}\nservers: [ { url: https://a.example } ]\npaths:\n"+
			"  /a: { get: { parameters: [ { $ref: '"+ref+"' } ] } }\n")
		d, err := Open(filepath.Join(dir, "api/openapi.yaml"))
		if err != nil {
			t.Fatal(ref, err)
		}
		r, err := d.Import(Options{})
		if err != nil {
			t.Fatal(ref, err)
		}
		if got := text(r); strings.Contains(got, "secret") || want != "" && !strings.Contains(got, want) {
			t.Errorf("%s: %s", ref, got)
		}
		if want == "" && len(messages(r)) == 0 {
			t.Errorf("%s: nothing is said", ref)
		}
	}
}
