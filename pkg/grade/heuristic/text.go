package heuristic

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/flowmcp/fmcp/pkg/search"
)

// text is a text of a schema, taken apart.
type text struct {
	raw       string
	sentences []sentence
	telling   map[string]bool // stems of all sentences
	words     int
	small     int            // words that say nothing by themselves: the, of
	run       int            // most words in a row without a small one or a comma
	items     int            // most items of a list of words
	most      int            // how often the stem is there that is there most often
	names     bool           // it has a name
	count     map[string]int // of each telling stem
	found     [kinds]int     // how many terms of each kind, each once
}

// sentence is a part of a text that says one thing.
type sentence struct {
	raw   string
	words []string
	stems []string // "" for a word that says nothing of the subject
	cues  []cue
}

// cue is a term of cues.txt in a sentence.
type cue struct {
	kind    kind
	at, end int // words
}

// reader reads texts; it is for one goroutine, and remembers stems.
type reader struct{ terms *search.Terms }

var readers = sync.Pool{New: func() any { return &reader{search.NewTerms()} }}

// stem is what is left of a word, "" where it says nothing of what a tool does.
func (r *reader) stem(word string) string {
	if utf8.RuneCountInString(word) < 2 || !strings.ContainsFunc(word, unicode.IsLetter) ||
		is(filler, []string{word}) || is(action, []string{word}) {
		return ""
	}
	return r.terms.Of(word)
}

// stems adds the stems of a text to a set.
func (r *reader) stems(set map[string]bool, text string) {
	for _, w := range search.Words(text) {
		if s := r.stem(w); s != "" {
			set[s] = true
		}
	}
}

func (r *reader) read(raw string) *text {
	t := &text{raw: raw, telling: map[string]bool{}, count: map[string]int{}}
	seen := map[string]bool{}
	for _, part := range sentences(raw) {
		s := sentence{raw: part}
		items := 0 // chunks of one or two words, one after the other
		for chunk := range strings.FieldsFuncSeq(part, func(r rune) bool { return strings.ContainsRune(breaks, r) }) {
			words := search.Words(chunk)
			if items++; len(words) > 2 {
				items = 0
			}
			t.items = max(t.items, items)
			t.run = max(t.run, r.run(words))
			s.words = append(s.words, words...)
		}
		s.stems = make([]string, len(s.words))
		for i, w := range s.words {
			stem := r.stem(w)
			s.stems[i] = stem
			if stem != "" {
				t.telling[stem] = true
				t.count[stem]++
				t.most = max(t.most, t.count[stem])
			}
			if r.terms.Of(w) == "" {
				t.small++
			}
			s.cues = append(s.cues, cuesAt(s.words, i)...)
		}
		for _, c := range s.cues {
			if term := strings.Join(s.words[c.at:c.end], " "); !seen[kindNames[c.kind]+term] {
				seen[kindNames[c.kind]+term] = true
				t.found[c.kind]++
			}
		}
		t.words += len(s.words)
		t.names = t.names || named(part)
		t.sentences = append(t.sentences, s)
	}
	return t
}

func cuesAt(words []string, i int) (found []cue) {
	for _, p := range cues()[words[i]] {
		if end := i + len(p.words); end <= len(words) && slices.Equal(p.words, words[i:end]) {
			found = append(found, cue{p.kind, i, end})
		}
	}
	return found
}

// sentences takes a text apart at ends of sentences, semicolons and lines.
func sentences(raw string) (parts []string) {
	start := 0
	for i, r := range raw {
		switch r {
		case '\n', ';':
		case '.', '!', '?':
			rest := raw[i+1:]
			if !strings.HasPrefix(rest, " ") && !strings.HasPrefix(rest, "\n") || abbreviated(raw[start:i]) {
				continue
			}
		default:
			continue
		}
		if part := strings.TrimSpace(raw[start:i]); part != "" {
			parts = append(parts, part)
		}
		start = i + 1
	}
	if part := strings.TrimSpace(raw[start:]); part != "" {
		parts = append(parts, part)
	}
	return parts
}

// abbreviated reports whether the stop after a text is that of an abbreviation.
func abbreviated(before string) bool {
	last := before[strings.LastIndexAny(before, " (")+1:]
	switch strings.ToLower(last) {
	case "e.g", "i.e", "etc", "z.b", "bzw", "ca", "approx", "incl", "inkl", "max", "min", "no", "nr", "vs", "d.h":
		return true
	}
	return utf8.RuneCountInString(last) == 1 && strings.ContainsFunc(last, unicode.IsUpper)
}

// named reports whether a sentence has a name that its capitals show: DWD, OpenAlex,
// World Bank. One capital alone is a noun in German.
func named(sentence string) bool {
	before := false
	for i, word := range strings.Fields(sentence) {
		capitals := 0
		for _, r := range word {
			if unicode.IsUpper(r) {
				capitals++
			}
		}
		if parts := search.Words(word); is(filler, parts) || is(unit, parts) {
			before = false
			continue
		}
		first, _ := utf8.DecodeRuneInString(word)
		capital := i > 0 && unicode.IsUpper(first)
		if capitals > 1 || capital && before {
			return true
		}
		before = capital
	}
	return false
}

// breaks are what ends a run of words.
const breaks = ",:()[]–—/\"|"

// run is how many words follow each other without a small one.
func (r *reader) run(words []string) (most int) {
	n := 0
	for _, w := range words {
		if n++; r.terms.Of(w) == "" {
			n = 0
		}
		most = max(most, n)
	}
	return most
}

// soup reports whether a text is a list of words rather than sentences. The limits
// are beyond what the public catalogs have: 9 words in a row, lists of 16.
func (t *text) soup() bool {
	return t.words >= 10 && t.small*100 < t.words*5 || t.run > 11 || t.items > 20
}
