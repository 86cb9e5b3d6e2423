package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/sandbox"
	_ "github.com/flowmcp/fmcp/pkg/sandbox/worker"
)

// probe is a command with every shared flag that hands itself to a test.
type probe struct {
	Common
	StreamFlags
	OutputFlags
	FailFlags
	Profile string   `group:"Rules" enum:"spec,community" default:"spec" help:"Severities: ${enum}"`
	Limit   int      `help:"A number" default:"7"`
	Paths   []string `arg:"" optional:"" name:"path" help:"Catalogs, folders and files; - is stdin"`

	run func(ctx context.Context, app *App) (int, error)
}

func (p *probe) Run(ctx context.Context, app *App) (int, error) {
	if p.run == nil {
		return ExitOK, nil
	}
	return p.run(ctx, app)
}

var probeInfo = Info{
	Name: "fmcp-probe",
	Short: "fmcp-probe looks at the flags that all commands share, and does nothing else, which takes more than one " +
		"line to say.",
	Examples: []Example{
		{Command: "fmcp-probe catalog/", What: "Look at a catalog"},
		{Command: "fmcp-scan catalog/ | fmcp-probe", What: "Look at a stream"},
		{Command: "fmcp-probe -f ndjson catalog/ | jq .code", What: "Pick a field"},
	},
	Input: "scan records, as in: fmcp-scan catalog/ | fmcp-probe",
}

// result is what a run left.
type result struct {
	code        int
	out, stderr string
}

// environment of a run.
type environment struct {
	env           map[string]string
	stdinTTY, tty bool
	width         int
}

func (e environment) io(out, stderr io.Writer) IO {
	return IO{
		Stdin: strings.NewReader(""), Stdout: out, Stderr: stderr,
		Getenv:   func(key string) string { return e.env[key] },
		StdinTTY: e.stdinTTY, StdoutTTY: e.tty, StderrTTY: e.tty, Width: e.width,
	}
}

func run(cmd Command, e environment, args ...string) result {
	return runContext(context.Background(), cmd, e, args...)
}

func runContext(ctx context.Context, cmd Command, e environment, args ...string) result {
	var out, stderr bytes.Buffer
	code := Run(ctx, probeInfo, cmd, args, e.io(&out, &stderr))
	return result{code, out.String(), stderr.String()}
}

func TestDefaults(t *testing.T) {
	p := &probe{}
	if r := run(p, environment{}); r.code != ExitOK || r.out+r.stderr != "" {
		t.Fatalf("%+v", r)
	}
	if p.Jobs != runtime.GOMAXPROCS(0) || p.MaxLine != 16<<20 || p.AllowEmpty || p.Format != FormatNDJSON ||
		p.FailOn != "" || p.Color != "auto" {
		t.Errorf("%+v", *p)
	}
	p = &probe{}
	run(p, environment{tty: true})
	if p.Format != FormatText {
		t.Errorf("format on a terminal is %q", p.Format)
	}
}

func TestFlags(t *testing.T) {
	p := &probe{}
	r := run(p, environment{tty: true}, "-j3", "-f", "ndjson", "-o", "text=a,b.txt", "--output=ndjson=c=d", "--fail-on",
		"warning",
		"--max-line", "1M", "--allow-empty", "--color=never", "a", "-", "b")
	if r.code != ExitOK || r.stderr != "" {
		t.Fatalf("%+v", r)
	}
	if p.Jobs != 3 || p.Format != "ndjson" || p.FailOn != "warning" || p.MaxLine != 1<<20 || !p.AllowEmpty ||
		p.Color != "never" {
		t.Errorf("%+v", *p)
	}
	if want := []OutputSpec{{"text", "a,b.txt"}, {"ndjson", "c=d"}}; !slices.Equal(p.Output, want) {
		t.Errorf("outputs %v, want %v", p.Output, want)
	}
	if want := []string{"a", "-", "b"}; !slices.Equal(p.Paths, want) {
		t.Errorf("paths %q, want %q", p.Paths, want)
	}
}

