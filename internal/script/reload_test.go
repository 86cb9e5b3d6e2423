//go:build unix

package script

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/internal/await"
)

// reloading is a server whose catalog changes. Its stderr goes to a file.
type reloading struct {
	*process
	dir string
}

func startReloading(t *testing.T, dir string, args ...string) *reloading {
	t.Helper()
	line := "exec " + filepath.Join(bin, "fmcp-serve") + " " + strings.Join(args, " ") + " 2>stderr.txt"
	p := &reloading{start(t, dir, "sh", "-c", line), dir}
	p.write(initialize)
	p.line()
	return p
}

// says waits until the server has said something n times.
func (p *reloading) says(n int, text string) {
	p.t.Helper()
	await.Until(p.t, fmt.Sprintf("%q %d times on stderr", text, n), func() bool {
		return strings.Count(p.errors(), text) >= n
	})
	if got := strings.Count(p.errors(), text); got != n {
		p.t.Errorf("%q is said %d times, want %d: %s", text, got, n, p.errors())
	}
}

func (p *reloading) errors() string {
	text, err := os.ReadFile(filepath.Join(p.dir, "stderr.txt"))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(text)
}

func (p *reloading) save(name, text string) {
	p.t.Helper()
	if err := os.WriteFile(filepath.Join(p.dir, name), []byte(text), 0o666); err != nil {
		p.t.Fatal(err)
	}
}

func (p *reloading) read(name string) string {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join(p.dir, name))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(text)
}

const (
	toolsChanged = `{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{}}`
	listTools    = `{"jsonrpc":"2.0","id":99,"method":"tools/list"}` + "\n"
)

// lists says what the list of tools is expected to have, or not.
func (p *reloading) lists(with bool, name string) {
	p.t.Helper()
	p.write(listTools)
	if got := p.line(); strings.Contains(got, `"name":"`+name+`"`) != with {
		p.t.Errorf("%s in the list: want %v, got %.2000s", name, with, got)
	}
}

// TestReloadFolder: a folder is resolved again when a schema changes; while it has
// an error more than before, what was served stays.
func TestReloadFolder(t *testing.T) {
	for _, how := range []string{"", "--poll 20ms"} {
		dir, _, flags := apiFolder(t)
		const schema = "api/providers/api/api.mjs"
		p := startReloading(t, dir, append(flags, "api", how)...)
		good := p.read(schema)
		p.lists(true, "echo_api")

		p.save(schema, strings.ReplaceAll(good, "echo: {", "repeat: {"))
		if got := p.line(); got != toolsChanged {
			t.Errorf("a tool has another name: %s", got)
		}
		p.lists(false, "echo_api")
		p.lists(true, "repeat_api")

		for i, broken := range []string{good + "\nexport const {", good + "\nexport const ["} {
			p.save(schema, broken)
			p.says(1, "MCP026 api has changed, but the old version is still served: ")
			p.write(call(i, "repeat_api", `{"id":"a"}`))
			if got := p.line(); !strings.Contains(got, `\"status\":true`) {
				t.Errorf("while the schema is broken: %s", got)
			}
		}
		p.save(schema, good)
		if got := p.line(); got != toolsChanged {
			t.Errorf("it is right again: %s", got)
		}
		p.lists(true, "echo_api")
		p.says(2, "api has changed: ")
		if _, status := p.end(); status != 0 {
			t.Errorf("status %d: %s", status, p.errors())
		}
	}
}

// TestReloadFile: a catalog file may be replaced or written over; half of one is not
// served.
func TestReloadFile(t *testing.T) {
	dir, _, flags := apiFolder(t)
	p := startReloading(t, dir, append(flags, "api.ndjson")...)
	good := p.read("api.ndjson")
	other := strings.ReplaceAll(good, `"wireName":"echo_api"`, `"wireName":"other_api"`)
	p.save("api.ndjson", other)
	if got := p.line(); got != toolsChanged {
		t.Errorf("it was written over: %s", got)
	}
	p.save("api.ndjson", good[:strings.LastIndex(good, `{"v":1,"kind":"end"`)])
	p.says(1, "MCP026 api.ndjson has changed, but the old version is still served: it does not end with a correct end")
	p.lists(true, "other_api")
	p.write(call(1, "other_api", `{"id":"a"}`))
	if got := p.line(); !strings.Contains(got, `\"status\":true`) {
		t.Errorf("while the file is half: %s", got)
	}
	if err := os.Remove(filepath.Join(dir, "api.ndjson")); err != nil {
		t.Fatal(err)
	}
	p.says(1, "MCP026 api.ndjson has changed, but the old version is still served: no such catalog")
	p.save("new", good)
	if err := os.Rename(filepath.Join(dir, "new"), filepath.Join(dir, "api.ndjson")); err != nil {
		t.Fatal(err)
	}
	if got := p.line(); got != toolsChanged {
		t.Errorf("it was replaced: %s", got)
	}
	p.lists(true, "echo_api")
	if _, status := p.end(); status != 0 {
		t.Errorf("status %d: %s", status, p.errors())
	}
}

// TestReloadUnderLoad: a catalog that changes while calls are under way makes none of
// them fail. A change takes the time that editors need to save.
func TestReloadUnderLoad(t *testing.T) {
	times := 50
	if slower > 1 {
		times = 10
	}
	dir, _, flags := apiFolder(t)
	p := startReloading(t, dir, append(flags, "api.ndjson")...)
	texts := []string{p.read("api.ndjson"), ""}
	texts[1] = strings.ReplaceAll(texts[0], "Answers with the request", "Answers with what was asked")
	stop, sent := make(chan struct{}), make(chan int)
	free := make(chan struct{}, 16)
	go func() {
		for id := 1; ; id++ {
			select {
			case <-stop:
				sent <- id - 1
				return
			case free <- struct{}{}:
				p.write(call(id, "echo_api", `{"id":"a"}`))
			}
		}
	}()
	answers := 0
	for changes := 0; changes < times; {
		switch got := p.line(); {
		case got == toolsChanged:
			changes++
			if changes < times {
				p.save("api.ndjson", texts[(changes+1)%2])
			}
		case !strings.Contains(got, `\"status\":true`):
			t.Fatalf("after %d changes: %s", changes, got)
		default:
			<-free
			if answers++; answers == 1 {
				p.save("api.ndjson", texts[1])
			}
		}
	}
	close(stop)
	for n := <-sent; answers < n; answers++ {
		if got := p.line(); !strings.Contains(got, `\"status\":true`) {
			t.Fatalf("after all changes: %s", got)
		}
	}
	t.Logf("%d calls", answers)
	if _, status := p.end(); status != 0 {
		t.Errorf("status %d: %s", status, p.errors())
	}
}
