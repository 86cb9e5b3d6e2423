// Package heuristic scores schemas without a model: what their texts measurably
// say, a reason for each point (docs/decisions.md, "Heuristic scores").
//
// What it measures are signs of a good text, not that it is true. No sign counts
// for its own sake: words count where the tools speak of them too, each once, and
// a list of them that is no sentence counts little.
package heuristic

import (
	"fmt"
	"strings"

	"github.com/flowmcp/fmcp/pkg/words"
)

// Name and Version are the harness of the scores. The version changes with
// whatever changes a score.
const (
	Name    = "fmcp-heuristic"
	Version = "1.0.0"
)

// least and most are the scores of chapter 22, in hundredths as all points.
const (
	least = 100
	most  = 500
)

// point is what was measured, and what it gave.
type point struct {
	Points   int // hundredths; less than 0 for what costs
	Of       int // what it can give at most; 0 for what costs
	Text     string
	Pointers []string // some of the places that it is about
}

// result is what was measured of a dimension. The points, and the 1.00 to begin with,
// add up to the score.
type result struct{ Points []point }

// answer is a result in words: a catalog has many.
type answer struct {
	sum       int // hundredths
	reasoning string
}

// answer is the result with its reasons, a line for each point.
func (r result) answer() answer {
	a := answer{least, "1.00 to begin with"}
	return a.with(r.Points)
}

func (a answer) with(points []point) answer {
	if len(points) == 0 {
		return a
	}
	lines := []string{a.reasoning}
	for _, p := range points {
		a.sum += p.Points
		lines = append(lines, p.String())
	}
	a.reasoning = strings.Join(lines, "\n")
	return a
}

// score is from 1.0 to 5.0 in steps of 0.1.
func (a answer) score() float64 { return float64((min(most, max(least, a.sum))+5)/10) / 10 }

// String is what was given, of how much, for what, and where that is.
func (p point) String() string {
	s := hundredths(p.Points)
	if p.Of > 0 {
		s += " of " + hundredths(p.Of)[1:]
	}
	s += " " + line(p.Text, maxLine)
	if len(p.Pointers) == 0 {
		return s
	}
	at := make([]string, len(p.Pointers))
	for i, pointer := range p.Pointers {
		at[i] = line(pointer, words.Shown)
	}
	return s + " (" + strings.Join(at, ", ") + ")"
}

// maxLine is how long a line may be: words and names of untrusted schemas are in it.
const maxLine = 300

// line is a text that stays in its line.
func line(s string, limit int) string { return words.Clip(words.OneLine(s), limit) }

func hundredths(n int) string {
	sign := "+"
	if n < 0 {
		sign, n = "-", -n
	}
	return fmt.Sprintf("%s%d.%02d", sign, n/100, n%100)
}

// give adds a point of which a share, in hundredths, is given.
func (r *result) give(of, share int, text string, pointers ...string) {
	r.Points = append(r.Points, point{(of*share + 50) / 100, of, text, pointers})
}

// cost adds a point that takes something away; none where it is 0.
func (r *result) cost(n int, text string, pointers ...string) {
	if n > 0 {
		r.Points = append(r.Points, point{Points: -n, Text: text, Pointers: pointers})
	}
}
