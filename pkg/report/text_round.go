package report

import (
	"maps"
	"path/filepath"
	"strings"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// sinceRound is what a text report has said since the last round of a watched
// catalog, so that the next can name the files about which there was nothing to
// say.
type sinceRound struct {
	files map[string]bool         // with a line of their own
	total map[record.Severity]int // when the round began
}

// note remembers that a record about a file was shown.
func (s *sinceRound) note(rec record.Record) {
	var file string
	switch r := rec.(type) {
	case *record.Diagnostic:
		file = r.Loc.Path
	case *record.Error:
		file = r.Input
		if r.Loc != nil {
			file = r.Loc.Path
		}
	case *record.Scan:
		file = record.Source{Root: r.Root, Path: r.Path}.File()
	case *record.Load:
		file = r.Src.File()
	default:
		return
	}
	if file = filepath.Clean(file); s.files[file] {
		return
	}
	if s.files == nil {
		s.files = map[string]bool{}
	}
	s.files[strings.Clone(file)] = true // the record's line is not kept for it
}

// roundEnd says what a round was about: the changed files that are all right,
// those that are gone, and the sum.
func (t *text) roundEnd(r *record.Round) {
	for _, p := range r.Files {
		if file := (record.Source{Root: r.Root, Path: p}).File(); !t.since.files[file] {
			t.println(t.pal.Good("ok     "), clean(file))
		}
	}
	for _, p := range r.Removed {
		file := record.Source{Root: r.Root, Path: p}.File()
		t.println(t.pal.Dim("removed"), clean(file))
	}
	sum := words.Count(r.Changed, "file") + " changed"
	if n := len(r.Removed); n > 0 {
		sum += ", " + words.Count(n, "file") + " removed"
	}
	news := map[record.Severity]int{}
	for sev, n := range t.total {
		news[sev] = n - t.since.total[sev]
	}
	found := Counts(t.pal, news)
	if found == "" {
		found = t.pal.Good("no findings")
	}
	t.println(t.pal.Dim("-- "+clean(r.Root)+": "+sum+":"), found)
	t.since = sinceRound{total: maps.Clone(t.total)}
	t.path, t.lines = "", nil // the file may be another by the next round
}
