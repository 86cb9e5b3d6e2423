package scaffold

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"
)

// shellWords splits a command as a POSIX shell does, and reads $'…' as bash does, since
// browsers copy commands with it. Nothing is expanded: a $NAME stays as it is written.
func shellWords(command string) ([]string, error) {
	var words []string
	var word []byte
	in := false // a word has begun
	for s := command; s != ""; {
		switch {
		case strings.IndexByte(" \t\r\n", s[0]) >= 0:
			if in {
				words, word, in = append(words, string(word)), nil, false
			}
			s = s[1:]
			continue
		case strings.HasPrefix(s, "\\\r\n"): // a continued line, copied from Windows
			s = s[3:]
			continue
		case strings.HasPrefix(s, "\\\n"):
			s = s[2:]
			continue
		case strings.IndexByte("|&;<>()`", s[0]) >= 0:
			return nil, errors.New("the command goes on after curl with " + strconv.Quote(s[:1]) +
				"; give that of curl alone")
		}
		in = true
		n, text, err := shellPart(s)
		if err != nil {
			return nil, err
		}
		word, s = append(word, text...), s[n:]
	}
	if in {
		words = append(words, string(word))
	}
	return words, nil
}

// shellPart reads what is between quotes, or the next character.
func shellPart(s string) (n int, text string, err error) {
	switch {
	case s[0] == '\'':
		end := strings.IndexByte(s[1:], '\'')
		if end < 0 {
			return 0, "", errors.New("a single quote of the command is not closed")
		}
		return end + 2, s[1 : end+1], nil
	case s[0] == '"':
		return doubleQuoted(s)
	case strings.HasPrefix(s, "$'"):
		return ansiQuoted(s)
	case s[0] == '\\' && len(s) > 1:
		_, size := utf8.DecodeRuneInString(s[1:])
		return 1 + size, s[1 : 1+size], nil
	}
	return 1, s[:1], nil
}

func doubleQuoted(s string) (int, string, error) {
	var b []byte
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return i + 1, string(b), nil
		case s[i] == '\\' && i+1 < len(s) && s[i+1] == '\n':
			i++
		case s[i] == '\\' && i+1 < len(s) && strings.IndexByte("$`\"\\", s[i+1]) >= 0:
			i++
			b = append(b, s[i])
		default:
			b = append(b, s[i])
		}
	}
	return 0, "", errors.New("a double quote of the command is not closed")
}

// ansiEscapes are those of one character.
var ansiEscapes = map[byte]string{'n': "\n", 't': "\t", 'r': "\r", '\\': "\\", '\'': "'", '"': "\""}

func ansiQuoted(s string) (int, string, error) {
	var b []byte
	for i := 2; i < len(s); i++ {
		if s[i] == '\'' {
			return i + 1, string(b), nil
		}
		if s[i] != '\\' || i+1 == len(s) {
			b = append(b, s[i])
			continue
		}
		i++
		digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[s[i]]
		if text, ok := ansiEscapes[s[i]]; ok {
			b = append(b, text...)
		} else if digits == 0 {
			b = append(b, '\\', s[i])
		} else {
			end := min(i+1+digits, len(s))
			code, err := strconv.ParseUint(s[i+1:end], 16, 32)
			if err != nil || s[i] == 'x' && code > 0x7F {
				return 0, "", errors.New(`an escape of the command cannot be read: \` + string(s[i]))
			}
			b = utf8.AppendRune(b, rune(code))
			i = end - 1
		}
	}
	return 0, "", errors.New("a $' of the command is not closed")
}
