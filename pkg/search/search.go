package search

import (
	"cmp"
	"math"
	"slices"
)

const (
	familyWeight = 0.35 // of what only the namespace has
	homeWeight   = 0.17 // who asks in German more likely asks about Germany
	coverage     = 0.35 // how much it counts to have a bit of everything
)

// Search returns the IDs of the tools that answer a request best, at most limit.
func (x *Index) Search(request string, limit int) []string {
	q := x.understand(request)
	total, matched, wanted := make([]float64, x.tools.size), make([]float64, x.tools.size), 0.0
	for _, u := range q.units {
		scores, best := q.scores(u)
		wanted += best
		for i, s := range scores {
			total[i] += s
		}
	}
	copy(matched, total)
	if q.german {
		germany, _ := q.named("germany")
		home, _ := q.scores(germany)
		for i, s := range home {
			if s > 0 {
				total[i] *= 1 + homeWeight
			}
		}
	}
	var found []int
	for i := range total {
		if total[i] > 0 {
			// What has a bit of everything comes before what has much of one thing.
			total[i] *= math.Pow(matched[i]/wanted, coverage)
			found = append(found, i)
		}
	}
	slices.SortStableFunc(found, func(a, b int) int { return cmp.Compare(total[b], total[a]) })
	found = found[:min(limit, len(found))]
	ids := make([]string, len(found))
	for i, at := range found {
		ids[i] = x.ids[at]
	}
	return ids
}

// scores are what the tools have of a unit, by themselves or by their namespace,
// and the best of these.
func (q *query) scores(u unit) (scores []float64, best float64) {
	scores = q.score(u, &q.tools)
	families := q.score(u, &q.families)
	for i, s := range scores {
		scores[i] = u.weight * max(s, familyWeight*families[q.family[i]])
		best = max(best, scores[i])
	}
	return scores, best
}

// score is what the documents have of a unit.
func (q *query) score(u unit, c *collection) []float64 {
	best := make([]float64, c.size)
	c.score(u.alternatives, best)
	for _, a := range u.alternatives {
		if len(a.parts) > 0 {
			for i, s := range q.together(a, c) {
				best[i] = max(best[i], s)
			}
		}
	}
	return best
}

// together is what documents have of several words. Those of another term are
// one thing: half of them is less than half of it.
func (q *query) together(a alternative, c *collection) []float64 {
	sum, found := make([]float64, c.size), make([]float64, c.size)
	for _, part := range a.parts {
		for i, s := range q.score(part, c) {
			if s > 0 {
				sum[i] += s
				found[i]++
			}
		}
	}
	n := float64(len(a.parts))
	for i := range sum {
		sum[i] *= a.weight
		if !a.own {
			sum[i] *= found[i] / n / math.Sqrt(n)
		}
	}
	return sum
}
