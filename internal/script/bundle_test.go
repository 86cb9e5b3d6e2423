//go:build unix

package script

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// A bundle is started as clients do it, by its manifest alone, and serves the tools
// of its catalog with the key that the user gave; the bytes are the same each time.
func TestBundleStarts(t *testing.T) {
	dir, _, _ := apiFolder(t)
	for _, name := range []string{"a.mcpb", "b.mcpb"} {
		if out, status := start(t, dir, "fmcp-serve", "bundle", "api.ndjson", name, "--only", "api/tool/e*",
			"--timeout", "5s").end(); status != 0 || out != "" {
			t.Fatalf("%s: status %d, %s", name, status, out)
		}
	}
	a, errA := os.ReadFile(filepath.Join(dir, "a.mcpb"))
	b, errB := os.ReadFile(filepath.Join(dir, "b.mcpb"))
	if errA != nil || errB != nil || !bytes.Equal(a, b) {
		t.Fatalf("%v, %v, or not the same bytes", errA, errB)
	}
	at := unpack(t, a)
	text, err := os.ReadFile(filepath.Join(at, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := ordjson.Parse(strings.ReplaceAll(string(text), "${__dirname}", at))
	if err != nil {
		t.Fatal(err)
	}
	config, _ := ordjson.Lookup(manifest, "/server/mcp_config")
	var args []string
	for _, arg := range config.Get("args").Elems() {
		args = append(args, arg.Str())
	}
	cmd := exec.CommandContext(t.Context(), config.Get("command").Str(), args...)
	cmd.Dir = t.TempDir()
	for _, v := range config.Get("env").Members() {
		value := strings.ReplaceAll(v.Value.Str(), "${user_config.PARCELBIRD_TOKEN}", "given")
		cmd.Env = append(cmd.Env, v.Key+"="+value)
	}
	cmd.Stdin = strings.NewReader(initialize + `{"jsonrpc":"2.0","id":1,"method":"tools/list"}` + "\n")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), `"name":"echo_api"`) || strings.Contains(string(out), "send_api") {
		t.Errorf("%v: %s", err, out)
	}
}

// unpack unpacks a bundle into a folder.
func unpack(t *testing.T, data []byte) string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, text, f.Mode()); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
