package heuristic

import (
	"fmt"
	"strings"

	"github.com/flowmcp/fmcp/pkg/search"
	"github.com/flowmcp/fmcp/pkg/words"
)

// ofTools measures the descriptions of tools: what they do, what comes back, and
// what their names do not say already.
func (s *schema) ofTools(r *result) {
	n := len(s.tools)
	const of = ofToolActions + ofToolReturns + ofToolSubject
	switch {
	case n == 0 && s.others():
		so := 0
		for _, p := range r.Points {
			so += p.Points
		}
		r.give(of, so*100/(most-least-of), "there are no tools or queries: what the description gets counts for them")
		return
	case n == 0:
		r.give(of, 0, "there is nothing to use")
		return
	}
	var actions, returns, subject, filled tally
	for _, t := range s.tools {
		at := t.At("description").Pointer()
		actions.add(at, t.acts())
		returns.add(at, t.returns())
		subject.add(at, s.tells(t))
		bad := 0
		if t.text.found[boilerplate]+t.text.found[praise]+t.text.found[pushy] > 0 {
			bad = 100
		}
		filled.add(at, 100-bad)
	}
	r.tally(ofToolActions, &actions, "tools say what they do")
	r.tally(ofToolReturns, &returns, "tools say what they return")
	r.tally(ofToolSubject, &subject, "tools say more than their names do")
	if bad := 100 - filled.mean(); bad > 0 {
		r.cost(max(5, bad*30/100), fmt.Sprintf("%d of %s have words that any description could have, praise, or orders",
			filled.n-filled.good, words.Count(n, "tool")), filled.worst...)
	}
}

// others reports whether the schema has what is no tool: resources without queries of
// their own, prompts or skills.
func (s *schema) others() bool {
	return s.Get("resources").Len()+s.Get("prompts").Len()+s.Get("skills").Len() > 0
}

// tally is a measure of several things: each a share in hundredths.
type tally struct {
	n, good, sum, weight int
	worst                []string
}

// places is how many places a point names.
const places = 3

func (t *tally) add(at string, share int) { t.weighed(at, share, 1) }

func (t *tally) weighed(at string, share, weight int) {
	t.n++
	t.sum += share * weight
	t.weight += weight
	if share >= 60 {
		t.good++
	} else if len(t.worst) < places {
		t.worst = append(t.worst, at)
	}
}

func (t *tally) mean() int { return (t.sum + t.weight/2) / t.weight }

func (r *result) tally(of int, t *tally, said string) {
	text := fmt.Sprintf("%d of %d %s", t.good, t.n, said)
	if t.good < t.n {
		text += ", not those at"
	}
	r.give(of, t.mean(), text, t.worst...)
}

// acts measures whether the description begins with what the tool does.
func (c *callable) acts() int {
	t := c.text
	if t.words == 0 {
		return 0
	}
	for _, q := range t.sentences[0].cues {
		if (q.kind == action || q.kind == weakAction) && q.at == 0 {
			return 100
		}
	}
	// Names of tools begin with a verb: bookShipment books.
	if name := search.Words(c.Name); len(name) > 1 && strings.HasPrefix(t.sentences[0].words[0], name[0]) {
		return 100
	}
	if t.found[action] > 0 {
		return 60
	}
	return 0
}

// returns measures what the description says of the answer. What is got is an
// answer too, where it is named in more than two words.
func (c *callable) returns() int {
	switch n, got := c.text.after(output), len(c.text.telling); {
	case n > 2:
		return 100
	case n > 0:
		return 80
	case got > 4:
		return 60
	case got > 2:
		return 40
	}
	return 0
}

// after is how many telling words follow a term of a kind, in its sentence.
func (t *text) after(k kind) int {
	seen := map[string]bool{}
	for _, s := range t.sentences {
		from := len(s.words)
		for _, c := range s.cues {
			if c.kind == k {
				from = min(from, c.end)
			}
		}
		for i := from; i < len(s.words); i++ {
			if s.stems[i] != "" {
				seen[s.stems[i]] = true
			}
		}
	}
	return len(seen)
}

// tells measures what the description says that the name of the tool does not.
func (s *schema) tells(c callable) int {
	if c.text.soup() {
		return 20
	}
	name, n := map[string]bool{}, 0
	s.stems(name, c.Name)
	for stem := range c.text.telling {
		if !name[stem] {
			n++
		}
	}
	if c.text.words > 0 && n < 5 && len(c.text.telling) > 2 {
		n++ // what the name says too is not nothing
	}
	return min(100, n*20)
}
