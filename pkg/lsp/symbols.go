package lsp

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// symbol is a place in a file that defines what has a Spec-ID, or refers to it.
type symbol struct {
	id        string
	defines   bool
	written   string // what stands there
	nth       int    // how often that comes before, from the place on
	line, col int    // of the value that it is in, or of its key
}

// facts are what is known of a file whether or not it is open.
type facts struct {
	symbols []symbol
	keys    []string // server parameters
}

// factsOf are the facts of a file.
func factsOf(l *record.Load) facts {
	c := &collector{load: l, find: l.Find(), namespace: catalog.NamespaceOf(l)}
	for _, ref := range model.NewSchema(l.Data).SharedLists() {
		c.lists = append(c.lists, ref.Ref)
	}
	for _, p := range catalog.PrimitiveIDs(l) {
		pointer := p.Pointer
		written := keyOf(pointer)
		if pointer == "" {
			pointer, written = "/name", p.ID.Name
			if l.Type == record.TypeList {
				pointer = "/meta/name"
			}
		}
		c.add(p.ID.String(), written, pointer, true)
	}
	c.value(l.Data, "", nil)
	f := facts{symbols: c.symbols}
	if l.Type == record.TypeSchema {
		for _, key := range model.NewSchema(l.Data).RequiredServerParams() {
			f.keys = append(f.keys, strings.Clone(key))
		}
	}
	return f
}

// keyOf is the last key of a pointer.
func keyOf(pointer string) (last string) {
	for key := range ordjson.PointerKeys(pointer) {
		last = key
	}
	return last
}

// collector finds the symbols of a file.
type collector struct {
	load      *record.Load
	find      *record.Finder
	namespace string
	lists     []string // that the file uses
	symbols   []symbol
}

func (c *collector) add(id, written, pointer string, defines bool) *symbol {
	// With texts of its own: those of the record keep all of its source.
	s := symbol{id: strings.Clone(id), written: strings.Clone(written), defines: defines}
	s.line, s.col = c.find.Value(pointer)
	c.symbols = append(c.symbols, s)
	return &c.symbols[len(c.symbols)-1]
}

// value finds what a value refers to; path are the names on the way to it, without
// indexes.
func (c *collector) value(v ordjson.Value, pointer string, path []string) {
	for _, m := range v.Members() {
		below := pointer + ordjson.Pointer(m.Key)
		if id := referenceOf(m.Key, "", ""); id != "" {
			c.add(id, m.Key, below, false)
		}
		c.value(m.Value, below, append(path, m.Key))
	}
	for i, e := range v.Elems() {
		c.value(e, pointer+ordjson.Pointer(i), path)
	}
	if text := v.Str(); text != "" {
		if id := referenceOf(text, c.namespace, typeAt(path)); id != "" {
			c.add(id, text, pointer, false)
		}
		c.placeholders(text, pointer)
	}
}

// placeholders finds what the placeholders of a text refer to.
func (c *collector) placeholders(text, pointer string) {
	before := map[string]int{}
	for _, p := range model.Placeholders(text) {
		id, written := "", text[p.Start:p.End]
		if ref, ok := p.Reference(); ok && ref.Type != model.RefInput && ref.Name != "" {
			if ref.Namespace == "" {
				ref.Namespace = c.namespace
			}
			id = ref.ID()
		} else if slices.Contains(c.lists, p.Type) {
			id = listID(p.Type)
		}
		if id == "" {
			continue
		}
		s := c.add(id, written, pointer, false)
		if s.nth = before[written]; strings.Contains(text, "\n") {
			s.line, s.col = c.find.Text(pointer, p.Start)
			s.nth = 0
		}
		before[written]++
	}
}

// typeAt is the type of what a text refers to that is no whole ID, by the names on the
// way to it; "" where it refers to nothing.
func typeAt(path []string) string {
	path = append([]string{"", ""}, path...)
	parent, last := path[len(path)-2], path[len(path)-1]
	switch {
	case last == "ref" && (parent == "sharedLists" || parent == "dependsOn"), last == "sharedLists":
		return string(record.TypeList)
	case last == "dependsOn", parent == "prefill" && last == "tool", last == "expectedTools",
		parent == "requires" && last == "tools":
		return catalog.TypeTool
	case last == "references":
		return string(record.TypePrompt)
	case last == "selections":
		return string(record.TypeSelection)
	case parent == "requires" && last == "resources":
		return catalog.TypeResource
	}
	return ""
}

// referenceOf is the ID that a text means: itself, or what has this name and type in a
// namespace; "" where it means none.
func referenceOf(text, namespace, typ string) string {
	if strings.Contains(text, "/") {
		if id, err := catalog.ParsePrimitiveID(text); err == nil {
			return id.String()
		}
		return ""
	}
	switch {
	case typ == string(record.TypeList):
		return listID(text)
	case typ == "" || namespace == "":
		return ""
	}
	return catalog.ID{Namespace: namespace, Type: typ, Name: text}.String()
}

func listID(name string) string {
	return catalog.ID{Namespace: catalog.SharedNamespace, Type: string(record.TypeList), Name: name}.String()
}

// span is where a symbol stands in the text of its file.
func (s *symbol) span(t *text) (start, end int) {
	start = t.place(s.line, s.col)
	rest := t.src[start:]
	at := 0
	for n := s.nth; ; n-- {
		i := strings.Index(rest[at:], s.written)
		if i < 0 {
			return start, t.extent(start) // written with escapes
		}
		if at += i; n == 0 {
			return start + at, start + at + len(s.written)
		}
		at += len(s.written)
	}
}

// symbolAt is the ID that a place in a file defines or refers to, "" for none.
func (w *workspace) symbolAt(path string, t *text, offset int) string {
	for _, s := range w.facts[path].symbols {
		if start, end := s.span(t); start <= offset && offset <= end {
			return s.id
		}
	}
	return ""
}

// places are where an ID is defined, or else referred to.
func (w *workspace) places(id string, is func(*symbol) bool) []location {
	list := []location{}
	for _, path := range w.live.Files() {
		var t *text
		for _, s := range w.facts[path].symbols {
			if s.id != id || !is(&s) {
				continue
			}
			if t == nil {
				if t = w.text(path); t == nil {
					break
				}
			}
			list = append(list, location{w.uri(path), t.span(s.span(t))})
		}
	}
	return list
}

// uri is the URI of a file, as the editor writes it where it is open.
func (w *workspace) uri(path string) string {
	if d := w.docs[path]; d != nil {
		return d.uri
	}
	return uriOf(path)
}

// definition is where what a place refers to is defined.
func (s *server) definition(path string, p *documentParams) (any, error) {
	t := s.text(path)
	id := s.symbolAt(path, t, t.offset(p.Position))
	if id == "" {
		return nil, nil
	}
	return s.places(id, func(y *symbol) bool { return y.defines }), nil
}

// references are all places that refer to what a place defines or refers to.
func (s *server) references(path string, p *documentParams) (any, error) {
	t := s.text(path)
	id := s.symbolAt(path, t, t.offset(p.Position))
	if id == "" {
		return nil, nil
	}
	return s.places(id, func(y *symbol) bool { return !y.defines || p.Context.IncludeDeclaration }), nil
}
