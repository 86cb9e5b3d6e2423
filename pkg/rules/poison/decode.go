package poison

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// decoded is a text that was inside another one, in another form.
type decoded struct {
	at, end int // where it was
	text    string
	form    string // how a message calls it
}

// decodeAll returns the texts that are encoded in a text, and can be read.
func decodeAll(text string, ascii bool) []decoded {
	all := decodeWritten(text)
	if !ascii {
		all = append(decodeHidden(text), all...)
	}
	var list []decoded
	for _, d := range all {
		if readable(d.text) {
			list = append(list, d)
		}
	}
	return list
}

// decodeHidden reads characters that are not seen as the text that they spell.
func decodeHidden(text string) []decoded {
	var tags, selectors, bits decoded
	var spelled strings.Builder
	var raw []byte
	var digits []byte
	for i, c := range text {
		end := i + utf8.RuneLen(c)
		switch {
		case isTag(c):
			tags.note(i, end)
			if letter := c - 0xe0000; letter >= ' ' && letter < 0x7f {
				spelled.WriteRune(letter)
			}
		case c >= 0xfe00 && c <= 0xfe0f:
			selectors.note(i, end)
			raw = append(raw, byte(c-0xfe00))
		case c >= 0xe0100 && c <= 0xe01ef:
			selectors.note(i, end)
			raw = append(raw, byte(c-0xe0100+16))
		case c == 0x200b || c == 0x2062:
			bits.note(i, end)
			digits = append(digits, '0')
		case c == 0x200c || c == 0x200d || c == 0x2063 || c == 0xfeff:
			bits.note(i, end)
			digits = append(digits, '1')
		}
	}
	tags.text, tags.form = spelled.String(), "tag characters"
	selectors.text, selectors.form = string(raw), "variation selectors"
	bits.text, bits.form = ofBits(digits), "invisible characters"
	return []decoded{tags, selectors, bits}
}

// note notes where a character of the text is.
func (d *decoded) note(at, end int) {
	if d.end == 0 {
		d.at = at
	}
	d.end = end
}

// ofBits reads ones and noughts as characters of eight.
func ofBits(digits []byte) string {
	var b []byte
	for ; len(digits) >= 8; digits = digits[8:] {
		n, _ := strconv.ParseUint(string(digits[:8]), 2, 8)
		b = append(b, byte(n))
	}
	return string(b)
}

var (
	notHex    = re(`0x|[ :]|\\u00|\\x|%`)
	oneNumber = re(`&#(x?)([0-9a-fA-F]+);`)
)

