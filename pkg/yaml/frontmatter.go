package yaml

import (
	"strings"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Fence is the line before and after a frontmatter.
const Fence = "---"

// Frontmatter reads the YAML between the fences at the top of a Markdown file,
// and says at which byte the body starts. Offsets count from the start of the
// file. Where the file does not start with a fence, there is no frontmatter:
// the value is Missing and all but a byte order mark is body. One with nothing
// in it is null. Errors are *words.SyntaxError; with them the body starts at the same byte
// as without, or at the end where the second fence is missing.
func Frontmatter(text string) (front ordjson.Value, body int, err error) {
	top := len(text) - len(strings.TrimPrefix(text, bom))
	start, ok := fence(text, top)
	if !ok {
		return ordjson.Value{}, top, nil
	}
	for at := start; at < len(text); at = lineEnd(text, at) {
		if after, ok := fence(text, at); ok {
			front, err = parse(text, start, at)
			return front, after, err
		}
	}
	return ordjson.Value{}, len(text),
		&words.SyntaxError{Offset: top, Message: "the frontmatter that starts here does not end: expected a line " +
			Fence}
}

// fence reports whether the line at offset at is a fence, and where the next
// one starts. Trailing blanks do not count.
func fence(text string, at int) (next int, ok bool) {
	next = lineEnd(text, at)
	return next, strings.TrimRight(text[at:next], " \t\r\n") == Fence
}

// lineEnd is where the line after that at offset at starts.
func lineEnd(text string, at int) int {
	if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(text)
}
