package protocol

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/flowmcp/fmcp/pkg/grade"
	"github.com/flowmcp/fmcp/pkg/record"
)

// schemas are the evidence of schemas by their IDs, whose records are there only while it
// is their turn.
func schemas(t *testing.T, ids ...string) (list []*grade.Evidence, all iter.Seq[*grade.Evidence]) {
	for _, id := range ids {
		list = append(list, &grade.Evidence{ID: id, Path: id + ".mjs", FileHash: hash})
	}
	return list, func(yield func(*grade.Evidence) bool) {
		for _, e := range list {
			e.Load = loaded(t, `{}`)
			e.Load.ID, e.Load.Src.FileHash = e.ID, e.FileHash
			more := yield(e)
			if e.Load = nil; !more {
				return
			}
		}
	}
}

// watcher is a Scorer that looks at all schemas first.
type watcher struct {
	scorer
	seen *atomic.Int32
}

func (w watcher) Observe(*record.Load) { w.seen.Add(1) }

// collect are the texts of records, and a function that collects them.
func collect(limit int) (*[]string, func(record.Record) bool) {
	var said []string
	return &said, func(r record.Record) bool {
		switch r := r.(type) {
		case *record.Diagnostic:
			said = append(said, r.Severity.String()+" "+r.Code+" "+r.Subject)
		case *record.Error:
			said = append(said, r.Code+" "+r.Input)
		}
		return len(said) < limit
	}
}

// Files come first, a Scorer scores what they leave, and all is said in the order of the
// schemas, however many are scored at the same time.
func TestScoring(t *testing.T) {
	inFiles(t, map[string]string{
		"whole": scoresJSON(t, "schemaIdSlug", `"n_00"`),
		"half":  scoresJSON(t, "schemaIdSlug", `"n_01"`, "scores", "[]"),
		"old":   scoresJSON(t, "schemaIdSlug", `"n_02"`, "schemaHash", `"sha256:`+strings.Repeat("0", 64)+`"`),
		"bad":   "{", "foreign": scoresJSON(t, "schemaIdSlug", `"n_99"`),
	})
	var ids, want []string
	for i := range 20 {
		ids = append(ids, fmt.Sprintf("n/%02d", i))
		want = append(want, fmt.Sprintf("n/%02d: 4.9 4.9", i))
	}
	want[0], want[7], want[9] = "n/00: 4 3.5", "n/07: 4.9", "n/09: none"
	for _, jobs := range []int{1, 8} {
		book, err := ReadBook([]string{"whole", "half", "old", "bad", "foreign"})
		if err != nil {
			t.Fatal(err)
		}
		var seen, early atomic.Int32
		scoring := Scoring{Book: book, Jobs: jobs, Repeat: 1, Clock: clock, Out: fmt.Sprint("out", jobs),
			Scorer: func() Scorer {
				return watcher{seen: &seen, scorer: func(p *Prompt) (Answer, error) {
					if seen.Load() != int32(len(ids)) {
						early.Add(1)
					}
					if p.Schema.ID == "n/09" || p.Schema.ID == "n/07" && p.Dimension == Parameters {
						return Answer{}, errors.New("no credit")
					}
					return Answer{Score: 4.9}, nil
				}}
			}}
		said, emit := collect(1000)
		list, all := schemas(t, ids...)
		if err := scoring.Score(t.Context(), all, emit); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range list {
			if e.Scores == nil {
				got = append(got, e.ID+": none")
				continue
			}
			var scores []string
			for _, d := range e.Scores.Dimensions {
				scores = append(scores, fmt.Sprint(d.Score))
			}
			got = append(got, e.ID+": "+strings.Join(scores, " "))
		}
		if !slices.Equal(got, want) || early.Load() != 0 {
			t.Errorf("-j %d: %q\nwant %q; %d were scored before all were seen", jobs, got, want, early.Load())
		}
		wantSaid := []string{"warning GRD003 n/02", "error GRD001 ", "error GRD004 ", "GRD008 n/07.mjs",
			"GRD008 n/09.mjs", "GRD008 n/09.mjs"}
		for i := range *said {
			(*said)[i] = strings.Replace((*said)[i], "cat/providers/", "", 1)
		}
		if !slices.Equal(*said, wantSaid) {
			t.Errorf("-j %d: said %q\nwant %q", jobs, *said, wantSaid)
		}
		written, err := os.ReadDir(scoring.Out)
		if err != nil || len(written) != 18 { // but those of the file and of what was not scored
			t.Errorf("-j %d: %v, %v", jobs, written, err)
		}
	}
}

func TestScoringStops(t *testing.T) {
	inFiles(t, map[string]string{"file": ""})
	answer := func() Scorer { return scorer(func(*Prompt) (Answer, error) { return Answer{Score: 3}, nil }) }
	none := func() Scorer {
		return scorer(func(*Prompt) (Answer, error) { return Answer{}, errors.New("no credit") })
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tt := range []struct {
		name    string
		ctx     context.Context
		scoring Scoring
		limit   int
		want    string
		said    int
	}{
		{"nobody listens", t.Context(), Scoring{Scorer: none}, 1, "<nil>", 1},
		{"canceled", canceled, Scoring{Scorer: answer}, 9, "context canceled", 0},
		{"a folder that is none", t.Context(), Scoring{Scorer: answer, Out: "file"}, 9,
			"file/n_1/scores.json: cannot be written: not a directory", 0},
		{"one slug twice", t.Context(), Scoring{Scorer: answer, Out: "out"}, 9, "<nil>", 1},
	} {
		tt.scoring.Jobs, tt.scoring.Repeat, tt.scoring.Clock = 1, 1, clock
		said, emit := collect(tt.limit)
		_, all := schemas(t, "n/1", "n/2", "n/2")
		if err := fmt.Sprint(tt.scoring.Score(tt.ctx, all, emit)); err != tt.want || len(*said) != tt.said {
			t.Errorf("%s: %s, %q, want %s", tt.name, err, *said, tt.want)
		}
	}
}

// A schema without main has nothing to score, and one whose record did not come has no
// use for scores.
func TestScoringNothing(t *testing.T) {
	e := []*grade.Evidence{{ID: "n/1", Load: loaded(t, "null")}, {ID: "n/2"}}
	scoring := Scoring{Jobs: 1, Repeat: 1, Clock: clock, Scorer: func() Scorer {
		return scorer(func(p *Prompt) (Answer, error) {
			t.Errorf("%s is scored", p.Schema.ID)
			return Answer{}, nil
		})
	}}
	if err := scoring.Score(t.Context(), slices.Values(e), func(record.Record) bool { return true }); err != nil {
		t.Error(err)
	}
}
