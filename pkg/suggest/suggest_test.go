package suggest

import (
	"strings"
	"testing"
)

func TestClosest(t *testing.T) {
	formats := []string{"text", "ndjson", "sarif", "junit", "github", "tap"}
	tests := []struct {
		name, word string
		from       []string
		want       string
	}{
		{"insertion", "ndjsonn", formats, "ndjson"},
		{"deletion", "ndjsn", formats, "ndjson"},
		{"replacement", "nbjson", formats, "ndjson"},
		{"swap is one edit", "txet", formats, "text"},
		{"swap in a short word", "tpa", formats, "tap"},
		{"too far", "yaml", formats, ""},
		{"nothing in common", "q", []string{"x"}, ""},
		{"short word, two edits", "abc", []string{"xyc"}, ""},
		{"three edits in a long word", "requiredServrParms", []string{"requiredServerParams"}, "requiredServerParams"},
		{"four edits in a long word", "rquirdServrParms", []string{"requiredServerParams"}, ""},
		{"case only", "getabi", []string{"getAbu", "getAbi"}, "getAbi"},
		{"case breaks a tie", "getABx", []string{"getabi", "getABI"}, "getABI"},
		{"first of equals", "cat", []string{"bat", "rat"}, "bat"},
		{"nearest, not first", "status", []string{"stats", "status"}, "status"},
		{"characters, not bytes", "größe", []string{"grösse", "große"}, "große"},
		{"empty word", "", formats, ""},
		{"no candidates", "text", nil, ""},
		{"empty candidate", "a", []string{""}, ""},
		{"data, not a name", strings.Repeat("a", 1<<20), []string{strings.Repeat("a", 1<<20)}, ""},
		{"long candidate", "text", []string{strings.Repeat("t", 1<<20)}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := Closest(tt.word, tt.from)
			if got != tt.want || ok != (tt.want != "") {
				t.Errorf("Closest(%.40q) = %.40q, %v; want %q", tt.word, got, ok, tt.want)
			}
		})
	}
}

func TestDidYouMean(t *testing.T) {
	if got := DidYouMean("sarfi", []string{"sarif"}); got != ` (did you mean "sarif"?)` {
		t.Errorf("near: %q", got)
	}
	if got := DidYouMean("zzz", []string{"sarif"}); got != "" {
		t.Errorf("far: %q", got)
	}
}

func TestDistance(t *testing.T) {
	tests := []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"kitten", "sitting", 3},
		{"ab", "ba", 1}, {"abcd", "acbd", 1}, {"ca", "abc", 3}, {"same", "same", 0},
	}
	for _, tt := range tests {
		if got := distance([]rune(tt.a), []rune(tt.b), 100); got != tt.want {
			t.Errorf("distance(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
	if got := distance([]rune("aaaaaa"), []rune("bbbbbb"), 2); got != 3 {
		t.Errorf("past the limit: %d, want 3", got)
	}
}

func FuzzClosest(f *testing.F) {
	f.Add("ndjosn", "ndjson")
	f.Add("\xff", "ÿ")
	f.Fuzz(func(t *testing.T, word, candidate string) {
		got, ok := Closest(word, []string{candidate})
		if ok && got != candidate {
			t.Errorf("Closest(%q, %q) = %q", word, candidate, got)
		}
		if !ok && word == candidate && word != "" && len(word) <= maxLen {
			t.Errorf("Closest(%q) does not find the word itself", word)
		}
	})
}
