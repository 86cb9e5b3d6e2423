package heuristic

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/flowmcp/fmcp/pkg/grade/protocol"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// A schema that says all there is to say has nearly all points, one that says
// nothing has none.
func TestRange(t *testing.T) {
	for _, c := range []struct {
		name        string
		m           main
		least, most float64
	}{
		{"good", good, 4.5, 5},
		{"nothing", main{tools: []tool{{name: "a", params: []param{{"x", "object()", "optional()", ""}}}}}, 1, 1.2},
	} {
		for _, d := range []string{protocol.WhenToUse, protocol.Parameters} {
			if got := score(t, d, c.m); got.score() < c.least || got.score() > c.most {
				t.Errorf("%s %s: %.1f\n%s", c.name, d, got.score(), got.reasoning)
			}
		}
	}
}

// The lines of a reasoning add up to its score, and name places that are there.
func TestReasoning(t *testing.T) {
	load := telling("Get data. This API is the best. Returns structured JSON response data.").load(t, "weather/skies")
	s := New()
	s.Observe(load)
	for _, dimension := range []string{protocol.WhenToUse, protocol.Parameters} {
		got, err := s.Score(t.Context(), &protocol.Prompt{Schema: load, Dimension: dimension})
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for line := range strings.Lines(got.Reasoning) {
			var n float64
			if _, err := fmt.Sscanf(line, "%g", &n); err != nil {
				t.Errorf("%q does not begin with its points: %v", line, err)
			}
			sum += n
			if i := strings.LastIndex(line, "(/"); i >= 0 {
				for place := range strings.SplitSeq(strings.Trim(line[i:], "()\n"), ", ") {
					pointer, _, _ := strings.Cut(place, " ")
					if v, _ := ordjson.Lookup(load.Data, pointer); !v.Exists() {
						t.Errorf("%q: nothing is at %s", line, pointer)
					}
				}
			}
		}
		if diff := sum - got.Score; diff < -0.0501 || diff > 0.0501 {
			t.Errorf("the points are %.2f, the score is %.1f:\n%s", sum, got.Score, got.Reasoning)
		}
	}
}

// Names of untrusted schemas make neither lines of their own nor endless ones.
func TestReasoningLines(t *testing.T) {
	name := "a\n+5.00 of 5.00 " + strings.Repeat("long", 1000)
	m := main{says: "Get " + name, tools: []tool{{name: name, says: name, params: []param{{name, "number()", "", ""}}}}}
	for _, dimension := range []string{protocol.WhenToUse, protocol.Parameters} {
		for l := range strings.Lines(score(t, dimension, m).reasoning) {
			if len(l) > 1500 || strings.HasPrefix(l, "+5.00") {
				t.Errorf("%s: %q", dimension, l)
			}
		}
	}
}

// What other schemas of the namespace say counts, whatever the order in which they
// come; what those of other namespaces say does not.
func TestSiblings(t *testing.T) {
	near := strings.Replace(good.says, "hourly", "daily", 1)
	loads := []*record.Load{
		good.load(t, "weather/a"), good.load(t, "weather/b"), good.load(t, "elsewhere/c"),
		saying(near).load(t, "near/d"), good.load(t, "near/e"),
		saying("Get the tides of harbours.").load(t, "weather/f"), saying("").load(t, "weather/g"),
	}
	alone := measure(loads[0], protocol.WhenToUse).answer().score()
	want := []float64{alone - 0.8, alone - 0.8, alone, alone - 0.3, alone - 0.3}
	for range 20 {
		rand.Shuffle(len(loads), func(i, j int) { loads[i], loads[j] = loads[j], loads[i] })
		s := New()
		var wait sync.WaitGroup
		for _, l := range loads {
			wait.Go(func() { s.Observe(l) })
		}
		wait.Wait()
		for _, l := range loads {
			n := l.ID[len(l.ID)-1] - 'a'
			got, err := s.Score(t.Context(), &protocol.Prompt{Schema: l, Dimension: protocol.WhenToUse})
			if err != nil {
				t.Fatal(err)
			}
			if int(n) < len(want) && math.Abs(got.Score-want[n]) > 0.01 {
				t.Errorf("%s: got %g, want %g\n%s", l.ID, got.Score, want[n], got.Reasoning)
			}
			if int(n) >= len(want) && strings.Contains(got.Reasoning, "of its namespace") {
				t.Errorf("%s has no sibling that is alike:\n%s", l.ID, got.Reasoning)
			}
		}
	}
}

