package zod

import (
	"encoding/binary"
	"strings"
	"sync"
)

// parsed holds z-blocks that were read before: a catalog has thousands, nearly
// all of which are one of a few dozen, such as string() and optional().
var parsed = cache{blocks: map[string]block{}}

// maxBlocks and maxBlock bound the cache: how many blocks it holds, and of how
// many bytes each.
const (
	maxBlocks = 512
	maxBlock  = 256
)

type cache struct {
	sync.RWMutex
	blocks map[string]block
}

type block struct {
	schema   *Schema
	problems []Problem
}

func (c *cache) get(primitive string, options []string) (*Schema, []Problem) {
	var buf [maxBlock]byte
	// With lengths, so that two different blocks never have the same key.
	key := appendText(buf[:0], primitive)
	for _, o := range options {
		key = appendText(key, o)
	}
	if len(key) > maxBlock {
		return parse(primitive, options)
	}
	c.RLock()
	b, ok := c.blocks[string(key)]
	full := len(c.blocks) >= maxBlocks
	c.RUnlock()
	if ok {
		return b.schema, b.problems
	}
	if full {
		return parse(primitive, options)
	}
	// Kept beyond the source that the texts are pieces of.
	own := make([]string, len(options))
	for i, o := range options {
		own[i] = strings.Clone(o)
	}
	b.schema, b.problems = parse(strings.Clone(primitive), own)
	c.Lock()
	defer c.Unlock()
	c.blocks[string(key)] = b
	return b.schema, b.problems
}

func appendText(b []byte, text string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}
