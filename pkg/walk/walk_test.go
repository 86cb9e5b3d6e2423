package walk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// plant writes a tree: "path" is an empty file, "path=text" one with content,
// "path/" a folder, "path->target" a link.
func plant(t testing.TB, dir string, items ...string) {
	t.Helper()
	for _, item := range items {
		name, text, _ := strings.Cut(item, "=")
		link, target, isLink := strings.Cut(name, "->")
		full := filepath.Join(dir, link)
		var err error
		if err = os.MkdirAll(filepath.Dir(full), 0o755); err == nil {
			switch {
			case isLink:
				err = os.Symlink(target, full)
			case strings.HasSuffix(link, "/"):
				err = os.MkdirAll(full, 0o755)
			default:
				err = os.WriteFile(full, []byte(text), 0o644)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// walkAll returns what Walk emits as lines: the path, followed by the code of
// an error or a note.
func walkAll(t testing.TB, opts Options, paths ...string) []string {
	t.Helper()
	var got []string
	err := Walk(context.Background(), paths, opts, func(f File) error {
		line := f.Path
		if f.Err != nil {
			line += " " + f.Err.Code
		}
		if f.Note != nil {
			line += " " + f.Note.Code + " " + f.Note.Severity.String()
		}
		got = append(got, line)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func equal(t *testing.T, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

func TestWalkOrder(t *testing.T) {
	dir := t.TempDir()
	plant(t, dir,
		"providers/b/x.mjs", "providers/a/z.mjs", "providers/a/prompts/p.mjs", "providers/a-b.mjs", "providers/a.mjs",
		"_lists/z.mjs", "_lists/a.mjs", "registry.json", "_early/x.mjs", "_lists.mjs", "agents/one/agent.mjs",
		"providers/a/resources/doc.md", "providers/a/resources/data.db", "providers/a/data.db", "providers/a/README.md",
		"providers/a/skill/SKILL.md", "providers/a/skill/references/more.md",
		"notes.md", "package.json", "x.js", ".git/x.mjs", "node_modules/n/x.mjs", "A.mjs", "other/_lists/l.mjs",
		"other/registry.json", "other/a.mjs",
	)
	want := []string{
		"registry.json", "_lists/a.mjs", "_lists/z.mjs",
		"A.mjs", "_early/x.mjs", "_lists.mjs", "agents/one/agent.mjs",
		"other/registry.json", "other/_lists/l.mjs", "other/a.mjs",
		"providers/a-b.mjs", "providers/a.mjs", "providers/a/prompts/p.mjs",
		"providers/a/resources/data.db", "providers/a/resources/doc.md",
		"providers/a/skill/SKILL.md", "providers/a/skill/references/more.md", "providers/a/z.mjs", "providers/b/x.mjs",
	}
	equal(t, walkAll(t, Options{}, dir), want)
	sorted := slices.Sorted(slices.Values(want))
	slices.SortFunc(sorted, ComparePaths)
	equal(t, sorted, want)
}

func TestWalkRoots(t *testing.T) {
	dir := t.TempDir()
	plant(t, dir, "cat/providers/ns/x.mjs=12345", "cat/providers/ns/resources/d.md", "cat/README.md",
		"cat/agents/a/agent.mjs")
	tests := []struct{ root, wantRoot, path, place, ns string }{
		{"cat", "cat", "providers/ns/x.mjs", "providers/ns/x.mjs", "ns"},
		{"cat/providers", "cat/providers", "ns/x.mjs", "cat/providers/ns/x.mjs", "ns"},
		{"cat/providers/ns", "cat/providers/ns", "x.mjs", "cat/providers/ns/x.mjs", "ns"},
		{"cat/providers/ns/x.mjs", "cat/providers/ns", "x.mjs", "cat/providers/ns/x.mjs", "ns"},
		{"cat/providers/ns/resources", "cat/providers/ns/resources", "d.md", "providers/ns/resources/d.md", "ns"},
		{"cat/README.md", "cat", "README.md", "cat/README.md", "cat"},
	}
	for _, tt := range tests {
		t.Run(tt.root, func(t *testing.T) {
			var last File
			err := Walk(context.Background(), []string{filepath.Join(dir, tt.root)}, Options{}, func(f File) error {
				if f.Err != nil {
					t.Errorf("error: %v", f.Err)
				}
				last = f
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if last.Root != filepath.Join(dir, tt.wantRoot) || last.Path != tt.path {
				t.Errorf("got root %q path %q", last.Root, last.Path)
			}
			if !strings.HasSuffix(last.Place(), tt.place) || last.Namespace() != tt.ns {
				t.Errorf("place %q namespace %q, want …%q %q", last.Place(), last.Namespace(), tt.place, tt.ns)
			}
			if last.Open() != filepath.Join(last.Root, last.Path) {
				t.Errorf("opened at %q", last.Open())
			}
			if strings.HasSuffix(tt.path, "x.mjs") && last.Size != 5 {
				t.Errorf("size %d", last.Size)
			}
		})
	}
}

// A folder called resources above the catalog says nothing about what is in it.
func TestWalkBelowResources(t *testing.T) {
	dir := t.TempDir()
	plant(t, dir, "resources/cat/README.md", "resources/cat/a.mjs")
	equal(t, walkAll(t, Options{}, filepath.Join(dir, "resources", "cat")), []string{"a.mjs"})
}

func TestWalkGlobs(t *testing.T) {
	dir := t.TempDir()
	plant(t, dir, "providers/a/x.mjs", "providers/a/draft-y.mjs", "providers/b/x.mjs", "_lists/l.mjs", "drafts/x.mjs",
		"registry.json")
	tests := []struct {
		name             string
		include, exclude []string
		want             []string
	}{
		{"folder", []string{"providers/a"}, nil, []string{"providers/a/draft-y.mjs", "providers/a/x.mjs"}},
		{"folder with slashes", []string{"./providers/a/"}, nil,
			[]string{"providers/a/draft-y.mjs", "providers/a/x.mjs"}},
		{"doublestar", []string{"providers/**/x.mjs"}, nil, []string{"providers/a/x.mjs", "providers/b/x.mjs"}},
		{"star stays in its folder", []string{"*/x.mjs"}, nil, []string{"drafts/x.mjs"}},
		{"name", nil, []string{"draft*"},
			[]string{"registry.json", "_lists/l.mjs", "providers/a/x.mjs", "providers/b/x.mjs"}},
		{"braces", []string{"{_lists,drafts}/*.mjs"}, nil, []string{"_lists/l.mjs", "drafts/x.mjs"}},
		{"both", []string{"*.mjs"}, []string{"providers", "drafts"}, []string{"_lists/l.mjs"}},
		{"anchored", nil, []string{"/providers/**", "/drafts"}, []string{"registry.json", "_lists/l.mjs"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			equal(t, walkAll(t, Options{Include: tt.include, Exclude: tt.exclude}, dir), tt.want)
		})
	}
	for _, bad := range []string{"[", "a{b", "", "/", strings.Repeat("{a,b}", 30),
		"{a,{b,{c,{d,{e,{f,{g,{h,{i,{j,k}}}}}}}}}}"} {
		err := Walk(context.Background(), []string{dir}, Options{Exclude: []string{bad}},
			func(File) error { return nil })
		if err == nil || !strings.Contains(err.Error(), "--exclude") {
			t.Errorf("glob %q: error %v", bad, err)
		}
	}
}

func TestWalkNamed(t *testing.T) {
	dir := t.TempDir()
	plant(t, dir, "simple-price.mjs", "x.txt", ".gitignore=*", ".git", "broken.mjs->nowhere", "loop.mjs->loop.mjs",
		"ok.mjs->simple-price.mjs")
	tests := []struct{ path, code, message string }{
		{"simple-price.mjs", "", ""},
		{"ok.mjs", "", ""},
		{"simpel-price.mjs", "LOD001", `does not exist (did you mean "simple-price.mjs"?)`},
		{"gti", "LOD001", "does not exist"},
		{".gti", "LOD001", `does not exist (did you mean ".git"?)`},
		{"x.txt", "LOD001", "expected a name that ends in .mjs"},
		{"simple-price.mjs/x", "LOD001", "not a directory"},
		{"no/such/folder", "LOD001", "does not exist"},
		{"broken.mjs", "LOD007", `its target "nowhere" does not exist`},
		{"loop.mjs", "LOD007", "leads back to itself"},
		{strings.Repeat("x", 300), "LOD001", "file name too long"},
	}
	for _, tt := range tests {
		var got []File
		p := filepath.Join(dir, tt.path)
		err := Walk(context.Background(), []string{p}, Options{Exclude: []string{"*"}}, func(f File) error {
			got = append(got, f)
			return nil
		})
		if err != nil || len(got) != 1 || !got[0].Named {
			t.Fatalf("%s: %v %v", tt.path, got, err)
		}
		f := got[0]
		if tt.code == "" {
			if f.Err != nil {
				t.Errorf("%s: %v", tt.path, f.Err)
			}
			continue
		}
		if f.Err == nil || f.Err.Code != tt.code || !strings.Contains(f.Err.Message, tt.message) || f.Err.Input != p ||
			f.Err.Stage != "fmcp-scan" {
			t.Errorf("%s: got %+v, want %s %q", tt.path, f.Err, tt.code, tt.message)
		}
	}
}

func TestWalkLinks(t *testing.T) {
	outside := t.TempDir()
	plant(t, outside, "ext/e.mjs", "ext/sub/s.mjs", "ext/back->../ext", "file.mjs")
	dir := filepath.Join(t.TempDir(), "cat")
	plant(t, dir,
		"providers/a/x.mjs",
		"self->.", "up->..", "slash->/", "providers/loop->../providers",
		"alias->providers/a",
		"gone.mjs->nowhere", "gone->nowhere", "gone.txt->nowhere", ".#lock.mjs->me@host.1",
		"round->round",
		"ext1->"+filepath.Join(outside, "ext"), "ext2->"+outside,
		"linked.mjs->"+filepath.Join(outside, "file.mjs"),
	)
	equal(t, walkAll(t, Options{}, dir), []string{
		"alias/x.mjs", "ext1 LOD047 warning", "ext2 LOD047 warning", "gone LOD007", "gone.mjs LOD007",
		"linked.mjs LOD047 warning", "providers/a/x.mjs", "providers/loop LOD007 warning",
		"round LOD007", "self LOD007 warning", "slash LOD047 warning", "up LOD047 warning",
	})
	// A root may be a link itself.
	plant(t, dir, "../root->cat")
	if got := walkAll(t, Options{Include: []string{"providers"}}, dir+"/../root"); !slices.Contains(got,
		"providers/a/x.mjs") {
		t.Errorf("through a link: %v", got)
	}
	equal(t, walkAll(t, Options{Follow: true}, dir), []string{
		"alias/x.mjs",
		"ext1/back LOD007 warning", "ext1/e.mjs", "ext1/sub/s.mjs",
		"ext2/ext LOD007 info", "ext2/file.mjs",
		"gone LOD007", "gone.mjs LOD007", "linked.mjs",
		"providers/a/x.mjs", "providers/loop LOD007 warning",
		"round LOD007", "self LOD007 warning", "slash LOD007 warning", "up LOD007 warning",
	})
}

// Both names of a folder that two links lead to can be opened.
func TestWalkFolderTwice(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	plant(t, outside, "a.mjs")
	plant(t, dir, "one->"+outside, "two->"+outside)
	message := ""
	err := Walk(t.Context(), []string{dir}, Options{Follow: true}, func(f File) error {
		if f.Note != nil {
			message += f.Note.Message
		}
		return nil
	})
	want := fmt.Sprintf("%q is the same folder as %q, which has been read", filepath.ToSlash(dir)+"/two",
		filepath.ToSlash(dir)+"/one")
	if err != nil || message != want {
		t.Errorf("%s, %v; want %s", message, err, want)
	}
}

// Links that fan out would be 2^20 paths if every one were followed.
func TestWalkLinkFan(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	for i := range 20 {
		plant(t, outside, fmt.Sprintf("d%02d/x.mjs", i))
		if i > 0 {
			plant(t, outside, fmt.Sprintf("d%02d/l1->../d%02d", i-1, i), fmt.Sprintf("d%02d/l2->../d%02d", i-1, i))
		}
	}
	plant(t, dir, "in->"+filepath.Join(outside, "d00"))
	files, notes := 0, 0
	for _, line := range walkAll(t, Options{Follow: true}, dir) {
		if strings.HasSuffix(line, "info") {
			notes++
		} else {
			files++
		}
	}
	if files != 20 || notes != 19 {
		t.Errorf("%d files, %d notes, want 20 and 19", files, notes)
	}
}

// A folder whose path is longer than the system takes cannot be read by
// anybody, root included.
func TestWalkUnreadableFolder(t *testing.T) {
	dir := t.TempDir()
	plant(t, dir, "a.mjs", "z.mjs")
	name := "m" + strings.Repeat("x", 249)
	at, err := os.OpenRoot(dir)
	for range 17 {
		if err != nil {
			t.Fatal(err)
		}
		if err = at.Mkdir(name, 0o755); err != nil {
			t.Fatal(err)
		}
		parent := at
		at, err = parent.OpenRoot(name)
		_ = parent.Close()
	}
	_ = at.Close()
	got := walkAll(t, Options{}, dir)
	if len(got) != 3 || got[0] != "a.mjs" || !strings.HasSuffix(got[1], " LOD001") || got[2] != "z.mjs" {
		t.Errorf("got %d lines: first %.20s, last %.20s", len(got), got[0], got[len(got)-1])
	}
}

func TestWalkStops(t *testing.T) {
	dir := t.TempDir()
	plant(t, dir, "a.mjs", "b.mjs", "c.mjs")
	stop := errors.New("enough")
	n := 0
	err := Walk(context.Background(), []string{dir}, Options{}, func(File) error { n++; return stop })
	if !errors.Is(err, stop) || n != 1 {
		t.Errorf("error %v after %d files", err, n)
	}
	ctx, cancel := context.WithCancel(context.Background())
	n = 0
	err = Walk(ctx, []string{dir}, Options{}, func(File) error { n++; cancel(); return nil })
	if !errors.Is(err, context.Canceled) || n != 1 {
		t.Errorf("error %v after %d files", err, n)
	}
}

// 50,000 files in one folder cost a few megabytes.
func TestWalkMemory(t *testing.T) {
	const files = 50_000
	dir := t.TempDir()
	for i := range files {
		f, err := os.Create(filepath.Join(dir, fmt.Sprintf("schema-%05d.mjs", files-i)))
		if err != nil {
			t.Fatal(err)
		}
		_ = f.Close()
	}
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before, n, last := heap(), 0, ""
	var most uint64
	err := Walk(context.Background(), []string{dir}, Options{}, func(f File) error {
		if f.Path <= last {
			t.Fatalf("%s after %s", f.Path, last)
		}
		last = f.Path
		if n++; n%10_000 == 1 {
			most = max(most, heap())
		}
		return nil
	})
	if err != nil || n != files {
		t.Fatalf("%d files, %v", n, err)
	}
	if used := int64(most) - int64(before); used > 12<<20 {
		t.Errorf("the walk holds %d KB, want at most 12 MB", used>>10)
	}
}
