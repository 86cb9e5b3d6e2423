package poison

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is a word of a text, or something else without spaces: an address, a path.
type token struct {
	word    string // in lower case, in plain letters
	means   meanings
	at, end int // where it is in the text
}

// sentence is the tokens of one.
type sentence struct {
	tokens []token
	means  meanings // of all
}

// reader reads a text into sentences.
type reader struct {
	v         *vocabulary
	text      string
	current   sentence
	sentences []sentence
	letters   []token // a run of words of one letter, as of a text that is spaced out
}

// sentencesOf reads a text. In what is read, characters that are not seen are left
// out, and letters that look like Latin ones are those.
func sentencesOf(text string) []sentence {
	r := &reader{v: theVocabulary(), text: text}
	r.current.tokens = make([]token, 0, len(text)/6+1) // of all sentences, one after the other
	for at := 0; at < len(text); {
		c, width := utf8.DecodeRuneInString(text[at:])
		if !unicode.IsSpace(c) {
			end := at + chunkLen(text[at:])
			r.chunk(at, end)
			at = end
			continue
		}
		if c == '\n' && startsBlock(text[at+1:]) {
			r.endSentence()
		}
		at += width
	}
	r.endSentence()
	return r.sentences
}

// startsBlock reports whether a paragraph or an item of a list begins at the start
// of a line.
func startsBlock(line string) bool {
	line = strings.TrimLeft(line, " \t")
	return line == "" || strings.ContainsRune("\n#-*•|", rune(line[0]))
}

// chunkLen is the length of what is at the start of a text until the next space,
// until a script without spaces begins or ends, or until where a link leads:
// [text](address).
func chunkLen(text string) int {
	first := true
	var wide bool
	for i, c := range text {
		if unicode.IsSpace(c) || c == '(' && i > 0 && text[i-1] == ']' {
			return i
		}
		if !unicode.IsLetter(c) && c != 'ー' {
			continue
		}
		is := spaceless(text[i:])
		if !first && is != wide {
			return i
		}
		first, wide = false, is
	}
	return len(text)
}

// chunk reads a piece of the text without spaces.
func (r *reader) chunk(at, end int) {
	piece := r.text[at:end]
	plain := ascii(piece)
	if !plain && spaceless(strings.TrimLeftFunc(piece, notLetter)) {
		r.wide(at, piece)
		return
	}
	core := strings.TrimLeftFunc(piece, encloses)
	core = strings.TrimRightFunc(core, func(c rune) bool { return c == '.' || encloses(c) })
	if m := r.form(core, at > 0 && r.text[at-1] == ']'); m != (meanings{}) {
		m.add(r.v.word(strings.ToLower(core)))
		r.add(token{core, m, at, end})
	} else if joined, ok := spelledOut(piece); ok {
		r.word(joined, at, end)
	} else if plain {
		r.plainWords(at, piece)
	} else {
		r.words(at, piece)
	}
	if endsSentence(piece) {
		r.endSentence()
	}
}

// encloses reports whether a sign may be around a word.
func encloses(c rune) bool {
	switch c {
	case '`', '\'', '"', '(', ')', '[', ']', '<', '>', '{', '}', ',', ';', ':', '!', '?', '*', '“', '”', '‘', '’', '„':
		return true
	}
	return false
}

// form is what a piece means by what it looks like. Most links of markdown lead to
// documents: where they lead is an address only if something goes there.
func (r *reader) form(piece string, link bool) (m meanings) {
	if strings.IndexFunc(piece, notSmall) < 0 {
		return m // a word as most are
	}
	chars := charsOf(piece)
	for i := range forms {
		if f := &forms[i]; chars.any(f.chars) && f.matches(piece) {
			m.add(r.v.number[f.kind])
		}
	}
	if m.any(r.v.number["ext"]) || isHost(piece) {
		before := r.current.tokens[max(len(r.current.tokens)-4, 0):] // to our server https://
		led := func(t token) bool { return leadsTo[t.word] && !(link && articles[t.word]) }
		if slices.ContainsFunc(before, led) {
			m.add(r.v.number["toext"])
		} else if link && m == r.v.number["ext"] {
			return meanings{}
		}
	}
	return m
}

// plainWords is words for ASCII characters, as most texts have.
func (r *reader) plainWords(at int, piece string) {
	for i := 0; i < len(piece); i++ {
		if !isWord[piece[i]] {
			continue
		}
		start := i
		for i < len(piece) && (isWord[piece[i]] || piece[i] == '-' || piece[i] == '\'') {
			i++
		}
		r.word(strings.ToLower(piece[start:i]), at+start, at+i)
	}
}

// isWord are the ASCII characters that a word begins with.
var isWord = func() (is [256]bool) {
	for c := range byte(0x80) {
		is[c] = c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
	}
	return is
}()

// words reads the words of a piece of a language with spaces.
func (r *reader) words(at int, piece string) {
	var word strings.Builder
	start := -1
	flush := func(end int) {
		if start >= 0 {
			r.word(word.String(), at+start, at+end)
			start = -1
			word.Reset()
		}
	}
	foreign := !strings.ContainsFunc(piece, func(c rune) bool {
		return unicode.Is(unicode.Latin, plainLetter(c)) && !otherScript(c)
	})
	for i, c := range piece {
		plain := c
		if !foreign {
			plain = plainLetter(c)
		}
		switch {
		case invisible(c):
		case unicode.IsLetter(plain), unicode.IsMark(c), unicode.IsDigit(plain), c == '_', c == '-' && start >= 0,
			(c == '\'' || c == '’') && start >= 0:
			if start < 0 {
				start = i
			}
			if c == '’' {
				plain = '\''
			}
			word.WriteRune(unicode.ToLower(plain))
		default:
			flush(i)
		}
	}
	flush(len(piece))
}

