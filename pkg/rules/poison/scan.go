package poison

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/flowmcp/fmcp/pkg/words"
)

// Hit is a place of a text where it tries to steer the model that reads it.
type Hit struct {
	Code    string
	Offset  int    // where it is, in bytes
	Message string // what is there, and what it does
}

// Scan returns what is found in a text, one hit a code at most, in the order of the
// codes. In the content of prompts, skills and agents orders to the model belong:
// described is false there, and only what no such text has a reason for is found.
func Scan(text string, described bool) []Hit {
	s := scan{text: text, described: described, ascii: ascii(text)}
	if !s.ascii {
		s.letters()
	}
	findSigns(text, described, s.hit)
	for _, d := range decodeAll(text, s.ascii) {
		s.hit("MCP045", d.at, d.end, "which is "+d.form+" for "+words.Quote(d.text))
		s.orders(sentencesOf(d.text), &d)
	}
	if !s.ascii || strings.ContainsAny(text, " \n\t") { // else it is one word
		s.words()
	}
	slices.SortFunc(s.hits, func(a, b Hit) int { return strings.Compare(a.Code, b.Code) })
	return s.hits
}

type scan struct {
	text      string
	described bool
	ascii     bool
	hits      []Hit
}

// letters looks at the characters.
func (s *scan) letters() {
	if at, end, count := findHidden(s.text); count > 0 {
		what := "an invisible character, which a model reads"
		if count > 1 {
			what = words.Count(count, "character") + " that people do not see but a model reads"
		}
		from, to := around(s.text, at, end)
		s.hit("MCP040", from, to, what)
	}
	if at, end, ok := findLookAlike(s.text); ok {
		s.hit("MCP041", at, end, "a word with letters of another alphabet that look like Latin ones")
	}
}

// words looks for orders in what the text says, and, where it speaks of that, in
// what it says in another order of its letters.
func (s *scan) words() {
	sentences := sentencesOf(s.text)
	if !s.ascii && turnsLetters(s.text) || speakOfDecoding(sentences) {
		for _, d := range turned(s.text) {
			s.orders(sentencesOf(d.text), &d)
		}
	}
	s.orders(sentences, nil)
	if !s.described || len(s.hits) > 0 {
		return
	}
	for _, line := range sentences {
		if line.orders() {
			s.hit("MCP044", line.tokens[0].at, line.tokens[len(line.tokens)-1].end,
				"which reads as an order to a model and not as a description")
			return
		}
	}
}

// around is a part of a text with some letters before and after it.
func around(text string, at, end int) (from, to int) {
	from, to = max(at-context, 0), min(end+context, len(text))
	for !utf8.RuneStart(text[from]) {
		from++
	}
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to++
	}
	return from, to
}

const context = 15

// hit notes what was found, unless its code has been.
func (s *scan) hit(code string, at, end int, what string) {
	if !slices.ContainsFunc(s.hits, func(h Hit) bool { return h.Code == code }) {
		s.hits = append(s.hits, Hit{code, at, fmt.Sprintf("found %s at byte %d, %s", shown(s.text[at:end]), at, what)})
	}
}

// shown is a part of a text as a message shows it: what is not seen is named.
func shown(part string) string {
	var b strings.Builder
	for _, c := range words.OneLine(part) {
		if invisible(c) || unicode.IsControl(c) {
			fmt.Fprintf(&b, "<U+%04X>", c)
		} else {
			b.WriteRune(c)
		}
	}
	return words.Quote(b.String())
}

// orders looks for the patterns in sentences: those of the text, or of one that was
// decoded from a part of it.
func (s *scan) orders(sentences []sentence, from *decoded) {
	patterns := thePatterns()
	for i := range sentences {
		line := &sentences[i]
		for j := range patterns {
			p := &patterns[j]
			if p.described && !s.described && from == nil {
				continue
			}
			a, b, ok := p.find(line)
			switch {
			case !ok:
			case from == nil:
				s.hit(p.code, line.tokens[a].at, line.tokens[b].end, whatOf[p.code])
			default:
				s.hit("MCP045", from.at, from.end, "which is "+from.form+" for "+words.Quote(from.text))
				s.hit(p.code, from.at, from.end, whatOf[p.code])
			}
		}
	}
}

// whatOf says what orders of a code do.
var whatOf = map[string]string{
	"MCP044": "which speaks to the model and not to people",
	"MCP045": "which tells the model to decode an order",
	"MCP046": "which overrides the rules of the model",
	"MCP047": "which tells the model to hide something from its user",
	"MCP048": "which steers how other tools are used",
	"MCP049": "which tells the model to hand over what it knows or can read",
	"MCP050": "which tells the model to run or change something on the user's machine",
}
