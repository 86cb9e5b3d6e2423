package engine

import (
	"cmp"
	"strings"
	"sync"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/sharedlist"
	"github.com/flowmcp/fmcp/pkg/words"
	"github.com/flowmcp/fmcp/pkg/zod"
)

// interpolated is a z-block whose shared lists are written out as resolution
// does. The zero interpolated is one whose lists are not known.
type interpolated struct {
	Z        *zod.Schema     // nil where that cannot be done
	problems []words.Problem // why not
	block    []zod.Problem   // of the block with the values in it
}

// interpolated returns the block of a parameter that takes values of shared lists.
func (p *Pass) interpolated(q *Param) interpolated {
	blocks := Keep(&p.Kept, func() map[*Param]interpolated { return map[*Param]interpolated{} })
	block, ok := blocks[q]
	if !ok {
		block = p.interpolate(q)
		blocks[q] = block
	}
	return block
}

// Block returns the z-block of a parameter, shared lists written out as far as
// they are known.
func (p *Pass) Block(q *Param) *zod.Schema {
	if q.Block == nil || len(q.Block.Lists()) == 0 {
		return q.Block
	}
	return cmp.Or(p.interpolated(q).Z, q.Block)
}

// interpolations are those of a catalog, whose schemas ask for the same values
// again and again: a third of the time of the rules where lists are long.
type interpolations struct {
	mu   sync.Mutex
	made map[interpolation]interpolated
}

// interpolation is what the values depend on: the lists, and the primitive, the
// options and the references of a schema as one text.
type interpolation struct {
	lists *sharedlist.Lists
	text  string
}

// maxInterpolations is how many are kept, of some thousands of values each.
const maxInterpolations = 100

func (p *Pass) interpolate(q *Param) interpolated {
	if p.Ctx.Lists == nil {
		return interpolated{}
	}
	all := Keep(&p.Ctx.Kept, func() *interpolations {
		return &interpolations{made: map[interpolation]interpolated{}}
	})
	key := []string{q.Primitive, strings.Join(q.Options, "\x01")}
	for _, r := range p.Refs {
		key = append(key, r.Ref, r.Version, ordjson.Text(r.Filter))
	}
	of := interpolation{p.Ctx.Lists, strings.Join(key, "\x00")}
	all.mu.Lock()
	defer all.mu.Unlock()
	in, ok := all.made[of]
	if !ok {
		in = p.newInterpolated(q)
		if len(all.made) == maxInterpolations {
			clear(all.made)
		}
		all.made[of] = in
	}
	return in
}

func (p *Pass) newInterpolated(q *Param) interpolated {
	text, problems, ok := sharedlist.Interpolate(q.Primitive, p.Refs, p.Ctx.Lists)
	if !ok {
		return interpolated{problems: problems}
	}
	z, block := zod.Parse(text, q.Options)
	return interpolated{Z: z, block: block}
}

// eachInterpolated calls f for every parameter that takes values of shared
// lists.
func (p *Pass) eachInterpolated(f func(q *Param, in interpolated)) {
	p.EachParam(func(_ *Tool, q *Param) {
		if q.Block != nil && len(q.Block.Lists()) > 0 {
			f(q, p.interpolated(q))
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

// ListDefaults reports defaults that no list has: that is known only when
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
