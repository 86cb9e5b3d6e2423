//go:build unix

package script

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/flowmcp/fmcp/pkg/record/recordtest"
	"github.com/flowmcp/fmcp/scripts/gtfs/feed"
)

// state is what a script's commands know of the run so far.
type state struct {
	t        testing.TB
	work     string
	upstream *upstream
	printed  []byte // all that commands wrote to stdout and stderr
}

type stateKey struct{}

func stateOf(ts *testscript.TestScript) *state { return ts.Value(stateKey{}).(*state) }

// noNeg refuses "!" before commands that say themselves what they expect.
func noNeg(ts *testscript.TestScript, neg bool) {
	if neg {
		ts.Fatalf("! makes no sense here")
	}
}

// runCommand is "run STATUS WORD…": the words are a line for the shell, which
// must exit with STATUS. Every record on stdout is checked against its JSON
// Schema. Words in single quotes are quoted for the shell; * expands.
func runCommand(ts *testscript.TestScript, neg bool, args []string) {
	noNeg(ts, neg)
	if len(args) < 2 {
		ts.Fatalf("usage: run STATUS COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	stdout, status := shell(ts, strings.Join(args[1:], " "))
	if status != want {
		ts.Fatalf("status %d, want %d", status, want)
	}
	ts.Check(checkRecords(stdout))
}

// shell runs a line and returns what it printed on stdout and its status.
func shell(ts *testscript.TestScript, line string) (string, int) {
	err := ts.Exec("sh", "-c", line)
	stdout, stderr := ts.ReadFile("stdout"), ts.ReadFile("stderr")
	s := stateOf(ts)
	s.printed = append(append(s.printed, stdout...), stderr...)
	for _, fault := range []string{"panic:", "goroutine 1 [", "WARNING: DATA RACE"} {
		if strings.Contains(stderr, fault) {
			ts.Fatalf("%s: a fault on stderr", line)
		}
	}
	var exit *exec.ExitError
	switch {
	case err == nil:
		return stdout, 0
	case errors.As(err, &exit):
		return stdout, exit.ExitCode()
	}
	ts.Fatalf("%s: %v", line, err)
	return "", 0
}

// answers are the lines of JSON that commands print and that are not records:
// MCP messages, what fmcp-resolve id and refs, fmcp-grade prompts and trim, fmcp-serve
// doctor, fmcp-exec cache and fmcp-exec resource answer, and lines of SARIF.
var answers = regexp.MustCompile(`^\{"(jsonrpc|list|id|\$schema|ruleId|path|removed|action|namespace|code|database|` +
	`key|catalogs|nodes|check|ready|schemaId)":`)

// checkRecords checks every line that is JSON as a record.
func checkRecords(text string) error {
	var errs []error
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, `{"`) && !answers.MatchString(line) {
			errs = append(errs, recordtest.Check([]byte(line)))
		}
	}
	return errors.Join(errs...)
}

// recordsCommand is "records FILE [N]": every line of the file, which is not
// empty, is a record; N is how many.
func recordsCommand(ts *testscript.TestScript, neg bool, args []string) {
	noNeg(ts, neg)
	if len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: records FILE [N]")
	}
	text := ts.ReadFile(args[0])
	n := 0
	for line := range strings.Lines(text) {
		n++
		if !strings.HasSuffix(line, "\n") {
			ts.Fatalf("%s: line %d has no newline", args[0], n)
		}
		if err := recordtest.Check([]byte(strings.TrimSuffix(line, "\n"))); err != nil {
			ts.Fatalf("%s: line %d: %v", args[0], n, err)
		}
	}
	if want := append(args, "")[1]; n == 0 || want != "" && want != strconv.Itoa(n) {
		ts.Fatalf("%s has %d records, want %s", args[0], n, want)
	}
}

var duration = regexp.MustCompile(`"durationMs":\d+`)

// sameCommand is "same 'COMMAND' 'COMMAND'…": all print the same bytes, at
// least one, and exit alike. Times are left out of account.
func sameCommand(ts *testscript.TestScript, neg bool, args []string) {
	noNeg(ts, neg)
	if len(args) < 2 {
		ts.Fatalf("usage: same COMMAND COMMAND...")
	}
	var first string
	var status int
	for i, line := range args {
		out, code := shell(ts, line)
		ts.Check(checkRecords(out))
		out = duration.ReplaceAllString(out, `"durationMs":0`)
		switch {
		case out == "":
			ts.Fatalf("%s prints nothing", line)
		case i == 0:
			first, status = out, code
		case code != status:
			ts.Fatalf("%s: status %d, %s: status %d", args[0], status, line, code)
		case out != first:
			ts.Fatalf("%s prints something else than %s: %s", line, args[0], firstDifference(first, out))
		}
	}
}

func firstDifference(a, b string) string {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(as), len(bs)) {
		if as[i] != bs[i] {
			return fmt.Sprintf("line %d\n%s\n%s", i+1, as[i], bs[i])
		}
	}
	return fmt.Sprintf("%d and %d lines", len(as), len(bs))
}

// linesCommand is "lines N FILE": the file has N lines.
func linesCommand(ts *testscript.TestScript, neg bool, args []string) {
	noNeg(ts, neg)
	if len(args) != 2 {
		ts.Fatalf("usage: lines N FILE")
	}
	if n := strings.Count(ts.ReadFile(args[1]), "\n"); strconv.Itoa(n) != args[0] {
		ts.Fatalf("%s has %d lines, want %s", args[1], n, args[0])
	}
}

// mkfileCommand is "mkfile FILE TEXT": writes bytes that a script cannot hold,
// TEXT being a Go string without its quotes, in which
// quotes stand for themselves.
func mkfileCommand(ts *testscript.TestScript, neg bool, args []string) {
	noNeg(ts, neg)
	if len(args) != 2 {
		ts.Fatalf("usage: mkfile FILE TEXT")
	}
	text, err := strconv.Unquote(`"` + strings.ReplaceAll(args[1], `"`, `\"`) + `"`)
	ts.Check(err)
	name := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(filepath.Dir(name), 0o777))
	ts.Check(os.WriteFile(name, []byte(text), 0o666))
}

// checkCanaries makes sure that no server parameter was printed or written.
func (s *state) checkCanaries() {
	if form := secrets.In(s.printed); form != "" {
		s.t.Errorf("a server parameter was printed, as %s", form)
	}
	checkFiles(s.t, s.work)
	if s.upstream != nil {
		s.upstream.server.Close()
	}
}

// checkFiles makes sure that no server parameter is in the files of a folder,
// but for the one that the keys are read from.
func checkFiles(t testing.TB, dir string) {
	found, err := secrets.Below(dir, "keys.env")
	if err != nil {
		t.Error(err)
	}
	for _, f := range found {
		t.Error(f)
	}
}

// feedCommand is "feed FILE [OLD NEW]...": writes the GTFS feed of scripts/gtfs,
// with every OLD replaced by its NEW.
func feedCommand(ts *testscript.TestScript, neg bool, args []string) {
	noNeg(ts, neg)
	if len(args)%2 != 1 {
		ts.Fatalf("usage: feed FILE [OLD NEW]...")
	}
	var b bytes.Buffer
	ts.Check(feed.Pack(&b, args[1:]...))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), b.Bytes(), 0o666))
}
