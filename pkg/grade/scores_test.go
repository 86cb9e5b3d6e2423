package grade

import "testing"

func TestMean(t *testing.T) {
	s := Scores{Dimensions: []Dimension{{Score: 4}, {Score: 3.5}}}
	if m := s.Mean(); m == nil || *m != 3.75 {
		t.Errorf("got %v", m)
	}
	s.Dimensions = []Dimension{{Score: 4.1}, {Score: 2.1}}
	if m := s.Mean(); m == nil || *m != 3.1 {
		t.Errorf("got %v, want 3.1", *m)
	}
	s.Missing = []string{"parameters"}
	if m := s.Mean(); m != nil {
		t.Errorf("of a partial set: %v", *m)
	}
}
