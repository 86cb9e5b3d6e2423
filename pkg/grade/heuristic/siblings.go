package heuristic

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/words"
)

// said is what a text says, to compare it with others.
type said struct {
	name  string   // of what says it
	terms []string // stems and figures, sorted
}

// likeness is what a text has in common with the one that is most like it.
type likeness struct {
	other int // -1 for none
	share int // of the terms that either has, in hundredths
}

// alike is from where on two texts say nearly the same.
const alike = 75

// candidates is how many texts each is compared with: those that share its rarest
// words. So the time is that of the number of texts, not of its square.
const candidates = 40

// nearest finds for each text the one that is most like it. Equal ones are found
// whatever their number.
func nearest(list []said) []likeness {
	df := map[string]int{}
	for _, s := range list {
		for _, t := range s.terms {
			df[t]++
		}
	}
	found := make([]likeness, len(list))
	whole, postings := map[string]int{}, map[string][]int{}
	rare := make([][]string, len(list))
	for i, s := range list {
		found[i].other = -1
		if len(s.terms) == 0 {
			continue
		}
		key := strings.Join(s.terms, " ")
		if first, ok := whole[key]; ok {
			found[i] = likeness{first, 100}
			if found[first].share < 100 {
				found[first] = likeness{i, 100}
			}
			continue
		}
		whole[key] = i
		// Texts that are alike have one of these in common: the rest is too little.
		rare[i] = slices.SortedFunc(slices.Values(s.terms), func(a, b string) int {
			return cmp.Or(df[a]-df[b], strings.Compare(a, b))
		})[:len(s.terms)-(len(s.terms)*alike+99)/100+1]
		for _, t := range rare[i] {
			postings[t] = append(postings[t], i)
		}
	}
	for i, s := range list {
		if found[i].share == 100 {
			continue
		}
		tried := 0
		for _, t := range rare[i] {
			for _, j := range postings[t] {
				if j == i || tried == candidates {
					continue
				}
				tried++
				if share := common(s.terms, list[j].terms); share >= alike && share > found[i].share {
					found[i] = likeness{j, share}
				}
			}
		}
	}
	return found
}

// common is how many of the terms that two lists have both have, in hundredths.
func common(a, b []string) int {
	both := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch c := strings.Compare(a[i], b[j]); {
		case c == 0:
			both++
			i++
			j++
		case c < 0:
			i++
		default:
			j++
		}
	}
	return both * 100 / (len(a) + len(b) - both)
}

// say makes what a text says comparable: its words without endings, figures, and
// neither small words nor those that any text has.
func (r *reader) say(name string, t *text) said {
	terms := map[string]bool{}
	for _, s := range t.sentences {
		for _, w := range s.words {
			if stem := r.terms.Of(w); stem != "" && !is(filler, []string{w}) {
				terms[stem] = true
			}
		}
	}
	return said{name, slices.Sorted(maps.Keys(terms))}
}

// twins are the costs of tools that say what another one says.
func (s *schema) twins() []point {
	list := make([]said, len(s.tools))
	for i, t := range s.tools {
		list[i] = s.say(t.Name, t.text)
	}
	equal, near := twin{}, twin{}
	for i, like := range nearest(list) {
		at := s.tools[i].At("description").Pointer()
		switch {
		case like.other < 0:
		case like.share == 100:
			equal.add(at, list[i].name, list[like.other].name)
		default:
			near.add(at, list[i].name, list[like.other].name)
		}
	}
	var r result
	n := len(s.tools)
	r.cost((60*equal.n+n-1)/max(1, n), fmt.Sprintf("%s say the same as another one, as %s",
		words.Count(equal.n, "tool"), equal.pair), equal.at...)
	r.cost((25*near.n+n-1)/max(1, n), fmt.Sprintf("%s say nearly the same as another one, as %s",
		words.Count(near.n, "tool"), near.pair), near.at...)
	return r.Points
}

// twin counts those that have one.
type twin struct {
	n    int
	pair string // the first
	at   []string
}

func (t *twin) add(at, name, other string) {
	if t.n++; t.n == 1 {
		t.pair = name + " and " + other
	}
	if len(t.at) < places {
		t.at = append(t.at, at)
	}
}
