package engine

import (
	"testing"
)

// A file of thousands of wrong references gets suggestions for the first ones.
func TestSuggestionsAreBounded(t *testing.T) {
	l := &lookup{}
	for i := range 2 * maxAsked {
		if got := l.Candidates([]string{"getPrice"}); (got != nil) != (i < maxAsked) {
			t.Fatalf("reference %d has %d candidates", i, len(got))
		}
	}
}
