package heuristic

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/search"
	"github.com/flowmcp/fmcp/pkg/zod"
)

// What the measures of parameters can give, in hundredths.
const (
	ofMeaning  = 180
	ofValues   = 140
	ofExamples = 60
	ofNeed     = 20
)

// parameters scores whether a model can tell how to call the tools. Each tool
// counts the same, one without parameters a quarter: there is nothing to get wrong.
// In a tool, a parameter that may be left out counts half.
func (s *schema) parameters() result {
	var meaning, values, examples, need tally
	for _, t := range s.tools {
		if len(t.params)+len(t.undeclared) == 0 {
			for _, all := range []*tally{&meaning, &values, &examples, &need} {
				all.sum, all.weight = all.sum+100*50, all.weight+50
			}
			continue
		}
		of := s.parametersOf(t)
		meaning.join(of[0])
		values.join(of[1])
		examples.join(of[2])
		need.join(of[3])
	}
	var r result
	if meaning.n == 0 {
		if len(s.tools) == 0 && !s.others() {
			r.give(most-least, 0, "there is nothing to call")
			return r
		}
		r.give(most-least, 90, "there is no parameter that a caller gives")
		return r
	}
	r.tally(ofMeaning, &meaning, "parameters say what they mean, in a description, their key or that of the tool")
	r.tally(ofValues, &values, "parameters say which values they take, by enum, bounds, format or default")
	r.tally(ofExamples, &examples, "parameters have examples in the tests, or need none")
	r.tally(ofNeed, &need, "parameters are required, or say what is used without them")
	return r
}

// join adds the tally of a tool as one.
func (t *tally) join(of tally) {
	t.n, t.good = t.n+of.n, t.good+of.good
	t.sum, t.weight = t.sum+of.sum*200/of.weight, t.weight+200
	t.worst = append(t.worst, of.worst...)
	t.worst = t.worst[:min(places, len(t.worst))]
}

// parametersOf measures the parameters of a tool: meaning, values, examples, need.
// What tests give and no parameter declares, a model cannot know of.
func (s *schema) parametersOf(t callable) (of [4]tally) {
	for _, p := range t.params {
		z, _ := zod.Parse(p.Primitive, p.Options)
		q := parameter{Parameter: p, schema: s, tool: t, z: z, text: s.read(p.Description)}
		q.own = q.tellsMore()
		weight := 2
		if z.Optional() {
			weight = 1
		}
		for i, share := range []int{q.meaning(), q.values(), q.examples(), q.need()} {
			of[i].weighed(fmt.Sprintf("%s %s", p.Pointer(), p.Key), share, weight)
		}
	}
	for _, key := range t.undeclared {
		for i := range of {
			of[i].weighed(t.At("tests").Pointer()+" "+key+" (undeclared)", 0, 2)
		}
	}
	return of
}

// parameter is one that is measured.
type parameter struct {
	model.Parameter
	schema *schema
	tool   callable
	z      *zod.Schema
	text   *text // its description
	own    int   // what that says beyond the key
}

// tellsMore is how many telling words the description has that the key has not. A
// description that others of the tool have too says nothing of this one.
func (p *parameter) tellsMore() int {
	if p.tool.described[p.Description] > 1 {
		return 0
	}
	key := map[string]bool{}
	p.schema.stems(key, p.Key)
	n := p.text.found[unit]
	for stem := range p.text.telling {
		if !key[stem] {
			n++
		}
	}
	return n
}

// meaning measures whether a model can tell what the parameter is.
func (p *parameter) meaning() int {
	switch {
	case p.own > 2:
		return 100
	case p.own > 0:
		return 80
	}
	key := search.Words(p.Key)
	mentioned := p.mentioned(key)
	known := p.known(key)
	switch {
	case known && mentioned:
		return 70
	case known, p.z.Type() == zod.Enum && !p.opaque(): // the values say what it is
		return 60
	case p.generic(key) && mentioned, p.asksAnything(key):
		return 40
	case p.generic(key):
		return 0
	case mentioned:
		return 65
	}
	return 35
}

// known reports whether a key has one meaning wherever it is met.
func (p *parameter) known(key []string) bool {
	return is(knownKey, key) || is(pagingKey, key) && p.z.Type() == zod.Number
}

// generic reports whether a key could be that of anything.
func (p *parameter) generic(key []string) bool {
	for _, word := range key {
		if !is(genericKey, []string{word}) {
			return false
		}
	}
	return true
}

