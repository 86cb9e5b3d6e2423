package picture

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/page/pagetest"
	"github.com/flowmcp/fmcp/pkg/record"
)

// drawn is a picture of records.
func drawn(t *testing.T, format string, link Link, records ...record.Record) string {
	t.Helper()
	var b bytes.Buffer
	p := New(format, &b, link)
	for _, r := range records {
		if err := p.Record(r, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func graded(id, grade string, score float64) *record.Grade {
	return &record.Grade{SchemaID: id, Path: "sea/providers/" + id + ".mjs", Grade: grade, Score: &score,
		Primitives: []string{"a/tool/b"}}
}

func failed(id string, errors ...record.GradeFinding) *record.Grade {
	return &record.Grade{SchemaID: id, Path: "sea/providers/" + id + ".mjs", Grade: "F", Errors: errors}
}

// sea is a catalog with something of everything.
func sea() []record.Record {
	unscored := &record.Grade{SchemaID: "tides/new", Path: "sea/tests/new-schemas/tides/new.mjs",
		Missing: []string{"probabilistic.score: no score was given"}, Stage: "stage:grade",
		Next:  []record.GradeStep{{Needs: "scores", Command: "fmcp-grade prompts --out p sea/providers/tides/new.mjs"}},
		Stale: []record.GradeStale{{What: record.StaleGrade, Grade: "B"}}}
	best := graded("tides/tides", "A", 4.25)
	best.Stage, best.Harness = "stage:production", "claude-code"
	best.Failing = []record.GradeFailing{{ID: "tides/tool/b", Why: "answered 503"}}
	best.Dimensions = []record.GradeDimension{{Name: "whenToUse", Score: 4.25, Reasoning: "clear"}}
	vetoed := &record.Grade{SchemaID: "tides/veto", Path: "sea/providers/tides/veto.mjs", Grade: record.GradeRejected,
		Grading: &record.Grading{Max: "B", Veto: "malicious-module: it imports fs"}}
	return []record.Record{
		best, graded("tides/other", "A", 4), graded("tides/port", "C", 2.5), unscored, vetoed,
		failed("tides/bad", record.GradeFinding{Code: "VAL032", Message: `found "FETCH"`, Line: 12},
			record.GradeFinding{Code: "VAL032", Message: `found "GRAB"`, Line: 14},
			record.GradeFinding{Code: "VAL001", Message: "no main"}),
		&record.Error{Input: "sea/providers/tides/no.mjs", Code: "LOD003", Message: "syntax error", Fix: "add the }",
			Loc: &record.Loc{Path: "sea/providers/tides/no.mjs", Line: 3}},
		// said of a schema that has a grade
		&record.Error{Input: "sea/providers/tides/bad.mjs", Code: "LOD031", Message: "twice"},
	}
}

func TestBadge(t *testing.T) {
	stale := graded("tides/tides", "B", 3.5)
	stale.Stale = []record.GradeStale{{What: record.StaleScores}}
	for _, tt := range []struct {
		name    string
		records []record.Record
		title   string
		texts   []string
	}{
		{"catalog", sea(), "Grades: 2 A, 1 C, 1 F, 1 rejected, 1 no grade, 1 not read, stale 1, scored by claude-code",
			[]string{"grades", "A 2", "C 1", "F 1", "rejected 1", "no grade 1", "not read 1", "stale 1"}},
		{"one schema", []record.Record{graded("tides/tides", "A", 4.2)}, "tides/tides: A 4.2",
			[]string{"tides/tides", "A 4.2"}},
		{"one that is stale", []record.Record{stale}, "tides/tides: B 3.5, stale",
			[]string{"tides/tides", "B 3.5", "stale"}},
		{"none", nil, "Grades: none", []string{"grades", "none"}},
		{"hostile", []record.Record{graded(`</text><script>alert(1)</script>"&`+"\x00", "A", 4)},
			`</text><script>alert(1)</script>"&\u0000: A 4`,
			[]string{`</text><script>alert(1)</script>"&\u0000`, "A 4"}},
		{"long", []record.Record{failed(strings.Repeat("schiff/", 12))},
			strings.Repeat("schiff/", 12) + ": F", []string{strings.Repeat("schiff/", 6) + "sch…", "F"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var svg struct {
				Width int    `xml:"width,attr"`
				Role  string `xml:"role,attr"`
				Label string `xml:"aria-label,attr"`
				Title string `xml:"title"`
				Text  []struct {
					X    int    `xml:"x,attr"`
					Text string `xml:",chardata"`
				} `xml:"g>text"`
			}
			text := drawn(t, Badge, "", tt.records...)
			if err := xml.Unmarshal([]byte(text), &svg); err != nil {
				t.Fatalf("%v in %s", err, text)
			}
			if svg.Title != tt.title || svg.Label != tt.title || svg.Role != "img" {
				t.Errorf("title %q, label %q, role %q; want %q", svg.Title, svg.Label, svg.Role, tt.title)
			}
			var texts []string
			for _, one := range svg.Text {
				texts = append(texts, one.Text)
			}
			if fmt.Sprint(texts) != fmt.Sprint(tt.texts) {
				t.Errorf("texts %q, want %q", texts, tt.texts)
			}
			if strings.Contains(text, "<script") {
				t.Errorf("a script: %s", text)
			}
		})
	}
}

// Records in any order make the same picture.
func TestOrder(t *testing.T) {
	for _, format := range Formats {
		records := sea()
		want := drawn(t, format, "", records...)
		for range records {
			records = append(records[1:], records[0])
			if got := drawn(t, format, "", records...); got != want {
				t.Errorf("%s differs when the first record comes last", format)
			}
		}
	}
}

func TestLink(t *testing.T) {
	for _, tt := range []struct {
		link Link
		path string
		line int
		want string
	}{
		{"", "a.mjs", 1, ""},
		{"https://x.example/blob/1/{path}#L{line}", "", 1, ""},
		{"https://x.example/blob/1/{path}#L{line}", "a b/ü#?<>.mjs", 7,
			"https://x.example/blob/1/a%20b/%C3%BC%23%3F%3C%3E.mjs#L7"},
		{"https://x.example/{path}#L{line}", "a.mjs", 0, "https://x.example/a.mjs#L1"},
		{"https://x.example/{path}", "{line}", 3, "https://x.example/%7Bline%7D"},
	} {
		if got := tt.link.to(tt.path, tt.line); got != tt.want {
			t.Errorf("%q of %q: %q, want %q", tt.link, tt.path, got, tt.want)
		}
	}
}

func TestPage(t *testing.T) {
	page := drawn(t, HTML, "https://x.example/{path}", sea()...)
	data := pagetest.Data(t, page)
	if data["title"] != "Grades of sea" {
		t.Errorf("title %q", data["title"])
	}
	schemas := data["schemas"].([]any)
	var ids []string
	for _, s := range schemas {
		ids = append(ids, s.(map[string]any)["id"].(string))
	}
	if got := strings.Join(ids, " "); got !=
		"sea/providers/tides/no.mjs tides/veto tides/bad tides/port tides/other tides/tides tides/new" {
		t.Errorf("in the order %s", got)
	}
	for n, want := range map[int]string{
		0: "map[found:[[LOD003 error 1 [[3 syntax error. Fix: add the }]]]] grade:! id:sea/providers/tides/no.mjs " +
			"path:sea/providers/tides/no.mjs]",
		1: "map[grade:REJECTED id:tides/veto notes:[Veto: malicious-module: it imports fs] " +
			"path:sea/providers/tides/veto.mjs]",
		2: `map[found:[[VAL032 error 2 [[12 found "FETCH"] [14 found "GRAB"]]] [VAL001 error 1 [[0 no main]]]] ` +
			"grade:F id:tides/bad path:sea/providers/tides/bad.mjs]",
		5: "map[dimensions:[[whenToUse 4.25 clear]] failing:[[tides/tool/b answered 503]] grade:A " +
			"harness:claude-code id:tides/tides path:sea/providers/tides/tides.mjs primitives:1 score:4.25 " +
			"stage:production]",
		6: "map[grade:– id:tides/new missing:[probabilistic.score: no score was given] " +
			"next:[[scores fmcp-grade prompts --out p sea/providers/tides/new.mjs]] " +
			"path:sea/tests/new-schemas/tides/new.mjs stage:grade " +
			"stale:[the grade that it had, B, is of another version of the file]]",
	} {
		if got := fmt.Sprint(schemas[n]); got != want {
			t.Errorf("schema %d:\n%s\nwant\n%s", n, got, want)
		}
	}
	if got := fmt.Sprint(data["rules"]); got !=
		"map[LOD003:syntax LOD031:duplicate-id VAL001:main-export VAL032:tool-method]" {
		t.Errorf("rules: %s", got)
	}
	pagetest.SelfContained(t, strings.ReplaceAll(page, "https://x.example/", ""))
}

// Of many findings of one code, the page has the first.
func TestPageCutsFindings(t *testing.T) {
	var list []record.GradeFinding
	for n := range 40 {
		list = append(list, record.GradeFinding{Code: "VAL032", Message: fmt.Sprint("message ", n), Line: n + 1})
	}
	schema := pagetest.Data(t, drawn(t, HTML, "", failed("a/b", list...)))["schemas"].([]any)[0].(map[string]any)
	found := schema["found"].([]any)[0].([]any)
	if found[2] != 40.0 || len(found[3].([]any)) != messagesShown {
		t.Errorf("%v", found)
	}
}

func TestHostileText(t *testing.T) {
	for _, hostile := range pagetest.Hostile {
		g := failed(hostile, record.GradeFinding{Code: "VAL032", Message: hostile})
		g.Path, g.Stage, g.Missing = hostile, hostile, []string{hostile}
		g.Next = []record.GradeStep{{Needs: hostile, Command: hostile}}
		page := drawn(t, HTML, "", g)
		pagetest.Text(t, page)
		if got := pagetest.Data(t, page)["schemas"].([]any)[0].(map[string]any)["id"]; got != hostile {
			t.Errorf("%q arrives as %q", hostile, got)
		}
	}
}

// A saved grade is drawn where there is no new one, and is what a schema had before where
// there is one.
func TestSaved(t *testing.T) {
	saved := func(g *record.Grade) []byte { return g.AppendJSON(nil) }
	var b bytes.Buffer
	p := New(Badge, &b, "")
	for _, g := range []*record.Grade{graded("a/b", "A", 4), graded("a/c", "B", 3)} {
		if err := p.Record(g, saved(g)); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Close(); err != nil || !strings.Contains(b.String(), "Grades: 1 A, 1 B<") {
		t.Errorf("%v: %s", err, b.String())
	}
}
