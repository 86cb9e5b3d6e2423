package ordjson

import (
	"iter"
	"strconv"
	"strings"
)

var (
	pointerEscape   = strings.NewReplacer("~", "~0", "/", "~1")
	pointerUnescape = strings.NewReplacer("~1", "/", "~0", "~")
)

// Pointer joins keys to a JSON pointer (RFC 6901). A key is a string or an int.
func Pointer(keys ...any) string {
	var b []byte
	for _, k := range keys {
		switch k := k.(type) {
		case string:
			b = AppendPointer(b, k)
		case int:
			b = strconv.AppendInt(append(b, '/'), int64(k), 10)
		}
	}
	return string(b)
}

// PointerOf is the pointer that has some PointerKeys.
func PointerOf(keys []string) string {
	var b []byte
	for _, key := range keys {
		b = AppendPointer(b, key)
	}
	return string(b)
}

// AppendPointer appends one key to a JSON pointer.
func AppendPointer(b []byte, key string) []byte {
	b = append(b, '/')
	if strings.ContainsAny(key, "~/") {
		key = pointerEscape.Replace(key)
	}
	return append(b, key...)
}

// PointerKeys are the keys of a JSON pointer; none for "" and for what is not a
// pointer.
func PointerKeys(pointer string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if pointer == "" || pointer[0] != '/' {
			return
		}
		for key := range strings.SplitSeq(pointer[1:], "/") {
			if strings.IndexByte(key, '~') >= 0 {
				key = pointerUnescape.Replace(key)
			}
			if !yield(key) {
				return
			}
		}
	}
}

// Lookup follows a JSON pointer and returns the value there, or Missing, and
// the source offset to show for it: that of the key of an object member, else
// of the value; where the path ends early, that of the last part that exists.
func Lookup(v Value, pointer string) (Value, int) {
	pos := v.Pos()
	if pointer != "" && pointer[0] != '/' {
		return Value{}, pos
	}
	for key := range PointerKeys(pointer) {
		switch v.Kind() {
		case Object:
			m, ok := v.Member(key)
			if !ok {
				return Value{}, pos
			}
			v, pos = m.Value, int(m.KeyPos)
		case Array:
			i, ok := arrayIndex(key)
			if !ok || i >= uint64(v.Len()) {
				return Value{}, pos
			}
			v = v.Index(int(i))
			if v.Pos() >= 0 { // the hole of a JavaScript array stands nowhere
				pos = v.Pos()
			}
		default:
			return Value{}, pos
		}
	}
	return v, pos
}
