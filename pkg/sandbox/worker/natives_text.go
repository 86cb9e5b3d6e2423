package worker

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/dop251/goja"
	"golang.org/x/text/encoding/charmap"
)

func (r *runtime) bytes(v goja.Value) []byte {
	b, ok := v.Export().(goja.ArrayBuffer)
	if !ok {
		panic(r.vm.NewTypeError("expected bytes"))
	}
	return b.Bytes()
}

// units are the UTF-16 code units of a text.
func units(v goja.Value, each func(uint16)) {
	s := v.ToString().(goja.String)
	for i := range s.Length() {
		each(s.CharAt(i))
	}
}

// encode makes bytes of a text: (text, encoding), as Node's Buffer does.
func (r *runtime) encode(call goja.FunctionCall) goja.Value {
	text := call.Argument(0)
	var b []byte
	switch name := call.Argument(1).String(); name {
	case "utf8":
		b = []byte(text.String())
	case "base64":
		b = looseBase64(text.String())
	case "hex":
		s := text.String()
		b, _ = hex.DecodeString(s[:len(s)&^1]) // up to the first wrong digit
	case "latin1":
		units(text, func(u uint16) { b = append(b, byte(u)) })
	case "utf16le":
		units(text, func(u uint16) { b = append(b, byte(u), byte(u>>8)) })
	default:
		r.unknownEncoding(name)
	}
	return r.vm.ToValue(r.vm.NewArrayBuffer(b))
}

func (r *runtime) unknownEncoding(name string) {
	panic(r.vm.NewTypeError("Unknown encoding: %s", brief(name)))
}

// looseBase64 reads both alphabets up to the first padding, and passes over
// everything else.
func looseBase64(text string) []byte {
	text, _, _ = strings.Cut(text, "=")
	clean := strings.Map(func(c rune) rune {
		switch {
		case c == '-':
			return '+'
		case c == '_':
			return '/'
		case c == '+' || c == '/' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z':
			return c
		}
		return -1
	}, text)
	if len(clean)%4 == 1 {
		clean = clean[:len(clean)-1]
	}
	b, _ := base64.RawStdEncoding.DecodeString(clean)
	return b
}

// decode makes a text of bytes: (buffer, encoding), as Node's Buffer does.
func (r *runtime) decode(call goja.FunctionCall) goja.Value {
	b := r.bytes(call.Argument(0))
	switch name := call.Argument(1).String(); name {
	case "utf8":
		return r.vm.ToValue(lossyUTF8(b))
	case "base64":
		return r.vm.ToValue(base64.StdEncoding.EncodeToString(b))
	case "base64url":
		return r.vm.ToValue(base64.RawURLEncoding.EncodeToString(b))
	case "hex":
		return r.vm.ToValue(hex.EncodeToString(b))
	case "latin1":
		return r.vm.ToValue(runes(b, func(c byte) rune { return rune(c) }))
	case "ascii":
		return r.vm.ToValue(runes(b, func(c byte) rune { return rune(c & 0x7F) }))
	case "windows-1252": // what the labels latin1 and ascii mean to a TextDecoder
		return r.vm.ToValue(runes(b, charmap.Windows1252.DecodeByte))
	case "utf16le":
		list := make([]uint16, len(b)/2)
		for i := range list {
			list[i] = uint16(b[2*i]) | uint16(b[2*i+1])<<8
		}
		return goja.StringFromUTF16(list)
	default:
		r.unknownEncoding(name)
	}
	return goja.Undefined()
}

func runes(b []byte, of func(byte) rune) string {
	list := make([]rune, len(b))
	for i, c := range b {
		list[i] = of(c)
	}
	return string(list)
}

// lossyUTF8 reads UTF-8 with a U+FFFD for each longest start of a character
// that is not one (WHATWG Encoding).
func lossyUTF8(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	var out strings.Builder
	for len(b) > 0 {
		c, n := utf8.DecodeRune(b)
		if c == utf8.RuneError && n <= 1 {
			n = broken(b)
		}
		out.WriteRune(c)
		b = b[n:]
	}
	return out.String()
}

// broken is the length of the start of a character that b begins with.
func broken(b []byte) int {
	n := 1
	for n < min(len(b), utf8.UTFMax) && startsRune(b[:n+1]) {
		n++
	}
	return n
}

// startsRune reports whether some character begins with these bytes.
func startsRune(b []byte) bool {
	low, high, size := byte(0x80), byte(0xBF), 0
	switch c := b[0]; {
	case c >= 0xC2 && c <= 0xDF:
		size = 2
	case c >= 0xE0 && c <= 0xEF:
		size = 3
		if c == 0xE0 {
			low = 0xA0
		} else if c == 0xED {
			high = 0x9F
		}
	case c >= 0xF0 && c <= 0xF4:
		size = 4
		if c == 0xF0 {
			low = 0x90
		} else if c == 0xF4 {
			high = 0x8F
		}
	}
	for i, c := range b[1:] {
		if i > 0 {
			low, high = 0x80, 0xBF
		}
		if c < low || c > high {
			return false
		}
	}
	return len(b) <= size
}

// loneSurrogate reports whether a JSON text escapes one half of a pair alone.
func loneSurrogate(text string) bool {
	for {
		i := strings.IndexByte(text, '\\')
		if i < 0 || i+2 > len(text) {
			return false
		}
		text = text[i:]
		c, ok := escaped(text)
		switch {
		case !ok:
			text = text[2:]
			continue
		case utf16.IsSurrogate(c):
			low, _ := escaped(text[6:])
			if utf16.DecodeRune(c, low) == utf8.RuneError {
				return true
			}
			text = text[6:]
		}
		text = text[6:]
	}
}

// escaped reads the \uXXXX that a text begins with.
func escaped(text string) (rune, bool) {
	if len(text) < 6 || text[:2] != `\u` {
		return 0, false
	}
	b, err := hex.DecodeString(text[2:6])
	if err != nil {
		return 0, false
	}
	return rune(b[0])<<8 | rune(b[1]), true
}
