package listing

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/record"
)

const madeAgain = `{"v":1,"kind":"resolved","id":"n/resource/one","type":"resource","data":{"schema":"n/a",` +
	`"namespace":"n","name":"one","source":"sqlite","mode":"in-memory","uri":"flowmcp://n/resource/one","queries":[` +
	`{"name":"runSql","wireName":"run_one","description":"See listTables","sql":"SELECT 1","parameters":[],` +
	`"inputSchema":{"type":"object","properties":{}}},` +
	`{"name":"listTables","wireName":"list_one","description":"See runSql","sql":"SELECT 1","parameters":[],` +
	`"inputSchema":{"type":"object","properties":{}}}]}}`

// TestMadeAgain: a definition that is not held is the same as one that is, and one whose
// record is gone says so.
func TestMadeAgain(t *testing.T) {
	file := filepath.Join(t.TempDir(), "c.ndjson")
	text := strings.Join([]string{toolLine("getPools", ""), toolLine("price", `,"tags":["a"]`),
		strings.Replace(toolLine("best", ""), "Does best", "See getPools first", 1), madeAgain}, "\n")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	x, err := catalog.Read(f, catalog.ReadOptions{Name: "c.ndjson"})
	if err != nil {
		t.Fatal(err)
	}
	l, err := Of(x, Style{MaxResult: 100 << 10}, func(e *record.Error) { t.Error(e) })
	if err != nil || len(l.Tools) != 5 {
		t.Fatal(len(l.Tools), err)
	}
	NameSiblings(l.Tools)
	for i, want := range []string{"Does getPools", "Does price", "See getPools_demo first", "See list_one",
		"See run_one"} {
		held := string(l.Tools[i].Listed())
		l.Tools[i].Hold(nil)
		if got := string(l.Tools[i].Listed()); got != held || !strings.Contains(held, `"description":"`+want+`"`) {
			t.Errorf("got\n%s\nwant %s in\n%s", got, want, held)
		}
	}
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(text, "demo", "dome")), 0o600); err != nil {
		t.Fatal(err)
	}
	d := l.Tools[0].Definition()
	if about := d.Get("description").Str(); !strings.HasPrefix(about, "c.ndjson has been written over") ||
		d.Get("name").Str() != "getPools_demo" || d.Get("inputSchema").Get("type").Str() != "object" {
		t.Errorf("%s", l.Tools[0].Listed())
	}
}

// TestHolds: the definitions of many tools are not held, nor are their records.
func TestHolds(t *testing.T) {
	const tools = 12_000
	file := filepath.Join(t.TempDir(), "c.ndjson")
	var text strings.Builder
	for i := range tools {
		line := toolLine(fmt.Sprint("tool", i), "")
		text.WriteString(strings.Replace(line, "Does", strings.Repeat("x", 2000), 1) + "\n")
	}
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	text.Reset()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	inUse := func() int {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	before := inUse()
	x, err := catalog.Read(f, catalog.ReadOptions{Name: "c.ndjson"})
	if err != nil {
		t.Fatal(err)
	}
	l, err := Of(x, Style{}, func(e *record.Error) { t.Error(e) })
	if err != nil {
		t.Fatal(err)
	}
	NameSiblings(l.Tools)
	if got := (inUse() - before - maxHeld) / tools; got > 600 {
		t.Errorf("%d bytes of each tool, want at most 600", got)
	}
	runtime.KeepAlive(l)
}
