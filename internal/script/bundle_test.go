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
// of its catalog with the key that the user gave.
func TestBundleStarts(t *testing.T) {
	dir, _, _ := apiFolder(t)
	at, _ := bundled(t, dir, "api.ndjson", "a.mcpb", "--only", "api/tool/e*", "--timeout", "5s")
	out := startBundle(t, at, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	if !strings.Contains(out, `"name":"echo_api"`) || strings.Contains(out, "send_api") {
		t.Errorf("it lists %s", out)
	}
}

// The data of resources that lies beside the schemas is in the bundle, and found.
func TestBundleHasData(t *testing.T) {
	dir := t.TempDir()
	at, notes := bundled(t, dir, filepath.Join(repo, "testdata/catalog"), "a.mcpb", "--only", "tidewatch/resource/*",
		"--only", "ostermoor/resource/*", "--binary", standIn(t, dir))
	const absent = "1 resource without data, whose files are not in the bundle: ostermoor/resource/timetable\n"
	if !strings.Contains(notes, absent) {
		t.Fatal(notes)
	}
	out := startBundle(t, at, call(1, "read_handbook_tidewatch", `{}`))
	if !strings.Contains(out, `"id":1,"result":{"content":[{"type":"text"`) || strings.Contains(out, `"isError":true`) {
		t.Errorf("the handbook: %s", out)
	}
}

// An agent in a bundle goes through its steps, and is served.
func TestBundleOfAgent(t *testing.T) {
	dir := t.TempDir()
	at, _ := bundled(t, dir, filepath.Join(repo, "testdata/catalog"), "a.mcpb", "--agent", "harbour-master",
		"--binary", standIn(t, dir))
	out := startBundle(t, at, `{"jsonrpc":"2.0","id":1,"method":"prompts/list"}`)
	if !strings.Contains(out, `"name":"harbour-master/skill/storm-check"`) {
		t.Errorf("it has %s", out)
	}
}

// standIn is the start of the command, for bundles of which one test is enough to show
// that they have all of it: to pack it takes long under the race detector.
func standIn(t *testing.T, dir string) string {
	t.Helper()
	f, err := os.Open(filepath.Join(bin, "fmcp-serve"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	head := make([]byte, 64)
	if _, err := io.ReadFull(f, head); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "stand-in")
	if err := os.WriteFile(name, head, 0o755); err != nil {
		t.Fatal(err)
	}
	return name
}

// bundled makes the bundle a.mcpb, and returns where it is unpacked, and what the
// command said. The command takes the place of its stand-in.
func bundled(t *testing.T, dir string, args ...string) (at, notes string) {
	t.Helper()
	p := start(t, dir, append([]string{"fmcp-serve", "bundle"}, args...)...)
	if out, status := p.end(); status != 0 || out != "" {
		t.Fatalf("status %d, %s%s", status, out, p.stderr.String())
	}
	data, err := os.ReadFile(filepath.Join(dir, "a.mcpb"))
	if err != nil {
		t.Fatal(err)
	}
	at = unpack(t, data)
	commands, err := filepath.Glob(filepath.Join(at, "server", "*", "fmcp-serve"))
	if err != nil || len(commands) != 1 {
		t.Fatal(commands, err)
	}
	if info, err := os.Stat(commands[0]); err != nil || info.Size() > 64 {
		return at, p.stderr.String()
	}
	if err := os.Remove(commands[0]); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(bin, "fmcp-serve"), commands[0]); err != nil {
		t.Fatal(err)
	}
	return at, p.stderr.String()
}

// startBundle starts an unpacked bundle as its manifest says, with a key that the user
// gave, and returns what it answers.
func startBundle(t *testing.T, at, request string) string {
	t.Helper()
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
	cmd.Env = []string{"HOME=" + cmd.Dir}
	for _, v := range config.Get("env").Members() {
		value := strings.ReplaceAll(v.Value.Str(), "${user_config.PARCELBIRD_TOKEN}", "given")
		cmd.Env = append(cmd.Env, v.Key+"="+value)
	}
	cmd.Stdin = strings.NewReader(initialize + request + "\n")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(out)
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