func TestUsageErrors(t *testing.T) {
	tests := []struct {
		args string
		want string
	}{
		{"--formt text", `unknown flag --formt (did you mean "--format"?)`},
		{"--fail-no=error", `unknown flag --fail-no (did you mean "--fail-on"?)`},
		{"--zzzzzzzz", "unknown flag --zzzzzzzz;"},
		{"-x", "unknown flag -x;"},
		{"-f sarfi", `--format: "sarfi" is not one of text, ndjson;`},
		{"-f ndjosn", `--format: "ndjosn" is not one of text, ndjson (did you mean "ndjson"?)`},
		{"-o ndjson", `"ndjson" is not FORMAT=FILE`},
		{"-o =x", `"=x" is not FORMAT=FILE`},
		{"-o text=", `"text=" is not FORMAT=FILE`},
		{"-o txt=x", `--output: "txt" is not one of text, ndjson (did you mean "text"?)`},
		{"-o text=-", "use -f text"},
		{"-o text=x -o ndjson=x", "two outputs go to x"},
		{"--fail-on warn", `--fail-on: "warn" is not one of error, warning, info, never`},
		{"--fail-on eror", `(did you mean "error"?)`},
		{"--color alway", `--color: "alway" is not one of auto, always, never (did you mean "always"?)`},
		{"--profile comunity", `--profile: "comunity" is not one of spec, community (did you mean "community"?)`},
		{"-j -1", `perhaps try --jobs="-1"`},
		{"--jobs=-1", "--jobs is -1, expected 1 to 1024"},
		{"-j 5000", "--jobs is 5000"},
		{"-j many", `--jobs: expected a valid 64 bit int but got "many"`},
		{"--max-line 0", `--max-line: "0" is not a size`},
		{"--max-line", "--max-line"},
		{"-f", "--format"},
	}
	for _, tt := range tests {
		t.Run(tt.args, func(t *testing.T) {
			ran := false
			cmd := &probe{run: func(context.Context, *App) (int, error) { ran = true; return ExitOK, nil }}
			r := run(cmd, environment{}, strings.Fields(tt.args)...)
			if r.code != ExitUsage || ran || r.out != "" {
				t.Errorf("status %d, ran %v, stdout %q", r.code, ran, r.out)
			}
			if !strings.HasPrefix(r.stderr, "fmcp-probe: ") ||
				!strings.HasSuffix(r.stderr, "; see fmcp-probe --help\n") || strings.Count(r.stderr, "\n") != 1 {
				t.Errorf("not one line with a pointer to help: %q", r.stderr)
			}
			if !strings.Contains(r.stderr, tt.want) {
				t.Errorf("%q does not say %q", r.stderr, tt.want)
			}
		})
	}
}

func TestSize(t *testing.T) {
	for text, want := range map[string]int{
		"1": 1, "65536": 65536, "512k": 512 << 10, "512K": 512 << 10, "16MiB": 16 << 20, "1M": 1 << 20, "1.5M": 3 << 19,
		"1MB": 1e6, "2kb": 2000, "1g": 1 << 30, "100B": 100, "16 MiB": 16 << 20,
	} {
		var s Size
		if err := s.UnmarshalText([]byte(text)); err != nil || int(s) != want {
			t.Errorf("%q is %d, %v; want %d", text, s, err, want)
		}
	}
	for _, text := range []string{"", "0", "-1", "M", "1T", "1MiBs", "1e6", "0x10", "NaN", "1..5", "0.5", "3G", "1BM",
		"16MiM", "Inf"} {
		var s Size
		if err := s.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is read as %d", text, s)
		}
	}
	var f FileSize
	if err := f.UnmarshalText([]byte("32GiB")); err != nil || f != 32<<30 {
		t.Errorf("32GiB is %d, %v", f, err)
	}
	for _, text := range []string{"9999999GiB", "much"} {
		if err := f.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is read as %d", text, f)
		}
	}
}

func TestFailOn(t *testing.T) {
	all := []record.Severity{record.SeverityOff, record.SeverityInfo, record.SeverityWarning, record.SeverityError}
	for on, want := range map[FailOn][]bool{
		"": {false, false, false, true}, "error": {false, false, false, true}, "warning": {false, false, true, true},
		"info": {false, true, true, true}, "never": {false, false, false, false},
	} {
		for i, sev := range all {
			if got := on.Fails(sev); got != want[i] {
				t.Errorf("--fail-on %s: Fails(%v) is %v", on, sev, got)
			}
		}
	}
}

