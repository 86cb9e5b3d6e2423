package bundle

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// command is a file that begins as commands of a system do.
func command(t *testing.T, magic string) Binary {
	t.Helper()
	file := filepath.Join(t.TempDir(), "command")
	if err := os.WriteFile(file, []byte(magic+"…"), 0o700); err != nil {
		t.Fatal(err)
	}
	b, err := OpenBinary(file)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func tides(binaries ...Binary) *Server {
	return &Server{Name: "Tides", Title: "Tides & more", Version: "1.2.0", Description: "Tells tides.\n" +
		strings.Repeat("And more. ", 20), Author: "me", Args: []string{"--timeout=5s"}, Binaries: binaries,
		Keys: []Key{{"TIDE_KEY", "For 2 tools.", true}, {"MOON_KEY", "For 1 tool.", false}}, Catalog: []byte("{}\n")}
}

const address = "https://example.com/tides.mcpb"

// valid checks a value against a published schema.
func valid(t *testing.T, schema string, v ordjson.Value) {
	t.Helper()
	compiled, err := jsonschema.NewCompiler().Compile(filepath.Join("testdata", schema))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(ordjson.Text(v)))
	if err != nil {
		t.Fatal(err)
	}
	if err := compiled.Validate(doc); err != nil {
		t.Errorf("%v\n%s", err, ordjson.Text(v))
	}
}

// A bundle has a manifest that the published schema takes, the catalog, and commands
// that can be run; the bytes are the same each time.
func TestWrite(t *testing.T) {
	s := tides(command(t, "\x7fELF"), command(t, "MZ"), command(t, "\xcf\xfa\xed\xfe"))
	var first, second bytes.Buffer
	if err := s.Write(&first); err != nil {
		t.Fatal(err)
	}
	if err := s.Write(&second); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Errorf("a second time: %v, other bytes", err)
	}
	z, err := zip.NewReader(bytes.NewReader(first.Bytes()), int64(first.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range z.File {
		names = append(names, f.Mode().String()+" "+f.Name)
	}
	const want = "-rw-r--r-- manifest.json, -rw-r--r-- catalog.ndjson, -rwxr-xr-x server/linux/fmcp-serve, " +
		"-rwxr-xr-x server/win32/fmcp-serve.exe, -rwxr-xr-x server/darwin/fmcp-serve"
	if got := strings.Join(names, ", "); got != want {
		t.Errorf("it has %s", got)
	}
	f, err := z.Open("manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	m, err := ordjson.Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	valid(t, "mcpb-manifest-v0.3.schema.json", m)
	for _, tt := range []struct{ pointer, want string }{
		{"/server/mcp_config/command", `"${__dirname}/server/linux/fmcp-serve"`},
		{"/server/mcp_config/args", `["${__dirname}/catalog.ndjson","--timeout=5s"]`},
		{"/server/mcp_config/env", `{"TIDE_KEY":"${user_config.TIDE_KEY}","MOON_KEY":"${user_config.MOON_KEY}",` +
			`"FMCP_ENV":"TIDE_KEY,MOON_KEY"}`},
		{"/server/mcp_config/platform_overrides/win32/command", `"${__dirname}/server/win32/fmcp-serve.exe"`},
		{"/compatibility/platforms", `["darwin","linux","win32"]`},
		{"/user_config/TIDE_KEY/required", "true"}, {"/user_config/TIDE_KEY/sensitive", "true"},
		{"/user_config/TIDE_KEY/default", ""}, {"/user_config/MOON_KEY/default", `""`},
	} {
		got := ""
		if v, _ := ordjson.Lookup(m, tt.pointer); v.Exists() {
			got = ordjson.Text(v)
		}
		if got != tt.want {
			t.Errorf("%s is %s, want %s", tt.pointer, got, tt.want)
		}
	}
}

// Without keys and with one command there is nothing to ask for and to choose.
func TestPlain(t *testing.T) {
	s := tides(command(t, "\xca\xfe\xba\xbe"))
	s.Keys = nil
	m := s.manifest()
	valid(t, "mcpb-manifest-v0.3.schema.json", m)
	valid(t, "server.schema.json", s.Registry("io.github.me", address, strings.Repeat("0a", 32)))
	for _, absent := range []string{"user_config", "env", "platform_overrides"} {
		if strings.Contains(ordjson.Text(m), absent) {
			t.Errorf("it has %s: %s", absent, ordjson.Text(m))
		}
	}
}

func TestRegistry(t *testing.T) {
	v := tides(command(t, "MZ")).Registry("io.github.me", address, strings.Repeat("0a", 32))
	valid(t, "server.schema.json", v)
	for pointer, want := range map[string]string{
		"/name": `"io.github.me/Tides"`, "/packages/0/fileSha256": `"` + strings.Repeat("0a", 32) + `"`,
		"/packages/0/environmentVariables/0": `{"name":"TIDE_KEY","description":"For 2 tools.","isRequired":true,` +
			`"isSecret":true}`,
	} {
		if got, _ := ordjson.Lookup(v, pointer); ordjson.Text(got) != want {
			t.Errorf("%s is %s, want %s", pointer, ordjson.Text(got), want)
		}
	}
}

func TestBinaries(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x")
	for _, text := range []string{"", "#!/bin/sh\n"} {
		if err := os.WriteFile(file, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenBinary(file); err == nil || !strings.Contains(err.Error(), "not a command for Linux") {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := OpenBinary(file + "y"); err == nil {
		t.Error("a command that is not there")
	}
	err := tides(command(t, "MZ"), command(t, "\x7fELF"), command(t, "MZ")).Check()
	if err == nil || !strings.Contains(err.Error(), "both for win32") {
		t.Error(err)
	}
	if err := tides(command(t, "MZ"), command(t, "\x7fELF")).Check(); err != nil {
		t.Error(err)
	}
}
