package captured

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record/recordtest"
)

// kept makes a folder of files.
func kept(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// read is what Read says, a line each.
func read(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := Read(dir, func(a Answer) {
		b.WriteString(a.ID + " " + ordjson.Text(ordjson.NewBool(a.Status)) + " " + ordjson.Text(a.Data) + " " +
			a.ContentType + "\n")
	}, func(file string, err error) {
		b.WriteString(strings.TrimPrefix(file, dir+"/") + ": " + err.Error() + "\n")
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestRead(t *testing.T) {
	dir := kept(t, map[string]string{
		"1/a/x-0.json": `{"id":"a/tool/x","namespace":"n","routeName":"r","response":{"status":true,` +
			`"data":{"n":12345678901234567890}},"contentType":"text/plain"}`,
		"1/a/x-1.json":     `{"namespace":"a","routeName":"x","response":{"status":false,"messages":[],"data":null}}`,
		"1/a/metrics.json": `{}`,
		"1/a/notes.txt":    `x`,
		"2/a/x-0.json":     `{"namespace":"a","routeName":"x","response":{"status":true,"data":null}}`,
		"2/b/broken.json":  `{`,
		"2/b/list.json":    `[]`,
		"2/b/nodata.json":  `{"namespace":"a","routeName":"x","response":{"status":true}}`,
		"2/b/status.json":  `{"namespace":"a","routeName":"x","response":{"status":"ok","data":1}}`,
	})
	want := `a/tool/x true {"n":12345678901234567890} text/plain
a/tool/x false null 
a/tool/x true null 
2/b/broken.json: is not JSON: unexpected end of input, expected a quoted key at byte 1
2/b/list.json: is not a capture: expected namespace, routeName and response, with status and data (chapter 10)
2/b/nodata.json: response.data is missing, though response.status is true
2/b/status.json: is not a capture: expected namespace, routeName and response, with status and data (chapter 10)
`
	if got := read(t, dir); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := read(t, filepath.Join(dir, "1", "a", "x-0.json")); !strings.HasPrefix(got, "a/tool/x true") {
		t.Errorf("one file: %s", got)
	}
	if err := Read(filepath.Join(dir, "none"), nil, nil); err == nil ||
		!strings.Contains(err.Error(), "no such folder of captures") {
		t.Errorf("no folder: %v", err)
	}
}

// Of each test the last run counts.
func TestLast(t *testing.T) {
	dir := kept(t, map[string]string{
		"2026-02-17T10-30-00.000Z/a/x-0.json": `{"namespace":"a","routeName":"x","testIndex":0,` +
			`"_description":"first","response":{"status":true,"data":1}}`,
		"2026-02-17T10-30-00.000Z/a/x-1.json": `{"namespace":"a","routeName":"x","testIndex":1,"timestamp":"soon",` +
			`"response":{"status":true,"data":1},"warnings":["output schema: data is number"]}`,
		"2026-02-18T10-30-00.000Z/a/x-0.json": `{"namespace":"a","routeName":"x","testIndex":0,` +
			`"_description":"again","timestamp":"2026-02-18T10:30:01.000Z",` +
			`"response":{"status":false,"messages":["EXE041 x: m"],"data":null},"id":"a/tool/x"}`,
	})
	list, err := Last(dir, func(file string, err error) { t.Errorf("%s: %v", file, err) })
	var got []string
	for _, e := range list {
		if err := recordtest.Check(e.AppendJSON(nil)); err != nil {
			t.Error(err)
		}
		got = append(got, string(e.AppendJSON(nil)))
	}
	want := `{"v":1,"kind":"envelope","id":"a/tool/x","status":false,"messages":["EXE041 x: m"],"data":null,` +
		`"test":{"index":0,"description":"again","mode":"run","outcome":"failed"},"durationMs":0}
{"v":1,"kind":"envelope","id":"a/tool/x","status":true,"messages":[],"data":null,` +
		`"warnings":["output schema: data is number"],` +
		`"test":{"index":1,"description":"","mode":"run","outcome":"passed"},"durationMs":0}`
	if strings.Join(got, "\n") != want || err != nil {
		t.Errorf("%v got\n%s\nwant\n%s", err, strings.Join(got, "\n"), want)
	}
	if list[0].At != "2026-02-18T10:30:01.000Z" || list[1].At != "" {
		t.Errorf("of %q and %q", list[0].At, list[1].At)
	}
}

// A link to the folder is the user's; those inside it may be anybody's.
func TestReadFollowsNoLinksInside(t *testing.T) {
	secret := filepath.Join(kept(t,
		map[string]string{"x-0.json": `{"namespace":"a","routeName":"x","response":{"status":true,"data":"secret"}}`}),
		"x-0.json")
	dir := kept(t, map[string]string{
		"a/x-0.json": `{"namespace":"a","routeName":"x","response":{"status":true,"data":1}}`,
	})
	link := filepath.Join(t.TempDir(), "latest")
	for to, name := range map[string]string{secret: filepath.Join(dir, "a", "y-0.json"),
		filepath.Dir(secret): filepath.Join(dir, "b"), dir: link} {
		if err := os.Symlink(to, name); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := read(t, link),
		"a/tool/x true 1 \na/y-0.json: is not a regular file, and was not read\n"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
