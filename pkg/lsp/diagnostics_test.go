package lsp

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const (
	stations = "providers/tidewatch/stations.mjs"
	arrivals = "selections/harbour-desk/arrivals.mjs"
	seaAreas = "_lists/sea-areas.mjs"
)

// A fault of one file shows as it is typed, in that file and in those that refer to
// it, and goes with it.
func TestDiagnosticsAsYouType(t *testing.T) {
	c := dial(t, "../../testdata/catalog", "community")
	if len(c.shown) > 0 {
		t.Errorf("shown at first: %v", c.shown)
	}
	c.edit(stations, "getTides:", "getTide:")
	if got := c.found(stations); got != "8:4-14 CMP006" {
		t.Errorf("found in the file:\n%s", got)
	}
	if got := c.found(arrivals); got != "8:73-98 SEL003" {
		t.Errorf("found in another:\n%s", got)
	}
	d := c.shown[arrivals].Diagnostics[0]
	if d.Severity != 1 || d.Source != "fmcp" || !strings.HasSuffix(d.CodeDescription.Href, "sel.md#sel003") ||
		!strings.Contains(d.Message, "'tidewatch/tool/getTides' not found") || !strings.Contains(d.Message, "\nfix: ") {
		t.Errorf("%+v", d)
	}
	if v := c.shown[stations].Version; v == nil || *v != 1 {
		t.Errorf("version %v", v)
	}
	c.edit(stations, "getTide: {", "getTides {")
	if got := c.found(stations); got != "53:17-18 LOD003" {
		t.Errorf("found in a file with a mistake:\n%s", got)
	}
	c.edit(stations, "getTides {", "getTides: {")
	for _, name := range []string{stations, arrivals} {
		if got := c.found(name); got != "" {
			t.Errorf("corrected, %s still has:\n%s", name, got)
		}
	}
}

// In a catalog that takes long to settle, what is found in the file itself comes first,
// and the rest when it is known.
func TestDiagnosticsOfALargeCatalog(t *testing.T) {
	c := dialTo(t, "../../testdata/catalog", "community", time.Nanosecond)
	c.edit(stations, "getTides:", "getTide:")
	if got := c.found(stations); got != "8:4-14 CMP006" {
		t.Errorf("found in the file at once:\n%s", got)
	}
	for c.found(arrivals) == "" {
		c.read()
	}
	if got := c.found(arrivals); got != "8:73-98 SEL003" {
		t.Errorf("found in another:\n%s", got)
	}
}

// A list that is changed in the editor is what its users are checked by.
func TestDiagnosticsOfUsers(t *testing.T) {
	c := dial(t, "../../testdata/catalog", "community")
	c.edit(seaAreas, "name: 'seaAreas'", "name: 'areas'")
	for !strings.Contains(c.found(stations), "VAL072") {
		c.read()
	}
	c.notify("textDocument/didClose", map[string]any{"textDocument": documentID{c.uri(seaAreas)}})
	for c.found(stations) != "" {
		c.read()
	}
}

// Columns are UTF-16 code units.
func TestDiagnosticsInUTF16(t *testing.T) {
	c := dial(t, "../../testdata/catalog", "community")
	c.edit(stations, "method: 'GET'", "/* 𝄞ü */ method: 'GIT'")
	if got := c.found(stations); !strings.Contains(got, "18:22-28 VAL032") {
		t.Errorf("found:\n%s", got)
	}
}

