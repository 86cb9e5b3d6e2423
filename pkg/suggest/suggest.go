// Package suggest finds the word that a user probably meant: the "did you
// mean" of every message about an unknown name.
package suggest

import "strings"

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
	w := []rune(strings.ToLower(word))
	best, found := "", false
	bestDist, bestExact := limitFor(len(w))+1, 0
	for _, c := range candidates {
		if len(c) > maxLen {
			continue
		}
		d := distance(w, []rune(strings.ToLower(c)), bestDist)
		if d > bestDist || d >= len(w) || d > limitFor(len(w)) {
			continue
		}
		exact := distance([]rune(word), []rune(c), maxLen)
		if d < bestDist || exact < bestExact {
			best, found, bestDist, bestExact = c, true, d, exact
		}
	}
	return best, found
}

// DidYouMean is Closest as the end of a message: ` (did you mean "x"?)`, or ""
// where nothing is near.
func DidYouMean(word string, candidates []string) string {
	if c, ok := Closest(word, candidates); ok {
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

// distance is the number of edits between a and b, or something greater than
// limit as soon as that is certain.
func distance(a, b []rune, limit int) int {
	if diff := len(a) - len(b); diff > limit || -diff > limit {
		return limit + 1
	}
	// Three rows of the matrix: a swap looks two rows back.
	before, prev, cur := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i, x := range a {
		cur[0] = i + 1
		least := cur[0]
		for j, y := range b {
			cost := 1
			if x == y {
				cost = 0
			}
			cur[j+1] = min(prev[j]+cost, prev[j+1]+1, cur[j]+1)
			if i > 0 && j > 0 && x == b[j-1] && a[i-1] == y {
				cur[j+1] = min(cur[j+1], before[j-1]+1)
			}
			least = min(least, cur[j+1])
		}
		if least > limit {
			return limit + 1
		}
		before, prev, cur = prev, cur, before
	}
	return prev[len(b)]
}
