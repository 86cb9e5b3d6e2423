package record_test

import (
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/record/recordtest"
)

func TestEndText(t *testing.T) {
	for _, tt := range []struct {
		end  record.End
		want string
	}{
		{record.End{Stage: "fmcp-scan", Counts: map[record.Kind]int{"scan": 2, "diagnostic": 1}},
			`{"v":1,"kind":"end","stage":"fmcp-scan","counts":{"diagnostic":1,"scan":2}}`},
		{record.End{Stage: "fmcp-load", Partial: true},
			`{"v":1,"kind":"end","stage":"fmcp-load","counts":{},"partial":true}`},
	} {
		line := tt.end.AppendJSON(nil)
		if string(line) != tt.want {
			t.Errorf("got  %s\nwant %s", line, tt.want)
		}
		if err := recordtest.Check(line); err != nil {
			t.Error(err)
		}
		_, rec, _, err := record.Decode(tt.want)
		if again, ok := rec.(*record.End); !ok || err != nil || string(again.AppendJSON(nil)) != tt.want {
			t.Errorf("%s is read as %v, %v", tt.want, rec, err)
		}
	}
}

func TestArrival(t *testing.T) {
	const scan, load = `{"v":1,"kind":"scan"}`, `{"v":1,"kind":"load"}`
	end := func(counts string) string {
		return `{"v":1,"kind":"end","stage":"fmcp-scan","counts":{` + counts + `}}`
	}
	for name, tt := range map[string]struct {
		lines []string
		pass  int
		want  string // in the reason, "" for whole
	}{
		"whole":              {[]string{scan, load, scan, end(`"load":1,"scan":2`)}, 3, ""},
		"nothing, and whole": {[]string{end("")}, 0, ""},
		"two, joined":        {[]string{scan, end(`"scan":1`), load, end(`"load":1`)}, 2, ""},
		"empty":              {nil, 0, "does not close with an end record"},
		"cut":                {[]string{scan, scan}, 2, "does not close with an end record"},
		"the second cut":     {[]string{scan, end(`"scan":1`), load}, 2, "does not close with an end record"},
		"the first cut":      {[]string{scan, load, end(`"load":1`)}, 2, "counts 0 records of kind scan, and 1 came"},
		"filtered": {[]string{scan, end(`"scan":1,"load":2`)}, 1,
			"counts 2 records of kind load, and 0 came"},
		"more than there was": {[]string{scan, scan, end(`"scan":1`)}, 2, "counts 1 record of kind scan, and 2 came"},
		"partial": {[]string{scan,
			`{"v":1,"kind":"end","stage":"fmcp-load","counts":{"scan":1},"partial":true}`}, 1,
			"fmcp-load says in its end record"},
		"the first partial": {[]string{`{"v":1,"kind":"end","stage":"fmcp-load","counts":{},"partial":true}`, scan,
			end(`"scan":1`)}, 1, "fmcp-load says in its end record"},
		"of a later version": {[]string{`{"v":2,"kind":"end"}`}, 1, "does not close with an end record"},
		"of two kinds":       {[]string{`{"v":1,"kind":"end","kind":"round"}`}, 1, "does not close with an end record"},
	} {
		a, pass := record.Arrival{Name: "stdin"}, 0
		for _, line := range tt.lines {
			if a.Take(record.KindIn([]byte(line)), []byte(line)) {
				pass++
			}
		}
		if pass != tt.pass {
			t.Errorf("%s: %d lines go on, want %d", name, pass, tt.pass)
		}
		switch err := a.NotWhole(); {
		case err == nil && tt.want != "", err != nil && tt.want == "":
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		case err != nil && (!strings.Contains(err.Error(), tt.want) ||
			!strings.HasPrefix(err.Error(), "stdin is not known to be whole: ") ||
			!strings.Contains(err.Error(), record.CodeNotWhole)):
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
	}
}
