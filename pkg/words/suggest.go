package words

import "unicode"

// maxLen is the length, in bytes, from which on a word is data and not a
// mistyped name; it bounds the work that hostile input can cause.
const maxLen = 128

// Closest returns the candidate nearest to word by Damerau-Levenshtein
// distance (insert, delete, replace, swap of neighbours), case aside, if it is
// near enough to be a typing error: one edit for words of up to three
// characters, two for up to seven, three beyond, and never all characters of
// the word. Of equally near candidates the one that agrees in case wins, then
// the first.
func Closest(word string, candidates []string) (string, bool) {
	if word == "" || len(word) > maxLen {
		return "", false
	}
	var w, lower, c text
	w.set(word, false)
	lower.set(word, true)
	best, found := "", false
	limit := min(limitFor(w.n), w.n-1)
	bestDist, bestExact := limit+1, 0
	for _, candidate := range candidates {
		// A character has at least one byte, and each one more is an edit.
		if len(candidate) > maxLen || len(candidate) < w.n-min(limit, bestDist) {
			continue
		}
		c.set(candidate, true)
		d := distance(&lower, &c, min(limit, bestDist))
		if d > limit || d > bestDist {
			continue
		}
		c.set(candidate, false)
		if exact := distance(&w, &c, maxExact); d < bestDist || exact < bestExact {
			best, found, bestDist, bestExact = candidate, true, d, exact
		}
	}
	return best, found
}

// DidYouMean is Closest as the end of a message: ` (did you mean "x"?)`, or ""
// where nothing is near.
func DidYouMean(word string, candidates []string) string {
	return new(Speller).DidYouMean(word, candidates)
}

// Speller is Closest for the many words of one file. Words and candidates of a
// stranger multiply: when it has looked through enough of them, it finds nothing
// any more. The zero value is ready; it is for one goroutine.
type Speller struct{ read int }

// maxRead is how many bytes of candidates a Speller looks through: those of a
// thousand misspelt names in a catalog of a thousand tools.
const maxRead = 16 << 20

// Spent reports whether the Speller finds nothing any more.
func (s *Speller) Spent() bool { return s.read > maxRead }

// Closest is the function of that name.
func (s *Speller) Closest(word string, candidates []string) (string, bool) {
	if s.Spent() {
		return "", false
	}
	for _, c := range candidates {
		s.read += min(len(c), maxLen) + 1
	}
	return Closest(word, candidates)
}

// DidYouMean is the function of that name.
func (s *Speller) DidYouMean(word string, candidates []string) string {
	if c, ok := s.Closest(word, candidates); ok {
		return ` (did you mean "` + c + `"?)`
	}
	return ""
}

func limitFor(n int) int {
	switch {
	case n <= 3:
		return 1
	case n <= 7:
		return 2
	}
	return 3
}

// maxExact is how many edits more than case are told apart.
const maxExact = 16

// text is the characters of a word of up to maxLen bytes.
type text struct {
	runes [maxLen]rune
	n     int
}

func (t *text) set(s string, lower bool) {
	t.n = 0
	for _, r := range s {
		if lower {
			r = unicode.ToLower(r)
		}
		t.runes[t.n] = r
		t.n++
	}
}

// distance is the number of edits between a and b, or something greater than
// limit as soon as that is certain. What is further from the diagonal of the
// matrix than limit need not be known.
func distance(a, b *text, limit int) int {
	if diff := a.n - b.n; diff > limit || -diff > limit {
		return limit + 1
	}
	// Three rows of the matrix: a swap looks two rows back.
	var rows [3][maxLen + 1]uint8
	before, prev, cur := &rows[0], &rows[1], &rows[2]
	for j := range min(b.n, limit) + 1 {
		prev[j] = uint8(j)
	}
	beyond := uint8(limit + 1)
	for i, x := range a.runes[:a.n] {
		from, to := max(0, i-limit), min(b.n, i+limit+1)
		cur[from] = beyond
		if from == 0 {
			cur[0] = uint8(i + 1)
		}
		if i+limit+1 <= b.n {
			prev[i+limit+1] = beyond
		}
		least := cur[from]
		for j := from; j < to; j++ {
			y := b.runes[j]
			cost := uint8(1)
			if x == y {
				cost = 0
			}
			cur[j+1] = min(prev[j]+cost, prev[j+1]+1, cur[j]+1)
			if i > 0 && j > 0 && x == b.runes[j-1] && a.runes[i-1] == y {
				cur[j+1] = min(cur[j+1], before[j-1]+1)
			}
			least = min(least, cur[j+1])
		}
		if least >= beyond {
			return limit + 1
		}
		before, prev, cur = prev, cur, before
	}
	return int(prev[b.n])
}

// Distance is the number of edits between two words as they are written, or
// something greater than limit.
func Distance(a, b string, limit int) int {
	if len(a) > maxLen || len(b) > maxLen {
		return limit + 1
	}
	var x, y text
	x.set(a, false)
	y.set(b, false)
	return distance(&x, &y, limit)
}
