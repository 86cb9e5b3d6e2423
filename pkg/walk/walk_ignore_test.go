package walk

import (
	"bytes"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// git runs git in dir; ok is false where there is no git on the machine, and
// then the expectations of the tables stand alone.
func git(t testing.TB, dir, stdin string, args ...string) (out string, ok bool) {
	t.Helper()
	bin, err := exec.LookPath("git")
	if err != nil {
		return "", false
	}
	cmd := exec.Command(bin, append([]string{"-c", "core.excludesFile=/dev/null"}, args...)...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	text, err := cmd.Output()
	if err != nil && stderr.Len() > 0 {
		t.Fatalf("git %v: %v: %s", args, err, stderr.String())
	}
	return string(text), true
}

// gitKeeps returns the paths that git does not ignore, and false without git.
func gitKeeps(t *testing.T, dir string, paths []string) ([]string, bool) {
	t.Helper()
	if _, ok := git(t, dir, "", "init", "-q"); !ok {
		return nil, false
	}
	out, _ := git(t, dir, strings.Join(paths, "\x00")+"\x00", "check-ignore", "-z", "--stdin", "--no-index")
	ignored := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
	var keep []string
	for _, p := range paths {
		if !slices.Contains(ignored, p) {
			keep = append(keep, p)
		}
	}
	slices.Sort(keep)
	return keep, true
}

func TestWalkGitignore(t *testing.T) {
	tests := []struct {
		name   string
		ignore []string // .gitignore files: "folder=text"
		paths  string
		want   string
	}{
		{"name anywhere", []string{"=old.mjs"}, "old.mjs a/old.mjs a/new.mjs", "a/new.mjs"},
		{"star", []string{"=*.tmp.mjs"}, "x.tmp.mjs a/x.tmp.mjs a/x.mjs", "a/x.mjs"},
		{"anchored", []string{"=/x.mjs"}, "x.mjs a/x.mjs", "a/x.mjs"},
		{"slash inside anchors", []string{"=a/x.mjs"}, "a/x.mjs b/a/x.mjs", "b/a/x.mjs"},
		{"folder", []string{"=old/"}, "old/x.mjs a/old/x.mjs a/x.mjs", "a/x.mjs"},
		{"folder pattern spares a file", []string{"=x.mjs/"}, "x.mjs", "x.mjs"},
		{"negation", []string{"=*.mjs\n!keep.mjs"}, "a.mjs keep.mjs d/keep.mjs", "d/keep.mjs keep.mjs"},
		{"negation in an ignored folder", []string{"=old/\n!old/keep.mjs"}, "old/keep.mjs a.mjs", "a.mjs"},
		{"negation of a folder's content", []string{"=old/*\n!old/keep.mjs"}, "old/keep.mjs old/a.mjs", "old/keep.mjs"},
		{"last match wins", []string{"=!a.mjs\na.mjs"}, "a.mjs b.mjs", "b.mjs"},
		{"nested file wins", []string{"=*.mjs", "d=!a.mjs"}, "a.mjs d/a.mjs d/b.mjs d/e/a.mjs", "d/a.mjs d/e/a.mjs"},
		{"nested anchors at its folder", []string{"d=/a.mjs"}, "a.mjs d/a.mjs d/e/a.mjs", "a.mjs d/e/a.mjs"},
		{"leading doublestar", []string{"=**/old/x.mjs"}, "old/x.mjs a/b/old/x.mjs old/y.mjs", "old/y.mjs"},
		{"trailing doublestar", []string{"=old/**"}, "old/x.mjs old/a/x.mjs b/old/x.mjs", "b/old/x.mjs"},
		{"trailing doublestar with negation", []string{"=old/**\n!old/a/\n!old/a/x.mjs"},
			"old/x.mjs old/a/x.mjs old/a/y.mjs", "old/a/x.mjs"},
		{"doublestar inside", []string{"=a/**/x.mjs"}, "a/x.mjs a/b/c/x.mjs a/b/y.mjs", "a/b/y.mjs"},
		{"doublestar in a name", []string{"=a**b/x.mjs"}, "axb/x.mjs a/b/x.mjs", "a/b/x.mjs"},
		{"question mark", []string{"=?.mjs"}, "a.mjs ab.mjs", "ab.mjs"},
		{"class", []string{"=[a-c].mjs\n[!d-z]x.mjs"}, "a.mjs d.mjs ax.mjs dx.mjs", "d.mjs dx.mjs"},
		{"posix class", []string{"=[[:digit:]].mjs"}, "1.mjs a.mjs", "a.mjs"},
		{"class with bracket", []string{"=[]a].mjs"}, "].mjs a.mjs b.mjs", "b.mjs"},
		{"class not closed", []string{"=[a.mjs"}, "[a.mjs a.mjs", "[a.mjs a.mjs"},
		{"braces are plain", []string{"={a,b}.mjs"}, "a.mjs {a,b}.mjs", "a.mjs"},
		{"braces beside a star", []string{"={a*}.mjs"}, "a.mjs {ab}.mjs", "a.mjs"},
		{"escapes", []string{"=\\#a.mjs\n\\!b.mjs\n\\*.mjs"}, "#a.mjs !b.mjs *.mjs c.mjs", "c.mjs"},
		{"comment and blank", []string{"=# a.mjs\n\n   \nb.mjs"}, "a.mjs b.mjs", "a.mjs"},
		{"trailing spaces", []string{"=a.mjs   \nb.mjs\\ "}, "a.mjs b.mjs", "b.mjs"},
		{"crlf and mark", []string{"=\uFEFFa.mjs\r\nb.mjs\r\n"}, "a.mjs b.mjs c.mjs", "c.mjs"},
		{"backslash at the end", []string{"=a*\\"}, "a.mjs", "a.mjs"},
		{"everything", []string{"=*\n!*/\n!d/*.mjs"}, "a.mjs d/a.mjs d/e/a.mjs", "d/a.mjs"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			paths := strings.Fields(tt.paths)
			plant(t, dir, paths...)
			for _, ig := range tt.ignore {
				folder, text, _ := strings.Cut(ig, "=")
				plant(t, dir, filepath.Join(folder, ".gitignore")+"="+text)
			}
			got := walkAll(t, Options{}, dir)
			slices.Sort(got)
			equal(t, got, strings.Fields(tt.want))
			if want, ok := gitKeeps(t, dir, paths); ok {
				equal(t, got, want)
			}
			if all := walkAll(t, Options{NoIgnore: true}, dir); len(all) != len(paths) {
				t.Errorf("without .gitignore: %v", all)
			}
		})
	}
}

// The rules of a repository apply to a root inside it, those above it do not.
func TestWalkGitignoreAboveRoot(t *testing.T) {
	dir := t.TempDir()
	plant(t, dir, ".gitignore=*.mjs", "repo/.git/", "repo/.gitignore=old\n/cat/a.mjs", "repo/sub/.gitignore=never.mjs",
		"repo/cat/.gitignore=!old", "repo/cat/a.mjs", "repo/cat/b.mjs", "repo/cat/old/x.mjs", "repo/cat/d/a.mjs")
	equal(t, walkAll(t, Options{}, filepath.Join(dir, "repo", "cat")), []string{"b.mjs", "d/a.mjs", "old/x.mjs"})
	equal(t, walkAll(t, Options{}, filepath.Join(dir, "repo")), []string{"cat/b.mjs", "cat/d/a.mjs", "cat/old/x.mjs"})
}

// Random patterns mean what they mean to git.
func TestGitignoreLikeGit(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "b", "x.mjs", "*", "**", "/", "/", "?", "!", "[ab]", "[!a]", "[a-", "{a,b}", "\\a", "\\",
		" ", "***", "[]", "]", "[[:alpha:]]", ".", "*.mjs"}
	paths := []string{
		"a/x.mjs", "a/b/x.mjs", "b/a/x.mjs", "b/x.mjs", "x.mjs", "ab/x.mjs", "a/a/b/x.mjs", "{a,b}/x.mjs", "ab.mjs",
		"]/x.mjs", "a b/x.mjs", "[a-/x.mjs",
	}
	dir := t.TempDir()
	plant(t, dir, paths...)
	for range 150 {
		var text strings.Builder
		for range 1 + r.IntN(4) {
			for range 1 + r.IntN(5) {
				text.WriteString(pieces[r.IntN(len(pieces))])
			}
			text.WriteByte('\n')
		}
		plant(t, dir, ".gitignore="+text.String())
		want, ok := gitKeeps(t, dir, paths)
		if !ok {
			return // the table above holds without git
		}
		got := walkAll(t, Options{}, dir)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%q:\n got %q\nwant %q", text.String(), got, want)
		}
	}
}

func FuzzGitignore(f *testing.F) {
	f.Add("*.mjs\n!a/**\n[a-", "a/b.mjs")
	f.Add("[[:alpha:]\\", "x")
	f.Fuzz(func(t *testing.T, text, p string) {
		file := &ignoreFile{rules: parseIgnore(text)}
		if first := file.ignored(p, true); first != file.ignored(p, true) {
			t.Error("not the same twice")
		}
	})
}
