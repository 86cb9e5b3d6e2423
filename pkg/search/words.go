package search

import (
	"strings"
	"unicode"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/german"
)

// split cuts a text into words in lower case: at what is neither letter nor
// digit, and inside of names (getDriverStandings, CO2Emissions).
func split(text string) []string {
	var words []string
	var word []rune
	runes := []rune(text)
	start := 0
	end := func(at int) {
		if len(word) > 0 {
			if name := acronyms[string(runes[start:at])]; name != "" {
				word = []rune(name)
			}
			words = append(words, string(word))
			word = word[:0]
		}
		start = at
	}
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end(i)
			start = i + 1
			continue
		case unicode.IsUpper(r) && i > 0 && (unicode.IsLower(runes[i-1]) || unicode.IsDigit(runes[i-1])):
			end(i)
		case unicode.IsLower(r) && len(word) > 1 && i > 1 && unicode.IsUpper(runes[i-1]) && unicode.IsUpper(runes[i-2]):
			// ABIFor: the last capital belongs to the next word. Not so in ABIs.
			if r != 's' || i+1 < len(runes) && unicode.IsLower(runes[i+1]) {
				last := word[len(word)-1]
				word = word[:len(word)-1]
				end(i - 1)
				word = append(word, last)
			}
		}
		word = append(word, plain(unicode.ToLower(r))...)
	}
	end(len(runes))
	return words
}

// acronyms are names that in small letters are words that say nothing.
var acronyms = map[string]string{"US": "usa", "WHO": "worldhealth", "IT": "infotech"}

// plain is a letter without its accent, and a German one as two.
func plain(r rune) []rune {
	switch r {
	case 'ä':
		return []rune("ae")
	case 'ö', 'ø':
		return []rune("oe")
	case 'ü':
		return []rune("ue")
	case 'ß':
		return []rune("ss")
	case 'á', 'à', 'â', 'ã', 'å':
		return []rune{'a'}
	case 'é', 'è', 'ê', 'ë':
		return []rune{'e'}
	case 'í', 'ì', 'î', 'ï':
		return []rune{'i'}
	case 'ó', 'ò', 'ô', 'õ':
		return []rune{'o'}
	case 'ú', 'ù', 'û':
		return []rune{'u'}
	case 'ç':
		return []rune{'c'}
	case 'ñ':
		return []rune{'n'}
	}
	return []rune{r}
}

// stems are what is left of a word without its endings, as an English and as a
// German one: which it is, one word does not say.
type stems struct{ english, german string }

// both are the stems, one where they are the same.
func (s stems) both() []string {
	if s.english == s.german {
		return []string{s.english}
	}
	return []string{s.english, s.german}
}

// umlauts has them as German stems want them, and as all may be typed.
var umlauts = strings.NewReplacer("que", "que", "aue", "aue", "eue", "eue", "ae", "ä", "oe", "ö", "ue", "ü")

func stemsOf(word string) stems {
	e, g := snowballstem.NewEnv(word), snowballstem.NewEnv(umlauts.Replace(word))
	english.Stem(e)
	german.Stem(g)
	return stems{e.Current(), g.Current()}
}

// stemmer remembers the stems of words: a catalog has few words, many times.
type stemmer map[string]stems

func (s stemmer) of(word string) stems {
	known, ok := s[word]
	if !ok {
		known = stemsOf(word)
		s[word] = known
	}
	return known
}
