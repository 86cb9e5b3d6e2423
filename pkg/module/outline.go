package module

import "github.com/flowmcp/fmcp/pkg/ordjson"

// Outline returns where the parts of an export stand that is not literal: the
// objects and arrays that it is written as, with null for every value. What is
// computed has no parts, so that ordjson.Lookup finds the place of the whole.
// It is Missing where the module does not declare name with a value.
func (t *Tokens) Outline(name string) ordjson.Value {
	if i := t.initializer(name); i > 0 {
		return (&factory{Tokens: t}).outline(i)
	}
	return ordjson.Value{}
}

// initializer is the index of the token with which the value of name begins, 0
// where the module does not declare name with one.
func (t *Tokens) initializer(name string) int {
	for i := 0; t.Kind(i) != EOF; i = t.After(i) {
		if t.word(i, name) && t.Is(i+1, "=") && t.Kind(i+2) != EOF {
			return i + 2
		}
	}
	return 0
}

// Variable returns the name of the variable that a field of an export is
// written as, "" where it is written as anything else.
func (t *Tokens) Variable(export, field string) string {
	f := &factory{Tokens: t}
	i := t.initializer(export)
	if !t.Is(i, "{") {
		return ""
	}
	variable := ""
	list, _ := f.entries(i)
	for _, e := range list { // the last one counts, as in JavaScript
		if e.key == field {
			variable = ""
			if name := t.Name(e.value); name != "" && (t.Is(e.value+1, ",") || t.Is(e.value+1, "}")) {
				variable = name
			}
		}
	}
	return variable
}

// outline reads the value that begins with token i. The tokens nest no deeper
// than a Go stack bears.
func (f *factory) outline(i int) ordjson.Value {
	start, end := int(f.List[i].Start), f.closing(i)
	if goesOn := f.Dot(end+1) || f.Is(end+1, "[") || f.Is(end+1, "("); goesOn {
		return ordjson.NewNull().At(start) // [ … ].map( … )
	}
	switch {
	case f.Is(i, "{"):
		list, _ := f.entries(i)
		members := make([]ordjson.Member, 0, len(list))
		for _, e := range list {
			value := ordjson.NewNull()
			if f.Is(e.at+1, ":") && e.value < end {
				value = f.outline(e.value)
			}
			members = append(members, ordjson.Member{Key: e.key, Value: value, KeyPos: f.List[e.at].Start})
		}
		return ordjson.ScriptObject(members).At(start)
	case f.Is(i, "["):
		return ordjson.NewArray(f.elements(i, end)...).At(start)
	}
	return ordjson.NewNull().At(start)
}

// elements reads the elements of an array, up to a spread: what is in it is not
// known before it runs.
func (f *factory) elements(open, end int) []ordjson.Value {
	var list []ordjson.Value
	for i := open + 1; i < end && !f.Is(i, "..."); i++ {
		if f.Is(i, ",") {
			list = append(list, ordjson.NewNull()) // an empty place
			continue
		}
		list = append(list, f.outline(i))
		for i < end && !f.Is(i, ",") {
			i = f.closing(i) + 1
		}
	}
	return list
}

// Locate returns data, which code has made, with the offsets at which the source
// has its parts. What is computed stands where that does which holds it, and all of it at
// code where the source does not declare name with a value.
func (t *Tokens) Locate(data ordjson.Value, name string, code int) ordjson.Value {
	outline := t.Outline(name)
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
