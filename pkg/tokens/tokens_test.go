package tokens

import "testing"

// What OpenAI's own tokenizer counts.
func TestCount(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "hello world": 2, "tiktoken is great!": 6, "antidisestablishmentarianism": 6, "2 + 2 = 4": 7,
		"お誕生日おめでとう": 8,
	} {
		if got := Count(text); got != want {
			t.Errorf("%q: %d tokens, want %d", text, got, want)
		}
	}
}
