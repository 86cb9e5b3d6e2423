package walk

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What git tracks is found whatever .gitignore says, in each form of the index.
func TestWalkTracked(t *testing.T) {
	for name, setup := range map[string][][]string{
		"version 2": {{"init", "-q"}, {"update-index", "--index-version", "2"}},
		"version 4": {{"init", "-q"}, {"update-index", "--index-version", "4"}},
		"SHA-256":   {{"init", "-q", "--object-format=sha256"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			plant(t, dir, "cat/.gitignore=*.mjs\n/hidden/\n", "cat/a.mjs", "cat/b.mjs", "cat/hidden/sub/c.mjs",
				"cat/hidden/d.mjs",
				"cat/hidden/other/e.mjs", "cat/hidden-too.mjs", "cat/link.mjs->b.mjs")
			for _, args := range setup {
				if _, ok := git(t, dir, "", args...); !ok {
					return // there is no git to make one
				}
			}
			git(t, dir, "", "add", "-f", "cat/b.mjs", "cat/hidden/sub/c.mjs", "cat/link.mjs", "cat/.gitignore")
			want := []string{"b.mjs", "hidden/sub/c.mjs", "link.mjs"}
			equal(t, walkAll(t, Options{}, filepath.Join(dir, "cat")), want)
			equal(t, walkAll(t, Options{Exclude: []string{"hidden"}}, filepath.Join(dir, "cat")),
				[]string{"b.mjs", "link.mjs"})
			equal(t, walkAll(t, Options{}, filepath.Join(dir, "cat", "hidden")), []string{"sub/c.mjs"})

			// An index of another form: what is tracked is not known.
			git(t, dir, "", "update-index", "--split-index")
			if got := walkAll(t, Options{}, filepath.Join(dir, "cat")); len(got) != 7 {
				t.Errorf("with a split index: %v", got)
			}
		})
	}
}

// The files of a submodule are those that its own index has.
func TestWalkSubmodule(t *testing.T) {
	dir := t.TempDir()
	plant(t, dir, ".gitignore=sub\n", "sub/.gitignore=*.mjs\n", "sub/a.mjs", "sub/b.mjs")
	sub := filepath.Join(dir, "sub")
	if _, ok := git(t, dir, "", "init", "-q", "--separate-git-dir", filepath.Join(dir, ".modules"), "sub"); !ok {
		return // there is no git to make one
	}
	git(t, sub, "", "add", "-f", "a.mjs")
	git(t, sub, "", "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "a")
	git(t, dir, "", "init", "-q")
	equal(t, walkAll(t, Options{}, dir), nil)
	git(t, dir, "", "-c", "advice.addEmbeddedRepo=false", "add", "-f", "sub")
	equal(t, walkAll(t, Options{}, dir), []string{"sub/a.mjs"})
}

// An index that is cut or changed is refused, or read; it never panics.
func FuzzParseIndex(f *testing.F) {
	dir := f.TempDir()
	plant(f, dir, "a.mjs", "b/c.mjs")
	for _, version := range []string{"2", "4"} {
		if _, ok := git(f, dir, "", "init", "-q"); ok {
			git(f, dir, "", "add", ".")
			git(f, dir, "", "update-index", "--index-version", version)
			if data, err := os.ReadFile(filepath.Join(dir, ".git", "index")); err == nil {
				f.Add(data)
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		paths, err := parseIndex(data, 20)
		if err == nil && (!slices.IsSorted(paths) || strings.Contains(strings.Join(paths, ""), "\x00")) {
			t.Errorf("%q", paths)
		}
	})
}