// Records are scored whatever is wrong with them.
func TestStrange(t *testing.T) {
	for _, text := range []string{
		`null`, `[]`, `"main"`, `{}`, `{"description":7,"tools":[]}`, `{"description":"…","tools":{"a":null,"b":7}}`,
		`{"tools":{"":{"description":[],"parameters":{"a":1},"tests":{"b":2},"output":{"schema":{"items":[]}}}}}`,
		`{"tools":{"a":{"parameters":[null,{},{"position":{"value":"{{USER_PARAM}}"},"z":[]}]}}}`,
		`{"description":"; . ! \n ?","resources":{"r":{"queries":{"q":null}}},"tags":"a"}`,
		`{"description":"\u0000 e.g. (","tools":{"a":{"description":"e.g. 1. A. B"}}}`,
	} {
		data, err := ordjson.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		load := &record.Load{Type: record.TypeSchema, ID: "a/b", Data: data}
		for _, dimension := range []string{protocol.WhenToUse, protocol.Parameters} {
			if got := measure(load, dimension).answer().score(); got < 1 || got > 5 {
				t.Errorf("%s: %g", text, got)
			}
		}
	}
}

// Queries of resources count as tools do; a schema of prompts, or of resources that
// have their tools from elsewhere, has nothing to call.
func TestNotOnlyTools(t *testing.T) {
	data := func(text string) *record.Load {
		v, err := ordjson.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return &record.Load{Type: record.TypeSchema, ID: "a/b", Data: v}
	}
	query := data(`{"description":"Find trains","resources":{"r":{"queries":{"byName":{"description":"Find trains",
		"parameters":[{"position":{"key":"q","value":"{{USER_PARAM}}"},"z":{"primitive":"string()"}}]}}}}}`)
	got := measure(query, protocol.Parameters).answer().reasoning
	if !strings.Contains(got, "/resources/r/queries/byName/parameters/0 q") {
		t.Errorf("the parameter of the query is not measured:\n%s", got)
	}
	for _, text := range []string{
		`{"description":"Find trains","prompts":{"p":{}}}`,
		`{"description":"Find trains","resources":{"trains":{"source":"sqlite-gtfs"}}}`,
	} {
		if got := measure(data(text), protocol.Parameters).answer(); got.score() != 4.6 {
			t.Errorf("%s: got %g, want 4.6\n%s", text, got.score(), got.reasoning)
		}
		got := measure(data(text), protocol.WhenToUse)
		if last := got.Points[len(got.Points)-1]; last.Points == 0 {
			t.Errorf("%s: nothing in the place of tools\n%s", text, got.answer().reasoning)
		}
	}
}

func TestNearest(t *testing.T) {
	var list []said
	say := func(text string) {
		words := strings.Fields(text)
		slices.Sort(words)
		list = append(list, said{fmt.Sprint(len(list)), words})
	}
	say("a b c d e f g h")
	say("a b c d e f g i") // 7 of 9
	say("p q r s")
	say("p q r t") // 3 of 5
	say("")
	say("")
	for range 1000 {
		say("x y z")
	}
	got := nearest(list)
	want := []likeness{{1, 77}, {0, 77}, {-1, 0}, {-1, 0}, {-1, 0}, {-1, 0}, {7, 100}}
	if !slices.Equal(got[:7], want) {
		t.Errorf("got %v, want %v", got[:7], want)
	}
	for i, like := range got[7:] {
		if like != (likeness{6, 100}) {
			t.Fatalf("%d: got %v", 7+i, like)
		}
	}
}

// Each heading of cues.txt is a kind, and each kind has terms.
func TestCues(t *testing.T) {
	terms := [kinds]int{}
	for _, list := range cues() {
		for _, p := range list {
			terms[p.kind]++
		}
	}
	for k, n := range terms {
		if n == 0 {
			t.Errorf("%s has no terms", kindNames[k])
		}
	}
}

func TestSentences(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"One. Two! Three? Four; five\nsix", []string{"One", "Two", "Three", "Four", "five", "six"}},
		{"By code (e.g. DE). Of alternative.me v1.2", []string{"By code (e.g. DE)", "Of alternative.me v1.2"}},
		{"z.B. Berlin. ", []string{"z.B. Berlin"}},
		{" . ", nil},
	} {
		if got := sentences(c.text); !slices.Equal(got, c.want) {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

// Ten thousand schemas of one namespace, which is the worst for the search for
// siblings, half of them with a description that differs in one word.
func BenchmarkCatalog(b *testing.B) {
	loads := make([]*record.Load, 10_000)
	for i := range loads {
		m := good
		if i%2 == 0 {
			m.says = fmt.Sprintf("%s Series w%d.", good.says, i)
		} else {
			m.says = fmt.Sprintf("Get r%d and r%d of w%d by q%d in w%d.", i%97, i%89, i, i%13, i%1009)
		}
		loads[i] = m.load(b, fmt.Sprintf("weather/s%d", i))
	}
	for b.Loop() {
		s := New()
		for _, l := range loads {
			s.Observe(l)
		}
		for _, l := range loads {
			for _, dimension := range []string{protocol.WhenToUse, protocol.Parameters} {
				_, _ = s.Score(b.Context(), &protocol.Prompt{Schema: l, Dimension: dimension})
			}
		}
	}
}