// spelledOut joins letters that have a sign between any two of them: i.g.n.o.r.e
func spelledOut(piece string) (string, bool) {
	_, first := utf8.DecodeRuneInString(piece)
	if between, _ := utf8.DecodeRuneInString(piece[first:]); !strings.ContainsRune(".-_*·|~+", between) {
		return "", false
	}
	letters := []rune(piece)
	if len(letters) < 5 {
		return "", false
	}
	var word strings.Builder
	for i, c := range letters {
		switch {
		case i%2 == 0 && unicode.IsLetter(c):
			word.WriteRune(unicode.ToLower(plainLetter(c)))
		case i%2 == 1 && c == letters[1]:
		default:
			return "", false
		}
	}
	return word.String(), true
}

// word adds a word.
func (r *reader) word(word string, at, end int) {
	word = strings.Trim(word, "-'")
	if word == "" {
		return
	}
	if utf8.RuneCountInString(word) == 1 {
		r.spaced(token{word: word, at: at, end: end})
	} else {
		r.letters = r.letters[:0]
	}
	m := r.v.word(word)
	if m == (meanings{}) && len(word) > 2 && strings.ContainsAny(word, digits) {
		word = leet.Replace(word)
		m = r.v.word(word)
	}
	if m == (meanings{}) && strings.Contains(word, "-") { // as the words that it is made of
		for part := range strings.SplitSeq(word, "-") {
			m.add(r.v.word(part))
		}
	}
	r.add(token{word, m, at, end})
}

const digits = "0134578"

// leet has the letters for which digits are written.
var leet = strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a", "5", "s", "7", "t", "8", "b")

// spaced joins words of one letter with one space between them: i g n o r e
func (r *reader) spaced(t token) {
	if n := len(r.letters); n > 0 && t.at > r.letters[n-1].end+1 {
		r.letters = r.letters[:0]
	}
	r.letters = append(r.letters, t)
	if len(r.letters) < 4 {
		return
	}
	var word strings.Builder
	for _, l := range r.letters {
		word.WriteString(l.word)
	}
	if m := r.v.word(word.String()); m != (meanings{}) {
		r.add(token{word.String(), m, r.letters[0].at, t.end})
	}
}

// wide reads a piece of a language without spaces.
func (r *reader) wide(at int, piece string) {
	for i := 0; i < len(piece); {
		size, m := r.v.spacelessWord(piece[i:])
		if size > 0 {
			r.add(token{piece[i : i+size], m, at + i, at + i + size})
			i += size
			continue
		}
		c, width := utf8.DecodeRuneInString(piece[i:])
		if strings.ContainsRune("。！？", c) {
			r.endSentence()
		}
		i += width
	}
}

// add adds a token, and what the phrases mean that end with it: the meaning is
// that of their first word.
func (r *reader) add(t token) {
	r.current.tokens = append(r.current.tokens, t)
	r.current.means.add(t.means)
}

// phrases looks for those of the sentence.
func (r *reader) phrases() {
	tokens := r.current.tokens
	for i := range tokens {
	next:
		for _, p := range r.v.phrases[tokens[i].word] {
			if i+len(p.rest) >= len(tokens) {
				continue
			}
			for j, want := range p.rest {
				if !wordIs(tokens[i+1+j].word, want) {
					continue next
				}
			}
			tokens[i].means.add(p.means)
			tokens[i].end = max(tokens[i].end, tokens[i+len(p.rest)].end)
			r.current.means.add(p.means)
		}
	}
}

func (r *reader) endSentence() {
	r.letters = r.letters[:0]
	if len(r.current.tokens) > 0 {
		r.phrases()
		r.sentences = append(r.sentences, r.current)
	}
	r.current = sentence{tokens: r.current.tokens[len(r.current.tokens):]}
}

// endsSentence reports whether a piece is the last one of a sentence.
func endsSentence(piece string) bool {
	piece = strings.TrimRightFunc(piece, func(c rune) bool {
		switch c {
		case '"', '\'', '`', ')', ']', '}', '*', '_', '>', '“', '”', '’':
			return true
		}
		return false
	})
	switch {
	case strings.HasSuffix(piece, "!"), strings.HasSuffix(piece, "?"):
		return true
	case !strings.HasSuffix(piece, "."):
		return false
	}
	word := strings.ToLower(strings.Trim(piece, "(["))
	last := strings.TrimSuffix(word, ".")
	last = last[strings.LastIndexByte(last, '.')+1:]
	return !abbreviations[word] && (last == word[:len(word)-1] || len(last) != 1) // e.g. has one letter
}

var abbreviations = map[string]bool{"etc.": true, "incl.": true, "approx.": true, "vs.": true, "ca.": true,
	"bzw.": true, "inkl.": true, "no.": true, "nr.": true, "max.": true, "min.": true, "resp.": true}

func notSmall(c rune) bool { return c < 'a' || c > 'z' }

func notLetter(c rune) bool { return !unicode.IsLetter(c) }
