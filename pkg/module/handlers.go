package module

import (
	"slices"
	"sync"

	"github.com/flowmcp/fmcp/pkg/record"
)

// handlers reads the initializer of the handlers export at the cursor: a
// factory function that returns an object of handler objects (chapter 01,
// "The handlers Export"). What it returns is read from its tokens, as far as
// it is written as an object literal; nothing runs.
func (s *scan) handlers() error {
	s.mod.HandlersAt = []int{s.tok.Start}
	buffer := tokenBuffers.Get().(*[]Token)
	defer func() {
		clear(*buffer) // names would keep the source alive
		tokenBuffers.Put(buffer)
	}()
	tokens, err := s.collectExpression((*buffer)[:0])
	*buffer = tokens
	if err != nil {
		return err
	}
	f := newFactory(s.lex.src, tokens)
	if !f.isFunction() {
		s.executes, s.isData = true, f.isData()
		return nil
	}
	s.mod.Handlers = []record.Handler{}
	at, ok := f.returned()
	if ok {
		ok = f.handlers(at, s.mod)
	}
	if !ok {
		s.mod.addHandler(unknownHandlers, s.mod.HandlersAt[0])
	}
	return nil
}

// unknownHandlers stands for handlers that only running code can name.
var unknownHandlers = record.Handler{Name: record.UnknownHandlers, Stages: []string{}}

// exportedHandlers are the handlers of the export of that name, which may have
// another name inside the module, or come from a call or another variable: none
// may be forgotten because nobody could read it.
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

// tokenBuffers lends handlers the room for its tokens.
var tokenBuffers = sync.Pool{New: func() any { return new([]Token) }}

// collectExpression is skipExpression that appends the tokens to a list.
func (s *scan) collectExpression(tokens []Token) ([]Token, error) {
	base := s.lex.Depth()
	if s.opens() {
		base--
	}
	for s.tok.Kind != EOF {
		outside := s.lex.Depth() == base || s.lex.Depth() == base+1 && s.opens()
		if outside && len(tokens) > 0 && (s.isPunct(";") || s.isPunct(",") || s.tok.NewlineBefore && s.endsStatement()) {
			break
		}
		tokens = append(tokens, s.tok)
		if err := s.next(); err != nil {
			return tokens, err
		}
	}
	return tokens, nil
}

// factory is the token list of a handlers function.
type factory struct {
	src    string
	tokens []Token
	match  []int32 // for each opening bracket, the index of its closing one
}

func newFactory(src string, tokens []Token) *factory {
	f := &factory{src: src, tokens: tokens, match: make([]int32, len(tokens))}
	var open []int
	for i, t := range tokens {
		first, last := src[t.Start], src[t.End-1]
		if closes := t.Kind == Punct && (first == ')' || first == ']' || first == '}') || t.Kind == Template && first == '}'; closes && len(open) > 0 {
			f.match[open[len(open)-1]] = int32(i)
			open = open[:len(open)-1]
		}
		if t.Kind == Punct && (first == '(' || first == '[' || first == '{') || t.Kind == Template && last == '{' {
			open = append(open, i)
		}
	}
	return f
}

func (f *factory) text(i int) string {
	if i < 0 || i >= len(f.tokens) {
		return ""
	}
	return f.src[f.tokens[i].Start:f.tokens[i].End]
}

// punct reports whether token i is the punctuator text.
func (f *factory) punct(i int, text string) bool {
	return i >= 0 && i < len(f.tokens) && f.tokens[i].Kind == Punct && f.text(i) == text
}

func (f *factory) word(i int, name string) bool {
	return i >= 0 && i < len(f.tokens) && f.tokens[i].Kind == Ident && f.tokens[i].Name == name
}

// closing returns the index of the bracket that closes the one at i.
func (f *factory) closing(i int) int {
	if i >= len(f.tokens) || f.match[i] == 0 {
		return len(f.tokens)
	}
	return int(f.match[i])
}

// body returns the index of the first token of the function's body, or -1 if
// the tokens are no function.
func (f *factory) body() int {
	i := 0
	if f.word(i, "async") {
		i++
	}
	if f.word(i, "function") {
		for i < len(f.tokens) && !f.punct(i, "(") {
			i++
		}
		return f.closing(i) + 1
	}
	if f.punct(i, "(") {
		i = f.closing(i)
	}
	if f.punct(i+1, "=>") {
		return i + 2
	}
	return -1
}

func (f *factory) isFunction() bool { return f.body() >= 0 }

