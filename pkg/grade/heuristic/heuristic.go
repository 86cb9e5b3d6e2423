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

// Point is what was measured, and what it gave.
type Point struct {
	Points   int // hundredths; less than 0 for what costs
	Of       int // what it can give at most; 0 for what costs
	Text     string
	Pointers []string // some of the places that it is about
}

// Result is the score of a dimension and its reasons. The points, and the 1.00 to
// begin with, add up to it.
type Result struct{ Points []Point }

// Score is the score, from 1.0 to 5.0 in steps of 0.1.
func (r Result) Score() float64 { return float64((min(most, max(least, r.sum()))+5)/10) / 10 }

func (r Result) sum() int {
	sum := least
	for _, p := range r.Points {
		sum += p.Points
	}
	return sum
}

// Reasoning has a line for each point.
func (r Result) Reasoning() string {
	var b strings.Builder
	b.WriteString("1.00 to begin with")
	for _, p := range r.Points {
		fmt.Fprintf(&b, "\n%s", hundredths(p.Points))
		if p.Of > 0 {
			fmt.Fprintf(&b, " of %s", hundredths(p.Of)[1:])
		}
		b.WriteString(" " + line(p.Text, maxLine))
		if len(p.Pointers) > 0 {
			at := make([]string, len(p.Pointers))
			for i, pointer := range p.Pointers {
				at[i] = line(pointer, words.Shown)
			}
			fmt.Fprintf(&b, " (%s)", strings.Join(at, ", "))
		}
	}
	return b.String()
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
func (r *Result) give(of, share int, text string, pointers ...string) {
	r.Points = append(r.Points, Point{(of*share + 50) / 100, of, text, pointers})
}

// cost adds a point that takes something away; none where it is 0.
func (r *Result) cost(n int, text string, pointers ...string) {
	if n > 0 {
		r.Points = append(r.Points, Point{Points: -n, Text: text, Pointers: pointers})
	}
}
