package stage

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// script is a trigger that lets one change after another happen where a round
// ends, and then ends the watch.
type script struct {
	changes []func()
	folders []string
	closed  bool
}

var errScriptEnded = errors.New("the script has ended")

func (s *script) Folder(path string) { s.folders = append(s.folders, path) }
func (s *script) Close()             { s.closed = true }
func (s *script) Wait(context.Context) error {
	if len(s.changes) == 0 {
		return errScriptEnded
	}
	s.changes[0]()
	s.changes = s.changes[1:]
	return nil
}

// watchRun watches paths while changes happen and returns what came, a line a
// record: "scan PATH", "error CODE", "CODE" of a finding, and of a round its
// JSON from the root on.
func watchRun(t *testing.T, jobs int, paths []string, changes ...func()) string {
	t.Helper()
	trigger := &script{changes: changes}
	source, steps := Watching(paths, walk.Options{}, ScanOptions{}, trigger)
	var b strings.Builder
	err := Run(t.Context(), Options{Jobs: jobs}, source, steps, func(it *Item) error {
		switch rec := it.Rec.(type) {
		case *record.Scan:
			fmt.Fprintf(&b, "scan %s\n", rec.Path)
		case *record.Error:
			fmt.Fprintf(&b, "error %s\n", rec.Code)
		case *record.Diagnostic:
			fmt.Fprintf(&b, "%s\n", rec.Code)
		case *record.Round:
			fmt.Fprintf(&b, "%s\n", strings.TrimPrefix(string(rec.AppendJSON(nil)), `{"v":1,"kind":"round","root":`))
		}
		return nil
	}, func() error { return nil })
	if !errors.Is(err, errScriptEnded) || !trigger.closed {
		t.Errorf("the watch ends with %v, closed %v", err, trigger.closed)
	}
	return b.String()
}

// inFolder makes the folder c with one schema in it and goes beside it.
func inFolder(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	put(t, "c/providers/one/a.mjs", "export const main = {}\n")
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func put(t *testing.T, name, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(name), 0o755))
	must(t, os.WriteFile(name, []byte(text), 0o644))
}

const (
	schemaA = "c/providers/one/a.mjs"
	firstA  = "scan providers/one/a.mjs\n" + `"c","changed":1,"files":["providers/one/a.mjs"],"removed":[]}` + "\n"
	againA  = firstA
)

