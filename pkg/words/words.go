// Package words is how messages are worded: values quoted and cut, names listed,
// things counted, the "did you mean" of an unknown name, and the cause of an
// error of a file.
package words

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Shown is how many bytes of a value a message shows. An ID of chapter 16 whose
// parts are not longer than an MCP name allows is shown whole.
const Shown = 80

// Quote is a value in quotes, cut after Shown bytes.
func Quote[T ~string](value T) string {
	s := string(value)
	if len(s) <= Shown {
		return strconv.Quote(s)
	}
	return strconv.Quote(s[:cut(s, Shown)]) + "… (" + strconv.Itoa(len(s)) + " bytes)"
}

// Brief is a value that needs no quotes, such as JSON, cut after Shown bytes.
func Brief(s string) string { return Clip(s, Shown) }

// Clip is a text of at most limit bytes, three of which say that something was
// cut off.
func Clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return s[:cut(s, limit-len("…"))] + "…"
}

// OneLine is a text in one line: each run of white space is a space, and none is at
// its ends.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// Letters are the ASCII letters of a name, in lower case: what is left of page_size
// and Page-Size.
func Letters(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r >= 'a' && r <= 'z':
			return r
		}
		return -1
	}, name)
}

// cut is limit, or less where that would be inside a character.
func cut(s string, limit int) int {
	for back := range utf8.UTFMax {
		if utf8.RuneStart(s[limit-back]) {
			return limit - back
		}
	}
	return limit
}

// listed is how many names a message lists.
const listed = 30

// List lists names for a message: all of them, or the first and how many more.
func List(names []string) string { return list(names, func(s string) string { return s }) }

// QuoteList is List of values in quotes.
func QuoteList(values []string) string { return list(values, Quote[string]) }

func list(all []string, show func(string) string) string {
	shown := make([]string, min(len(all), listed))
	for i := range shown {
		shown[i] = show(all[i])
	}
	text := strings.Join(shown, ", ")
	if more := len(all) - len(shown); more > 0 {
		text += " and " + strconv.Itoa(more) + " more"
	}
	return text
}

// Cause is the error of a file without the operation and the path, which the
// message around it names, or must not.
func Cause(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}
