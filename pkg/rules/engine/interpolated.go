package engine

import (
	"crypto/sha256"
	"strings"
	"sync"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/sharedlist"
	"github.com/flowmcp/fmcp/pkg/zod"
)

// interpolated is a z-block whose shared lists are written out as resolution
// does. The zero interpolated is one whose lists are not known.
type interpolated struct {
	Z        *zod.Schema       // nil where that cannot be done
	problems []catalog.Problem // why not
	block    []zod.Problem     // of the block with the values in it
}

// interpolations holds such blocks: the tools of a provider ask for the same
// few enums, some of hundreds of values.
type interpolations struct {
	mu     sync.Mutex
	blocks map[string]interpolated
}

// maxInterpolations is how many blocks are held.
const maxInterpolations = 256

// Get returns the block of a parameter that takes values of shared lists.
func (in *interpolations) Get(p *Pass, q *Param) interpolated {
	// The references say which lists, and which of their entries.
	if p.refsKey == "" {
		p.refsKey = ordjson.Text(p.Root.Get("sharedLists"))
		if len(p.refsKey) > sha256.Size { // a long one is not written again and again
			sum := sha256.Sum256([]byte(p.refsKey))
			p.refsKey = string(sum[:])
		}
	}
	key := p.refsKey + ordjson.Text(ordjson.NewArray(ordjson.NewString(q.Primitive), ordjson.Strings(q.Options)))
	in.mu.Lock()
	defer in.mu.Unlock()
	block, ok := in.blocks[key]
	if !ok {
		if block = p.interpolate(q); len(in.blocks) >= maxInterpolations || in.blocks == nil {
			in.blocks = map[string]interpolated{}
		}
		in.blocks[key] = block
	}
	return block
}

func (p *Pass) interpolate(q *Param) interpolated {
	lists, ok := p.Ctx.Lists.(catalogLists)
	if !ok {
		return interpolated{}
	}
	text, problems, ok := sharedlist.Interpolate(q.Primitive, p.Refs, lists.lists)
	if !ok {
		return interpolated{problems: problems}
	}
	own := make([]string, len(q.Options)) // kept beyond the source that they are pieces of
	for i, o := range q.Options {
		own[i] = strings.Clone(o)
	}
	z, block := zod.Parse(text, own)
	return interpolated{Z: z, block: block}
}

// eachInterpolated calls f for every parameter that takes values of shared
// lists.
func (p *Pass) eachInterpolated(f func(q *Param, in interpolated)) {
	p.EachParam(func(_ *Tool, q *Param) {
		if q.Block != nil && len(q.Block.Lists()) > 0 {
			f(q, p.Ctx.Interpolated.Get(p, q))
		}
	})
}

// ListProblems reports what keeps shared lists from being written out, as far
// as it has the code: resolution would leave the tool out for it.
func (p *Pass) ListProblems(code string) {
	p.eachInterpolated(func(q *Param, in interpolated) {
		for _, pr := range in.problems {
			if pr.Code == code {
				p.Report(q.At("z").At("primitive"), pr.Message, pr.Fix)
			}
		}
	})
}

// ListDefaults reports defaults that no list has: that can be told only when
// the values are known.
func (p *Pass) ListDefaults() {
	p.eachInterpolated(func(q *Param, in interpolated) {
		for _, pr := range in.block {
			if pr.Kind == zod.BadDefault && !HasProblem(q, zod.BadDefault) {
				p.Report(q.ProblemNode(pr), pr.Msg, pr.Fix)
			}
		}
	})
}
