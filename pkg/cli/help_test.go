package cli

import (
	"context"
	"strings"
	"testing"
	"unicode/utf8"
)

const wantHelp = `fmcp-probe looks at the flags that all commands share, and does nothing else,
which takes more than one line to say.

Usage:
  fmcp-probe [PATH...] [flags]

Examples:
  # Look at a catalog
  $ fmcp-probe catalog/
  # Look at a stream
  $ fmcp-scan catalog/ | fmcp-probe
  # Pick a field
  $ fmcp-probe -f ndjson catalog/ | jq .code

Arguments:
  [PATH...]  Catalogs, folders and files; - is stdin

`

func TestHelp(t *testing.T) {
	for _, args := range []string{"-h", "--help", "a --help", "-f nonsense --help"} {
		r := run(&probe{}, environment{}, strings.Fields(args)...)
		if r.code != ExitOK || r.stderr != "" {
			t.Fatalf("%s: %d %q", args, r.code, r.stderr)
		}
		if !strings.HasPrefix(r.out, wantHelp) {
			t.Errorf("%s:\n%s\nwant the start\n%s", args, r.out, wantHelp)
		}
	}
}

func TestHelpSections(t *testing.T) {
	out := run(&probe{}, environment{}, "--help").out
	last := -1
	for _, part := range []string{
		"\nStream:\n", "-j, --jobs N", "--max-line SIZE", "(default: 16MiB)", "\nOutput:\n", "-f, --format FORMAT",
		"text, ndjson", "-o, --output FORMAT=FILE",
		"\nFindings:\n", "--fail-on SEVERITY", "(default: error)", "\nRules:\n", "--profile PROFILE", "spec,community",
		"\nFlags:\n", "--limit LIMIT", "A number (default: 7)",
		"\nGeneral:\n", "--color WHEN", "-h, --help", "--version", "\nExit status:\n", "0  clean",
		"1  findings at or above --fail-on", "2  ", "3  ",
	} {
		i := strings.Index(out, part)
		if i <= last {
			t.Errorf("%q is missing or in the wrong place (%d, the last is at %d)", part, i, last)
		}
		last = max(last, i)
	}
	if t.Failed() {
		t.Log("\n" + out)
	}
}

func TestHelpWidth(t *testing.T) {
	for terminal, want := range map[int]int{0: 80, 60: 60, 90: 90, 300: 100, 10: 40} {
		out := run(&probe{}, environment{width: terminal, tty: terminal > 0, env: map[string]string{"NO_COLOR": "1"}},
			"--help").out
		longest := 0
		for line := range strings.Lines(out) {
			if strings.HasPrefix(line, "  $ ") {
				continue // a command line is not broken
			}
			n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n"))
			longest = max(longest, n)
			if n > want {
				t.Errorf("width %d: %d columns in %q", terminal, n, line)
			}
			if strings.TrimRight(line, " \n") != strings.TrimSuffix(line, "\n") {
				t.Errorf("width %d: trailing space in %q", terminal, line)
			}
		}
		if longest < want-12 {
			t.Errorf("width %d: the longest line has %d columns, the room is not used", terminal, longest)
		}
	}
}

// tree is a command with subcommands, as fmcp-resolve is.
type tree struct {
	Common
	OutputFlags
	Build buildCmd `cmd:"" default:"withargs" help:"Build a catalog"`
	ID    idCmd    `cmd:"" name:"id" help:"Show what a Spec-ID stands for"`
	Refs  refsCmd  `cmd:"" help:"Show who uses a list"`
}

func (*tree) Run(context.Context, *App) (int, error) { return ExitFailure, nil }

type buildCmd struct {
	Paths []string `arg:"" optional:"" name:"path"`
}

func (c *buildCmd) Run(_ context.Context, app *App) (int, error) {
	_, err := app.IO.Stdout.Write([]byte("build " + strings.Join(c.Paths, " ")))
	return ExitOK, err
}

type idCmd struct {
	ID string `arg:"" name:"spec-id" help:"The id"`
}

func (c *idCmd) Run(_ context.Context, app *App) (int, error) {
	_, err := app.IO.Stdout.Write([]byte("id " + c.ID))
	return ExitFindings, err
}

