package openapi

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/pkg/module"
)

const head = "openapi: 3.1.0\ninfo: { title: T, version: '1' }\nservers: [ { url: https://a.example } ]\n"

// What has no end, or is larger than any description of an API, is refused or cut.
func TestHostileDocuments(t *testing.T) {
	bomb := "x: &x0 [a,a,a,a,a,a,a,a,a,a]\n"
	for i := range 9 {
		bomb += fmt.Sprintf("x%d: &x%d [*x%d,*x%[3]d,*x%[3]d,*x%[3]d,*x%[3]d,*x%[3]d,*x%[3]d,*x%[3]d]\n", i+1, i+1, i)
	}
	many := strings.Builder{}
	for i := range maxOperations + 1 {
		fmt.Fprintf(&many, "  /p%d: { get: {} }\n", i)
	}
	const ref = "{ $ref: '#/components/schemas/A' }"
	cycle := "  /a: { post: {\n" +
		"    requestBody: { content: { application/json: { schema: " + ref + " } } },\n" +
		"    responses: { '200': { content: { application/json: { schema: " + ref + " } } } } } }\n" +
		"components: { schemas: {\n" +
		"  A: { type: object, allOf: [ " + ref + ", { oneOf: [ " + ref + ", " + ref + " ] } ],\n" +
		"    properties: { a: " + ref + " } } } }\n"
	tests := []struct{ name, source, want string }{
		{"aliases", head + bomb + "paths: { /a: { get: { parameters: [ { name: a, in: query, example: *x9 } ] } } }\n",
			""},
		{"deep", head + "x: " + strings.Repeat("[", 100_000) + "\npaths: { /a: { get: {} } }\n", "is not an OpenAPI"},
		{"many operations", head + "paths:\n" + many.String(),
			"5001 operations are too many for one import"},
		{"schemas that contain themselves", head + "paths:\n" + cycle, ""},
		{"path of itself", head + "paths: { /a: { $ref: '#/paths/~1a' } }\n", ""},
		{"empty", "", "is not an OpenAPI document"},
		{"bytes", "\x00\xff", "is not an OpenAPI document"},
		{"number", "openapi: 3\npaths: {}\n", ""},
		{"version 4", "openapi: 4.0.0\npaths: { /a: { get: {} } }\n", `is of OpenAPI version "4.0.0", expected 3.0`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			start := time.Now()
			d, err := parse("test.yaml", "/test.yaml", []byte(tt.source), nil)
			if err == nil {
				_, err = d.Import(Options{})
			}
			if tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
			if spent := time.Since(start); spent > 20*time.Second {
				t.Errorf("it took %v", spent)
			}
		})
	}
}

func TestLargeDocument(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.yaml")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(maxBytes + 1); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(name); err == nil || !strings.Contains(err.Error(), "larger than 64 MiB") {
		t.Errorf("got %v", err)
	}
}

// Whatever is imported is a module that can be read, and nothing panics.
func FuzzImport(f *testing.F) {
	for _, name := range []string{"harbours.yaml", "parts.yaml"} {
		source, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(source))
	}
	f.Add(`{"openapi":"3.0.3","info":{},"servers":[{"url":"https://a.example"}],"paths":{"/a":{"get":{}}}}`)
	f.Fuzz(func(t *testing.T, source string) {
		references("a/b.yaml", []byte(source))
		d, err := parse("a.yaml", "/a.yaml", []byte(source), nil)
		if err != nil {
			return
		}
		r, err := d.Import(Options{Namespace: "a", Root: "https://a.example"})
		if err != nil {
			return
		}
		for _, file := range r.Files {
			if _, err := module.Read(file.Text); err != nil {
				t.Fatalf("%v\n%s", err, file.Text)
			}
		}
	})
}
