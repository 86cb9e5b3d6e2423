package heuristic

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/grade/protocol"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// Scorer scores the schemas of a catalog. First it sees them all, then it scores;
// Score may be called for several at the same time.
type Scorer struct {
	families map[string]*family // by namespace
}

// family are the schemas of a namespace, which a model has to tell apart.
type family struct {
	members []said // by the files of the schemas
	once    sync.Once
	nearest map[string]sibling // by file
}

// sibling is the schema that says most of what a schema says.
type sibling struct {
	name  string
	share int
}

// New makes a Scorer.
func New() *Scorer { return &Scorer{families: map[string]*family{}} }

// Observe has the schema be a sibling of those of its namespace.
func (s *Scorer) Observe(load *record.Load) {
	if load.Type != record.TypeSchema {
		return
	}
	r := readers.Get().(*reader)
	defer readers.Put(r)
	ns := catalog.NamespaceOf(load)
	if s.families[ns] == nil {
		s.families[ns] = &family{}
	}
	of := s.families[ns]
	of.members = append(of.members, r.say(load.Src.File(), r.read(load.Data.Get("description").Str())))
}

// Creator implements protocol.Scorer.
func (*Scorer) Creator() ordjson.Value {
	return ordjson.NewObject(ordjson.Field("skill", ordjson.NewString(Name)),
		ordjson.Field("skillVersion", ordjson.NewString(Version)))
}

// Harness implements protocol.Scorer. There is no model that it could name.
func (*Scorer) Harness() ordjson.Value {
	return ordjson.NewObject(ordjson.Field("name", ordjson.NewString(Name)),
		ordjson.Field("version", ordjson.NewString(Version)))
}

// Score implements protocol.Scorer.
func (s *Scorer) Score(_ context.Context, p *protocol.Prompt) (protocol.Answer, error) {
	var r Result
	switch p.Dimension {
	case protocol.WhenToUse:
		r = s.WhenToUse(p.Schema)
	case protocol.Parameters:
		r = s.Parameters(p.Schema)
	}
	return protocol.Answer{Score: r.Score(), Reasoning: r.Reasoning()}, nil
}

// WhenToUse measures whether a model can tell when to use a schema.
func (s *Scorer) WhenToUse(load *record.Load) Result {
	r := readers.Get().(*reader)
	defer readers.Put(r)
	return readSchema(r, load).whenToUse(s.siblings(load))
}

// Parameters measures whether a model can tell how to call the tools of a schema.
func (s *Scorer) Parameters(load *record.Load) Result {
	r := readers.Get().(*reader)
	defer readers.Put(r)
	return readSchema(r, load).parameters()
}

// siblings is what it costs that another schema of the namespace says the same.
func (s *Scorer) siblings(load *record.Load) []Point {
	of := s.families[catalog.NamespaceOf(load)]
	if of == nil {
		return nil
	}
	of.once.Do(of.compare)
	near, ok := of.nearest[load.Src.File()]
	if !ok {
		return nil
	}
	var r Result
	if near.share == 100 {
		r.cost(80, "says the same as "+near.name+" of its namespace", here)
	} else {
		r.cost(30, "says nearly the same as "+near.name+" of its namespace", here)
	}
	return r.Points
}

// compare finds the siblings that are most alike, whatever the order in which they
// came.
func (f *family) compare() {
	slices.SortFunc(f.members, func(a, b said) int {
		return cmp.Or(strings.Compare(a.name, b.name), slices.Compare(a.terms, b.terms))
	})
	f.nearest = map[string]sibling{}
	for i, like := range nearest(f.members) {
		if like.other >= 0 {
			f.nearest[f.members[i].name] = sibling{f.members[like.other].name, like.share}
		}
	}
	f.members = nil
}
