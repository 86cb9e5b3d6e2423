//go:build unix

package script

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCatalogWrittenOver: a server goes on with the catalog that it has read where
// what takes its place is none, and where its file is written over.
func TestCatalogWrittenOver(t *testing.T) {
	dir, _, flags := apiFolder(t)
	name, old := filepath.Join(dir, "api.ndjson"), filepath.Join(dir, "old.ndjson")
	p := start(t, dir, append([]string{"fmcp-serve", "api.ndjson"}, flags...)...)
	p.write(initialize)
	p.line()
	text, err := os.ReadFile(name)
	if err == nil {
		err = os.Link(name, old)
	}
	if err == nil {
		err = os.WriteFile(name+".new", []byte("{}\n"), 0o600)
	}
	if err == nil {
		err = os.Rename(name+".new", name)
	}
	if err != nil {
		t.Fatal(err)
	}
	p.write(call(1, "echo_api", `{"id":"a"}`))
	if got := p.line(); !strings.Contains(got, `\"status\":true`) {
		t.Errorf("after the file was replaced: %s", got)
	}
	over := strings.ReplaceAll(string(text), `"path":"/`, `"path":"x`)
	if err := os.WriteFile(old, []byte(over), 0o600); err != nil {
		t.Fatal(err)
	}
	p.write(call(2, "send_api", `{"to":{"a":1}}`))
	if got := p.line(); !strings.Contains(got, `\"status\":true`) {
		t.Errorf("after the file was written over: %s", got)
	}
	if _, status := p.end(); status != 0 {
		t.Errorf("status %d", status)
	}
}
