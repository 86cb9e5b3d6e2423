package spec2

import "testing"

func numbers(scores ...string) []answer {
	var list []answer
	for _, s := range scores {
		list = append(list, answer{parse(`{"score":` + s + `,"weight":1}`)})
	}
	return list
}

func TestBand(t *testing.T) {
	for _, tt := range []struct {
		scores     []string
		raw, grade string
	}{
		{[]string{"5"}, "A", "B"}, {[]string{"4.5"}, "A", "B"}, {[]string{"4.4999"}, "B", "B"},
		{[]string{"3.5"}, "B", "B"}, {[]string{"3.4999"}, "C", "C"},
		{[]string{"2.5"}, "C", "C"}, {[]string{"2.4999"}, "D", "D"},
		{[]string{"1.5"}, "D", "D"}, {[]string{"1.4999"}, "F", "F"}, {[]string{"1"}, "F", "F"},
		{[]string{"4", "5"}, "A", "B"}, {[]string{"3.9", "3.1"}, "B", "B"},
		{[]string{"4.1", "4.9", "4.5"}, "A", "B"}, // 4.5 in decimals, a little less in binary
		{[]string{"4.4", "4.7", "4.4"}, "A", "B"},
		{[]string{`"pass"`, "4"}, "A", "B"}, {[]string{`"fail"`, "4"}, "C", "C"},
		{[]string{`"stale"`, `"n/a"`, "2"}, "D", "D"}, // neither counts
	} {
		mean, ok := meanOf(numbers(tt.scores...))
		if raw := band(mean); !ok || raw != tt.raw || trim(raw) != tt.grade {
			t.Errorf("%v: %v is %s, trimmed %s, want %s and %s", tt.scores, mean, raw, trim(raw), tt.raw, tt.grade)
		}
	}
}

func TestMeanOfNothing(t *testing.T) {
	for _, list := range [][]answer{nil, numbers(`"stale"`, `"n/a"`), {{parse(`{"score":"pass","weight":0}`)}}} {
		if mean, ok := meanOf(list); ok {
			t.Errorf("%v: got %v, want no mean", list, mean)
		}
	}
}