func TestWatchingRounds(t *testing.T) {
	tests := []struct {
		name   string
		change func(t *testing.T)
		want   string // of the second round
	}{
		{"nothing", func(*testing.T) {}, ""},
		{"other bytes", func(t *testing.T) { put(t, schemaA, "export const main = {a: 1}\n") }, againA},
		{"as many bytes within a tick of the clock", func(t *testing.T) {
			info, err := os.Stat(schemaA)
			must(t, err)
			put(t, schemaA, "export const main = []\n")
			must(t, os.Chtimes(schemaA, time.Time{}, info.ModTime()))
		}, againA},
		{"another time, the same bytes", func(t *testing.T) {
			must(t, os.Chtimes(schemaA, time.Time{}, time.Now().Add(time.Hour)))
		}, ""},
		{"saved whole by a rename, the same bytes", func(t *testing.T) {
			put(t, "c/providers/one/a.tmp", "export const main = {}\n")
			must(t, os.Rename("c/providers/one/a.tmp", schemaA))
		}, ""},
		{"saved whole by a rename", func(t *testing.T) {
			put(t, "c/providers/one/a.tmp", "export const main = {b: 1}\n")
			must(t, os.Rename("c/providers/one/a.tmp", schemaA))
		}, againA},
		{"a backup left beside it", func(t *testing.T) {
			must(t, os.Rename(schemaA, schemaA+"~"))
			put(t, schemaA, "export const main = {b: 1}\n")
			put(t, "c/providers/one/.a.mjs.swp", "b0VIM")
		}, againA},
		{"removed", func(t *testing.T) { must(t, os.Remove(schemaA)) },
			`"c","changed":0,"removed":["providers/one/a.mjs"]}` + "\n"},
		{"the folder renamed", func(t *testing.T) { must(t, os.Rename("c/providers/one", "c/providers/two")) },
			"scan providers/two/a.mjs\n" +
				`"c","changed":1,"files":["providers/two/a.mjs"],"removed":["providers/one/a.mjs"]}` + "\n"},
		{"new folders, in the order of a walk", func(t *testing.T) {
			put(t, "c/providers/two/b.mjs", "export const main = {}")
			put(t, "c/providers/one/z.mjs", "export const main = {}")
			put(t, "c/_lists/l.mjs", "export const list = {}")
		}, "scan _lists/l.mjs\nscan providers/one/z.mjs\nscan providers/two/b.mjs\n" +
			`"c","changed":3,"files":["_lists/l.mjs","providers/one/z.mjs","providers/two/b.mjs"],` +
			`"removed":[]}` + "\n"},
		{"no text any more", func(t *testing.T) { put(t, schemaA, "\xff") },
			"error LOD002\n" + `"c","changed":1,"files":["providers/one/a.mjs"],"removed":["providers/one/a.mjs"]}` +
				"\n"},
		{"ignored from now on", func(t *testing.T) { put(t, "c/.gitignore", "one/\n") },
			`"c","changed":0,"removed":["providers/one/a.mjs"]}` + "\n"},
		{"new and ignored", func(t *testing.T) {
			put(t, "c/.gitignore", "build/\n")
			put(t, "c/build/b.mjs", "export const main = {}")
		}, ""},
		{"no file of a catalog", func(t *testing.T) { put(t, "c/providers/one/notes.txt", "x") }, ""},
		{"the root is gone", func(t *testing.T) { must(t, os.RemoveAll("c")) },
			"error LOD001\n" + `".","changed":1,"files":["c"],"removed":[]}` + "\n" +
				`"c","changed":0,"removed":["providers/one/a.mjs"]}` + "\n"},
		{"a link that leads to itself", func(t *testing.T) { must(t, os.Symlink("..", "c/providers/loop")) },
			"LOD007\n"},
		{"forbidden code", func(t *testing.T) { put(t, schemaA, "import fs from 'fs'\nexport const main = {}\n") },
			"SEC001\nSEC008\n" + againA},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, jobs := range []int{1, 4} {
				inFolder(t)
				// What has changed is said once: the third round is silent.
				got := watchRun(t, jobs, []string{"c"}, func() { tt.change(t) }, func() {})
				if want := firstA + tt.want; got != want {
					t.Errorf("-j %d:\n%s\nwant\n%s", jobs, got, want)
				}
			}
		})
	}
}

// A schema that may use shared lists is judged again when one of them changes.
// That a list is gone is known to those who judge at the end of its round.
func TestWatchingLists(t *testing.T) {
	const list, user = "c/_lists/l.mjs", "c/providers/one/b.mjs"
	round := func(changed int, files, removed string) string {
		return fmt.Sprintf(`"c","changed":%d,"files":[%s],"removed":[%s]}`+"\n", changed, files, removed)
	}
	again := "scan providers/one/b.mjs\n"
	both := "scan _lists/l.mjs\n" + again + round(2, `"_lists/l.mjs","providers/one/b.mjs"`, "")
	for _, jobs := range []int{1, 4} {
		inFolder(t)
		put(t, list, "export const list = {}")
		put(t, user, "export const main = { sharedLists: [] }")
		got := watchRun(t, jobs, []string{"c"},
			func() { put(t, list, "export const list = { a: 1 }") },
			func() { must(t, os.Remove(list)) },
			func() {},
			func() { put(t, list, "export const list = {}") },
			func() { put(t, schemaA, "export const main = {a: 1}\n") })
		want := "scan _lists/l.mjs\nscan providers/one/a.mjs\n" + again +
			round(3, `"_lists/l.mjs","providers/one/a.mjs","providers/one/b.mjs"`, "") +
			both + `"c","changed":0,"removed":["_lists/l.mjs"]}` + "\n" + again +
			round(1, `"providers/one/b.mjs"`, "") + both + againA
		if got != want {
			t.Errorf("-j %d:\n%s\nwant\n%s", jobs, got, want)
		}
	}
}

