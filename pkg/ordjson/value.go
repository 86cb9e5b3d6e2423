// Package ordjson holds JSON values whose key order is kept and whose text is
// what a JavaScript engine's JSON.stringify prints.
//
// A schema's hash is computed over that text (chapter 01, "Why Two Separate
// Exports"), so "almost the same" is not good enough: integer-like keys come
// first, the last of two equal keys wins, numbers print as Number::toString
// prints them, and lone surrogates survive. Strings are therefore WTF-8: UTF-8
// that may also hold an unpaired surrogate as three bytes.
package ordjson

import (
	"strconv"
	"unsafe"
)

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
//
// A catalog is millions of them, most of them read and forgotten: a value is
// two words, and nothing is allocated for it but what it holds. Without unsafe
// it is four words and an allocation for each array and object, which makes
// fmcp-validate a fifth slower.
type Value struct {
	ptr  unsafe.Pointer // first byte of a String or Number, first element or member
	n    uint32         // bytes, elements or members
	meta uint32         // Kind, flag, and the offset in the source plus one
}

// The parts of meta.
const (
	kindBits = 0b0111
	flagBit  = 0b1000 // Bool: true; String: plain, see NewPlain
	posShift = 4
	maxPos   = 1<<(32-posShift) - 1 // plus one, it has no place
)

// Member is one key of an object and its value. KeyPos is the byte offset of
// the key in the text it was read from, or -1.
type Member struct {
	Key    string
	Value  Value
	KeyPos int32
	Plain  bool // Key is known to be plain, see NewPlain
}

func newValue(k Kind, ptr unsafe.Pointer, n int) Value {
	return Value{ptr: ptr, n: uint32(n), meta: uint32(k)}
}

func newText(k Kind, s string) Value {
	return newValue(k, unsafe.Pointer(unsafe.StringData(s)), len(s))
}

// flagged returns v with the flag set.
func (v Value) flagged() Value {
	v.meta |= flagBit
	return v
}

func (v Value) flag() bool { return v.meta&flagBit != 0 }

// text is the content of a String or Number.
func (v Value) text() string { return unsafe.String((*byte)(v.ptr), v.n) }

func (v Value) elems() []Value { return unsafe.Slice((*Value)(v.ptr), v.n) }

func (v Value) members() []Member { return unsafe.Slice((*Member)(v.ptr), v.n) }

// NewNull returns null.
func NewNull() Value { return newValue(Null, nil, 0) }

// NewBool returns a boolean.
func NewBool(b bool) Value {
	v := newValue(Bool, nil, 0)
	if b {
		v = v.flagged()
	}
	return v
}

// NewString returns a string; s is UTF-8 (or WTF-8).
func NewString(s string) Value { return newText(String, s) }

// NewPlain is NewString for text that is known to be plain: printable ASCII
// without a double quote or a backslash, which prints as it is.
func NewPlain(s string) Value { return newText(String, s).flagged() }

// NewNumber returns a number printed as JavaScript prints f; NaN and the
// infinities become null, as in JSON.stringify.
func NewNumber(f float64) Value {
	if f-f != 0 {
		return NewNull()
	}
	return NewNumberText(string(AppendNumber(nil, f)))
}

// NewInt returns an integer.
func NewInt(n int) Value { return NewNumberText(strconv.Itoa(n)) }

// NewNumberText returns a number that prints as text, which must be a JSON
// number. Big integers of a response survive this way.
func NewNumberText(text string) Value { return newText(Number, text) }

// NewArray returns an array of elems, which it keeps.
func NewArray(elems ...Value) Value {
	return newValue(Array, unsafe.Pointer(unsafe.SliceData(elems)), len(elems))
}

// NewObject returns an object of members in the order given, which it keeps.
// Keys must be distinct; see ScriptObject for members as written in a source.
func NewObject(members ...Member) Value {
	return newValue(Object, unsafe.Pointer(unsafe.SliceData(members)), len(members))
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

// At returns v with its source offset set. One of 256 MiB or more, as in a
// line that --max-line allows, is not known.
func (v Value) At(pos int) Value {
	if pos >= maxPos {
		pos = -1
	}
	v.meta = v.meta&(kindBits|flagBit) | uint32(pos+1)<<posShift
	return v
}

// Pos is the byte offset of the value in the text it was read from, or -1.
func (v Value) Pos() int { return int(v.meta>>posShift) - 1 }

// Kind is the type of the value.
func (v Value) Kind() Kind { return Kind(v.meta & kindBits) }

// Exists reports whether v is a value at all, null included.
func (v Value) Exists() bool { return !v.Is(Missing) }

// Is reports whether v is of the given kind.
func (v Value) Is(k Kind) bool { return v.Kind() == k }

// Str returns the content of a string, and "" for every other kind.
func (v Value) Str() string {
	if !v.Is(String) {
		return ""
	}
	return v.text()
}

// True reports whether v is the boolean true.
func (v Value) True() bool { return v.Is(Bool) && v.flag() }

// NumberText returns the text of a number, and "" for every other kind.
func (v Value) NumberText() string {
	if !v.Is(Number) {
		return ""
	}
	return v.text()
}

// Float returns the value of a number, and 0 for every other kind. A number
// too large for a float64 is ±Inf, as in JavaScript.
func (v Value) Float() float64 {
	if !v.Is(Number) {
		return 0
	}
	f, _ := strconv.ParseFloat(v.text(), 64)
	return f
}

// Elems returns the elements of an array, and nil for every other kind. The
// slice must not be changed.
func (v Value) Elems() []Value {
	if !v.Is(Array) {
		return nil
	}
	return v.elems()
}

// Members returns the members of an object in order, and nil for every other
// kind. The slice must not be changed.
func (v Value) Members() []Member {
	if !v.Is(Object) {
		return nil
	}
	return v.members()
}

// Len is the number of elements or members.
func (v Value) Len() int {
	if v.Is(Array) || v.Is(Object) {
		return int(v.n)
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
	if v.Is(Object) {
		members := v.members()
		for i := range members {
			if members[i].Key == key {
				return members[i], true
			}
		}
	}
	return Member{KeyPos: -1}, false
}

// Index returns the element i of an array, or Missing.
func (v Value) Index(i int) Value {
	if !v.Is(Array) || i < 0 || i >= int(v.n) {
		return Value{}
	}
	return v.elems()[i]
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
	if a.Kind() != b.Kind() || a.Len() != b.Len() {
		return false
	}
	switch a.Kind() {
	case Bool:
		return a.flag() == b.flag()
	case Number:
		return a.text() == b.text() || a.Float() == b.Float()
	case String:
		return a.text() == b.text()
	case Array:
		others := b.elems()
		for i, e := range a.elems() {
			if !Equal(e, others[i]) {
				return false
			}
		}
	case Object:
		return equalMembers(a.members(), b)
	}
	return true
}

func equalMembers(members []Member, b Value) bool {
	find := b.Member
	if len(members) > mapFrom {
		index := make(map[string]Member, len(members))
		for _, m := range b.members() {
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
