package heuristic

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/lazy"
	"github.com/flowmcp/fmcp/pkg/words"
)

// What the measures of whenToUse can give, in hundredths: 2.60 for what the
// schema says of itself, 1.40 for what its tools say.
const (
	ofSubject   = 80
	ofActions   = 30
	ofContent   = 40
	ofInput     = 30
	ofSource    = 20
	ofCoverage  = 25
	ofFreshness = 15
	ofLimits    = 20

	ofToolActions = 40
	ofToolReturns = 45
	ofToolSubject = 55
)

const here = "/description"

// whenToUse scores whether a model can tell when to use a schema, but for what the
// other schemas of its namespace say.
func (s *schema) whenToUse() result {
	var r result
	if s.description.words == 0 {
		r.give(most-least, 0, "there is no description", here)
		return r
	}
	s.subject(&r)
	s.content(&r)
	s.circumstances(&r)
	s.ofTools(&r)
	s.padding(&r)
	r.Points = append(r.Points, s.twins()...)
	return r
}

// enough is what a description that names its subject well has: five things that
// the tools speak of too, and four others.
const enough = 14

// subject measures what the description is about: things that the tools also
// speak of. Others count half, and no more than there are of the first.
func (s *schema) subject(r *result) {
	d := s.description
	shared := map[string]bool{}
	for stem := range d.telling {
		if s.speaksOf(stem) {
			shared[stem] = true
		}
	}
	half := min(len(d.telling)-len(shared), len(shared))
	share := min(100, (2*len(shared)+half)*100/enough)
	said := "names things that its tools speak of too: " + strings.Join(d.originals(shared, 6), ", ")
	switch {
	case d.soup():
		share /= 4
		said = "is a list of words, no sentence, so what it names counts a quarter"
	case len(shared) == 0:
		said = "names nothing that its tools speak of"
	}
	r.give(ofSubject, share, said, here)

	strong, weak := d.found[action], d.found[weakAction]
	switch {
	case strong > 1:
		r.give(ofActions, 100, "says what can be done", here)
	case strong == 1:
		r.give(ofActions, 70, "says one thing that can be done", here)
	case weak > 0:
		r.give(ofActions, 40, "says that there is access, not what can be done: search, list, convert", here)
	default:
		r.give(ofActions, 0, "does not say what can be done: search, list, convert", here)
	}
}

// originals are the words of the text for stems, at most n.
func (t *text) originals(stems map[string]bool, n int) (list []string) {
	seen := map[string]bool{}
	for _, s := range t.sentences {
		for i, stem := range s.stems {
			if stems[stem] && !seen[stem] && len(list) < n {
				seen[stem] = true
				list = append(list, s.words[i])
			}
		}
	}
	return list
}

// content measures what the description says of what comes back and what is asked
// for.
func (s *schema) content(r *result) {
	d := s.description
	n, list := d.listed()
	switch {
	case n > 3:
		r.give(ofContent, 100, "says what it has: "+strings.Join(list, ", "), here)
	case n > 0:
		r.give(ofContent, 25*n, "says little of what it has: "+strings.Join(list, ", "), here)
	default:
		r.give(ofContent, 0, "does not say what it has or returns", here)
	}
	switch n := d.asked(); {
	case len(s.tools) > 0 && !slices.ContainsFunc(s.tools, func(c callable) bool { return len(c.params) > 0 }):
		r.give(ofInput, 70, "has nothing to say of what things are found by: its tools ask for nothing", here)
	case n > 1:
		r.give(ofInput, 100, "says by what things are found", here)
	case n == 1:
		r.give(ofInput, 70, "says by what things are found, of one thing", here)
	default:
		r.give(ofInput, 0, "does not say by what things are found: by name, place, date", here)
	}
}

// listed are the telling words after a word such as returns, or in a list: of the
// sentence that has most.
func (t *text) listed() (n int, list []string) {
	for _, s := range t.sentences {
		from := len(s.words)
		for _, c := range s.cues {
			if c.kind == output {
				from = min(from, c.end)
			}
		}
		if strings.Count(s.raw, ", ") > 1 {
			from = 0
		}
		seen := map[string]bool{}
		var of []string
		for i := from; i < len(s.words); i++ {
			if stem := s.stems[i]; stem != "" && !seen[stem] {
				seen[stem] = true
				if len(of) < 5 {
					of = append(of, s.words[i])
				}
			}
		}
		if len(seen) > n {
			n, list = len(seen), of
		}
	}
	return n, list
}