// isData reports whether the tokens begin like a value that is no function: an
// object, an array, a text, a number, null, true or false.
func (f *factory) isData() bool {
	if len(f.tokens) == 0 || f.tokens[0].Kind != Ident {
		return !f.punct(0, "(")
	}
	return f.word(0, "null") || f.word(0, "true") || f.word(0, "false") || f.word(0, "undefined")
}

// returned returns the index of the { of the object literal that the function
// returns: its parenthesised body, or what its last return statement names.
func (f *factory) returned() (int, bool) {
	i := f.body()
	if !f.punct(i, "{") {
		return f.objectAt(i, 0, 0)
	}
	end := f.closing(i)
	found, ok := 0, false
	for j := i + 1; j < end; j++ {
		if f.word(j, "return") && !f.punct(j-1, ".") {
			found, ok = f.objectAt(j+1, i+1, end)
		}
		if f.match[j] != 0 {
			j = f.closing(j)
		}
	}
	return found, ok
}

// objectAt returns the index of the { of the object literal that the
// expression at i is, through parentheses and through a const of that name
// declared between from and to.
func (f *factory) objectAt(i, from, to int) (int, bool) {
	for f.punct(i, "(") {
		i++
	}
	if f.punct(i, "{") {
		return i, true
	}
	if i >= len(f.tokens) || f.tokens[i].Kind != Ident {
		return 0, false
	}
	for j := from; j < to; j++ {
		if f.word(j, "const") && f.word(j+1, f.tokens[i].Name) && f.punct(j+2, "=") && f.punct(j+3, "{") {
			return j + 3, true
		}
	}
	return 0, false
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
		for j < end && !f.punct(j, ",") {
			if f.match[j] != 0 {
				j = f.closing(j)
			}
			j++
		}
		j++
	}
	return list, ok
}

func (f *factory) entry(j int) (entry, bool) {
	for (f.word(j, "async") || f.word(j, "get") || f.punct(j, "*")) && !f.punct(j+1, ":") && !f.punct(j+1, "(") && !f.punct(j+1, ",") {
		j++
	}
	if j >= len(f.tokens) {
		return entry{}, false // brackets that do not close
	}
	switch t := f.tokens[j]; t.Kind {
	case Ident:
		e := entry{key: t.Name, at: j, value: j}
		if f.punct(j+1, ":") {
			e.value = j + 2
		}
		return e, true
	case String:
		text, err := decodeString(f.src[t.Start+1:t.End-1], t.Start+1)
		return entry{key: text, at: j, value: j + 2}, err == nil
	}
	return entry{}, false
}

var handlerStages = []string{"preRequest", "executeRequest", "postRequest"}

// handlers fills mod with the handlers of the object at index at; ok is false
// where some names could not be read. Tool handlers are keyed by tool,
// resource handlers by resource and query (chapter 01, "Handler Rules" 8).
func (f *factory) handlers(at int, mod *Module) (ok bool) {
	list, ok := f.entries(at)
	for _, e := range list {
		start := f.tokens[e.at].Start
		inner, found := f.objectAt(e.value, 0, len(f.tokens))
		if !found {
			mod.addHandler(record.Handler{Name: e.key, Stages: []string{}}, start)
			continue
		}
		f.handler(e.key, start, inner, mod)
	}
	return ok
}

// addHandler adds a handler, whose key stands at start.
func (m *Module) addHandler(h record.Handler, start int, stages ...int) {
	m.Handlers = append(m.Handlers, h)
	m.HandlersAt = append(append(m.HandlersAt, start), stages...)
}

// handler reads the object of one tool or resource, whose key stands at start.
// Stages stay empty where a spread hides them.
func (f *factory) handler(name string, start, at int, mod *Module) {
	list, known := f.entries(at)
	var places []int
	h := record.Handler{Name: name, Stages: []string{}}
	nested := 0
	for _, e := range list {
		key := f.tokens[e.at].Start
		inner, found := f.objectAt(e.value, 0, 0)
		if found && !slices.Contains(handlerStages, e.key) {
			f.handler(name+"/"+e.key, key, inner, mod)
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
		mod.addHandler(h, start, places...)
	}
}

// functionAt reports whether a function is written at i: an arrow function, a
// function expression, or a method, i being its name.
func (f *factory) functionAt(i int) bool {
	switch {
	case f.word(i, "async") && (f.word(i+1, "function") || f.punct(i+2, "=>")):
		return true
	case f.word(i, "function"), f.punct(i+1, "=>"):
		return true
	case f.punct(i, "("):
		return f.punct(f.closing(i)+1, "=>")
	case f.punct(i+1, "("):
		after := f.closing(i+1) + 1
		return f.punct(after, "{") || f.word(i, "async") && f.punct(after, "=>")
	}
	return false
}
