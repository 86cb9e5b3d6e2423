package search

import "strings"

// Words are the words of a text as requests are read: in lower case, without
// accents, names taken apart.
func Words(text string) []string { return split(text) }

// German reports whether a text is rather German than English.
func German(text string) bool { return isGerman(text, split(text)) }

func isGerman(text string, words []string) bool {
	return strings.ContainsAny(text, "äöüÄÖÜß") || has(words, stopwords().german)
}

// Terms says which words mean the same. It remembers them, and is for one
// goroutine.
type Terms struct {
	German bool // words are taken as German ones
	stem   stemmer
	stop   map[string]bool
}

// NewTerms makes one.
func NewTerms() *Terms { return &Terms{stem: stemmer{}, stop: stopwords().all} }

// Of is what is left of one of Words without its ending, "" where it says
// nothing: the, which, welche.
func (t *Terms) Of(word string) string {
	if t.stop[word] {
		return ""
	}
	if t.German {
		return t.stem.of(word).german
	}
	return t.stem.of(word).english
}
