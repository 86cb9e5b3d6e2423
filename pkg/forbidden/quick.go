package forbidden

import (
	"slices"
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
	slashByte  // a block comment may begin, or a regular expression
	equalByte  // an arrow may be here
	parenByte  // a method's body may follow
)

var byteKinds = func() (kinds [256]uint8) {
	for c := range kinds {
		if c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			kinds[c] = nameByte
		}
	}
	kinds['\\'], kinds['`'], kinds['/'], kinds['='], kinds[')'] = escapeByte, tickByte, slashByte, equalByte, parenByte
	return
}()

// quickScan decides whether a schema's source can have findings at all, without
// reading tokens; ok is false where only the token scan can tell. Most schemas
// hold none of the words that the scan knows, in code, text or comments, and no
// escape that could spell one: then nothing can be found, whatever the tokens
// are. A word in a description costs no more than the token scan.
//
// What is exported is as certain, since `export` at the start of a line is the
// top level's as long as no template and no block comment has begun. Up to the
// export after main, a sign of a value that is no data counts too.
func quickScan(src string) (exports []string, ok bool) {
	opaque := false // a template or a block comment has begun
	inMain := false
	for i := 0; i < len(src); i++ {
		switch byteKinds[src[i]] {
		case nameByte:
			start := i
			for i++; i < len(src) && byteKinds[src[i]] == nameByte; i++ {
			}
			switch w := wordOf(src[start:i]); w {
			case noWord, wordStage:
				if inMain && src[i-1] == 'n' && src[start] >= '0' && src[start] <= '9' {
					return nil, false // a BigInt
				}
			case wordExport:
				names := exportedAt(src, start)
				if opaque || names == nil {
					return nil, false
				}
				exports = append(exports, names...)
				inMain = slices.Contains(names, "main")
			case wordFunctionKey, wordClass, wordAsync, wordNoData:
				if inMain {
					return nil, false
				}
			case wordSharedLists:
				if followedBy(src[i:], ".[?(`/") { // something of it is taken
					return nil, false
				}
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
			if inMain && startsRegex(src, i) {
				return nil, false
			}
		case equalByte:
			if inMain && i+1 < len(src) && src[i+1] == '>' {
				return nil, false
			}
		case parenByte:
			if inMain && followedBy(src[i+1:], "{/") {
				return nil, false
			}
		}
	}
	return exports, true
}

// followedBy reports whether one of the bytes may be the next after white
// space; those of other alphabets may be white space themselves.
func followedBy(rest, bytes string) bool {
	rest = strings.TrimLeft(rest, " \t\r\n\v\f")
	return rest != "" && (rest[0] >= 0x80 || strings.IndexByte(bytes, rest[0]) >= 0)
}

// startsRegex reports whether a regular expression may start at a slash: as a
// value of main it has a colon, a comma, a bracket, = or a comment before it.
func startsRegex(src string, at int) bool {
	if at+1 == len(src) || src[at+1] == '/' || src[at+1] == '*' {
		return false
	}
	before := strings.TrimRight(src[:at], " \t\r\v\f")
	last := before[len(before)-1] // main has begun before
	return strings.IndexByte(":,[=\n", last) >= 0 || last >= 0x80 || strings.HasSuffix(before, "*/")
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