// asked is how many things the text says that one can ask by: telling words right
// after by, for a, given.
func (t *text) asked() int {
	seen := map[string]bool{}
	for _, s := range t.sentences {
		for _, c := range s.cues {
			if c.kind != input {
				continue
			}
			for i := c.end; i < min(c.end+3, len(s.words)); i++ {
				if s.stems[i] != "" {
					seen[s.stems[i]] = true
					break
				}
			}
		}
	}
	return len(seen)
}

// circumstances measures what else decides when to use something. Only what is
// said in a sentence with a word of the tools counts, but for limits, which stand
// alone: no API key required.
func (s *schema) circumstances(r *result) {
	d := s.description
	if d.soup() {
		r.give(ofSource+ofCoverage+ofFreshness+ofLimits, 0,
			"is a list of words: what it says of source, coverage, time and limits does not count", here)
		return
	}
	if s.namesProvider() {
		r.give(ofSource, 100, "names its source", here)
	} else {
		r.give(ofSource, 0, "does not name its source", here)
	}
	counted := figure().MatchString(d.raw)
	switch named := s.grounded(coverage); {
	case named && counted:
		r.give(ofCoverage, 100, "says what it covers, in figures", here)
	case named || counted:
		r.give(ofCoverage, 80, "says what it covers", here)
	default:
		r.give(ofCoverage, 0, "does not say what it covers: which region, how many, since when", here)
	}
	if s.grounded(freshness) {
		r.give(ofFreshness, 100, "says of what time it is", here)
	} else {
		r.give(ofFreshness, 0, "does not say of what time it is: live, daily, historical", here)
	}
	var named []string
	for _, of := range []struct {
		kind kind
		name string
	}{{limits, "limits or keys"}, {unit, "units or formats"}, {use, "what it is for"}} {
		if d.found[of.kind] > 0 {
			named = append(named, of.name)
		}
	}
	switch len(named) {
	case 0:
		r.give(ofLimits, 0, "says nothing of limits, keys, units, formats or what it is for", here)
	case 1:
		r.give(ofLimits, 70, "says something of "+named[0], here)
	default:
		r.give(ofLimits, 100, "says something of "+strings.Join(named, " and "), here)
	}
}

// figure is a number that counts something: 400+ stations, 8.4M units, since 1980.
// It is no part of a name, as in COVID-19.
var figure = lazy.Regexp(`(^|[\s(~])\d[\d.,]*(k|K|M|B| million| billion| Mio\.?| Millionen)?[+%]?([\s),.;–-]|$)`)

// grounded reports whether a term of a kind is in a sentence with a word that the
// tools have.
func (s *schema) grounded(k kind) bool {
	return slices.ContainsFunc(s.description.sentences, func(of sentence) bool {
		return slices.ContainsFunc(of.cues, func(c cue) bool { return c.kind == k }) &&
			slices.ContainsFunc(of.stems, func(stem string) bool { return stem != "" && s.speaksOf(stem) })
	})
}

// padding measures what makes a text longer and says nothing.
func (s *schema) padding(r *result) {
	d := s.description
	if d.most > 4 && d.most*6 > d.words {
		stem := slices.MaxFunc(slices.Sorted(maps.Keys(d.count)), func(a, b string) int {
			return d.count[a] - d.count[b]
		})
		word := d.originals(map[string]bool{stem: true}, 1)[0]
		r.cost(60, fmt.Sprintf("says %s %d times", words.Quote(word), d.most), here)
	}
	strange := 0
	for stem := range d.telling {
		if !s.speaksOf(stem) {
			strange++
		}
	}
	if known := len(d.telling) - strange; strange > 10 && strange > 4*known {
		r.cost(40, fmt.Sprintf("names %s of which its tools do not speak", words.Count(strange, "thing")), here)
	}
	r.cost(min(100, d.words/120*20), "is longer than is read at a glance: "+words.Count(d.words, "word"), here)
	r.cost(min(60, 20*d.found[praise]), "praises: best, powerful", here)
	r.cost(min(150, 80*d.found[pushy]), "tells the model to prefer it, or how to rate it", here)
	r.cost(min(40, 20*d.found[boilerplate]), "has words that any description could have", here)
}
