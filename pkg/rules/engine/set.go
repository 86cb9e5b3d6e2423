package engine

import (
	"cmp"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// Set is rules that check files together.
type Set struct {
	all      []*Rule // by code
	byType   map[record.Type]typeRules
	blocking map[record.Type][]*Rule // see Block
	objects  []Objects
}

// typeRules are the rules that check files of a type, in the order in which
// they run: the late ones last. Those that need the whole catalog are apart.
type typeRules struct{ file, catalog []*Rule }

// NewSet returns the rules of all families as one.
func NewSet(families ...Family) *Set {
	s := &Set{byType: map[record.Type]typeRules{}, blocking: map[record.Type][]*Rule{}}
	for _, f := range families {
		s.all = append(s.all, f.rules()...)
		s.objects = append(s.objects, f.Objects...)
	}
	slices.SortFunc(s.all, func(a, b *Rule) int { return strings.Compare(a.Code, b.Code) })
	for _, t := range record.FileTypes {
		var of typeRules
		for _, r := range s.all {
			switch {
			case r.Check == nil || !r.on(t):
			case r.Catalog:
				of.catalog = append(of.catalog, r)
			default:
				of.file = append(of.file, r)
			}
		}
		slices.SortStableFunc(of.file, func(a, b *Rule) int { return cmp.Compare(rank(a), rank(b)) })
		s.byType[t] = of
	}
	return s
}

func rank(r *Rule) int {
	if r.Late {
		return 1
	}
	return 0
}

// Objects are the tables of fields of all families.
func (s *Set) Objects() []Objects { return s.objects }

// All returns every rule, tombstones included, ordered by code.
func (s *Set) All() []*Rule { return s.all }

// Lookup returns the rule of a code.
func (s *Set) Lookup(code string) (*Rule, bool) {
	i, ok := slices.BinarySearchFunc(s.all, code, func(r *Rule, c string) int { return strings.Compare(r.Code, c) })
	if !ok {
		return nil, false
	}
	return s.all[i], true
}

// CheckInside checks n, which a file of another type has inside it, against those
// rules for a type of file that want says; each reports under its own code.
// Those that need the whole catalog run only where the rule at work does too.
func (p *Pass) CheckInside(n *model.Node, t record.Type, want func(*Rule) bool) {
	sub := &Pass{
		set: p.set, Load: p.Load, Ctx: p.Ctx, Spec: p.Spec, Root: n, Export: p.Export, around: p.Scope(),
		lookup: p.lookup, Speller: p.Speller,
	}
	p.runInside(sub, t, want)
}

// CheckAsSchema checks a part of the file as a schema that has nothing else, in
// the way of CheckInside. Places in data are those in the file.
func (p *Pass) CheckAsSchema(data ordjson.Value, want func(*Rule) bool) {
	load := *p.Load
	load.Type, load.Data = record.TypeSchema, data
	sub := p.set.newPass(&load, p.Ctx)
	sub.Export, sub.lookup, sub.Speller = p.Export, p.lookup, p.Speller
	p.runInside(sub, record.TypeSchema, want)
}

// runInside runs rules in a pass over a part of the file.
func (p *Pass) runInside(sub *Pass, t record.Type, want func(*Rule) bool) {
	sub.Findings, sub.more, sub.worst = p.Findings, p.more, p.worst
	for _, r := range p.set.all {
		if r.Check == nil || !r.on(t) || !want(r) || r.From > p.Spec || r.Catalog && !p.Rule.Catalog {
			continue
		}
		sub.Rule = r
		r.Check(sub)
	}
	p.Findings, p.more, p.worst = sub.Findings, sub.more, sub.worst
	p.lookup, p.Speller = sub.lookup, sub.Speller
}
