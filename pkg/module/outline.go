package module

import "github.com/flowmcp/fmcp/pkg/ordjson"

// Outline returns where the parts of an export stand that is not literal: the
// objects and arrays that it is written as, with null for every value. What is
// computed has no parts, so that ordjson.Lookup finds the place of the whole.
// It is Missing where src does not declare name with a value.
func Outline(src, name string) ordjson.Value {
	lex := NewLexer(src)
	var tokens []Token
	declared := false
	for {
		t, err := lex.Next()
		if err != nil || t.Kind == EOF {
			break
		}
		n := len(tokens)
		switch {
		case declared:
			tokens = append(tokens, t)
		case n == 1 && t.Kind == Punct && lex.Text(t) == "=":
			declared, tokens = true, tokens[:0]
		case lex.Depth() == 0 && t.Kind == Ident && t.Name == name:
			tokens = append(tokens[:0], t)
		default:
			tokens = tokens[:0]
		}
	}
	if !declared || len(tokens) == 0 {
		return ordjson.Value{}
	}
	return newFactory(src, tokens).outline(0)
}

// outline reads the value that begins with token i.
func (f *factory) outline(i int) ordjson.Value {
	start := f.tokens[i].Start
	end := f.closing(i)
	if f.punct(end+1, ".") || f.punct(end+1, "[") || f.punct(end+1, "(") || f.punct(end+1, "?.") {
		return ordjson.NewNull().At(start) // [ … ].map( … )
	}
	switch {
	case f.punct(i, "{"):
		list, _ := f.entries(i)
		members := make([]ordjson.Member, 0, len(list))
		for _, e := range list {
			value := ordjson.NewNull()
			if f.punct(e.at+1, ":") && e.value < end {
				value = f.outline(e.value)
			}
			members = append(members, ordjson.Member{Key: e.key, Value: value, KeyPos: int32(f.tokens[e.at].Start)})
		}
		return ordjson.ScriptObject(members).At(start)
	case f.punct(i, "["):
		return ordjson.NewArray(f.elements(i, end)...).At(start)
	}
	return ordjson.NewNull().At(start)
}

// elements reads the elements of an array, up to a spread: nobody knows how many
// there are in it.
func (f *factory) elements(open, end int) []ordjson.Value {
	var list []ordjson.Value
	for i := open + 1; i < end && !f.punct(i, "..."); i++ {
		if f.punct(i, ",") {
			list = append(list, ordjson.NewNull()) // an empty place
			continue
		}
		list = append(list, f.outline(i))
		for i < end && !f.punct(i, ",") {
			if f.match[i] != 0 {
				i = f.closing(i)
			}
			i++
		}
	}
	return list
}

// Locate returns data, which code has made, with the offsets at which src has its
// parts. What is computed stands where that does which holds it, and all of it at
// code where src does not declare name with a value.
func Locate(data ordjson.Value, src, name string, code int) ordjson.Value {
	outline := Outline(src, name)
	if outline.Exists() {
		code = outline.Pos()
	}
	return locate(data, outline, code)
}

func locate(v, outline ordjson.Value, offset int) ordjson.Value {
	switch {
	case v.Is(ordjson.Object):
		written := make(map[string]ordjson.Member, outline.Len())
		for _, m := range outline.Members() {
			written[m.Key] = m
		}
		members := make([]ordjson.Member, v.Len())
		for i, m := range v.Members() {
			w, ok := written[m.Key]
			if m.KeyPos = int32(offset); ok {
				m.KeyPos = w.KeyPos
			}
			m.Value = locate(m.Value, w.Value, int(m.KeyPos))
			members[i] = m
		}
		v = ordjson.NewObject(members...)
	case v.Is(ordjson.Array):
		elems := make([]ordjson.Value, v.Len())
		for i, e := range v.Elems() {
			w := outline.Index(i)
			at := offset
			if w.Pos() >= 0 {
				at = w.Pos()
			}
			elems[i] = locate(e, w, at)
		}
		v = ordjson.NewArray(elems...)
	}
	return v.At(offset)
}
