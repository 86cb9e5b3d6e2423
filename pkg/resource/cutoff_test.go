package resource

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/pkg/model"
)

// Whatever is cut off, and when, by its time or by its caller: the database is
// whole, and nothing goes on or stays locked.
func TestCutOffAnywhere(t *testing.T) {
	s, _ := project(t, logTable, "INSERT INTO log (who) VALUES ('first')")
	reads, writes := specOf(model.InMemory), specOf(model.FileBased)
	texts := []string{
		endless, "SELECT * FROM log", "INSERT INTO log (who) VALUES ('x')", "UPDATE log SET n = (" + endless + ")",
		"DELETE FROM log WHERE id % 3 = 0",
		"VACUUM", "PRAGMA optimize", "SELECT nope",
	}
	var wg sync.WaitGroup
	for i := range 8 {
		r := rand.New(rand.NewPCG(1, uint64(i)))
		wg.Go(func() {
			for range 40 {
				spec := writes
				if r.IntN(3) == 0 {
					spec = reads
				}
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(r.IntN(15_000))*time.Microsecond)
				text := texts[r.IntN(len(texts))]
				_, err := s.Query(ctx, spec, text, nil, Limits{Time: time.Duration(1+r.IntN(20)) * time.Millisecond})
				cancel()
				if code := codeOf(err); err != nil && (code == "" || code == CodeCorrupt) {
					t.Errorf("%s: %v", text, err)
				}
			}
		})
	}
	wg.Wait()
	s.mu.Lock()
	open := slices.Collect(maps.Values(s.open))
	s.mu.Unlock()
	for _, o := range open {
		switch <-o.done; db := o.db.(type) {
		case *DB:
			drain(t, db)
		case *fileDB:
			drain(t, db.DB)
		}
	}
	for _, text := range []string{"INSERT INTO log (who) VALUES ('last')", "PRAGMA integrity_check"} {
		if got := send(s, writes, text); strings.Contains(got, "EXE") ||
			strings.HasPrefix(text, "PRAGMA") && got != `[{"integrity_check":"ok"}]` {
			t.Errorf("after all of them, %s: %s", text, got)
		}
	}
}
