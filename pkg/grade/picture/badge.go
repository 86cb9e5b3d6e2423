package picture

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/report"
	"github.com/flowmcp/fmcp/pkg/words"
)

// colours of grades in the badge, on which white text can be read.
var colours = map[string]string{
	"A": "#1a7035", "B": "#4a6e0d", "C": "#7d5f00", "D": "#a3480c", "F": "#b3261e", notRead: "#b3261e",
	record.GradeRejected: "#7a1f4b", ungraded: "#5b626b",
}

const (
	labelColour = "#32373e"
	staleColour = "#6b4e9b"
)

// part is a part of the badge, from left to right.
type part struct{ text, colour string }

// badge is one SVG: how many schemas have each grade, or the grade of the only one.
func (g *grades) badge() []byte {
	parts := []part{{"grades", labelColour}}
	title := "Grades: " + g.summary()
	if len(g.schemas) == 1 {
		s := g.schemas[0]
		value := named(s.grade)
		if s.score.Exists() {
			value += " " + s.score.NumberText()
		}
		parts = []part{{words.Clip(report.Visible(s.id), 48), labelColour}, {value, colours[s.grade]}}
		title = report.Visible(s.id) + ": " + value
	} else if len(g.schemas) == 0 {
		parts = append(parts, part{g.summary(), colours[ungraded]})
	} else {
		for _, c := range g.counts() {
			parts = append(parts, part{named(c.letter) + " " + strconv.Itoa(c.n), colours[c.letter]})
		}
	}
	if n := g.stale(); n > 0 {
		text := "stale"
		if len(g.schemas) > 1 {
			text += " " + strconv.Itoa(n)
		}
		parts = append(parts, part{text, staleColour})
		title += ", " + text
	}
	if by := g.scored(); by != "" {
		title += ", " + by
	}
	return drawBadge(parts, title)
}

// summary says how many schemas have each grade.
func (g *grades) summary() string {
	var list []string
	for _, c := range g.counts() {
		list = append(list, strconv.Itoa(c.n)+" "+named(c.letter))
	}
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}

const badgeHeight, padding, corner = 20, 7, 3

// drawBadge has no ids, so that several badges can stand in one page.
func drawBadge(parts []part, title string) []byte {
	var shapes, texts strings.Builder
	x := 0
	for i, p := range parts {
		w := 2*padding + textWidth(p.text)
		fmt.Fprintf(&shapes, `<path fill="%s" d="%s"/>`+"\n", p.colour, box(x, w, i == 0, i == len(parts)-1))
		fmt.Fprintf(&texts, `<text x="%d" y="14">%s</text>`+"\n", x+w/2, html.EscapeString(p.text))
		x += w
	}
	title = html.EscapeString(title)
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" `+
		`role="img" aria-label="%[3]s">`+"\n<title>%[3]s</title>\n%[4]s"+
		`<g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">`+
		"\n%[5]s</g>\n</svg>\n", x, badgeHeight, title, shapes.String(), texts.String())
}

// box is the path of a part, round where the badge ends.
func box(x, w int, first, last bool) string {
	left, right := 0, 0
	if first {
		left = corner
	}
	if last {
		right = corner
	}
	arc := func(r, dx, dy int) string {
		if r == 0 {
			return ""
		}
		return fmt.Sprintf("a%d %[1]d 0 0 1 %d %d", r, dx, dy)
	}
	return fmt.Sprintf("M%d 0h%d", x+left, w-left-right) + arc(right, right, right) +
		fmt.Sprintf("v%d", badgeHeight-2*right) + arc(right, -right, right) + fmt.Sprintf("h%d", left+right-w) +
		arc(left, -left, -left) + fmt.Sprintf("v%d", 2*left-badgeHeight) + arc(left, left, -left) + "z"
}

// textWidth is how wide a text is at most, in pixels: the reader's font is not known.
func textWidth(s string) int {
	w := 0.0
	for _, r := range s {
		switch {
		case strings.ContainsRune("iljtfrI.,:;'|!()[]/- ", r):
			w += 5
		case strings.ContainsRune("mwMW@%", r):
			w += 11
		case r >= 'A' && r <= 'Z':
			w += 8.8
		case r < 0x80:
			w += 7.2
		case r < 0x1100:
			w += 11
		default: // as wide as high
			w += 15
		}
	}
	return int(math.Ceil(w))
}
