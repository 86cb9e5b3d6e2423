package usage

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/report"
)

// probe is a command with one of each.
func probe() *Command {
	words := func(list ...string) func() []string { return func() []string { return list } }
	shared := Group{"General", []Flag{
		{Name: "verbose", Short: 'v', Title: "-v, --verbose", Help: "Say more.", Alone: true},
		{Name: "jobs", Short: 'j', Title: "-j, --jobs N", Help: "At a time", Value: Value{Name: "N"}},
	}}
	test := &Command{Words: []string{"fmcp-probe", "test"}, Short: "Run the tests.", Long: ".Long - it's\\long",
		Usage: []string{"fmcp-probe test [TARGET...] [flags]"}, Groups: []Group{shared},
		Exits: [][2]string{{"0", "clean"}},
		Args: []Arg{{Title: "DIR", Value: Value{Name: "DIR"}},
			{Title: "HOW...", Many: true, Value: Value{Words: words("fast", "slow")}}}}
	return &Command{
		Words: []string{"fmcp-probe"}, Short: "Looks.", Usage: []string{"fmcp-probe [flags]"},
		Commands: []*Command{test},
		Examples: []Example{{"fmcp-probe 'a' --x", "Look"}, {"fmcp-probe \\", "Again"}},
		Groups: []Group{{"Flags", []Flag{
			{Name: "mode", Title: "    --mode HOW", Help: "How", Value: Value{Name: "HOW", Words: words("all", "any")}},
			{Name: "code", Short: 'c', Title: "-c, --code CODE,...", Many: true,
				Value: Value{Name: "CODE,...", Words: words("A1", "A2", "B\x1b")}},
			{Name: "fix", Title: "    --fix[=all]", Alone: true, Value: Value{Name: "all", Words: words("all")}},
			{Name: "out", Title: "    --out DIR", Value: Value{Name: "DIR"}},
		}}, shared},
		Args: []Arg{{Title: "[FILE]", Value: Value{Name: "FILE"}}}, Exits: [][2]string{{"0", "clean"}},
	}
}

func TestComplete(t *testing.T) {
	tests := []struct{ typed, want string }{
		{"", "test\tRun the tests.|:files 0|"},
		{"te", "test\tRun the tests.|:files 0|"},
		{"--m", "--mode\tHow|"},
		{"--mode all --m", ""},
		{"-c A1 --c", "--code|"},
		{"--mode a", "all|any|"},
		{"--mode=an", "--mode=any|"},
		{"--none=an", ""},
		{"-c A1,A", "A1,A1|A1,A2|"},
		{"-cA1 --code=A1,", "--code=A1,A1|--code=A1,A2|"},
		{"--fix", "--fix|--fix=all|"},
		{"--fix=", "--fix=all|"},
		{"--out=ab", ":dirs 6|"},
		{"--out ab", ":dirs 0|"},
		{"-vj 3 te", "test\tRun the tests.|:files 0|"},
		{"-vj3 te", "test\tRun the tests.|:files 0|"},
		{"-j", ""},
		{"-j ", ""},
		{"x te", ""},
		{"-- te", ":files 0|"},
		{"-- --m", ":files 0|"},
		{"test ", ":dirs 0|"},
		{"test x f", "fast|"},
		{"test x fast sl", "slow|"},
		{"test --m", ""},
		{"test --ver", "--verbose\tSay more.|"},
		{"--none x --mode a", "all|any|"},
		{`-c 'A1' "--mode" al`, "all|"},
		{`--mode a\ll`, "all|"},
	}
	for _, tt := range tests {
		c := &Completer{Root: probe(), Getenv: func(string) string { return "" }}
		got := strings.ReplaceAll(c.Complete(strings.Split(tt.typed, " ")), "\n", "|")
		if got != tt.want {
			t.Errorf("%q: %q, want %q", tt.typed, got, tt.want)
		}
	}
	c := &Completer{Root: probe()}
	if got := c.Complete(nil); !strings.HasPrefix(got, "test\t") {
		t.Errorf("no words: %q", got)
	}
}

func TestUnquote(t *testing.T) {
	c := &Completer{Getenv: func(name string) string { return map[string]string{"HOME": "/h"}[name] }}
	for word, want := range map[string]string{
		"a": "a", `"a b"`: "a b", `'a\b'`: `a\b`, `a\ b`: "a b", `"a\"b"`: `a"b`, `a'"'b`: `a"b`,
		"~/x": "/h/x", "~": "~",
		`'open`: "open", `end\`: "end",
	} {
		if got := c.unquote(word); got != want {
			t.Errorf("%s: %q, want %q", word, got, want)
		}
	}
}

func FuzzComplete(f *testing.F) {
	f.Add("--mode=a -c A1, test -vj3 '")
	f.Fuzz(func(t *testing.T, typed string) {
		c := &Completer{Root: probe(), Getenv: func(string) string { return "" }}
		for line := range strings.Lines(c.Complete(strings.Split(typed, " "))) {
			if !strings.HasSuffix(line, "\n") ||
				strings.ContainsAny(line, "\x1b\x00") && !strings.ContainsAny(typed, "\x1b\x00") {
				t.Errorf("%q: %q", typed, line)
			}
		}
	})
}

func TestScript(t *testing.T) {
	for _, shell := range Shells() {
		script := Script(shell, "fmcp-probe")
		if !strings.Contains(script, "_fmcp_probe") || !strings.Contains(script, "fmcp-probe --completion "+shell) ||
			strings.Contains(script, "NAME") || strings.Contains(script, "FUNCTION") {
			t.Errorf("%s:\n%s", shell, script)
		}
	}
}

func TestPages(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "man", "man1")
	if err := probe().WritePages(dir, Release{"fmcp 1.2.3", "2026-01-02"}); err != nil {
		t.Fatal(err)
	}
	for page, parts := range map[string][]string{
		"fmcp-probe.1": {`.TH "FMCP\-PROBE" "1" "2026-01-02" "fmcp 1.2.3" "FlowMCP"`,
			".SH \"NAME\"\nfmcp\\-probe \\- Looks\n",
			".TP\n.B \"\\-\\-mode HOW\"\nHow.\n", ".EX\nfmcp\\-probe \\(aqa\\(aq \\-\\-x\n.EE", "fmcp\\-probe \\e\n",
			".TP\n.B \"test\"\nRun the tests.\n", "fmcp\\-probe\\-test(1)"},
		"fmcp-probe-test.1": {"\n\\&.Long \\- it\\(aqs\\elong\n", "\nfmcp\\-probe(1)\n"},
	} {
		text, err := os.ReadFile(filepath.Join(dir, page))
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range parts {
			if !strings.Contains(string(text), part) {
				t.Errorf("%s lacks %q:\n%s", page, part, text)
			}
		}
	}
}

func TestHelp(t *testing.T) {
	help := probe().Help(report.Palette{}, 0)
	if want := "Looks.\n\nUsage:\n  fmcp-probe [flags]\n\nExamples:\n  # Look\n"; !strings.HasPrefix(help, want) {
		t.Errorf("%s\nwant the start\n%s", help, want)
	}
}
