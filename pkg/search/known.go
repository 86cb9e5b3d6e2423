package search

import (
	"cmp"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/words"
)

// What a compound is taken apart into: shorter parts are found everywhere.
const (
	minPart  = 3
	maxParts = 4
)

// joints are what German puts between the parts of a compound.
var joints = []string{"", "s", "es", "n", "en"}

// compound takes a word apart into the fewest known ones: Luftqualitätsindex,
// openmeteo. There are none where it is no compound.
func (x *Index) compound(stem stemmer, word string) []string {
	if len(word) < 2*minPart || len(word) > maxCompound {
		return nil
	}
	// Of each beginning of the word: how many parts it has, and the last one.
	type cut struct {
		parts, from int
		part        string
	}
	best := make([]cut, len(word)+1)
	for end := minPart; end <= len(word); end++ {
		for from := 0; from <= end-minPart; from++ {
			n := best[from].parts + 1
			if from > 0 && n == 1 || from == 0 && end == len(word) || best[end].parts > 0 && best[end].parts <= n {
				continue
			}
			if part := x.part(stem, word[from:end]); part != "" {
				best[end] = cut{n, from, part}
			}
		}
	}
	if best[len(word)].parts > maxParts {
		return nil
	}
	var parts []string
	for end := len(word); best[end].parts > 0; end = best[end].from {
		parts = append(parts, best[end].part)
	}
	slices.Reverse(parts)
	return parts
}

// maxCompound is how long a word is taken apart: longer ones are values.
const maxCompound = 60

// ends are the longest known words that a compound ends in and begins with, where
// its other parts are not known: a Töpferkurs is a Kurs.
func (x *Index) ends(stem stemmer, word string) (head, modifier string) {
	if len(word) > maxCompound {
		return "", ""
	}
	for n := minEnd; n <= len(word)-minPart; n++ {
		if part := x.part(stem, word[len(word)-n:]); len(part) >= minEnd {
			head = part
		}
		if part := x.part(stem, word[:n]); len(part) > minEnd {
			modifier = part
		}
	}
	return head, modifier
}

// minEnd is how long a part is that is found without the rest of the compound.
const minEnd = 4

// part is the known word that a piece of a compound is, "" for none: Bundes is
// Bund and a joint.
func (x *Index) part(stem stemmer, piece string) string {
	found := ""
	for _, joint := range joints {
		word, ok := strings.CutSuffix(piece, joint)
		if !ok || len(word) < minPart {
			continue
		}
		if x.words[word] > 0 || x.known.words[word] {
			return word
		}
		if found == "" && len(word) > minPart+1 && slices.ContainsFunc(stem.of(word).both(), x.hasStem) {
			found = word
		}
	}
	return found
}

func (x *Index) hasStem(s string) bool { return x.stems[s] || x.known.stems[s] }

// cognates are the known words that a German one is in English: Bioaktivität.
func (q *query) cognates(word string) (known []string) {
	for _, e := range endings {
		stem, ok := strings.CutSuffix(word, e.german)
		if !ok || len(stem) < minPart {
			continue
		}
		for _, english := range []string{stem + e.english, latin.Replace(stem) + e.english} {
			if english != word && !slices.Contains(known, english) && (q.words[english] > 0 || q.known.words[english]) {
				known = append(known, english)
			}
		}
	}
	return known
}

// latin is how English spells what both languages have from it.
var latin = strings.NewReplacer("k", "c", "z", "c")

// endings of German words, and what these have in English.
var endings = []struct{ german, english string }{
	{"itaet", "ity"}, {"ie", "y"}, {"ik", "ics"}, {"ismus", "ism"}, {"isch", "ic"}, {"ische", "ic"}, {"iert", "ed"},
	{"ieren", "e"}, {"enz", "ence"}, {"anz", "ance"}, {"ionen", "ions"}, {"e", ""}, {"en", "s"}, {"", ""},
}

// near are the known words that a misspelt one may be, at most three. A compound
// has to be nearer to one.
func (q *query) near(word string, compound bool) []string {
	best := 1
	switch n := len(word); {
	case n < 5 || n > maxCompound:
		return nil
	case n > 7 && !compound:
		best = 2
	}
	var found []string
	look := func(candidate string) {
		d := words.Distance(word, candidate, best)
		if d < best {
			best, found = d, nil
		}
		if d == best {
			found = append(found, candidate)
		}
	}
	for candidate := range q.words {
		look(candidate)
	}
	for candidate := range q.known.words {
		if q.words[candidate] == 0 {
			look(candidate)
		}
	}
	slices.SortFunc(found, func(a, b string) int {
		return cmp.Or(cmp.Compare(begins(b, word), begins(a, word)), cmp.Compare(q.words[b], q.words[a]),
			strings.Compare(a, b))
	})
	return found[:min(3, len(found))]
}

// begins is 1 where two words have their first letter in common: there people
// hardly ever err.
func begins(a, b string) int {
	if a[0] == b[0] {
		return 1
	}
	return 0
}
