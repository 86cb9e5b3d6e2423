// Package fields is the table of the fields of all that an author writes: what each
// field is, whether it must be there, and what it is for. The rules take from here
// which names are known, make docs makes docs/reference.md, flowmcp.d.ts and the JSON
// Schemas in types/ of it, and editors complete and explain by it.
//
// The table says what can be said of a field alone. What depends on other fields, on
// other files, or on the meaning of a text, the rules check.
package fields

import (
	"slices"
	"strconv"
	"sync"
)

// Object is a kind of object that authors write.
type Object struct {
	Name    string // as flowmcp.d.ts calls it
	Export  string // what a file exports it as, "" for what is inside of others
	Chapter string // of the specification
	Text    string // what it is, in one sentence
	Fields  []Field
	Others  Others

	// Variants are the names of the objects that it may be. It has no fields of its own then.
	Variants []string

	known struct {
		sync.Once
		names []string
	}
}

// Others says what fields that the table does not have are in an object.
type Others uint8

const (
	Refused Others = iota // mistakes, which a rule reports
	Unread                // allowed, though nothing reads them
	Free                  // the author's own
)

// Field is a field of an object.
type Field struct {
	Name     string
	Text     string // what it is for, in one sentence
	Type     Type
	Required bool
	When     string // in which case it must be there: "where there are tools"; nothing where Required
	Wanted   bool   // a rule warns where it is missing
	Loose    bool   // rules at most warn where it is something else
	Default  string // what counts where it is missing, as JavaScript
	Chapter  string // "" is the object's
	From     string // the version of the specification that brought it, "" before 3.0
	Until    string // the version of the specification that had it last, "" for the newest
	Instead  string // what to write in its place: it is deprecated
	For      string // the field that it is another name of: it is read, and known to one rule alone
}

// Versions of the specification, as From and Until have them.
const (
	Version2 = "2.0"
	Version3 = "3.0"
	Version4 = "4.2"
)

// Known are the names of the fields that version 4 knows. They are asked for with
// every object of a catalog.
func (o *Object) Known() []string {
	o.known.Do(func() { o.known.names = o.KnownIn(Version4) })
	return o.known.names
}

// KnownIn are the names of the fields that a version of the specification knows.
func (o *Object) KnownIn(version string) []string {
	var names []string
	for _, f := range o.all() {
		if f.From <= version && (f.Until == "" || version <= f.Until) && f.For == "" &&
			!slices.Contains(names, f.Name) {
			names = append(names, f.Name)
		}
	}
	return names
}

// all are the fields of the object, or of its variants.
func (o *Object) all() []Field {
	list := o.Fields
	for _, v := range o.variants() {
		list = append(list[:len(list):len(list)], v.Fields...)
	}
	return list
}

// Field is the field of a name, nil if there is none.
func (o *Object) Field(name string) *Field {
	if i := slices.IndexFunc(o.Fields, func(f Field) bool { return f.Name == name }); i >= 0 {
		return &o.Fields[i]
	}
	return nil
}

// Words are what a field may be, in whichever variant.
func (o *Object) Words(name string) []string {
	var list []string
	for _, f := range o.all() {
		if f.Name == name {
			list = append(list, f.Type.Words...)
		}
	}
	return list
}

// variants are the objects that the object may be, but for itself.
func (o *Object) variants() []*Object {
	list := make([]*Object, len(o.Variants))
	for i, name := range o.Variants {
		list[i] = Lookup(name)
	}
	return list
}

// At returns what the value at a path below an object may be: keys and indexes, as in a
// JSON pointer. Of variants it may be any that has such a field.
func (o *Object) At(path ...string) []*Type { return at([]*Type{{Kind: Ref, Ref: o.Name}}, path) }

// Find returns the field that a path ends with, and the object that it is a field of;
// nil where it leads elsewhere.
func (o *Object) Find(path ...string) (*Object, *Field) {
	if len(path) == 0 {
		return nil, nil
	}
	last := len(path) - 1
	for _, t := range o.At(path[:last]...) {
		for _, holder := range t.Objects() {
			if f := holder.Field(path[last]); f != nil {
				return holder, f
			}
		}
	}
	return nil, nil
}

func at(types []*Type, path []string) []*Type {
	for _, key := range path {
		var inside []*Type
		for _, t := range types {
			inside = append(inside, t.inside(key)...)
		}
		types = inside
	}
	return types
}

// inside is what a value may be that another holds under a key.
func (t *Type) inside(key string) (types []*Type) {
	switch t.Kind {
	case Ref:
		for _, o := range t.Objects() {
			if f := o.Field(key); f != nil {
				types = append(types, &f.Type)
			}
		}
	case Map:
		types = append(types, t.Of)
	case Array:
		if _, err := strconv.ParseUint(key, 10, 31); err == nil {
			types = append(types, t.Of)
		}
	case Either:
		for i := range t.Any {
			types = append(types, t.Any[i].inside(key)...)
		}
	}
	return types
}

// Objects are the objects that a value of the type may be.
func (t *Type) Objects() []*Object {
	switch o := Lookup(t.Ref); {
	case t.Kind == Either:
		var list []*Object
		for i := range t.Any {
			list = append(list, t.Any[i].Objects()...)
		}
		return list
	case t.Kind != Ref:
		return nil
	case o.Variants != nil:
		return o.variants()
	default:
		return []*Object{o}
	}
}
