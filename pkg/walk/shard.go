package walk

import (
	"fmt"
	"hash/fnv"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/words"
)

// Shard is a part of what Walk finds, for one of several processes that share the work
// (decision "Shards"). The zero Shard is all of it.
type Shard struct{ Number, Of uint64 }

// UnmarshalText reads I/N. I may be counted from 1, or from 0 as the indexes of jobs
// are: 0/4 is 4/4.
func (s *Shard) UnmarshalText(text []byte) error {
	number, of, cut := strings.Cut(string(text), "/")
	i, err := strconv.ParseUint(number, 10, 32)
	n, err2 := strconv.ParseUint(of, 10, 32)
	if !cut || err != nil || err2 != nil || n == 0 || i > n {
		return fmt.Errorf("found %s, expected I/N with I from 1 to N, or from 0 to N-1, such as 2/4",
			words.Quote(string(text)))
	}
	*s = Shard{i % n, n}
	return nil
}

// has reports whether a file is of the shard.
func (s Shard) has(f File) bool {
	unit := shardUnit(f)
	if s.Of <= 1 || unit == "" {
		return true
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(unit))
	return h.Sum64()%s.Of == s.Number
}

// shardUnit is what is in one shard as a whole, "" where it is in every shard. All of a
// provider is in one, since its files refer to each other by their names. Every shard
// has what files of any provider may use: lists, agents, selections, registries, skill
// bundles. A module that is in no folder of the layout is a unit of its own.
func shardUnit(f File) string {
	parts := strings.Split(f.Path, "/")
	inLayout := func(name string) bool { return slices.Contains(layout, name) }
	at := slices.IndexFunc(parts[:len(parts)-1], inLayout)
	if at < 0 { // the root may be a folder of the layout, or in one
		tail := strings.Split(f.rootTail, "/")
		for at = len(tail) - 1; at >= 0 && !inLayout(tail[at]); at-- {
		}
		parts = append(tail, parts...)
	}
	switch {
	case at >= 0 && parts[at] == "providers":
		return parts[at+1]
	case at < 0 && path.Ext(f.Path) == ".mjs":
		return f.Path
	}
	return ""
}
