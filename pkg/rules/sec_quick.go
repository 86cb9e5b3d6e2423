package rules

import (
	"strings"

	"github.com/flowmcp/fmcp/pkg/module"
)

// What quickScan looks at: bytes of names, and those that may make a name
// stand where its text does not.
const (
	plainByte = iota
	nameByte
	escapeByte // a backslash
	tickByte   // a template may begin
	slashByte  // a block comment may begin
)

var byteKinds = func() (kinds [256]uint8) {
	for c := range kinds {
		if c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			kinds[c] = nameByte
		}
	}
	kinds['\\'], kinds['`'], kinds['/'] = escapeByte, tickByte, slashByte
	return
}()

// quickScan decides whether a schema's source can have findings at all, without
// reading tokens; ok is false where only the token scan can tell. Most schemas
// hold none of the words that the scan knows, in code, text or comments, and no
// escape that could spell one: then nothing can be found, whatever the tokens
// are. A word in a description costs no more than the token scan.
//
// What is exported is as certain, since `export` at the start of a line is the
// top level's as long as no template and no block comment has begun.
func quickScan(src string) (exports []string, ok bool) {
	opaque := false // a template or a block comment has begun
	for i := 0; i < len(src); i++ {
		switch byteKinds[src[i]] {
		case nameByte:
			start := i
			for i++; i < len(src) && byteKinds[src[i]] == nameByte; i++ {
			}
			switch quickWord(src[start:i]) {
			case noWord:
			case wordExport:
				names := exportedAt(src, start)
				if opaque || names == nil {
					return nil, false
				}
				exports = append(exports, names...)
			default:
				return nil, false
			}
			i--
		case escapeByte:
			if i++; spellsName(src[min(i, len(src)):]) {
				return nil, false
			}
		case tickByte:
			opaque = true
		case slashByte:
			opaque = opaque || i+1 < len(src) && src[i+1] == '*'
		}
	}
	return exports, true
}

// quickWord is wordOf for the words that may be found in a schema. The others
// have a meaning in shared lists only.
func quickWord(name string) word {
	switch w := wordOf(name); w {
	case wordFunctionKey, wordClass, wordAsync:
		return noWord
	default:
		return w
	}
}

// spellsName reports whether a backslash before rest may be part of a name: in
// an escape, in a string that goes on in the next line, or in one such as
// 'con\structor', where it means nothing. "constructor" is the one word that
// counts in a string, and of its letters these are no escapes of their own; \s
// and \c of a regular expression have other letters after them.
func spellsName(rest string) bool {
	if len(rest) < 2 {
		return true
	}
	switch rest[0] {
	case 'u', 'x', '\n', '\r':
		return true
	case 's':
		return rest[1] == 't'
	case 'c', 'o':
		return strings.IndexByte(`ontr\`, rest[1]) >= 0
	}
	return rest[0] >= 0x80 // U+2028 continues a string too
}

// exportedAt returns the names that are exported by the statement at offset;
// nil where it is no plain declaration that starts a line.
func exportedAt(src string, offset int) []string {
	rest := src[offset+len("export"):]
	if offset > 0 && src[offset-1] != '\n' {
		return nil
	}
	for _, head := range []string{" const ", " function ", " let ", " async "} {
		if strings.HasPrefix(rest, head) {
			return module.ExportNames(src, offset)
		}
	}
	return nil
}
