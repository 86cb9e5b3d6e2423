package module

import (
	"slices"

	"github.com/flowmcp/fmcp/pkg/record"
)

// handlers reads the initializer of the handlers export at the cursor: a
// factory function that returns an object of handler objects (chapter 01,
// "The handlers Export"). What it returns is read from its tokens, as far as
// it is written as an object literal; nothing runs.
func (s *scan) handlers() error {
	begin := s.i
	if err := s.skipExpression(); err != nil {
		return err
	}
	if !s.factory(begin) {
		s.executes = true
	}
	return nil
}

// factory reads the handlers function that begins at the token begin and ends
// before the cursor; false is a value that is written in another way.
func (s *scan) factory(begin int) bool {
	f := factory{Tokens: &Tokens{Src: s.Src, List: s.List[:s.i]}, begin: begin, mod: s.mod}
	body := f.body(begin)
	s.mod.HandlersAt = []int{int(s.List[begin].Start)}
	if body < 0 {
		s.isData = f.isData(begin)
		return false
	}
	s.mod.Handlers = []record.Handler{}
	at, ok := f.returned(body)
	if ok {
		ok = f.handlers(at)
	}
	if !ok {
		s.mod.addHandler(unknownHandlers, s.mod.HandlersAt[0])
	}
	return true
}

// unknownHandlers stands for handlers that only running code can name.
var unknownHandlers = record.Handler{Name: record.UnknownHandlers, Stages: []string{}}

// exportedHandlers are the handlers of the export of that name, which may have
// another name inside the module, or come from a call or another variable: none
// may be forgotten because it could not be read.
func (s *scan) exportedHandlers() []record.Handler {
	local := s.mod.locals["handlers"]
	_, isData := s.mod.values[local]
	if local == "handlers" && s.mod.Handlers != nil {
		return s.mod.Handlers
	}
	at := s.mod.HandlersAt[:min(1, len(s.mod.HandlersAt))]
	s.mod.HandlersAt = at
	if !s.mod.Has("handlers") || isData || local == "handlers" && s.isData {
		return nil
	}
	s.mod.HandlersAt = append(at, at...)
	return []record.Handler{unknownHandlers}
}

// factory reads the tokens of a handlers function, which end with it.
type factory struct {
	*Tokens
	begin   int // of the function
	mod     *Module
	objects map[string]int // the { of the object literals that are a const in it, by name; nil until one is asked for
}

// closing returns the index of the bracket that closes the one at i.
func (t *Tokens) closing(i int) int {
	if !t.Opens(i) {
		return i
	}
	return int(t.List[i].Match)
}

// body returns the index of the first token of the body of the function at i,
// or -1 if there is none.
func (f *factory) body(i int) int {
	if f.word(i, "async") {
		i++
	}
	if f.word(i, "function") {
		for f.Kind(i) != EOF && !f.Is(i, "(") {
			i++
		}
		return f.closing(i) + 1
	}
	if i = f.closing(i) + 1; f.Is(i, "=>") {
		return i + 1
	}
	return -1
}

func (t *Tokens) word(i int, name string) bool { return t.Kind(i) == Ident && t.Name(i) == name }

// isData reports whether the tokens from i on begin like a value that is not a
// function: an object, an array, a text, a number, null, true or false.
func (f *factory) isData(i int) bool {
	if f.Kind(i) != Ident {
		return !f.Is(i, "(")
	}
	return slices.Contains([]string{"null", "true", "false", "undefined"}, f.Name(i))
}

// returned returns the index of the { of the object literal that the function
// with the body at i returns: the parenthesised body, or what its last return
// statement names.
func (f *factory) returned(i int) (int, bool) {
	if !f.Is(i, "{") {
		return f.objectAt(i, false)
	}
	end := f.closing(i)
	found, ok := 0, false
	for j := i + 1; j < end; j = f.After(j) {
		if f.word(j, "return") && !f.Is(j-1, ".") {
			found, ok = f.objectAt(j+1, true)
		}
	}
	return found, ok
}

