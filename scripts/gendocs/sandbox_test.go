package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/record"
)

// schemaAt is a schema with the hash that its main has, or with a wrong one.
func schemaAt(t *testing.T, address, description string, right bool) string {
	t.Helper()
	text := "export const main = {\n    schemaHash: '00000000',\n    root: 'https://" + address +
		"',\n    description: '" + description + "'\n}\n"
	if !right {
		return text
	}
	source, err := edit.ReadSource(text, "main")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Replace(text, "00000000", record.SchemaHash(source.Value()), 1)
}

// The hash of a schema that a command makes or changes at the port of the run is the
// hash at the address of the page; what was wrong before stays wrong.
func TestRunKeepsHashesTrue(t *testing.T) {
	const port = "localhost:1"
	t.Setenv("UPSTREAM", port)
	box := &sandbox{dir: t.TempDir(), env: os.Environ()}
	outside := filepath.Join(t.TempDir(), "made.mjs")
	files := map[string]string{
		outside:                              schemaAt(t, port, "new", true),
		filepath.Join(box.dir, "right.mjs"):  schemaAt(t, pageAddress, "old", true),
		filepath.Join(box.dir, "wrong.mjs"):  schemaAt(t, pageAddress, "old", false),
		filepath.Join(box.dir, "untold.mjs"): schemaAt(t, pageAddress, "same", true),
	}
	for path, text := range files {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, err := box.run("cp " + outside + " . && sed -i s/old/changed/ *.mjs && grep -c " + pageAddress + " made.mjs")
	if err != nil || out != "1\n" {
		t.Fatalf("printed %q, %v", out, err)
	}
	for name, want := range map[string]string{
		"made.mjs":   schemaAt(t, pageAddress, "new", true),
		"right.mjs":  schemaAt(t, pageAddress, "changed", true),
		"wrong.mjs":  schemaAt(t, pageAddress, "changed", false),
		"untold.mjs": schemaAt(t, pageAddress, "same", true),
	} {
		if got, err := os.ReadFile(filepath.Join(box.dir, name)); err != nil || string(got) != want {
			t.Errorf("%s: %v\n%s\nexpected\n%s", name, err, got, want)
		}
	}
}
