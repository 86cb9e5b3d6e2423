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

// Scorer scores the schemas of a catalog. First it sees them all, then it scores.
// Both may be done for several at the same time, and the order is of no matter.
type Scorer struct {
	mu       sync.Mutex
	measured map[string]measured // by file
	families map[string]*family  // by namespace
}

// measured is what is kept of a schema: a catalog is not held in memory until its
// last schema has come.
type measured struct {
	whenToUse, parameters answer
	family                *family
}

// family are the schemas of a namespace, which a model has to tell apart.
type family struct {
	members []said // by their files
	once    sync.Once
	nearest map[string]sibling // by file
}

// sibling is the schema that says most of what a schema says.
type sibling struct {
	name  string
	share int
}

// New makes a Scorer.
func New() *Scorer { return &Scorer{measured: map[string]measured{}, families: map[string]*family{}} }

// Observe implements protocol.Observer.
func (s *Scorer) Observe(load *record.Load) {
	if load.Type != record.TypeSchema {
		return
	}
	r := readers.Get().(*reader)
	defer readers.Put(r)
	of, ns := readSchema(r, load), strings.Clone(catalog.NamespaceOf(load)) // the record can go
	m := measured{whenToUse: of.whenToUse().answer(), parameters: of.parameters().answer()}
	says := r.say(load.Src.File(), of.description)
	s.mu.Lock()
	defer s.mu.Unlock()
	if m.family = s.families[ns]; m.family == nil {
		m.family = &family{}
		s.families[ns] = m.family
	}
	m.family.members = append(m.family.members, says)
	s.measured[load.Src.File()] = m
}

// creator and harness are the same for all schemas. There is no model that harness could
// name.
var (
	creator = ordjson.NewObject(ordjson.Field("skill", ordjson.NewString(Name)),
		ordjson.Field("skillVersion", ordjson.NewString(Version)))
	harness = ordjson.NewObject(ordjson.Field("name", ordjson.NewString(Name)),
		ordjson.Field("version", ordjson.NewString(Version)))
)

// Creator implements protocol.Scorer.
func (*Scorer) Creator() ordjson.Value { return creator }

// Harness implements protocol.Scorer.
func (*Scorer) Harness() ordjson.Value { return harness }

// Score implements protocol.Scorer. Of the schema it reads no more than its path.
func (s *Scorer) Score(_ context.Context, p *protocol.Prompt) (protocol.Answer, error) {
	file := p.Schema.Src.File()
	m := s.measured[file]
	a := m.parameters
	if p.Dimension == protocol.WhenToUse {
		a = m.whenToUse.with(m.family.siblings(file))
	}
	return protocol.Answer{Score: a.score(), Reasoning: a.reasoning}, nil
}

// siblings is what it costs that another schema of the namespace says the same.
func (f *family) siblings(file string) []point {
	f.once.Do(f.compare)
	var r result
	switch near, ok := f.nearest[file]; {
	case !ok:
	case near.share == 100:
		r.cost(80, "says the same as "+near.name+" of its namespace", here)
	default:
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
