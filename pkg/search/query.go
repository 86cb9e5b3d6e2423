package search

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/flowmcp/fmcp/pkg/lazy"
)

// How much a word counts that stands for another one.
const (
	otherWeight    = 0.7 // the lists have it
	compoundWeight = 0.9 // it is a part of the other one
	headWeight     = 0.4 // it is the last part of a compound
	modifierWeight = 0.5 // it is the first part of one
	nearWeight     = 0.8 // it is spelled nearly the same
)

// How much a part of a request counts beside what is looked for.
const (
	softWeight  = 0.6 // when, how many, in which order
	aboutWeight = 0.7 // what something is to be about: films about the moon
)

// maxWords is how many words of a request are read: a page that somebody pastes
// names nothing that one could look for.
const maxWords = 100

// unit is a word or a term of a request: one of several things is meant by it.
type unit struct {
	alternatives []alternative
	weight       float64
}

// alternative is one of these: a word in all its forms, or several words.
type alternative struct {
	weight float64
	terms  []string // stems
	parts  []unit
	own    bool // the parts are of the request itself: each counts
}

// query is a request, understood as far as that goes.
type query struct {
	*Index
	stem            stemmer
	units           []unit
	kinds           map[int]bool // of names.txt, that have been named
	german, english bool         // it is certain that it is
}

// understand reads a request.
func (x *Index) understand(request string) *query {
	q := &query{Index: x, stem: stemmer{}, kinds: map[int]bool{}}
	words, stop := split(described(request)), stopwords()
	words = words[:min(len(words), maxWords)]
	q.german = isGerman(request, words)
	q.english = !q.german && has(words, stop.english)
	weight := 1.0
	for i := 0; i < len(words); {
		u, n := q.unit(words[i:])
		if len(q.units) > 0 && (words[i] == "about" || words[i] == "ueber") {
			weight = aboutWeight
		}
		if u.weight *= weight; u.weight > 0 {
			q.units = append(q.units, u)
		}
		i += n
	}
	return q
}

func has(words []string, some map[string]bool) bool {
	return slices.ContainsFunc(words, func(w string) bool { return some[w] })
}

// unit is what a request begins with: a term of several words, a word, or nothing;
// and how many words that are.
func (q *query) unit(request []string) (unit, int) {
	stop := stopwords().all
	n, others := q.phrase(request)
	switch {
	case n > 0:
	case stop[request[0]]:
		return unit{}, 1
	default:
		return q.word(request[0]), 1
	}
	u, own := q.meaning(others), alternative{weight: 1, own: true}
	for _, w := range request[:n] {
		if !stop[w] {
			own.parts = append(own.parts, q.word(w))
		}
	}
	u.alternatives = append(u.alternatives, own)
	return u, n
}

// shapes are values that say what they are, and what that is.
var shapes = []struct {
	shape func() *regexp.Regexp
	what  string
}{
	{lazy.Regexp(`\b0x[0-9a-fA-F]{64}\b`), " transaction hash "},
	{lazy.Regexp(`\b0x[0-9a-fA-F]{40}\b`), " wallet address "},
	{lazy.Regexp(`\b[\w-]+\.eth\b`), " ens name "},
	{lazy.Regexp(`\b10\.\d{4,9}/\S+`), " doi "},
	{lazy.Regexp(`\bNCT\d{8}\b`), " clinical trial "},
	{lazy.Regexp(`\bCVE-\d{4}-\d+\b`), " cve "},
	{lazy.Regexp(`\b97[89][ -]?\d[\d -]{7,12}\d\b`), " isbn "},
	{lazy.Regexp(`\b[A-Z]{2}[A-Z0-9]{9}\d\b`), " isin "},
	{lazy.Regexp(`\bhttps?://\S+`), " url "},
	{lazy.Regexp(`\b\d{1,3}(\.\d{1,3}){3}\b`), " ip address "},
	{lazy.Regexp(`-?\d+\.\d+,\s*-?\d+\.\d+`), " coordinates "},
}

// described has what values are in the place of the values.
func described(request string) string {
	for _, s := range shapes {
		request = s.shape().ReplaceAllLiteralString(request, s.what)
	}
	return request
}

// phrase is the longest term of several words that a request begins with.
func (q *query) phrase(request []string) (int, []other) {
	for n := min(len(request), q.known.longest); n > 1; n-- {
		if others, ok := q.others(request[:n]...); ok {
			return n, others
		}
	}
	return 0, nil
}

// word is what may be meant by a word. One that is not known is a compound, or
// misspelt.
func (q *query) word(word string) unit {
	u, known := q.named(word)
	if known {
		return u
	}
	if !strings.ContainsFunc(word, unicode.IsLetter) {
		u.weight = softWeight
		return u
	}
	parts := q.compound(q.stem, word)
	if len(parts) > 0 {
		a := alternative{weight: compoundWeight}
		for _, part := range parts {
			p, _ := q.named(part)
			a.parts = append(a.parts, p)
		}
		u.alternatives = append(u.alternatives, a, q.instead(parts[len(parts)-1], headWeight))
	}
	if q.has(word) {
		return u
	}
	near := q.cognates(word)
	if near == nil {
		near = q.near(word, len(parts) > 0)
	}
	for _, known := range near {
		u.alternatives = append(u.alternatives, q.instead(known, nearWeight))
	}
	if len(parts)+len(near) == 0 {
		head, modifier := q.ends(q.stem, word)
		if head != "" {
			u.alternatives = append(u.alternatives, q.instead(head, headWeight))
		}
		if modifier != "" {
			u.alternatives = append(u.alternatives, q.instead(modifier, modifierWeight))
		}
	}
	return u
}

// instead has what is meant by another word.
func (q *query) instead(word string, weight float64) alternative {
	u, _ := q.named(word)
	return alternative{weight: weight, parts: []unit{u}}
}

// named is a word and the others for it.
func (q *query) named(word string) (unit, bool) {
	others, known := q.others(word)
	u := q.meaning(others)
	u.alternatives = append(u.alternatives, alternative{weight: 1, terms: q.forms(word)})
	return u, known
}

func (q *query) others(term ...string) ([]other, bool) {
	return q.known.others(q.stem, q.english, term...)
}

// meaning has the other words for something. What is named twice, as two cities,
// is asked for once.
func (q *query) meaning(others []other) unit {
	u, kinds := unit{weight: 1}, map[int]bool{}
	for _, o := range others {
		if o.soft {
			u.weight = softWeight
		}
		if o.kind > 0 {
			if q.kinds[o.kind] {
				continue
			}
			kinds[o.kind] = true
		}
		a := alternative{weight: otherWeight}
		telling := slices.DeleteFunc(slices.Clone(o.words), func(w string) bool { return stopwords().all[w] })
		if len(telling) == 1 {
			a.terms = q.forms(telling[0])
		} else {
			for _, w := range telling {
				a.parts = append(a.parts, unit{alternatives: []alternative{{weight: 1, terms: q.forms(w)}}})
			}
		}
		u.alternatives = append(u.alternatives, a)
	}
	maps.Copy(q.kinds, kinds)
	return u
}

// forms are what a word may have been cut to: in an English request, planes are no
// plans, which they would be in German.
func (q *query) forms(word string) []string {
	s := q.stem.of(word)
	if q.english {
		return []string{s.english}
	}
	return s.both()
}

// has reports whether a tool has a word.
func (q *query) has(word string) bool {
	return slices.ContainsFunc(q.forms(word), func(term string) bool { return q.tools.postings[term] != nil })
}
