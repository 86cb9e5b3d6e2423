package ordjson

import (
	"strconv"
	"strings"
)

var pointerEscape = strings.NewReplacer("~", "~0", "/", "~1")
var pointerUnescape = strings.NewReplacer("~1", "/", "~0", "~")

// Pointer joins keys to a JSON pointer (RFC 6901). A key is a string or an int.
func Pointer(keys ...any) string {
	var b strings.Builder
	for _, k := range keys {
		b.WriteByte('/')
		switch k := k.(type) {
		case string:
			b.WriteString(pointerEscape.Replace(k))
		case int:
			b.WriteString(strconv.Itoa(k))
		}
	}
	return b.String()
}

// PointerKeys splits a JSON pointer into its keys; none for "" and for what is
// no pointer.
func PointerKeys(pointer string) []string {
	if pointer == "" || pointer[0] != '/' {
		return nil
	}
	keys := strings.Split(pointer[1:], "/")
	for i, k := range keys {
		keys[i] = pointerUnescape.Replace(k)
	}
	return keys
}

// Lookup follows a JSON pointer and returns the value there, or Missing, and
// the source offset to show for it: that of the key of an object member, else
// of the value; where the path ends early, that of the last part that exists.
func Lookup(v Value, pointer string) (Value, int) {
	pos := v.Pos()
	keys := PointerKeys(pointer)
	if keys == nil && pointer != "" {
		return Value{}, pos
	}
	for _, key := range keys {
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
