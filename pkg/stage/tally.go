package stage

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Tally knows what came in: how many files of a walk, and how many records of
// each kind, and whether their streams were whole. It tells input that has
// nothing for a command from input without a fault.
type Tally struct {
	Batches atomic.Int64 // of all sources
	Failed  atomic.Bool  // an error came, as far as Want has seen

	files, known atomic.Int64 // modules of walks, and those that are input
	inputs       []*record.Arrival

	asked  bool // there is a Want
	wanted atomic.Bool
	mu     sync.Mutex
	types  map[record.Type]int // of the files that came and are not wanted
}

// OtherModules is the number of modules that are not part of a catalog where
// nothing else was found, and 0 otherwise.
func (t *Tally) OtherModules() int {
	if t.known.Load() > 0 || len(t.Kinds()) > 0 {
		return 0
	}
	return int(t.files.Load())
}

// Want is a step that notes whether there is anything that a command works on.
func (t *Tally) Want(wanted func(*Item) bool) Step {
	t.asked = true
	return Step{Do: func(_ context.Context, it *Item) Batch {
		if _, ok := it.Rec.(*record.Error); ok {
			t.Failed.Store(true)
		}
		if wanted(it) {
			t.wanted.Store(true)
		} else if scan, ok := it.Rec.(*record.Scan); ok {
			t.mu.Lock()
			defer t.mu.Unlock()
			if t.types == nil {
				t.types = map[record.Type]int{}
			}
			t.types[scan.Type]++
		}
		return Batch{it}
	}}
}

// Unwanted says what came where Want has looked and nothing was wanted, "" where
// something was.
func (t *Tally) Unwanted() string {
	if !t.asked || t.wanted.Load() {
		return ""
	}
	kinds := t.Kinds()
	delete(kinds, record.KindScan) // the files say more
	came := record.Arrival{Kinds: kinds}
	parts := []string{}
	if len(kinds) > 0 || len(t.types) == 0 {
		parts = append(parts, came.Text())
	}
	for _, typ := range slices.Sorted(maps.Keys(t.types)) {
		parts = append(parts, words.Count(t.types[typ], "file of type "+string(typ)))
	}
	return strings.Join(parts, ", ")
}

// IsMade reports whether an item is a record of a kind that this process made;
// IsOneOf whether it is of one of some kinds.
func IsMade(kind record.Kind) func(*Item) bool {
	return func(it *Item) bool { return it.Line == nil && record.KindOf(it.Rec) == kind }
}

// IsOneOf is described at IsMade.
func IsOneOf(kinds ...record.Kind) func(*Item) bool {
	return func(it *Item) bool { return slices.Contains(kinds, record.KindOf(it.Rec)) }
}

// arrival begins an input.
func (t *Tally) arrival(name string) *record.Arrival {
	a := &record.Arrival{Name: name}
	t.inputs = append(t.inputs, a)
	return a
}

// Inputs are those that came as lines.
func (t *Tally) Inputs() []*record.Arrival { return t.inputs }

// Kinds are the numbers of records that came as lines.
func (t *Tally) Kinds() map[record.Kind]int {
	sum := map[record.Kind]int{}
	for _, a := range t.inputs {
		for kind, n := range a.Kinds {
			sum[kind] += n
		}
	}
	return sum
}

// NotWhole says of the first input that is not known to be whole why, nil where
// all are.
func (t *Tally) NotWhole() error {
	for _, a := range t.inputs {
		if err := a.NotWhole(); err != nil {
			return err
		}
	}
	return nil
}
