package heuristic

import (
	_ "embed" // the words
	"slices"
	"strings"
	"sync"

	"github.com/flowmcp/fmcp/pkg/search"
)

//go:embed cues.txt
var cuesText string

// kind is a kind of words: a heading of cues.txt.
type kind uint8

const (
	action kind = iota
	weakAction
	output
	input
	coverage
	freshness
	limits
	unit
	use
	filler
	boilerplate
	praise
	pushy
	genericKey
	knownKey
	pagingKey
	placeholder
	kinds
)

var kindNames = [kinds]string{"action", "weak action", "output", "input", "coverage", "freshness", "limits",
	"unit", "use", "filler", "boilerplate", "praise", "pushy", "generic key", "known key", "paging key", "placeholder"}

// phrase is a term of cues.txt.
type phrase struct {
	words []string
	kind  kind
}

// cues are the phrases by their first words.
var cues = sync.OnceValue(func() map[string][]phrase {
	found, k := map[string][]phrase{}, kinds
	for line := range strings.Lines(cuesText) {
		line = strings.TrimSpace(line)
		if heading, ok := strings.CutPrefix(line, "["); ok {
			k = kind(slices.Index(kindNames[:], strings.TrimSuffix(heading, "]")))
			continue
		}
		if strings.HasPrefix(line, "#") {
			continue
		}
		for term := range strings.SplitSeq(line, ",") {
			if words := search.Words(term); len(words) > 0 {
				found[words[0]] = append(found[words[0]], phrase{words, k})
			}
		}
	}
	return found
})

// is reports whether words are a term of a kind, all of them.
func is(k kind, words []string) bool {
	return len(words) > 0 && slices.ContainsFunc(cues()[words[0]], func(p phrase) bool {
		return p.kind == k && slices.Equal(p.words, words)
	})
}
