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
}

// readSchema reads a record, whatever is wrong with it.
func readSchema(r *reader, load *record.Load) *schema {
	s := &schema{Schema: model.NewSchema(load.Data), reader: r, vocabulary: map[string]bool{}}
	s.description = r.read(s.Get("description").Str())
	declared := s.RequiredServerParams()
	for _, t := range s.Tools() {
		s.add(t, declared)
	}
	for _, res := range s.Resources() {
		for _, q := range res.Queries() {
			s.add(q.Tool(), declared)
		}
	}
	for _, tag := range s.Get("tags").Elems() {
		r.stems(s.vocabulary, tag.Str())
	}
	return s
}

func (s *schema) add(t model.Tool, declared []string) {
	c := callable{Tool: t, text: s.read(t.Get("description").Str())}
	for stem := range c.text.telling {
		s.vocabulary[stem] = true
	}
	for _, text := range []string{t.Name, t.Get("path").Str(), t.Get("sql").Str()} {
		s.stems(s.vocabulary, text)
	}
	for _, p := range t.Parameters(declared) {
		s.stems(s.vocabulary, p.Key)
		s.stems(s.vocabulary, p.Description)
		if p.Source == model.User {
			c.params = append(c.params, p)
		}
	}
	for _, test := range t.Get("tests").Elems() {
		s.stems(s.vocabulary, test.Get("_description").Str())
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
