package search

import (
	_ "embed" // the lists of words
	"maps"
	"strings"
	"sync"
)

var (
	//go:embed lists/thesaurus.txt
	thesaurusText string
	//go:embed lists/german.txt
	germanText string
	//go:embed lists/names.txt
	namesText string
	//go:embed lists/stop.en.txt
	stopEnglish string
	//go:embed lists/stop.de.txt
	stopGerman string
)

// stops are the words that say nothing of what is looked for.
type stops struct {
	all             map[string]bool
	english, german map[string]bool // that are of one language only
}

var stopwords = sync.OnceValue(func() *stops {
	s := &stops{all: map[string]bool{}, english: listed(stopEnglish), german: listed(stopGerman)}
	for word := range s.english {
		s.all[word] = true
		if s.german[word] {
			delete(s.english, word)
			delete(s.german, word)
		}
	}
	maps.Copy(s.all, s.german)
	return s
})

func listed(text string) map[string]bool {
	words := map[string]bool{}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for _, word := range split(line) {
			words[word] = true
		}
	}
	return words
}

// other is what somebody may also mean who says a term.
type other struct {
	words []string
	kind  int  // the line of names.txt, 0 for none
	soft  bool // see softWeight
}

// thesaurus has the terms by their words, and by the stems of their words.
type thesaurus struct {
	exact, stemmed map[string][]other
	words, stems   map[string]bool // that its terms have
	longest        int             // term, in words
}

var loadThesaurus = sync.OnceValue(func() *thesaurus {
	t := &thesaurus{exact: map[string][]other{}, stemmed: map[string][]other{}, words: map[string]bool{},
		stems: map[string]bool{}}
	stem := stemmer{}
	for line := range strings.Lines(thesaurusText + germanText) {
		t.line(stem, line, 0)
	}
	kind := 0
	for line := range strings.Lines(namesText) {
		kind++
		t.line(stem, line, kind)
	}
	return t
})

// line reads a line as thesaurus.txt explains it.
func (t *thesaurus) line(stem stemmer, line string, kind int) {
	if strings.HasPrefix(line, "#") {
		return
	}
	line, soft := strings.CutPrefix(line, "~")
	left, right, directed := strings.Cut(line, ">")
	from := termsOf(left)
	to := from
	if directed {
		to = termsOf(right)
	}
	for _, term := range from {
		t.add(stem, term, to, other{kind: kind, soft: soft})
	}
	for _, term := range append(from, to...) {
		for _, word := range term {
			if !stopwords().all[word] {
				t.words[word] = true
				for _, s := range stem.of(word).both() {
					t.stems[s] = true
				}
			}
		}
	}
}

func termsOf(list string) (terms [][]string) {
	for term := range strings.SplitSeq(list, ",") {
		if words := split(term); len(words) > 0 {
			terms = append(terms, words)
		}
	}
	return terms
}

func (t *thesaurus) add(stem stemmer, term []string, to [][]string, as other) {
	t.longest = max(t.longest, len(term))
	name := strings.Join(term, " ")
	var others []other
	for _, words := range to {
		if strings.Join(words, " ") != name {
			as.words = words
			others = append(others, as)
		}
	}
	t.exact[name] = append(t.exact[name], others...)
	english, german := stem.keys(term)
	t.stemmed[english] = append(t.stemmed[english], others...)
	t.stemmed[german] = append(t.stemmed[german], others...)
}

// keys are the names of a term in stemmed. One of each language, so that a
// German stem meets German ones only.
func (s stemmer) keys(term []string) (english, german string) {
	english, german = "en", "de"
	for _, word := range term {
		of := s.of(word)
		english += " " + of.english
		german += " " + of.german
	}
	return english, german
}

// others are what a term may also mean: in its very form, or else in another one,
// which in an English request is an English one.
// The second result is whether the term is known.
func (t *thesaurus) others(stem stemmer, english bool, term ...string) ([]other, bool) {
	if found, ok := t.exact[strings.Join(term, " ")]; ok {
		return found, true
	}
	e, g := stem.keys(term)
	en, isEnglish := t.stemmed[e]
	if english {
		return en, isEnglish
	}
	de, isGerman := t.stemmed[g]
	return append(append([]other{}, en...), de...), isEnglish || isGerman
}
