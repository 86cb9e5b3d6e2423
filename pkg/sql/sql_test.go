package sql

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/words"
)

// show is a statement as text: its verb, with + after a WITH, its slots and
// placeholders, ! if it is limited, = if it ends with VALUES.
func show(text string, s Statement) string {
	out := s.Verb
	if s.With {
		out += "+"
	}
	out += strconv.Itoa(s.Slots)
	for _, p := range s.Params {
		out += " " + text[p.Start:p.End] + "=" + strconv.Itoa(p.Slot)
	}
	if s.Limited {
		out += "!"
	}
	if s.Values {
		out += "="
	}
	return out
}

func showAll(t *testing.T, text string) string {
	t.Helper()
	list, err := Split(text)
	if err != nil {
		return err.Error()
	}
	all := make([]string, len(list))
	for i, s := range list {
		all[i] = show(text, s)
	}
	return strings.Join(all, " | ")
}

func TestSplit(t *testing.T) {
	tests := []struct{ text, want string }{
		// verbs
		{"", ""},
		{" ;; -- nothing\n /* at ; all */ ;", ""},
		{"SELECT 1", "SELECT0"},
		{"\ufeffselect 1;", "SELECT0"},
		{"-- a comment\n/* and ' one */ SeLeCt 1", "SELECT0"},
		{"VALUES (1)", "VALUES0="},
		{"SELECT 1 UNION VALUES (2), (3)", "SELECT0="},
		{"VALUES (1) UNION SELECT 2", "VALUES0"},
		{"SELECT * FROM (VALUES (1)) LIMIT 1", "SELECT0!"},
		{"(SELECT 1)", "0"},
		{"EXPLAIN SELECT 1", "EXPLAIN0"},
		{"PRAGMA table_info(t)", "PRAGMA0"},
		{"WITH a AS (SELECT 1) SELECT * FROM a", "SELECT+0"},
		{"WITH RECURSIVE a(x, y) AS NOT MATERIALIZED (SELECT 1), b AS MATERIALIZED (SELECT 2) DELETE FROM t",
			"DELETE+0"},
		{"with replace as (select ?) insert into t select * from replace", "INSERT+1 ?=1"},
		{"WITH \"select\" AS (SELECT ')') UPDATE t SET a = 1", "UPDATE+0"},
		{"WITH", "WITH+0"},
		{"WITH a AS (SELECT 1)", "WITH+0"},
		{"WITH a AS SELECT 1", "WITH+0"},
		{"WITH a AS (SELECT 1) (SELECT 2)", "WITH+0"},
		{"WITH a AS ((SELECT 1)", "WITH+0"},
		// several statements
		{"SELECT 1; DROP TABLE t;", "SELECT0 | DROP0"},
		{"SELECT ';', \"a;b\", `c;d`, [e;f] -- ;\n; SELECT 2", "SELECT0 | SELECT0"},
		{"SELECT 'it''s; one' ; SELECT ? ; SELECT ?", "SELECT0 | SELECT1 ?=1 | SELECT1 ?=1"},
		{"CREATE TEMP TRIGGER r AFTER INSERT ON t BEGIN UPDATE t SET a = CASE WHEN 1 THEN 2 END; DELETE FROM u; END; " +
			"SELECT 1", "CREATE0 | SELECT0"},
		{"EXPLAIN QUERY PLAN CREATE TRIGGER r DELETE ON t BEGIN SELECT 1; END; SELECT 2", "EXPLAIN0 | SELECT0"},
		{"CREATE TABLE trigger (a); SELECT 1", "CREATE0 | SELECT0"},
		{"EXPLAIN; SELECT 1", "EXPLAIN0 | SELECT0"},
		// placeholders
		{"SELECT ?, ?5, ?, :a, @a, $a, :a, ?2", "SELECT9 ?=1 ?5=5 ?=6 :a=7 @a=8 $a=9 :a=7 ?2=2"},
		{"SELECT '?', \"?\", `?`, [?], x'3F' -- ?\n /* ? */, ?", "SELECT1 ?=1"},
		{"SELECT a?b", "SELECT1 ?=1"},
		{"SELECT $a::b(c d)", "found \"$a::b(c d)\", whose ( is not closed at byte 7"},
		{"SELECT $a::b(c), $x", "SELECT2 $a::b(c)=1 $x=2"},
		{"SELECT max$a", "SELECT0"}, // a name
		{"SELECT data->>'$.a', ?1", "SELECT1 ?1=1"},
		{"SELECT ?0", "found the placeholder \"?0\", expected a number from 1 to 32766 at byte 7"},
		{"SELECT ?99999999999999999999999",
			"found the placeholder \"?99999999999999999999999\", expected a number from 1 to 32766 at byte 7"},
		{"SELECT :", "found \":\", expected a name after it at byte 7"},
		{"SELECT @(a)", "found \"@\", expected a name after it at byte 7"},
		// limits
		{"SELECT 1 LIMIT ?", "SELECT1 ?=1!"},
		{"SELECT * FROM (SELECT 1 limit 5)", "SELECT0"},
		{"SELECT * FROM (SELECT 1 LIMIT 5) Limit 2 OFFSET 1", "SELECT0!"},
		{"SELECT \"limit\", 'LIMIT', [LIMIT] FROM limits -- LIMIT", "SELECT0"},
		// numbers and operators
		{"SELECT 1e-5, .5, 0xFF, 1_000, 1-?, a<>b, a||b, a<<2, a!=b, ~a, -1", "SELECT1 ?=1"},
		{"SELECT 1/*", "SELECT0"}, // and not an operator, which LIMIT would follow
		{"SELECT 1/* open", "SELECT0"},
		{"SELECT 1 --", "SELECT0"},
		// no SQL
		{"SELECT 'open", "found \"'open\", whose ' is not closed at byte 7"},
		{"SELECT 'it''", "found \"'it''\", whose ' is not closed at byte 7"},
		{"SELECT [open", "found \"[open\", whose [ is not closed at byte 7"},
		{"SELECT x'3", "found \"x'3\", expected pairs of hex digits in x'…' at byte 7"},
		{"SELECT x'345'", "found \"x'345'\", expected pairs of hex digits in x'…' at byte 7"},
		{"SELECT {{a}}", "found the character \"{\", which SQL does not have at byte 7"},
		{"SELECT a ! b", "found the character \"!\", which SQL does not have at byte 9"},
		{"SELECT '\x00'", "found a zero byte, where SQLite stops to read at byte 8"},
	}
	for _, tt := range tests {
		if got := showAll(t, tt.text); got != tt.want {
			t.Errorf("%q\ngot  %s\nwant %s", tt.text, got, tt.want)
		}
	}
}