func TestExitStatus(t *testing.T) {
	tests := []struct {
		name   string
		code   int
		err    error
		want   int
		stderr string
	}{
		{"clean", ExitOK, nil, ExitOK, ""},
		{"findings", ExitFindings, nil, ExitFindings, ""},
		{"failure that was reported", ExitFailure, nil, ExitFailure, ""},
		{"error", ExitOK, errors.New("disk full"), ExitFailure, "fmcp-probe: disk full\n"},
		{"error beside findings", ExitFindings, errors.New("disk full"), ExitFailure, "fmcp-probe: disk full\n"},
		{"usage", ExitOK, Usagef("no such list %q", "x"), ExitUsage,
			"fmcp-probe: no such list \"x\"; see fmcp-probe --help\n"},
		{"wrapped usage", ExitFailure, fmt.Errorf("a: %w", Usagef("b")), ExitUsage,
			"fmcp-probe: b; see fmcp-probe --help\n"},
		{"closed pipe", ExitOK, &os.PathError{Op: "write", Path: "|1", Err: syscall.EPIPE}, 128 + 13, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := run(&probe{run: func(context.Context, *App) (int, error) { return tt.code, tt.err }}, environment{})
			if r.code != tt.want || r.stderr != tt.stderr {
				t.Errorf("%d %q, want %d %q", r.code, r.stderr, tt.want, tt.stderr)
			}
		})
	}
}

func TestSignalEndsCommand(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		ctx, cancel := context.WithCancelCause(t.Context())
		signals := make(chan os.Signal, 2)
		signals <- sig
		go watch(signals, cancel, func(os.Signal) {})
		r := runContext(ctx, &probe{run: func(ctx context.Context, _ *App) (int, error) {
			<-ctx.Done()
			return ExitOK, context.Cause(ctx)
		}}, environment{})
		if r.code != 128+int(sig) || r.stderr != "" {
			t.Errorf("%v: %d %q", sig, r.code, r.stderr)
		}
		signals <- sig // ends watch
	}
}

func TestSecondSignalExits(t *testing.T) {
	signals := make(chan os.Signal, 2)
	signals <- syscall.SIGINT
	signals <- syscall.SIGTERM
	var exited os.Signal
	watch(signals, func(error) {}, func(s os.Signal) { exited = s })
	if exited != syscall.SIGTERM {
		t.Errorf("exited by %v", exited)
	}
}

func TestRequireInput(t *testing.T) {
	tests := []struct {
		args     []string
		stdinTTY bool
		fails    bool
	}{
		{nil, true, true},
		{nil, false, false},
		{[]string{"a"}, true, false},
		{[]string{"-"}, true, false},
	}
	for _, tt := range tests {
		p := &probe{}
		p.run = func(_ context.Context, app *App) (int, error) { return ExitOK, app.RequireInput(p.Paths) }
		r := run(p, environment{stdinTTY: tt.stdinTTY}, tt.args...)
		if (r.code == ExitUsage) != tt.fails {
			t.Errorf("%v, terminal %v: status %d", tt.args, tt.stdinTTY, r.code)
		}
		if tt.fails && !strings.Contains(r.stderr,
			"stdin is a terminal; name a path, or pipe in scan records, as in: fmcp-scan catalog/ | fmcp-probe") {
			t.Errorf("%q does not say what to pipe", r.stderr)
		}
	}
}

