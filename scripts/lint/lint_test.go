package main

import (
	"os/exec"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	lines := func(n int, line string) string { return strings.Repeat(line+"\n", n) }
	tests := []struct {
		name, path, text, want string // want "" for nothing
	}{
		{"a short file", "a.go", "package a\n", ""},
		{"a file at the limit", "a.go", "package a\n" + lines(399, "// x"), ""},
		{"a long file", "a.go", "package a\n" + lines(400, "// x"), "401 lines"},
		{"a table does not count", "a.go", "package a\n\nvar t = []int{\n" + lines(500, "\t1,") + "}\n", ""},
		{"a struct is not a table", "a.go", "package a\n\nvar t = x{\n" + lines(500, "\ta: 1,") + "}\n", "504 lines"},
		{"a function at the limit", "a.go", "package a\n\nfunc f() {\n" + lines(58, "\tg()") + "}\n", ""},
		{"a long function", "a.go", "package a\n\nfunc f() {\n" + lines(59, "\tg()") + "}\n", "f has 61 lines"},
		{"a table in a function", "a.go",
			"package a\n\nfunc f() {\n\t_ = []int{\n" + lines(99, "\t\t1,") + "\t}\n}\n", ""},
		{"code in a table counts", "a.go",
			"package a\n\nfunc f() {\n\t_ = []func(){\n\t\tfunc() {\n" + lines(60, "\t\t\tg()") + "\t\t},\n\t}\n}\n",
			"f has 65 lines"},
		{"a line at the limit", "scripts/a.go", "package a\n\n//" + strings.Repeat("é", 118) + "\n", ""},
		{"a long line", "scripts/a.go", "package a\n\n//" + strings.Repeat("é", 119) + "\n", "121 columns"},
		{"tabs are four columns", "scripts/a.go", "package a\n\nfunc f() {\n\t//" + strings.Repeat("x", 115) + "\n}\n",
			"121 columns"},
		{"a line inside a raw string of a test", "a_test.go",
			"package a\n\nvar x = `\n" + lines(1, strings.Repeat("x", 121)) + "`\n", ""},
		{"a line inside a raw string", "a.go", "package a\n\nvar x = `\n" + lines(1, strings.Repeat("x", 121)) + "`\n",
			"121 columns"},
		{"the tag of a field", "scripts/a.go",
			"package a\n\ntype x struct {\n\tA []string `help:\"" + strings.Repeat("x", 120) + "\"`\n}\n", ""},
		{"a note to ourselves", "a.md", "one\n" + forbidden[0].word + ": two\n", forbidden[0].word},
		{"a path of one machine", "a.sh", "cd " + forbidden[3].word + "x\n", "one machine"},
		{"an expression compiled at the start", "pkg/a/a.go",
			"package a\n\nvar x = []y{{regexp.MustCompile(`a`)}}\n", "lazy.Regexp"},
		{"an expression compiled in a function", "pkg/a/a.go",
			"package a\n\nvar x = func() { regexp.MustCompile(`a`) }\n\nfunc f() { regexp.MustCompile(`a`) }\n", ""},
		{"an expression of a script", "scripts/a.go", "package a\n\nvar x = regexp.MustCompile(`a`)\n", ""},
		{"a binary file", "a.bin", "\x00" + forbidden[0].word, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			problems, err := check(tt.path, []byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, p := range problems {
				got = append(got, p.text)
			}
			all := strings.Join(got, "\n")
			if (all == "") != (tt.want == "") || !strings.Contains(all, tt.want) {
				t.Errorf("%q, want %q", all, tt.want)
			}
		})
	}
}

func TestSubjects(t *testing.T) {
	t.Chdir(t.TempDir())
	git := func(args ...string) {
		t.Helper()
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, out)
		}
	}
	if got := subjects("old"); got != nil {
		t.Errorf("without a history: %q", got)
	}
	git("init", "-q")
	git("config", "user.name", "Ada")
	git("config", "user.email", "ada@example.com")
	for _, subject := range []string{strings.Repeat("o", 99), strings.Repeat("é", 72), strings.Repeat("n", 73)} {
		git("commit", "-q", "--allow-empty", "-m", subject+"\n\n"+strings.Repeat("the body may be long ", 9))
		if subject[0] == 'o' {
			git("tag", "old")
		}
	}
	got := subjects("old")
	if len(got) != 1 || !strings.Contains(got[0], "73 characters") {
		t.Errorf("%q, want the one commit of 73 characters", got)
	}
	if got := subjects("0123456789"); got != nil {
		t.Errorf("from a commit that is not there: %q", got)
	}
}
