package poison

import (
	_ "embed"
	"math/bits"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

//go:embed vocabulary.txt
var vocabularyText string

// meanings is a set of meanings, by their numbers.
type meanings [3]uint64

func (m *meanings) add(o meanings) {
	for i := range m {
		m[i] |= o[i]
	}
}

func (m *meanings) any(o meanings) bool { return m[0]&o[0]|m[1]&o[1]|m[2]&o[2] != 0 }

func (m *meanings) hasAll(o meanings) bool { return o[0]&^m[0]|o[1]&^m[1]|o[2]&^m[2] == 0 }

// each calls yield with the number of each.
func (m *meanings) each(yield func(i int) bool) {
	for part, left := range m {
		for ; left != 0; left &= left - 1 {
			if !yield(part*64 + bits.TrailingZeros64(left)) {
				return
			}
		}
	}
}

func meaning(i int) (m meanings) {
	m[i/64] = 1 << (i % 64)
	return m
}

// phrase is several words that mean something together.
type phrase struct {
	rest  []string // the words after the first
	means meanings
}

// vocabulary says what words mean.
type vocabulary struct {
	number  map[string]meanings // of a name of vocabulary.txt, or of what a token is (text.go)
	names   []string            // by their number
	words   map[string]meanings
	stems   map[string]meanings  // without the asterisk
	starts  map[[2]byte][]string // the stems that begin so
	phrases map[string][]phrase  // by their first word
}

// kinds are what tokens mean by their form.
var kinds = []string{"path", "config", "env", "ext", "mail", "toext", "ident", "account", "bank", "persistent", "vital"}

var theVocabulary = sync.OnceValue(func() *vocabulary {
	v := &vocabulary{
		number: map[string]meanings{}, words: map[string]meanings{}, stems: map[string]meanings{},
		starts: map[[2]byte][]string{}, phrases: map[string][]phrase{},
	}
	for i, kind := range kinds {
		v.number[kind], v.names = meaning(i), append(v.names, kind)
	}
	text := strings.ReplaceAll(vocabularyText, "\n  ", " ")
	for line := range strings.Lines(text) {
		name, list, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		m := meaning(len(v.number))
		v.number[name], v.names = m, append(v.names, name)
		for entry := range strings.SplitSeq(list, ", ") {
			v.enter(entry, m)
		}
	}
	for stem := range v.stems {
		start := [2]byte([]byte(stem))
		v.starts[start] = append(v.starts[start], stem)
	}
	return v
})

func (v *vocabulary) enter(entry string, m meanings) {
	words := strings.Fields(entry)
	if len(words) > 1 && !spaceless(words[0]) {
		v.phrases[words[0]] = append(v.phrases[words[0]], phrase{words[1:], m})
		return
	}
	into := v.words
	stem, ok := strings.CutSuffix(entry, "*")
	if ok {
		into = v.stems
	}
	m.add(into[stem])
	into[stem] = m
}

// word is what a word means on its own, also where it has the ending 's.
func (v *vocabulary) word(w string) meanings {
	m := v.words[w]
	if base, ok := strings.CutSuffix(w, "'s"); ok {
		m.add(v.words[base])
	}
	if clitic, rest, ok := strings.Cut(w, "'"); ok && len(clitic) < 3 { // l'utilisateur
		m.add(v.word(rest))
	}
	if len(w) > 1 {
		for _, stem := range v.starts[[2]byte{w[0], w[1]}] {
			if strings.HasPrefix(w, stem) {
				m.add(v.stems[stem])
			}
		}
	}
	return m
}

// wordIs reports whether a word is what a phrase has at its place.
func wordIs(word, want string) bool {
	if stem, ok := strings.CutSuffix(want, "*"); ok {
		return strings.HasPrefix(word, stem)
	}
	return word == want
}

// longest is how many characters the words of languages without spaces have.
const longest = 10

// spacelessWord is the longest word that a text of a language without spaces
// starts with, and what it means, also by the words that it begins with.
func (v *vocabulary) spacelessWord(text string) (size int, m meanings) {
	end := 0
	for n := 0; n < longest && end < len(text); n++ {
		_, width := utf8.DecodeRuneInString(text[end:])
		end += width
		found := v.words[text[:end]]
		found.add(v.stems[text[:end]])
		if found != (meanings{}) {
			size = end
			m.add(found)
		}
	}
	return size, m
}

// spaceless reports whether a word is of a language that has none between words,
// or endings that run on, as Korean.
func spaceless(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return r >= 0xe00 && // where Thai begins
		(unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai) || r == 'ー')
}
