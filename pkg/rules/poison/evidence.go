package poison

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed weights.txt
var weightsText string

// evidence is how much words and meanings speak for an order to a model, in
// hundredths. Attacks and real descriptions have taught it (scripts/poison).
type evidence struct {
	least    int // what must be outweighed, below nought
	words    map[string]int
	meanings []int // by their number
}

var theEvidence = sync.OnceValue(func() *evidence {
	v := theVocabulary()
	e := &evidence{words: map[string]int{}, meanings: make([]int, len(v.names))}
	for line := range strings.Lines(weightsText) {
		feature, weight, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		n, err := strconv.Atoi(weight)
		meaning, isMeaning := strings.CutPrefix(feature, ":")
		switch {
		case !ok || err != nil: // the line that says where the others come from
		case feature == "":
			e.least = n
		case isMeaning:
			if i := slices.Index(v.names, meaning); i >= 0 {
				e.meanings[i] = n
			}
		default:
			e.words[feature] = n
		}
	}
	return e
})

// Features are the words of the sentences of a text, each once, and what they mean,
// with a colon before it.
func Features(text string) [][]string {
	var list [][]string
	for _, s := range sentencesOf(text) {
		list = append(list, s.features())
	}
	return list
}

const longestWord = 15 // longer ones are names

func (s *sentence) features() []string {
	var list []string
	seen := map[string]bool{}
	for _, t := range s.tokens {
		if len(t.word) <= longestWord && !seen[t.word] {
			seen[t.word] = true
			list = append(list, t.word)
		}
	}
	v := theVocabulary()
	for i, name := range v.names {
		if s.means.any(meaning(i)) {
			list = append(list, ":"+name)
		}
	}
	return list
}

// orders reports whether the words of a sentence together speak for an order to a
// model.
func (s *sentence) orders() bool {
	e := theEvidence()
	sum := e.least
	for i := range s.means.each {
		sum += e.meanings[i]
	}
	seen := map[string]bool{}
	for i := range s.tokens {
		word := s.tokens[i].word
		if weight := e.words[word]; weight != 0 && !seen[word] {
			seen[word] = true
			sum += weight
		}
	}
	return sum > 0
}