// objectAt returns the index of the { of the object literal that the
// expression at i is, through parentheses and, if named, through a const of that
// name.
func (f *factory) objectAt(i int, named bool) (int, bool) {
	for f.Is(i, "(") {
		i++
	}
	if f.Is(i, "{") {
		return i, true
	}
	if !named || f.Kind(i) != Ident {
		return 0, false
	}
	if f.objects == nil {
		f.objects = map[string]int{}
		for j := len(f.List) - 1; j >= f.begin; j-- {
			if f.word(j, "const") && f.Is(j+2, "=") && f.Is(j+3, "{") {
				f.objects[f.Name(j+1)] = j + 3 // the first of a name is the last to be noted
			}
		}
	}
	at, ok := f.objects[f.Name(i)]
	return at, ok
}

// entry is one property of an object literal: its key, and the indexes of the
// key's token and of the first one of its value.
type entry struct {
	key       string
	at, value int
}

// entries lists the properties of the object literal whose { is at i; ok is
// false where a spread or a computed key hides some.
func (f *factory) entries(i int) (list []entry, ok bool) {
	end := f.closing(i)
	ok = true
	for j := i + 1; j < end; {
		e, known := f.entry(j)
		ok = ok && known
		if known {
			list = append(list, e)
		}
		for j < end && !f.Is(j, ",") {
			j = f.closing(j) + 1
		}
		j++
	}
	return list, ok
}

func (f *factory) entry(j int) (entry, bool) {
	for (f.word(j, "async") || f.word(j, "get") || f.Is(j, "*")) && !f.Is(j+1, ":") && !f.Is(j+1, "(") &&
		!f.Is(j+1, ",") {
		j++
	}
	switch f.Kind(j) {
	case Ident:
		e := entry{key: f.Name(j), at: j, value: j}
		if f.Is(j+1, ":") {
			e.value = j + 2
		}
		return e, true
	case String:
		text, ok := f.StringValue(j)
		return entry{key: text, at: j, value: j + 2}, ok
	}
	return entry{}, false
}

var handlerStages = []string{"preRequest", "executeRequest", "postRequest"}

// handlers fills the module with the handlers of the object at index at; ok is
// false where some names could not be read. Tool handlers are keyed by tool,
// resource handlers by resource and query (chapter 01, "Handler Rules" 8).
func (f *factory) handlers(at int) (ok bool) {
	list, ok := f.entries(at)
	for _, e := range list {
		start := int(f.List[e.at].Start)
		inner, found := f.objectAt(e.value, true)
		if !found {
			f.mod.addHandler(record.Handler{Name: e.key, Stages: []string{}}, start)
			continue
		}
		f.handler(e.key, start, inner)
	}
	return ok
}

// addHandler adds a handler, whose key is at start.
func (m *Module) addHandler(h record.Handler, start int, stages ...int) {
	m.Handlers = append(m.Handlers, h)
	m.HandlersAt = append(append(m.HandlersAt, start), stages...)
}

// handler reads the object of one tool or resource, whose key is at start.
// Stages stay empty where a spread hides them.
func (f *factory) handler(name string, start, at int) {
	list, known := f.entries(at)
	var places []int
	h := record.Handler{Name: name, Stages: []string{}}
	nested := 0
	for _, e := range list {
		key := int(f.List[e.at].Start)
		inner, found := f.objectAt(e.value, false)
		if found && !slices.Contains(handlerStages, e.key) {
			f.handler(name+"/"+e.key, key, inner)
			nested++
			continue
		}
		if slices.Contains(handlerStages, e.key) || f.functionAt(e.value) {
			h.Stages = append(h.Stages, e.key) // a misspelt one too, for VAL005
			places = append(places, key)
		}
	}
	if !known {
		h.Stages, places = []string{}, nil
	}
	if len(h.Stages) > 0 || nested == 0 {
		f.mod.addHandler(h, start, places...)
	}
}

// functionAt reports whether a function is written at i: an arrow function, a
// function expression, or a method, i being its name.
func (f *factory) functionAt(i int) bool {
	switch {
	case f.word(i, "async") && (f.word(i+1, "function") || f.Is(i+2, "=>")):
		return true
	case f.word(i, "function"), f.Is(i+1, "=>"):
		return true
	case f.Is(i, "("):
		return f.Is(f.closing(i)+1, "=>")
	case f.Is(i+1, "("):
		after := f.closing(i+1) + 1
		return f.Is(after, "{") || f.word(i, "async") && f.Is(after, "=>")
	}
	return false
}
