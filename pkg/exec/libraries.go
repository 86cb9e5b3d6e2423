package exec

import (
	"sync"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/sandbox"
)

// Libraries are the packages that a catalog carries for its handlers. A line
// is read when a tool needs it. It may be used by many goroutines; the zero
// value carries none.
type Libraries struct {
	mu    sync.Mutex
	lines map[string]string // by name
	read  map[string]*sandbox.Library
}

// Add takes the line of a resolved record of type library. Of two of a name the
// first counts.
func (l *Libraries) Add(name, line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.lines == nil {
		l.lines, l.read = map[string]string{}, map[string]*sandbox.Library{}
	}
	if l.lines[name] == "" {
		l.lines[name] = line
	}
}

// of returns those of some names that are there.
func (l *Libraries) of(names []string) map[string]*sandbox.Library {
	l.mu.Lock()
	defer l.mu.Unlock()
	found := map[string]*sandbox.Library{}
	for _, name := range names {
		line := l.lines[name]
		if line == "" {
			continue
		}
		lib, known := l.read[name]
		if !known {
			lib = readLibrary(line)
			l.read[name] = lib
		}
		found[name] = lib
	}
	return found
}

// readLibrary reads a record. The library has no script where that is not the
// one that the hash is of.
func readLibrary(line string) *sandbox.Library {
	lib := &sandbox.Library{}
	_, rec, _, err := record.Decode(line)
	r, ok := rec.(*record.Resolved)
	if err != nil || !ok {
		return lib
	}
	script := r.Data.Get("script").Str()
	if lib.Hash = record.Hash([]byte(script)); r.Data.Get("hash").Str() == lib.Hash {
		lib.Script = script
	}
	return lib
}
