package stage

import (
	"hash/maphash"

	"github.com/flowmcp/fmcp/pkg/record"
)

// once drops what has come before byte for byte: the files that all shards of a catalog
// have come from each of them, with what was found about them (decision "Shards").
func once() func(*Item) (Batch, error) {
	seed, came, rounds := maphash.MakeSeed(), map[uint64]bool{}, false
	return func(it *Item) (Batch, error) {
		if it.Line == nil || rounds {
			return Batch{it}, nil
		}
		switch record.KindIn(it.Line) {
		case record.KindRound: // of a catalog that is watched: a file may become again what it was
			rounds = true
		case record.KindScan, record.KindLoad, record.KindDiagnostic, record.KindError:
			hash := maphash.Bytes(seed, it.Line)
			if came[hash] {
				return nil, nil
			}
			came[hash] = true
		}
		return Batch{it}, nil
	}
}