type refsCmd struct {
	List  string `arg:""`
	Depth int    `default:"3" help:"How deep."`
	Order string `default:"stream" help:"Order of results (default: stream)."`
}

func (c *refsCmd) Run(context.Context, *App) (int, error) { return ExitOK, nil }

func TestSubcommands(t *testing.T) {
	tests := []struct {
		args   string
		code   int
		out    string
		stderr string
	}{
		{"id a/tool/b", ExitFindings, "id a/tool/b", ""},
		{"catalog/ x", ExitOK, "build catalog/ x", ""},
		{"", ExitOK, "build ", ""},
		{"id", ExitUsage, "", "<spec-id>"},
		{"id a b", ExitUsage, "", `unexpected argument "b"`},
		{"id a --depth 2", ExitUsage, "", "unknown flag --depth"},
		{"refs l --dpeth 2", ExitUsage, "", `did you mean "--depth"?`},
		{"refs l --fromat text", ExitUsage, "", `did you mean "--format"?`},
		{"id --help", ExitOK, "Show what a Spec-ID stands for\n\nUsage:\n  fmcp-probe id SPEC-ID [flags]\n\n" +
			"Arguments:\n  SPEC-ID  The id\n", ""},
		{"refs --help", ExitOK, "Show who uses a list\n\nUsage:\n  fmcp-probe refs LIST [flags]\n\nArguments:\n" +
			"  LIST\n", ""},
		{"--help", ExitOK, "fmcp-probe looks at", ""},
	}
	for _, tt := range tests {
		t.Run(tt.args, func(t *testing.T) {
			r := run(&tree{}, environment{}, strings.Fields(tt.args)...)
			if r.code != tt.code || !strings.HasPrefix(r.out, tt.out) || !strings.Contains(r.stderr, tt.stderr) {
				t.Errorf("%+v, want %+v", r, tt)
			}
		})
	}
	refs := run(&tree{}, environment{}, "refs", "--help").out
	for _, part := range []string{"--depth DEPTH  How deep (default: 3)\n",
		"--order ORDER  Order of results (default: stream)\n"} {
		if !strings.Contains(refs, part) {
			t.Errorf("help lacks %q:\n%s", part, refs)
		}
	}
	help := run(&tree{}, environment{}, "--help").out
	for _, part := range []string{"\nCommands:\n", "  id    Show what a Spec-ID stands for\n",
		"Usage:\n  fmcp-probe [PATH...] [flags]\n  fmcp-probe id SPEC-ID [flags]\n", "\nExamples:\n",
		"\nArguments:\n  [PATH...]\n", "--format"} {
		if strings.Contains(help, "build") {
			t.Errorf("help names the default command:\n%s", help)
		}
		if !strings.Contains(help, part) {
			t.Errorf("help lacks %q:\n%s", part, help)
		}
	}
}

// strict is a command whose subcommands must be named.
type strict struct {
	Common
	ID   idCmd   `cmd:"" name:"id"`
	Refs refsCmd `cmd:""`
}

func (*strict) Run(context.Context, *App) (int, error) { return ExitFailure, nil }

func TestUnknownSubcommand(t *testing.T) {
	r := run(&strict{}, environment{}, "rfes", "x")
	if r.code != ExitUsage || !strings.Contains(r.stderr, `unexpected argument "rfes" (did you mean "refs"?)`) {
		t.Errorf("%+v", r)
	}
}

// Only formats of reports leave out something: markdown, dot and json show a
// whole answer.
func TestFormatsText(t *testing.T) {
	info := &Info{Others: "tests only"}
	for _, tt := range []struct {
		formats []string
		want    string
	}{
		{AnswerFormats, "text, ndjson"},
		{[]string{"text", "ndjson", "markdown"}, "text, ndjson, markdown"},
		{[]string{"text", "ndjson", "junit", "tap"},
			"text, ndjson, junit, tap; all but text and ndjson show tests only"},
	} {
		if got := info.formatsText(tt.formats); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.formats, got, tt.want)
		}
	}
}
