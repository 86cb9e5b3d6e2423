// Package ordjson holds JSON values whose key order is kept and whose text is
// what a JavaScript engine's JSON.stringify prints.
//
// A schema's hash is computed over that text (chapter 01, "Why Two Separate
// Exports"), so "almost the same" is not good enough: integer-like keys come
// first, the last of two equal keys wins, numbers print as Number::toString
// prints them, and lone surrogates survive. Strings are therefore WTF-8: UTF-8
// that may also hold an unpaired surrogate as three bytes.
package ordjson

import "strconv"

// Kind is the type of a Value.
type Kind uint8

// The kinds of JSON values. Missing is the zero value: what Get returns for a
// key that is not there.
const (
	Missing Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

var kindNames = [...]string{"missing", "null", "boolean", "number", "string", "array", "object"}

// String returns the name that JavaScript users know: "string", "object", ….
func (k Kind) String() string { return kindNames[k] }

// Value is one JSON value. The zero Value is Missing. Values are small and
// immutable; copy them freely.
type Value struct {
	kind Kind
	bit  bool // Bool: the value
	pos  int32
	text string // String: content, Number: text
	node *node  // Array, Object: children
}

type node struct {
	elems   []Value
	members []Member
}

// Member is one key of an object and its value. KeyPos is the byte offset of
// the key in the text it was read from, or -1.
type Member struct {
	Key    string
	Value  Value
	KeyPos int32
}

// NewNull returns null.
func NewNull() Value { return Value{kind: Null, pos: -1} }

// NewBool returns a boolean.
func NewBool(b bool) Value { return Value{kind: Bool, bit: b, pos: -1} }

// NewString returns a string; s is UTF-8 (or WTF-8).
func NewString(s string) Value { return Value{kind: String, text: s, pos: -1} }

// NewNumber returns a number printed as JavaScript prints f; NaN and the
// infinities become null, as in JSON.stringify.
func NewNumber(f float64) Value {
	if f-f != 0 {
		return NewNull()
	}
	return Value{kind: Number, text: string(AppendNumber(nil, f)), pos: -1}
}

// NewInt returns an integer.
func NewInt(n int) Value { return NewNumberText(strconv.Itoa(n)) }

// NewNumberText returns a number that prints as text, which must be a JSON
// number. Big integers of a response survive this way.
func NewNumberText(text string) Value { return Value{kind: Number, text: text, pos: -1} }

// NewArray returns an array of elems, which it keeps.
func NewArray(elems ...Value) Value {
	return Value{kind: Array, pos: -1, node: &node{elems: elems}}
}

// NewObject returns an object of members in the order given, which it keeps.
// Keys must be distinct; see ScriptObject for members as written in a source.
func NewObject(members ...Member) Value {
	return Value{kind: Object, pos: -1, node: &node{members: members}}
}

// Field is a Member to hand to NewObject.
func Field(key string, v Value) Member { return Member{Key: key, Value: v, KeyPos: -1} }

// Strings returns an array of strings.
func Strings(list []string) Value {
	elems := make([]Value, len(list))
	for i, s := range list {
		elems[i] = NewString(s)
	}
	return NewArray(elems...)
}

// At returns v with its source offset set.
func (v Value) At(pos int) Value {
	v.pos = int32(pos)
	return v
}

// Pos is the byte offset of the value in the text it was read from, or -1.
func (v Value) Pos() int { return int(v.pos) }

// Kind is the type of the value.
func (v Value) Kind() Kind { return v.kind }

// Exists reports whether v is a value at all, null included.
func (v Value) Exists() bool { return v.kind != Missing }

// Is reports whether v is of the given kind.
func (v Value) Is(k Kind) bool { return v.kind == k }

// Str returns the content of a string, and "" for every other kind.
func (v Value) Str() string {
	if v.kind != String {
		return ""
	}
	return v.text
}

// True reports whether v is the boolean true.
func (v Value) True() bool { return v.kind == Bool && v.bit }

// NumberText returns the text of a number, and "" for every other kind.
func (v Value) NumberText() string {
	if v.kind != Number {
		return ""
	}
	return v.text
}

// Float returns the value of a number, and 0 for every other kind. A number
// too large for a float64 is ±Inf, as in JavaScript.
func (v Value) Float() float64 {
	if v.kind != Number {
		return 0
	}
	f, _ := strconv.ParseFloat(v.text, 64)
	return f
}

// Elems returns the elements of an array, and nil for every other kind. The
// slice must not be changed.
func (v Value) Elems() []Value {
	if v.kind != Array {
		return nil
	}
	return v.node.elems
}

// Members returns the members of an object in order, and nil for every other
// kind. The slice must not be changed.
func (v Value) Members() []Member {
	if v.kind != Object {
		return nil
	}
	return v.node.members
}

// Len is the number of elements or members.
func (v Value) Len() int {
	switch v.kind {
	case Array:
		return len(v.node.elems)
	case Object:
		return len(v.node.members)
	}
	return 0
}

// Get returns the member named key, or Missing.
func (v Value) Get(key string) Value {
	m, _ := v.Member(key)
	return m.Value
}

// Member returns the member named key and whether it is there.
func (v Value) Member(key string) (Member, bool) {
	if v.kind == Object {
		for i := range v.node.members {
			if v.node.members[i].Key == key {
				return v.node.members[i], true
			}
		}
	}
	return Member{KeyPos: -1}, false
}

// Index returns the element i of an array, or Missing.
func (v Value) Index(i int) Value {
	if v.kind != Array || i < 0 || i >= len(v.node.elems) {
		return Value{}
	}
	return v.node.elems[i]
}

// With returns a copy of the object with key set to val, at its old place or
// at the end.
func (v Value) With(key string, val Value) Value {
	members := make([]Member, 0, v.Len()+1)
	found := false
	for _, m := range v.Members() {
		if m.Key == key {
			m.Value, found = val, true
		}
		members = append(members, m)
	}
	if !found {
		members = append(members, Field(key, val))
	}
	return NewObject(members...)
}

// Without returns a copy of the object without key.
func (v Value) Without(key string) Value {
	members := make([]Member, 0, v.Len())
	for _, m := range v.Members() {
		if m.Key != key {
			members = append(members, m)
		}
	}
	return NewObject(members...)
}

// Equal reports whether a and b are the same JSON value: numbers by value,
// objects without regard to key order.
func Equal(a, b Value) bool {
	if a.kind != b.kind || a.Len() != b.Len() {
		return false
	}
	switch a.kind {
	case Bool:
		return a.bit == b.bit
	case Number:
		return a.text == b.text || a.Float() == b.Float()
	case String:
		return a.text == b.text
	case Array:
		for i, e := range a.node.elems {
			if !Equal(e, b.node.elems[i]) {
				return false
			}
		}
	case Object:
		return equalMembers(a.node.members, b)
	}
	return true
}

func equalMembers(members []Member, b Value) bool {
	find := b.Member
	if len(members) > mapFrom {
		index := make(map[string]Member, len(members))
		for _, m := range b.node.members {
			index[m.Key] = m
		}
		find = func(key string) (Member, bool) { m, ok := index[key]; return m, ok }
	}
	for _, m := range members {
		if o, ok := find(m.Key); !ok || !Equal(m.Value, o.Value) {
			return false
		}
	}
	return true
}