func TestColor(t *testing.T) {
	type env = map[string]string
	tests := []struct {
		name string
		args []string
		env  env
		tty  bool
		want bool
	}{
		{"pipe", nil, nil, false, false},
		{"terminal", nil, nil, true, true},
		{"dumb terminal", nil, env{"TERM": "dumb"}, true, false},
		{"NO_COLOR", nil, env{"NO_COLOR": "1", "TERM": "xterm"}, true, false},
		{"FORCE_COLOR beats NO_COLOR and dumb", nil, env{"FORCE_COLOR": "1", "NO_COLOR": "1", "TERM": "dumb"},
			false, true},
		{"FORCE_COLOR=0", nil, env{"FORCE_COLOR": "0"}, true, false},
		{"always beats all", []string{"--color=always"}, env{"NO_COLOR": "1", "FORCE_COLOR": "0"}, false, true},
		{"never beats all", []string{"--color=never"}, env{"FORCE_COLOR": "1"}, true, false},
		{"auto asks the environment", []string{"--color=auto"}, env{"FORCE_COLOR": "1"}, false, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var stdout, stderr Palette
			cmd := &probe{run: func(_ context.Context, app *App) (int, error) {
				stdout, stderr = app.Palette, app.ErrPalette()
				return ExitOK, nil
			}}
			e := environment{env: tt.env, tty: tt.tty}
			if run(cmd, e, tt.args...); stdout.On != tt.want || stderr.On != tt.want {
				t.Errorf("stdout %v, stderr %v, want %v", stdout.On, stderr.On, tt.want)
			}
			r := run(&probe{}, e, append(tt.args, "--help")...)
			if got := strings.Contains(r.out, "\x1b["); got != tt.want {
				t.Errorf("help has colours: %v, want %v", got, tt.want)
			}
		})
	}
}

func TestPalette(t *testing.T) {
	on, off := Palette{On: true}, Palette{}
	for _, paint := range []func(Palette) string{
		func(p Palette) string { return p.Bold("x") }, func(p Palette) string { return p.Dim("x") },
		func(p Palette) string { return p.Good("x") }, func(p Palette) string { return p.Path("x") },
		func(p Palette) string { return p.Severity(record.SeverityError, "x") },
		func(p Palette) string { return p.Severity(record.SeverityWarning, "x") },
		func(p Palette) string { return p.Severity(record.SeverityInfo, "x") },
	} {
		if s := paint(on); !strings.HasPrefix(s, "\x1b[") || !strings.HasSuffix(s, "mx\x1b[0m") {
			t.Errorf("painted: %q", s)
		}
		if s := paint(off); s != "x" {
			t.Errorf("not painted: %q", s)
		}
	}
	if s := on.Severity(record.SeverityOff, "x") + on.Bold(""); s != "x" {
		t.Errorf("nothing to paint: %q", s)
	}
}

func TestVersion(t *testing.T) {
	want := versionLine("fmcp-probe", Version()) + "\n"
	for _, args := range [][]string{{"--version"}, {"a", "--nonsense", "--version"}} {
		if r := run(&probe{}, environment{}, args...); r.code != ExitOK || r.out != want || r.stderr != "" {
			t.Errorf("%q: %+v", args, r)
		}
	}
	p := &probe{}
	if r := run(p, environment{}, "--", "--version"); r.out != "" || !slices.Equal(p.Paths, []string{"--version"}) {
		t.Errorf("after --: %+v, %q", r, p.Paths)
	}
}

func TestSystemIO(t *testing.T) {
	s := SystemIO()
	if s.Stdin != os.Stdin || s.Stdout != os.Stdout || s.Stderr != os.Stderr || s.Getenv == nil {
		t.Errorf("%+v", s)
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	defer func(f *os.File) { os.Stdin = f }(os.Stdin)
	os.Stdin = null
	if SystemIO().StdinTTY {
		t.Error("the null device is taken for a terminal")
	}
}

// Main in a process of its own: arguments, streams, exit status and signals.
func TestMain(m *testing.M) {
	if os.Getenv("FMCP_TEST_MAIN") == "" {
		// Under nohup the commands would inherit that they are not hung up.
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
		os.Exit(m.Run())
	}
	signal.Reset()
	Main(probeInfo, &probe{run: func(ctx context.Context, app *App) (int, error) {
		if os.Getenv("FMCP_TEST_MAIN") == "worker" {
			if _, err := sandbox.Export(ctx, "export const main = 1 + (1)", "main"); err != nil {
				return ExitFailure, err
			}
		}
		if _, err := fmt.Fprintln(app.IO.Stdout, "ready"); err != nil {
			return ExitFailure, err
		}
		io.Copy(io.Discard, app.IO.Stdin)
		if ctx.Err() == nil && app.Common.Color == "never" {
			<-ctx.Done()
		}
		return ExitFindings, nil
	}})
}
