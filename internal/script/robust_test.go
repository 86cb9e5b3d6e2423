//go:build unix

package script

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/flowmcp/fmcp/pkg/record/recordtest"
)

// manySchemas is a folder with n schemas in catalog/, none quite right.
func manySchemas(t *testing.T, n int) string {
	t.Helper()
	dir := t.TempDir()
	text, err := os.ReadFile(filepath.Join(repo, "testdata/script/messy/providers/good/good.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		name := fmt.Sprintf("n%04d", i)
		file := filepath.Join(dir, "catalog", "providers", name, name+".mjs")
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		schema := strings.Replace(string(text), "namespace: 'good'", "namespace: '"+name+"'", 1)
		if err := os.WriteFile(file, []byte(schema), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// scanLine is the scan record of a schema of manySchemas, written by hand.
func scanLine(n int) string {
	return fmt.Sprintf(`{"v":1,"kind":"scan","path":"providers/n%04d/n%04d.mjs","root":"catalog","type":"schema",`+
		`"namespace":"n%04d","bytes":1,"fileHash":""}`+"\n", n, n, n)
}

// "| head -1": a command whose reader has seen enough ends like any other, by
// SIGPIPE and without a message.
func TestReaderLeaves(t *testing.T) {
	dir := manySchemas(t, 2400)
	api, _, flags := apiFolder(t)
	request := `{"v":1,"kind":"request","id":"api/tool/echo","params":{"id":"a"}}` + "\n"
	tests := []struct {
		dir  string
		args []string
		in   string
	}{
		{dir, []string{"fmcp-scan", "catalog"}, ""},
		{dir, []string{"fmcp-load", "catalog"}, ""},
		{dir, []string{"fmcp-load", "-f", "text", "-o", "ndjson=out.ndjson", "catalog", "catalog", "catalog",
			"catalog"}, ""},
		{dir, []string{"fmcp-validate", "catalog"}, ""},
		{dir, []string{"fmcp-resolve", "catalog"}, ""},
		{dir, []string{"fmcp-grade", "catalog"}, ""},
		{dir, []string{"fmcp-validate", "--explain", "all"}, ""},
		{api, append([]string{"fmcp-exec", "-c", "api.ndjson", "--dry-run"}, flags...), strings.Repeat(request, 300)},
	}
	for _, tt := range tests {
		t.Run(strings.Join(tt.args, " "), func(t *testing.T) {
			p := start(t, tt.dir, tt.args...)
			p.write(tt.in)
			if err := p.stdin.Close(); err != nil {
				t.Error(err)
			}
			if p.line() == "" {
				t.Error("the first line is empty")
			}
			if err := p.pipe.Close(); err != nil {
				t.Error(err)
			}
			if status := p.wait(); status != 128+int(syscall.SIGPIPE) || p.stderr.String() != "" {
				t.Errorf("status %d, stderr %q", status, p.stderr.String())
			}
		})
	}
	if names, err := filepath.Glob(filepath.Join(dir, "*out.ndjson*")); err != nil || len(names) > 0 {
		t.Errorf("left behind: %q, %v", names, err)
	}
}

// A line that is too long is left out, named, and the stream goes on.
func TestLongLine(t *testing.T) {
	dir := manySchemas(t, 1)
	api, _, flags := apiFolder(t)
	long := `{"v":1,"kind":"scan","path":"` + strings.Repeat("x", 20<<20) + "\"}\n"
	request := `{"v":1,"kind":"request","id":"api/tool/echo","params":{"id":"a"},"tag":7}` + "\n"
	tests := []struct {
		dir, in, want string
		args          []string
	}{
		{dir, scanLine(0), `"kind":"load","id":"n0000/n0000"`, []string{"fmcp-load"}},
		{dir, scanLine(0), `"kind":"diagnostic","code":"CMP006"`, []string{"fmcp-validate"}},
		{dir, scanLine(0), `"kind":"load","id":"n0000/n0000"`, []string{"fmcp-validate", "--pass"}},
		{dir, scanLine(0), `"kind":"resolved","id":"n0000/tool/paint"`,
			[]string{"fmcp-resolve", "--allow-empty", "--with-findings"}},
		{dir, scanLine(0), `"kind":"grade","id":"n0000/n0000"`, []string{"fmcp-grade"}},
		{api, request, `"kind":"envelope","id":"api/tool/echo","tag":7,"status":true`,
			append([]string{"fmcp-exec", "-c", "api.ndjson"}, flags...)},
	}
	for _, tt := range tests {
		t.Run(strings.Join(tt.args, " "), func(t *testing.T) {
			p := start(t, tt.dir, tt.args...)
			p.write(long + tt.in)
			out, status := p.end()
			want := fmt.Sprintf(`"input":"stdin:1","stage":"%s","code":"LOD021","message":"line of %d bytes is `+
				`longer than --max-line 16777216: it was left out"`, tt.args[0], len(long)-1)
			if status != 3 || !strings.Contains(out, want) || !strings.Contains(out, tt.want) {
				t.Errorf("status %d, stderr %q\n%.2000s", status, p.stderr.String(), out)
			}
			recordtest.Lines(t, []byte(out))
		})
	}
}

// What a slow producer writes leaves at once: each answer is read before the
// next record is written.
func TestSlowProducer(t *testing.T) {
	dir := manySchemas(t, 5)
	api, _, flags := apiFolder(t)
	request := func(n int) string {
		return fmt.Sprintf(`{"v":1,"kind":"request","id":"api/tool/echo","params":{"id":"a"},"tag":%d}`+"\n", n)
	}
	finding := func(n int) string {
		return fmt.Sprintf(`{"v":1,"kind":"diagnostic","code":"VAL001","severity":"info","message":"%d","fix":"f",`+
			`"subject":"s","loc":{"path":"p","pointer":""}}`+"\n", n)
	}
	tests := []struct {
		dir  string
		in   func(int) string
		want string // of the last line of each answer, %d being the number
		args []string
	}{
		{dir, scanLine, `"kind":"load","id":"n%04d/n`, []string{"fmcp-load"}},
		{dir, scanLine, `"code":"CMP005".*"subject":"n%04d/n`, []string{"fmcp-validate"}},
		{dir, scanLine, `"kind":"load","id":"n%04d/n`, []string{"fmcp-validate", "--pass"}},
		{dir, scanLine, `schema +n%04d/n`, []string{"fmcp-load", "-f", "text"}},
		{dir, finding, `"message":"%d"`, []string{"fmcp-resolve", "--allow-empty", "--with-findings"}},
		{dir, scanLine, `"kind":"load","id":"n%04d/n`,
			[]string{"sh", "-c", "fmcp-load | fmcp-validate --pass | fmcp-validate --pass=all"}},
		{api, request, `"tag":%d,"status":true`, append([]string{"fmcp-exec", "-c", "api.ndjson"}, flags...)},
		{api, request, `"tag":%d,"status":true`,
			append([]string{"fmcp-exec", "-c", "api.ndjson", "--unordered"}, flags...)},
	}
	for _, tt := range tests {
		t.Run(strings.Join(tt.args, " "), func(t *testing.T) {
			p := start(t, tt.dir, tt.args...)
			for n := range 5 {
				p.write(tt.in(n) + "\r\n") // a blank line must not hold it up either
				want := regexp.MustCompile(fmt.Sprintf(tt.want, n))
				for !want.MatchString(p.line()) {
				}
			}
			if _, status := p.end(); status != 0 || p.stderr.String() != "" {
				t.Errorf("status %d, stderr %q", status, p.stderr.String())
			}
		})
	}
}

// Ctrl-C: a stream ends at once, without a message, and leaves no file.
func TestInterrupt(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		for _, command := range []string{"fmcp-load", "fmcp-validate"} {
			t.Run(command+" "+sig.String(), func(t *testing.T) {
				t.Parallel()
				dir := manySchemas(t, 1)
				p := start(t, dir, command, "-o", "ndjson=out.ndjson")
				p.write(scanLine(0))
				p.line()
				p.signal(sig)
				if status := p.wait(); status != 128+int(sig) || p.stderr.String() != "" {
					t.Errorf("status %d, stderr %q", status, p.stderr.String())
				}
				if names, err := os.ReadDir(dir); err != nil || len(names) != 1 {
					t.Errorf("left behind: %v, %v", names, err)
				}
			})
		}
	}
}

// Ctrl-C in the middle of tests: what was answered by then is kept, and counted.
func TestInterruptedTests(t *testing.T) {
	t.Parallel()
	dir, u, flags := apiFolder(t)
	p := start(t, dir, append([]string{"fmcp-exec", "test", "-c", "api.ndjson", "--delay", "0s", "-j1", "--capture",
		"captures", "api/tool/handled", "api/tool/wait"}, flags...)...)
	for range 3 {
		p.line()
	}
	<-u.entered
	p.signal(syscall.SIGINT)
	if status := p.wait(); status != 128+int(syscall.SIGINT) || p.stderr.String() != "" {
		t.Errorf("status %d, stderr %q", status, p.stderr.String())
	}
	names, err := filepath.Glob(filepath.Join(dir, "captures", "*", "api", "*"))
	if err != nil || len(names) < 4 || filepath.Base(names[3]) != "metrics.json" {
		t.Fatalf("%v %v", names, err)
	}
	if text, err := os.ReadFile(names[3]); err != nil || !strings.Contains(string(text), `"passed": 3`) {
		t.Errorf("%v %s", err, text)
	}
}

// A file that may not be read is an error record, and the others are read. Root
// may read everything, so the command runs as another user.
func TestUnreadable(t *testing.T) {
	dir := manySchemas(t, 3)
	for p := dir; p != os.TempDir() && p != "/"; p = filepath.Dir(p) {
		if err := os.Chmod(p, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	secret := filepath.Join(dir, "catalog", "providers", "n0001")
	if err := os.Chmod(filepath.Join(secret, "n0001.mjs"), 0); err != nil {
		t.Fatal(err)
	}
	closed := filepath.Join(dir, "catalog", "providers", "n0002")
	if err := os.Chmod(closed, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.Chmod(closed, 0o755); err != nil {
			t.Error(err)
		}
	})
	for _, command := range []string{"fmcp-scan", "fmcp-load", "fmcp-validate", "fmcp-resolve --with-findings",
		"fmcp-grade"} {
		t.Run(command, func(t *testing.T) {
			out, status := startAsNobody(t, dir, append(strings.Fields(command), "catalog")...).end()
			if status != 3 || strings.Count(out, `,"code":"LOD001"`) != 2 ||
				strings.Count(out, "permission denied") < 2 || !strings.Contains(out, "n0000") {
				t.Errorf("status %d\n%s", status, out)
			}
			recordtest.Lines(t, []byte(out))
		})
	}
}

// A pipe or a device that takes the place of a file is never waited for, nor
// read without end.
func TestNotAFile(t *testing.T) {
	dir := manySchemas(t, 1)
	lists := filepath.Join(dir, "catalog", "_lists")
	if err := os.Mkdir(lists, 0o777); err != nil {
		t.Fatal(err)
	}
	fifo := filepath.Join(lists, "fifo.mjs")
	if err := syscall.Mkfifo(fifo, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/zero", filepath.Join(lists, "zero.mjs")); err != nil {
		t.Fatal(err)
	}
	scan := func(path string) string {
		return `{"v":1,"kind":"scan","path":"` + path +
			`","root":"catalog","type":"list","bytes":1,"fileHash":""}` + "\n"
	}
	finding := `{"v":1,"kind":"diagnostic","code":"VAL001","severity":"info","message":"m","fix":"f","subject":"s",` +
		`"loc":{"path":"catalog/_lists/fifo.mjs","line":1,"col":1,"pointer":""}}` + "\n"
	tests := []struct {
		name, in string
		args     []string
		want     string
		status   int
	}{
		{"lists beside a single schema", "", []string{"fmcp-validate", "catalog/providers/n0000/n0000.mjs"},
			"CMP006", 0},
		{"scan record of a pipe", scan("_lists/fifo.mjs"), []string{"fmcp-load"}, "LOD006", 3},
		{"scan record of a device", scan("_lists/zero.mjs"), []string{"fmcp-load"}, "LOD006", 3},
		{"finding in a pipe", finding, []string{"fmcp-validate", "--allow-empty", "-f", "text"},
			"fifo.mjs:1:1: info VAL001: m", 0},
		{"named pipe", "", []string{"fmcp-scan", "catalog/_lists/fifo.mjs"}, "LOD006", 3},
		{"named device", "", []string{"fmcp-validate", "catalog/_lists/zero.mjs"}, "LOD006", 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := start(t, dir, tt.args...)
			p.write(tt.in)
			if out, status := p.end(); status != tt.status || !strings.Contains(out, tt.want) {
				t.Errorf("status %d, stderr %q\n%s", status, p.stderr.String(), out)
			}
		})
	}
}
