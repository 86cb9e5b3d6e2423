package model

import (
	"maps"
	"regexp"
	"strings"
	"testing"
)

func TestSafeKeys(t *testing.T) {
	long := strings.Repeat("x", 70)
	tests := []struct {
		keys []string
		want map[string]string
	}{
		{[]string{"limit", "page-size", "A_1", strings.Repeat("x", 64)}, nil},
		{[]string{"page[number]", "page[size]", "$filter", "fl[]", "f.datum.start"},
			map[string]string{"page[number]": "page_number", "page[size]": "page_size", "$filter": "filter",
				"fl[]": "fl", "f.datum.start": "f_datum_start"}},
		// What is written so in the schema keeps its key, wherever it stands.
		{[]string{"fl[]", "fl", "fl()", "fl_2"}, map[string]string{"fl[]": "fl_3", "fl()": "fl_4"}},
		{[]string{"Größe", "日本", "本日", "[]", ""},
			map[string]string{"Größe": "Gr_e", "日本": "key", "本日": "key_2", "[]": "key_3", "": "key_4"}},
		{[]string{long, long + "y", long}, map[string]string{long: long[:64], long + "y": long[:62] + "_2"}},
	}
	for _, tt := range tests {
		got := SafeKeys(tt.keys)
		if !maps.Equal(got, tt.want) {
			t.Errorf("%q: %q, want %q", tt.keys, got, tt.want)
		}
		for _, safe := range got {
			if !regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`).MatchString(safe) {
				t.Errorf("%q: %q is not a safe key", tt.keys, safe)
			}
		}
	}
}
