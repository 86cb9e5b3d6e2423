package rules

import (
	"crypto/sha256"
	"strings"
	"sync"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/zod"
)

// interpolations holds z-blocks whose shared lists are written out: the tools
// of a provider ask for the same few enums, some of hundreds of values.
type interpolations struct {
	mu     sync.Mutex
	blocks map[string]*zod.Schema
}

// maxInterpolations is how many blocks are held.
const maxInterpolations = 256

// get returns the block of a parameter with the lists of its enum written out
// as resolution does; nil where not all of them are known.
func (in *interpolations) get(p *Pass, q *param) *zod.Schema {
	// The references say which lists, and which of their entries.
	if p.refsKey == "" {
		p.refsKey = ordjson.Text(p.root.Get("sharedLists"))
		if len(p.refsKey) > sha256.Size { // a long one is not written again and again
			sum := sha256.Sum256([]byte(p.refsKey))
			p.refsKey = string(sum[:])
		}
	}
	key := p.refsKey + ordjson.Text(ordjson.NewArray(ordjson.NewString(q.Primitive), ordjson.Strings(q.Options)))
	in.mu.Lock()
	defer in.mu.Unlock()
	z, ok := in.blocks[key]
	if !ok {
		if z = p.interpolate(q); len(in.blocks) >= maxInterpolations || in.blocks == nil {
			in.blocks = map[string]*zod.Schema{}
		}
		in.blocks[key] = z
	}
	return z
}

func (p *Pass) interpolate(q *param) *zod.Schema {
	lists, ok := p.ctx.Lists.(catalogLists)
	if !ok {
		return nil
	}
	text, problems := catalog.Interpolate(q.Primitive, p.refs, lists.lists)
	if len(problems) > 0 {
		return nil
	}
	own := make([]string, len(q.Options)) // kept beyond the source that they are pieces of
	for i, o := range q.Options {
		own[i] = strings.Clone(o)
	}
	z, _ := zod.Parse(text, own)
	return z
}
