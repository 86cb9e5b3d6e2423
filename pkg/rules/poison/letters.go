package poison

import (
	"strings"
	"sync"
	"unicode"
)

// lookAlikes are letters of other scripts that look like Latin ones.
var lookAlikes = sync.OnceValue(func() map[rune]rune {
	m := map[rune]rune{}
	like, latin := []rune("аеіјорсухѕԁһӏɡвкмнтАВЕЅІЈКМНОРСТХУԌοιαρντυκΑΒΕΖΗΙΚΜΝΟΡΤΥΧӀɩɑ"),
		[]rune("aeijopcyxsdhlgbkmhtABESIJKMHOPCTXYGoiapvtukABEZHIKMNOPTYXIia")
	for i, c := range like {
		m[c] = latin[i]
	}
	for i, c := range []rune("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡ") { // small capitals
		m[c] = 'a' + rune(i)
	}
	m['ſ'], m['ʏ'], m['ᴢ'] = 's', 'y', 'z'
	return m
})

// plainLetter is the letter that a character looks like, or the character itself.
func plainLetter(c rune) rune {
	switch {
	case c < unicode.MaxLatin1:
		return c
	case c >= 0x1d400 && c <= 0x1d6a3: // mathematical alphabets, of 52 letters each
		i := (c - 0x1d400) % 52
		if i < 26 {
			return 'A' + i
		}
		return 'a' + i - 26
	case c >= 0xff01 && c <= 0xff5e: // full width
		return c - 0xff01 + '!'
	case c >= 0x24b6 && c <= 0x24e9: // in circles
		i := (c - 0x24b6) % 26
		return 'a' + i
	case c >= 0x1f130 && c <= 0x1f149: // in squares
		return 'A' + c - 0x1f130
	}
	if plain, ok := lookAlikes()[c]; ok {
		return plain
	}
	return c
}

// otherScript reports whether a letter is of an alphabet that is a language's own.
func otherScript(c rune) bool { return unicode.In(c, unicode.Cyrillic, unicode.Greek) }

// findLookAlike returns the first word in which letters of other scripts stand for
// Latin ones.
func findLookAlike(text string) (at, end int, ok bool) {
	if ascii(text) {
		return 0, 0, false
	}
	styled := 0 // how many letters of another alphabet follow each other
	start := 0
	for i, c := range text {
		if letter := plainLetter(c); letter != c && c > 0x1d3ff || c >= 0x24b6 && c <= 0x24e9 {
			if styled == 0 {
				start = i
			}
			if styled++; styled == 4 {
				return start, i + len(string(c)), true
			}
		} else if !unicode.IsSpace(c) {
			styled = 0
		}
	}
	for _, word := range lettersOf(text) {
		if mixed(text[word[0]:word[1]]) {
			return word[0], word[1], true
		}
	}
	return 0, 0, false
}

// lettersOf are the places of the runs of letters of a text.
func lettersOf(text string) [][2]int {
	var list [][2]int
	start := -1
	for i, c := range text {
		switch is := unicode.IsLetter(c) || unicode.IsMark(c) && !invisible(c); {
		case is && start < 0:
			start = i
		case !is && start >= 0:
			list, start = append(list, [2]int{start, i}), -1
		}
	}
	if start >= 0 {
		list = append(list, [2]int{start, len(text)})
	}
	return list
}

// mixed reports whether a word of Latin letters has others that look like such. A
// Greek letter at its beginning or end is what science writes: TNFα, ΔT.
func mixed(word string) bool {
	letters := []rune(word)
	latin, cyrillic, greek, capitals := 0, 0, 0, 0
	for i, c := range letters {
		_, like := lookAlikes()[c]
		switch {
		case unicode.Is(unicode.Latin, c) && like:
			capitals++
		case unicode.Is(unicode.Latin, c):
			latin++
		case unicode.Is(unicode.Cyrillic, c):
			cyrillic++
		case unicode.Is(unicode.Greek, c) && like && i > 0 && i < len(letters)-1,
			unicode.Is(unicode.Greek, c) && like && i == 0 && strings.ContainsRune("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", c):
			greek++
		}
	}
	return latin > 0 && cyrillic > 0 || latin > 1 && greek > 0 || capitals > 3
}

func ascii(text string) bool {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return false
		}
	}
	return true
}
