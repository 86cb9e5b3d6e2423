package words

import (
	"strconv"
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
		if got := distance(textOf(tt.a), textOf(tt.b), 100); got != tt.want {
			t.Errorf("distance(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
	if got := distance(textOf("aaaaaa"), textOf("bbbbbb"), 2); got != 3 {
		t.Errorf("past the limit: %d, want 3", got)
	}
}

func textOf(s string) *text {
	var t text
	t.set(s, false)
	return &t
}

// What is looked at near the diagonal gives what the whole matrix gives.
func TestDistanceNearTheDiagonal(t *testing.T) {
	words := []string{""}
	for i := 0; len(words) < 400; i++ {
		for _, c := range "abc" {
			words = append(words, words[i]+string(c))
		}
	}
	for _, a := range words {
		for _, b := range words[len(words)-80:] {
			want := distance(textOf(a), textOf(b), maxLen)
			for limit := range 5 {
				if got := min(distance(textOf(a), textOf(b), limit), limit+1); got != min(want, limit+1) {
					t.Fatalf("distance(%q, %q) up to %d is %d, want %d", a, b, limit, got, want)
				}
			}
		}
	}
}

// Words times candidates is more than anybody waits for.
func TestSpeller(t *testing.T) {
	names := make([]string, 1000)
	for i := range names {
		names[i] = strings.Repeat("x", 40) + string(rune('a'+i%26))
	}
	var s Speller
	found := 0
	for range 2000 {
		if _, ok := s.Closest(names[0]+"x", names); ok {
			found++
		}
	}
	if most := maxRead/(1000*42) + 1; found != most {
		t.Errorf("%d words of 2000, want %d", found, most)
	}
	if got := s.DidYouMean("sarfi", []string{"sarif"}); got != "" || !s.Spent() {
		t.Errorf("then: %q", got)
	}
	if got := new(Speller).DidYouMean("sarfi", []string{"sarif"}); got != ` (did you mean "sarif"?)` {
		t.Errorf("another file: %q", got)
	}
}

func BenchmarkClosest(b *testing.B) {
	names := make([]string, 1000)
	for i := range names {
		names[i] = "acme/tool/getSomething" + strconv.Itoa(i)
	}
	for b.Loop() {
		Closest("acme/tool/getSomthing17x", names)
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

func TestDistanceOf(t *testing.T) {
	for _, c := range []struct {
		a, b  string
		limit int
		want  int
	}{
		{"weather", "weather", 2, 0}, {"wether", "weather", 2, 1}, {"waether", "weather", 2, 1},
		{"Weather", "weather", 2, 1}, {"häuser", "hauser", 2, 1}, {"sun", "moon", 1, 2}, {"", "ab", 2, 2},
		{strings.Repeat("x", maxLen+1), "x", 3, 4},
	} {
		if got := Distance(c.a, c.b, c.limit); got != c.want {
			t.Errorf("%q, %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