// Files that appear and vanish on disk are noticed when the editor says so.
func TestDiagnosticsOfFilesOnDisk(t *testing.T) {
	c := dial(t, "../../testdata/catalog", "community")
	path := filepath.Join(c.root, filepath.FromSlash(stations))
	if err := os.Rename(path, path+"~"); err != nil {
		t.Fatal(err)
	}
	change := func() {
		c.notify("workspace/didChangeWatchedFiles", map[string]any{
			"changes": []map[string]any{{"uri": c.uri(stations), "type": 3}}})
		c.sync()
	}
	if change(); !strings.Contains(c.found(arrivals), "SEL003") {
		t.Errorf("found without the file:\n%s", c.found(arrivals))
	}
	if err := os.Rename(path+"~", path); err != nil {
		t.Fatal(err)
	}
	if change(); c.found(arrivals) != "" {
		t.Errorf("found with the file:\n%s", c.found(arrivals))
	}
	if err := os.WriteFile(path, []byte(strings.Replace(c.text(stations), "'GET'", "'GIT'", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	if change(); !strings.Contains(c.found(stations), "VAL032") {
		t.Errorf("found with another text:\n%s", c.found(stations))
	}
}

// A file that is not saved yet is checked as what it will be.
func TestDiagnosticsOfANewFile(t *testing.T) {
	c := dial(t, "../../testdata/catalog", "community")
	const more = "providers/tidewatch/more.mjs"
	c.set(more, "export const main = { namespace: 'tidewatch', name: 'More' }\n")
	if got := c.found(more); !strings.Contains(got, "VAL") {
		t.Errorf("found:\n%s", got)
	}
	for _, name := range []string{"package.json", "README.md", "script.mjs"} {
		c.set(name, "{ 'x")
		if got := c.found(name); got != "" {
			t.Errorf("found in %s, which is no part of a catalog:\n%s", name, got)
		}
	}
	c.set("../elsewhere.mjs", "export const main = {\n")
	if got := c.found("../elsewhere.mjs"); !strings.Contains(got, "LOD003") {
		t.Errorf("found outside of all folders:\n%s", got)
	}
	c.notify("textDocument/didClose", map[string]any{"textDocument": documentID{c.uri(more)}})
	c.sync()
	if got := c.found(more); got != "" {
		t.Errorf("found in a file that never was:\n%s", got)
	}
}

// The server ends as the protocol says.
func TestEnd(t *testing.T) {
	c := dial(t, "../../testdata/catalog", "community")
	if a := c.request("shutdown", nil); a.Error != nil || string(a.Result) != "null" {
		t.Errorf("%+v", a)
	}
	if a := c.request("textDocument/hover", nil); a.Error == nil || a.Error.Code != codeInvalidRequest {
		t.Errorf("after shutdown: %+v", a)
	}
	c.notify("exit", nil)
	if err := <-c.done; err != nil {
		t.Error(err)
	}
	c = dial(t, "../../testdata/catalog", "community")
	_ = c.out.Close()
	if err := <-c.done; !errors.Is(err, ErrNotShutDown) {
		t.Error(err)
	}
}

// What is no message is answered or ends the server, and never hangs it.
func TestStrangeMessages(t *testing.T) {
	c := dial(t, "../../testdata/catalog", "community")
	frame := func(text string) {
		_, err := fmt.Fprintf(c.out, "Content-Length: %d\r\nContent-Type: x\r\n\r\n%s", len(text), text)
		if err != nil {
			t.Fatal(err)
		}
	}
	for text, code := range map[string]int{
		`{"jsonrpc"`: codeParse,
		`[]`:         codeParse,
		`{"id":"x","method":"initialize","params":{}}`:                   codeNoMethod,
		`{"id":"x","method":"textDocument/codeAction","params":[1]}`:     codeInvalidParams,
		`{"id":"x","method":"textDocument/codeAction"}`:                  codeInvalidParams,
		`{"id":"x","method":"completionItem/resolve","params":{"a":[]}}`: codeNoMethod,
	} {
		frame(text)
		if a := c.read(); a.Error == nil || a.Error.Code != code {
			t.Errorf("%s: %+v, want the error %d", text, a, code)
		}
	}
	frame(`{"method":"textDocument/didOpen","params":{"textDocument":{"uri":7}}}`)
	if a := c.read(); a.Method != "window/logMessage" {
		t.Errorf("%+v", a)
	}
	frame(`{"method":"textDocument/didOpen","params":{"textDocument":{"uri":"untitled:Untitled-1","text":"x"}}}`)
	frame(`{"method":"$/setTrace","params":{"value":"off"}}`)
	frame(`{"id":7,"result":null}`)
	frame(`{"id":"x","method":"textDocument/codeAction","params":{"textDocument":{"uri":"file:///nowhere.mjs"},` +
		`"range":{"start":{"line":-5,"character":99999999},"end":{"line":99999999,"character":-1}}}}`)
	if a := c.read(); a.Error != nil || string(a.Result) != "null" {
		t.Errorf("%+v", a)
	}
	if _, err := c.out.Write([]byte("fmcp-validate, please\n")); err != nil {
		t.Fatal(err)
	}
	if err := <-c.done; err == nil || !strings.Contains(err.Error(), "an editor starts this command") {
		t.Error(err)
	}
}