// mentioned reports whether the description of the tool, or its name, has the words
// of the key, or words that these are short for; of movieId, only movie is looked
// for.
func (p *parameter) mentioned(key []string) bool {
	wanted := slices.DeleteFunc(slices.Clone(key), func(w string) bool { return is(genericKey, []string{w}) })
	if len(wanted) == 0 {
		wanted = key
	}
	return !slices.ContainsFunc(wanted, func(w string) bool {
		return !p.tool.said[w] && !p.tool.said[p.schema.terms.Of(w)] && !p.tool.spellsOut(w)
	})
}

// spellsOut reports whether the description of the tool has a word that another one
// is short for: exchange for exch.
func (c *callable) spellsOut(short string) bool {
	if len(short) < 3 || len(short) > 5 {
		return false
	}
	for word := range c.said {
		if len(word) > len(short)+1 && strings.HasPrefix(word, short) {
			return true
		}
	}
	return false
}

// asksAnything reports whether the parameter is what a search looks for.
func (p *parameter) asksAnything(key []string) bool {
	return len(key) == 1 && slices.Contains([]string{"q", "query", "term", "text", "s"}, key[0]) &&
		(strings.HasPrefix(strings.ToLower(p.tool.Name), "search") || p.tool.text.found[input] > 0)
}

// values measures whether a model can tell what the parameter takes.
func (p *parameter) values() int {
	described := p.own > 0 && (p.text.found[unit] > 0 || shaped(p.Description))
	key := search.Words(p.Key)
	_, preset := p.z.Default()
	of := p.z.JSONSchema()
	has := func(name string) bool { return of.Get(name).Exists() }
	switch p.z.Type() {
	case zod.Boolean:
		return 100
	case zod.Enum:
		if p.opaque() && p.own == 0 {
			return 60
		}
		return 100
	case zod.Number:
		switch {
		case has("minimum") && has("maximum"):
			return 100
		case described:
			return 90
		case has("minimum") || has("maximum"):
			return 75
		case preset || p.known(key):
			return 60
		}
		return 30
	case zod.Text:
		switch {
		case has("pattern") || described:
			return 100
		case has("maxLength") || preset || p.known(key):
			return 65
		case p.own > 2:
			return 60
		case shaped(p.tool.text.raw) && p.mentioned(key):
			return 70
		case shaped(p.tool.text.raw):
			return 40
		}
		return 20
	}
	switch {
	case described:
		return 100
	case p.own > 0 || preset:
		return 60
	}
	return 10
}

// shaped reports whether a text shows what a value looks like: an example, a form.
func shaped(s string) bool {
	s = strings.ToLower(s)
	return slices.ContainsFunc([]string{"e.g.", "z.b.", "i.e.", "example", "beispiel", "such as", "format", "iso",
		"yyyy", "comma", "komma", "0x", "('", "(\"", "code", ": \"", ": '", "one of", "eines von", "=", "specify",
		"accepts", "separated", "getrennt", "operators", "syntax"},
		func(sign string) bool { return strings.Contains(s, sign) })
}

// opaque reports whether no value of an enum is a word.
func (p *parameter) opaque() bool {
	return len(p.z.Lists()) == 0 && !slices.ContainsFunc(p.z.Values(), func(v string) bool {
		return len([]rune(v)) > 3 && strings.ContainsFunc(v, isLetter)
	})
}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 127 }

// examples measures whether tests show what the parameter takes.
func (p *parameter) examples() int {
	if t := p.z.Type(); t == zod.Boolean || t == zod.Enum {
		return 100
	}
	var seen ordjson.Set
	n := 0
	for _, test := range p.tool.Get("tests").Elems() {
		v := test.Get(p.Key)
		if !v.Exists() && p.Bare != "" { // tests of the field name the placeholder
			v = test.Get(p.Bare)
		}
		if v.Exists() && !seen.Has(v) && !is(placeholder, search.Words(v.Str())) {
			seen.Add(v)
			n++
		}
	}
	switch {
	case n > 1:
		return 100
	case n == 1:
		return 75
	}
	return 0
}

// need measures whether a model can tell what happens without the parameter.
func (p *parameter) need() int {
	if _, preset := p.z.Default(); preset || !p.z.Optional() || p.own > 2 {
		return 100
	}
	return 50
}
