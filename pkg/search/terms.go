package search

// Words are the words of a text as requests are read: in lower case, without
// accents, names taken apart.
func Words(text string) []string { return split(text) }

// Terms says which words mean the same. It remembers them, and is for one
// goroutine.
type Terms struct {
	stem stemmer
	stop map[string]bool
}

// NewTerms makes one.
func NewTerms() *Terms { return &Terms{stem: stemmer{}, stop: stopwords().all} }

// Of is what is left of one of Words without its ending, "" where it says
// nothing: the, which, welche.
func (t *Terms) Of(word string) string {
	if t.stop[word] {
		return ""
	}
	return t.stem.of(word).english
}