// written are the forms in which letters and digits stand for a text.
var written = []struct {
	form   string
	find   func(text string) [][]int
	decode func(string) string
}{
	{"base64", base64Runs, func(s string) string {
		s = ofURL.Replace(strings.TrimRight(s, "="))
		if len(s)%4 == 1 { // a letter that is not part of it
			s = s[:len(s)-1]
		}
		b, _ := base64.RawStdEncoding.DecodeString(s)
		return string(b)
	}},
	{"hexadecimal digits", where(hasHex, `(?:0x)?(?:[0-9a-fA-F]{2}[ :]?){12,}`), ofHex},
	{"URL escapes", where(has("%"), `(?:%[0-9a-fA-F]{2}){6,}`), func(s string) string {
		s, _ = url.PathUnescape(s)
		return s
	}},
	{"escapes", where(has(`\`), `(?:\\(?:u00|x)[0-9a-fA-F]{2}){6,}`), ofHex},
	{"HTML escapes", where(has("&#"), `(?:&#x?[0-9a-fA-F]{2,3};){6,}`), func(s string) string {
		return oneNumber().ReplaceAllStringFunc(s, func(n string) string {
			m := oneNumber().FindStringSubmatch(n)
			base := 10
			if m[1] != "" {
				base = 16
			}
			c, _ := strconv.ParseUint(m[2], base, 16)
			return string(rune(c))
		})
	}},
	{"binary digits", where(has("01"), `(?:[01]{8} ?){6,}`), func(s string) string {
		return ofBits([]byte(strings.ReplaceAll(s, " ", "")))
	}},
}

// mostWritten is how many places of a form are looked at in a text.
const mostWritten = 10

// where finds an expression in a text that may have it.
func where(may func(text string) bool, expr string) func(text string) [][]int {
	find := re(expr)
	return func(text string) [][]int {
		if !may(text) {
			return nil
		}
		return find().FindAllStringIndex(text, mostWritten)
	}
}

func has(part string) func(string) bool {
	return func(text string) bool { return strings.Contains(text, part) }
}

// ofURL turns base64 for URLs into the usual one.
var ofURL = strings.NewReplacer("-", "+", "_", "/")

// base64Runs finds [A-Za-z0-9+/_-]{20,}={0,2}: every text is looked through, and an
// expression would take five times as long.
func base64Runs(text string) [][]int {
	var list [][]int
	n := 0
	for i := range len(text) + 1 {
		if i < len(text) && (isWord[text[i]] || text[i] == '+' || text[i] == '/' || text[i] == '-') {
			n++
			continue
		}
		if n >= 20 && len(list) < mostWritten {
			rest := text[i:min(i+2, len(text))]
			list = append(list, []int{i - n, i + len(rest) - len(strings.TrimLeft(rest, "="))})
		}
		n = 0
	}
	return list
}

// hasHex reports whether a text may have another one in hexadecimal digits: 24 of those
// in a row, and 8 decimal ones anywhere.
func hasHex(text string) bool {
	digits, run, longest := 0, 0, 0
	for i := range len(text) {
		switch c := text[i]; {
		case c >= '0' && c <= '9':
			digits++
			run++
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			run++
		case c != ' ' && c != ':':
			run = 0
		}
		longest = max(longest, run)
	}
	return digits >= 8 && longest >= 24
}

func ofHex(s string) string {
	b, _ := hex.DecodeString(notHex().ReplaceAllString(s, ""))
	return string(b)
}

// decodeWritten reads what is written in another form.
func decodeWritten(text string) []decoded {
	var list []decoded
	for _, w := range written {
		for _, at := range w.find(text) {
			list = append(list, decoded{at[0], at[1], w.decode(text[at[0]:at[1]]), w.form})
		}
	}
	return list
}

// turnsLetters reports whether a text has characters that turn the direction of others.
func turnsLetters(text string) bool {
	return strings.ContainsAny(text, "\u202d\u202e\u2066\u2067\u2068")
}

// speakOfDecoding reports whether sentences say that something is to be decoded.
func speakOfDecoding(sentences []sentence) bool {
	decode := theVocabulary().number["decode"]
	return slices.ContainsFunc(sentences, func(s sentence) bool { return s.means.any(decode) })
}

// mostTurned is how long a text is that is read in another order: who hides an order
// so is brief, and of a long text some part reads as one.
const mostTurned = 2000

// turned are readings of all of a text, which count only where they are an order:
// backwards, and by the alphabet that is rotated by half.
func turned(text string) []decoded {
	if len(text) > mostTurned {
		return nil
	}
	letters := []rune(text)
	slices.Reverse(letters)
	return []decoded{
		{0, len(text), strings.Map(rot13, text), "rotated letters"},
		{0, len(text), string(letters), "reversed letters"},
	}
}

func rot13(c rune) rune {
	switch {
	case c >= 'a' && c <= 'z':
		return 'a' + (c-'a'+13)%26
	case c >= 'A' && c <= 'Z':
		return 'A' + (c-'A'+13)%26
	}
	return c
}

// readable reports whether what was decoded is a text of at least two words, and no
// bytes that happen to be letters.
func readable(text string) bool {
	if !utf8.ValidString(text) || len(text) < 8 {
		return false
	}
	letters, blanks, all := 0, 0, 0
	for _, c := range text {
		all++
		switch {
		case unicode.IsLetter(c):
			letters++
		case c == ' ':
			blanks++
		case unicode.IsControl(c) && c != '\n' && c != '\t' || c == utf8.RuneError:
			return false
		}
	}
	return blanks > 0 && letters*10 >= all*6 && blanks*14 >= all
}
