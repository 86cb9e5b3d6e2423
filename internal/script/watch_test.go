//go:build unix

package script

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/pkg/record"
)

// linter is fmcp-scan --watch | fmcp-load | fmcp-validate on a copy of the
// demo's catalog, joined by pipes as a shell does.
type linter struct {
	t    *testing.T
	dir  string
	cmds []*exec.Cmd
	out  *bufio.Reader
}

func startLinter(t *testing.T, format string, watch ...string) *linter {
	t.Helper()
	l := &linter{t: t, dir: t.TempDir()}
	if err := os.CopyFS(filepath.Join(l.dir, "catalog"),
		os.DirFS(filepath.Join(repo, "testdata/catalog"))); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	var from io.ReadCloser
	for _, args := range [][]string{append([]string{"fmcp-scan", "--watch", "catalog"}, watch...), {"fmcp-load"},
		{"fmcp-validate", "-f", format}} {
		cmd := exec.CommandContext(ctx, filepath.Join(bin, args[0]), args[1:]...)
		cmd.Dir, cmd.Stderr = l.dir, os.Stderr
		if from != nil {
			cmd.Stdin = from
		}
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		cmd.Stdout = w
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		_ = w.Close() // the child has its own
		if from != nil {
			_ = from.Close()
		}
		from = r
		l.cmds = append(l.cmds, cmd)
	}
	l.out = bufio.NewReader(from)
	t.Cleanup(func() { _ = from.Close() })
	return l
}

// until reads lines up to and with the first that holds the text, which must
// come before patience is over.
func (l *linter) until(text string) string {
	l.t.Helper()
	var all strings.Builder
	for {
		line, err := l.out.ReadString('\n')
		all.WriteString(line)
		if err != nil {
			l.t.Fatalf("no %q in\n%s: %v", text, all.String(), err)
		}
		if strings.Contains(line, text) {
			return all.String()
		}
	}
}

// edit replaces text in the schema of tide gauges, as an editor that saves
// elsewhere and renames.
func (l *linter) edit(replacements ...string) {
	l.t.Helper()
	const from, to = "testdata/catalog/providers/tidewatch/stations.mjs", "catalog/providers/tidewatch/stations.mjs"
	text, err := os.ReadFile(filepath.Join(repo, from))
	if err != nil {
		l.t.Fatal(err)
	}
	after := strings.NewReplacer(replacements...).Replace(string(text))
	if len(replacements) > 0 && after == string(text) {
		l.t.Fatalf("nothing to replace: %q", replacements)
	}
	temporary := filepath.Join(l.dir, to+".tmp")
	if err := os.WriteFile(temporary, []byte(after), 0o644); err != nil {
		l.t.Fatal(err)
	}
	if err := os.Rename(temporary, filepath.Join(l.dir, to)); err != nil {
		l.t.Fatal(err)
	}
}

// end ends fmcp-scan with a signal; the others end with their input. It
// returns the exit statuses of all.
func (l *linter) end(sig syscall.Signal) []int {
	l.t.Helper()
	if err := l.cmds[0].Process.Signal(sig); err != nil {
		l.t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, l.out); err != nil {
		l.t.Error(err)
	}
	var list []int
	for _, cmd := range l.cmds {
		err := cmd.Wait()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			l.t.Fatal(err)
		}
		list = append(list, cmd.ProcessState.ExitCode())
	}
	return list
}

const round = `{"v":1,"kind":"round","root":"catalog","changed":`

func TestLiveLinter(t *testing.T) {
	for name, flags := range map[string][]string{"notified": nil, "polling": {"--poll", "20ms"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := startLinter(t, "ndjson", flags...)
			if got := l.until(`"kind":"round"`); got != round+
				`21,"removed":[]}`+"\n" { // too many to name
				t.Errorf("at first: %s", got)
			}
			const changed = round + `1,"files":["providers/tidewatch/stations.mjs"],"removed":[]}` + "\n"
			began := time.Now()
			l.edit("{{station}}", "{{staton}}")
			l.until(`"code":"VAL050"`)
			t.Logf("a change shows after %s", time.Since(began).Round(time.Millisecond))
			l.until(changed)
			l.edit("export const main = {", "export const main = {{")
			if got := l.until(changed); !strings.Contains(got, `"kind":"error"`) || !strings.Contains(got, `"LOD003"`) {
				t.Errorf("a syntax error: %s", got)
			}
			l.edit()
			if got := l.until(`"kind":"round"`); got != changed {
				t.Errorf("fixed: %s", got)
			}
			if err := os.RemoveAll(filepath.Join(l.dir, "catalog/providers/parcelbird")); err != nil {
				t.Fatal(err)
			}
			if got := l.until(`"kind":"round"`); !strings.Contains(got, `"code":"CAT004"`) ||
				!strings.HasSuffix(got, round+`0,"removed":["providers/parcelbird/shipments.mjs"]}`+"\n") {
				t.Errorf("removed: %s", got)
			}
			if got := l.end(syscall.SIGINT); got[0] != 128+int(syscall.SIGINT) || got[1] != 3 || got[2] != 3 {
				t.Errorf("statuses %v, want 130 of what was interrupted, and 3 for the syntax error", got)
			}
		})
	}
}

// On a terminal a file that is all right is said to be.
func TestLiveLinterText(t *testing.T) {
	t.Parallel()
	l := startLinter(t, "text")
	if got := l.until("-- catalog:"); !strings.Contains(got, "21 files changed: no findings") {
		t.Error(got)
	}
	l.edit("{{station}}", "{{staton}}")
	if got := l.until("-- catalog:"); strings.Contains(got, "ok ") || !strings.Contains(got, "VAL050") ||
		!strings.HasSuffix(got, "-- catalog: 1 file changed: 2 errors, 1 warning\n") { // two hashes are others too
		t.Error(got)
	}
	l.edit()
	if got := l.until("-- catalog:"); !strings.Contains(got, "ok      catalog/providers/tidewatch/stations.mjs\n") ||
		!strings.HasSuffix(got, "-- catalog: 1 file changed: no findings\n") {
		t.Error(got)
	}
	if got := l.end(syscall.SIGTERM); got[0] != 128+int(syscall.SIGTERM) || got[2] != 1 {
		t.Errorf("statuses %v", got)
	}
}

// A watch ends when its output has no reader any more, though it has nothing to
// write.
func TestWatchEndsWithItsReader(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.mjs"), []byte("export const main = {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p := start(t, dir, "fmcp-scan", "--watch", ".")
	for !strings.Contains(p.line(), string(record.KindRound)) {
	}
	if err := p.pipe.Close(); err != nil {
		t.Fatal(err)
	}
	if got := p.wait(); got != 128+int(syscall.SIGPIPE) {
		t.Errorf("status %d", got)
	}
}