// A statement ends where its last token does, so that a LIMIT can be added
// after it.
func TestStatementBounds(t *testing.T) {
	text := "\n-- first\nSELECT a -- of t\n FROM t ; -- end\n SELECT 2 /* no more */"
	list, err := Split(text)
	if err != nil || len(list) != 2 {
		t.Fatalf("%d statements, %v", len(list), err)
	}
	for i, want := range []string{"SELECT a -- of t\n FROM t", "SELECT 2"} {
		if got := text[list[i].Start:list[i].End]; got != want {
			t.Errorf("statement %d is %q, want %q", i, got, want)
		}
	}
}

func TestReads(t *testing.T) {
	for text, want := range map[string]bool{
		"SELECT 1": true, "VALUES (1)": true, "WITH a AS (SELECT 1) SELECT 2": true,
		"WITH a AS (SELECT 1) DELETE FROM t": false, "REPLACE INTO t VALUES (1)": false, "PRAGMA user_version": false,
		"(": false,
	} {
		list, err := Split(text)
		if err != nil || len(list) != 1 || list[0].Reads() != want {
			t.Errorf("%q: %+v, %v; want one statement, reads %v", text, list, err, want)
		}
	}
}

func FuzzSplit(f *testing.F) {
	for _, s := range []string{
		"SELECT ?, ?3, :a FROM [t] WHERE x = 'it''s' LIMIT 5; -- end", "WITH a(b) AS (SELECT x'3F') SELECT * FROM a",
		"CREATE TRIGGER r DELETE ON t BEGIN SELECT 1; END; SELECT 2", "SELECT $a::b(c) /* open", "\ufeff`a``b`;;\"",
		"0xE+1.e-5.$x",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		list, err := Split(text)
		if err != nil {
			var e *words.SyntaxError
			if !errors.As(err, &e) || e.Fix == "" || e.Offset < 0 || e.Offset >= len(text) || list != nil {
				t.Fatalf("%q: %+v, %v", text, list, err)
			}
			return
		}
		at := 0
		for _, s := range list {
			if s.Start < at || s.End <= s.Start || s.End > len(text) {
				t.Fatalf("%q: %+v after byte %d", text, s, at)
			}
			at = s.End
			for _, p := range s.Params {
				if p.Start < s.Start || p.End > s.End || p.Slot < 1 || p.Slot > s.Slots {
					t.Errorf("%q: %+v in %+v", text, p, s)
				}
			}
			// A statement alone is what it was among others.
			part := text[s.Start:s.End]
			alone, err := Split(part)
			if err != nil || len(alone) != 1 || show(part, alone[0]) != show(text, s) || alone[0].End != len(part) {
				t.Errorf("%q: %q alone is %+v, %v", text, part, alone, err)
			}
			// A limit that is added after it is one, or is inside parentheses
			// that are not closed.
			more, err := Split(part + " LIMIT 5")
			if err != nil || len(more) != 1 || !more[0].Limited && balance(part) == 0 {
				t.Errorf("%q with a limit is %+v, %v", part, more, err)
			}
		}
	})
}

// balance is how many parentheses of a text are open at its end.
func balance(text string) int {
	lex, depth := lexer{text: text}, 0
	for {
		switch t, err := lex.next(); {
		case err != nil || t.kind == end:
			return depth
		case t.kind == open:
			depth++
		case t.kind == closing:
			depth--
		}
	}
}
