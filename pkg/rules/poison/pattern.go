package poison

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

//go:embed patterns.txt
var patternsText string

// pattern is what one kind of order is made of.
type pattern struct {
	code      string
	described bool       // not looked for where orders to the model belong
	window    int        // how many words it has at most
	steps     []meanings // one of each
	all       meanings   // what the sentence has of the steps that are one meaning
	ordered   bool
	none      meanings // the sentence has nothing of it
}

var thePatterns = sync.OnceValue(func() []pattern {
	v := theVocabulary()
	var list []pattern
	for line := range strings.Lines(patternsText) {
		head, steps, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Fields(head)
		p := pattern{code: fields[0], described: fields[1] == "described", ordered: strings.Contains(steps, ">")}
		p.window, _ = strconv.Atoi(fields[2])
		for step := range strings.FieldsSeq(strings.ReplaceAll(steps, ">", " ")) {
			names, none := strings.CutPrefix(step, "!")
			var m meanings
			for name := range strings.SplitSeq(names, "|") {
				m.add(v.number[name])
			}
			if none {
				p.none = m
			} else {
				p.steps = append(p.steps, m)
				if !strings.Contains(names, "|") {
					p.all.add(m)
				}
			}
		}
		list = append(list, p)
	}
	return list
})

// find is the first place of a sentence where the pattern is, as tokens from and
// to.
func (p *pattern) find(s *sentence) (from, to int, ok bool) {
	if !s.means.hasAll(p.all) || s.means.any(p.none) {
		return 0, 0, false
	}
	for _, step := range p.steps {
		if !s.means.any(step) {
			return 0, 0, false
		}
	}
	for i := range s.tokens {
		if to, ok := p.startsAt(s.tokens[i:]); ok {
			return i, i + to, true
		}
	}
	return 0, 0, false
}

// startsAt reports whether the pattern starts with the first of the tokens.
func (p *pattern) startsAt(tokens []token) (last int, ok bool) {
	tokens = tokens[:min(len(tokens), p.window)]
	var used uint64 // windows are smaller
	for n, step := range p.steps {
		from, found := 0, -1
		if p.ordered && n > 0 {
			from = last + 1
		}
		for i := from; i < len(tokens); i++ {
			if used&(1<<i) == 0 && tokens[i].means.any(step) {
				found = i
				break
			}
			if p.ordered && n == 0 {
				break
			}
		}
		if found < 0 {
			return 0, false
		}
		used |= 1 << found
		last = max(last, found)
	}
	return last, used&1 == 1
}