// What came back is new, and what was not text is looked at again.
func TestWatchingComesBack(t *testing.T) {
	inFolder(t)
	got := watchRun(t, 2, []string{"c"},
		func() { must(t, os.Remove(schemaA)) },
		func() { put(t, schemaA, "export const main = {}\n") },
		func() { put(t, schemaA, "\xff") },
		func() { put(t, schemaA, "\xff\xff") },
		func() { must(t, os.Remove(schemaA)) },
		func() { put(t, schemaA, "export const main = {}\n") },
	)
	want := firstA + `"c","changed":0,"removed":["providers/one/a.mjs"]}` + "\n" + againA +
		"error LOD002\n" + `"c","changed":1,"files":["providers/one/a.mjs"],"removed":["providers/one/a.mjs"]}` + "\n" +
		"error LOD002\n" + `"c","changed":1,"files":["providers/one/a.mjs"],"removed":[]}` + "\n" +
		`"c","changed":0,"removed":["providers/one/a.mjs"]}` + "\n" + againA
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// Each root has a round of its own; a folder of nothing has its first one.
func TestWatchingRoots(t *testing.T) {
	inFolder(t)
	put(t, "d/providers/one/a.mjs", "export const main = {}")
	want := "scan providers/one/a.mjs\nscan providers/one/a.mjs\n" +
		`"c","changed":1,"files":["providers/one/a.mjs"],"removed":[]}` + "\n" +
		`"d","changed":1,"files":["providers/one/a.mjs"],"removed":[]}` + "\n" +
		`"d","changed":0,"removed":["providers/one/a.mjs"]}` + "\n"
	if got := watchRun(t, 1, []string{"c", "d"}, func() { must(t, os.RemoveAll("d/providers")) }); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	must(t, os.Mkdir("empty", 0o755))
	if got, want := watchRun(t, 1, []string{"empty"}), `"empty","changed":0,"removed":[]}`+"\n"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// A round of many files names none of them.
func TestWatchingMany(t *testing.T) {
	inFolder(t)
	for i := range record.MaxRoundFiles {
		put(t, fmt.Sprintf("c/providers/many/%c.mjs", 'a'+i), "export const main = {}")
	}
	got := watchRun(t, 2, []string{"c"})
	if want := fmt.Sprintf(`"c","changed":%d,"removed":[]}`, record.MaxRoundFiles+1) +
		"\n"; !strings.HasSuffix(got, "\n"+want) {
		t.Errorf("%s\nwant %s at its end", got, want)
	}
}

// The trigger gets each folder that is walked, and none that is ignored.
func TestWatchingTellsFolders(t *testing.T) {
	inFolder(t)
	put(t, "c/.gitignore", "build/\n")
	put(t, "c/build/deep/b.mjs", "")
	must(t, os.MkdirAll("c/empty", 0o755))
	trigger := &script{}
	source, steps := Watching([]string{"c"}, walk.Options{}, ScanOptions{}, trigger)
	err := Run(t.Context(), Options{}, source, steps, func(*Item) error { return nil }, func() error { return nil })
	if want := []string{"c", "c/empty", "c/providers", "c/providers/one"}; !errors.Is(err, errScriptEnded) ||
		!slices.Equal(trigger.folders, want) {
		t.Errorf("told %q (%v), want %q", trigger.folders, err, want)
	}
}

// A watch ends where its records cannot be written, with the reason.
func TestWatchingEndsWithTheSink(t *testing.T) {
	inFolder(t)
	full := errors.New("no space left on device")
	for _, jobs := range []int{1, 4} {
		trigger := &script{changes: []func(){func() {}}}
		source, steps := Watching([]string{"c"}, walk.Options{}, ScanOptions{}, trigger)
		err := Run(t.Context(), Options{Jobs: jobs}, source, steps, func(*Item) error { return full },
			func() error { return nil })
		if !errors.Is(err, full) {
			t.Errorf("-j %d: %v", jobs, err)
		}
	}
}
