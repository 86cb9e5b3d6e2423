package poison

import (
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// allTexts are those of the attacks and of honest files.
func allTexts(t *testing.T) []string {
	t.Helper()
	names, err := filepath.Glob("testdata/*.ndjson")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	list := readLines(t, "testdata/honest.txt")
	for _, name := range names {
		for _, a := range readAttacks(t, name) {
			list = append(list, a.Text, strings.ToUpper(a.Text), strings.ReplaceAll(a.Text, " ", "-'"))
		}
	}
	return list
}

// What is done for ASCII characters alone is what is done for all.
func TestPlainWords(t *testing.T) {
	read := 0
	for _, text := range allTexts(t) {
		if !ascii(text) {
			continue
		}
		plain, all := &reader{v: theVocabulary(), text: text}, &reader{v: theVocabulary(), text: text}
		plain.plainWords(0, text)
		all.words(0, text)
		read += len(plain.current.tokens)
		if !reflect.DeepEqual(plain.current, all.current) {
			t.Errorf("%q: %v, want %v", text, plain.current, all.current)
		}
	}
	if read < 1000 {
		t.Errorf("%d words, want more", read)
	}
}

// A piece that has the form has one of its characters.
func TestFormsHaveTheirCharacters(t *testing.T) {
	pieces := []string{"getÄrger", "mailto:x@y.de", "0x" + strings.Repeat("aB", 20),
		"bc1" + strings.Repeat("q", 20) + "0", "AB12" + strings.Repeat("C", 11), "+49", ".key", "secrets.yml",
		"SOUL.md", "a.b/c", "1.2.3.4:5/x", "ftp://x"}
	for _, text := range allTexts(t) {
		pieces = append(pieces, strings.Fields(text)...)
	}
	matched := map[string]int{}
	for _, piece := range pieces {
		for _, f := range forms {
			if !f.matches(piece) {
				continue
			}
			if matched[f.kind]++; !charsOf(piece).any(f.chars) {
				t.Errorf("%q is %s without its characters", piece, f.kind)
			}
		}
	}
	if len(matched) != len(forms) {
		t.Errorf("pieces of %v only", matched)
	}
}

func TestBase64Runs(t *testing.T) {
	expr := regexp.MustCompile(`[A-Za-z0-9+/_-]{20,}={0,2}`)
	run := strings.Repeat("aZ09+/_-", 3)
	texts := append(allTexts(t), run[:19], run[:20], run+"=", " "+run+"===", run+"=="+run, "é"+run+"é",
		strings.Repeat(run+" ", 12))
	for _, text := range texts {
		if got, want := base64Runs(text), expr.FindAllStringIndex(text, mostWritten); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// A text that may have no hexadecimal digits has none.
func TestHasHex(t *testing.T) {
	expr := regexp.MustCompile(`(?:0x)?(?:[0-9a-fA-F]{2}[ :]?){12,}`)
	for _, c := range []struct {
		text string
		may  bool
	}{
		{"49676e6f726520616c6c2072", true},
		{"0x49676E6F726520616C6C2072", true},
		{"49 67 6e 6f 72 65 20 61 6c 6c 20 72", true},
		{"49:67:6e:6f:72:65:20:61:6c:6c:20:72", true},
		{"49676e6f726520616c6c207", false}, // 23
		{"49676e6f7265, 20616c6c2072", false},
		{"deadbeefdeadbeefdeadbeefdead", false}, // no digits
	} {
		if got := hasHex(c.text); got != c.may {
			t.Errorf("%q: %v", c.text, got)
		}
		if c.may && !expr.MatchString(c.text) {
			t.Errorf("%q is no case", c.text)
		}
	}
}
