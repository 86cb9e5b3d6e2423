package heuristic

import (
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/search"
)

// schema is what is read of a load record.
type schema struct {
	model.Schema
	*reader
	description *text
	tools       []callable
	vocabulary  map[string]bool // stems of all that the tools are made of
}

// callable is a tool, or a query of a resource.
type callable struct {
	model.Tool
	text   *text
	params []model.Parameter // that a caller gives

	said      map[string]bool // words of its description and name, and their stems
	described map[string]int  // how many of the parameters have a description

	undeclared []string // keys of tests that no parameter has
}

// readSchema reads a record, whatever is wrong with it.
func readSchema(r *reader, load *record.Load) *schema {
	s := &schema{Schema: model.NewSchema(load.Data), reader: r, vocabulary: map[string]bool{}}
	text := s.Get("description").Str()
	r.terms.German = search.German(text)
	s.description = r.read(text)
	declared := s.RequiredServerParams()
	for _, t := range s.Tools() {
		s.add(t, declared)
	}
	for _, res := range s.Resources() {
		for _, q := range res.Queries() {
			s.add(q.Tool(), declared)
		}
	}
	for _, key := range []string{"resources", "prompts", "skills"} {
		for _, m := range s.Get(key).Members() {
			s.stems(s.vocabulary, m.Key)
			s.stems(s.vocabulary, m.Value.Get("description").Str())
		}
	}
	for _, tag := range s.Get("tags").Elems() {
		r.stems(s.vocabulary, tag.Str())
	}
	return s
}

func (s *schema) add(t model.Tool, declared []string) {
	c := callable{Tool: t, text: s.read(t.Get("description").Str()), said: map[string]bool{},
		described: map[string]int{}}
	for _, w := range append(search.Words(c.text.raw), search.Words(t.Name)...) {
		c.said[w], c.said[s.terms.Of(w)] = true, true
	}
	for stem := range c.text.telling {
		s.vocabulary[stem] = true
	}
	for _, text := range []string{t.Name, t.Get("path").Str(), t.Get("sql").Str()} {
		s.stems(s.vocabulary, text)
	}
	keys := map[string]bool{}
	for _, p := range t.Parameters(declared) {
		keys[p.Key], keys[p.Bare] = true, true
		s.stems(s.vocabulary, p.Key)
		s.stems(s.vocabulary, p.Description)
		if p.Source == model.User {
			c.params = append(c.params, p)
			c.described[p.Description]++
		}
	}
	for _, test := range t.Get("tests").Elems() {
		s.stems(s.vocabulary, test.Get("_description").Str())
		for _, m := range test.Members() {
			if !keys[m.Key] && !strings.HasPrefix(m.Key, "_") {
				keys[m.Key] = true
				c.undeclared = append(c.undeclared, m.Key)
			}
		}
	}
	s.outputs(t.At("output").Get("schema"))
	s.tools = append(s.tools, c)
}

// outputs reads the names and descriptions of what comes back.
func (s *schema) outputs(v ordjson.Value) {
	s.stems(s.vocabulary, v.Get("description").Str())
	for _, m := range v.Get("properties").Members() {
		s.stems(s.vocabulary, m.Key)
		s.outputs(m.Value)
	}
	if items := v.Get("items"); items.Exists() {
		s.outputs(items)
	}
}

// speaksOf reports whether the tools have a word too, or the end or the beginning of
// a compound: Station of Wetterstation.
func (s *schema) speaksOf(stem string) bool {
	if s.vocabulary[stem] {
		return true
	}
	const least = 5
	for i := 3; i+least <= len(stem); i++ {
		if s.vocabulary[stem[i:]] {
			return true
		}
	}
	for i := least; i+3 <= len(stem); i++ {
		if s.vocabulary[stem[:i]] {
			return true
		}
	}
	return false
}

// namesProvider reports whether the description names where the data is from: a
// part of the host, the name of the schema, or an acronym.
func (s *schema) namesProvider() bool {
	if s.description.names {
		return true
	}
	said := strings.Join(search.Words(s.description.raw), "")
	host, _, _ := strings.Cut(strings.TrimPrefix(s.Get("root").Str(), "https://"), "/")
	for _, label := range append(strings.Split(host, "."), s.Get("name").Str()) {
		label = strings.Join(search.Words(label), "")
		if len(label) > 3 && !is(filler, []string{label}) && strings.Contains(said, label) {
			return true
		}
	}
	return false
}
