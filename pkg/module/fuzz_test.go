package module

import (
	"errors"
	"math/rand/v2"
	"testing"
	"unicode/utf8"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

func seeds(f *testing.F) {
	f.Helper()
	for _, list := range [][]string{literalModules, otherModules, brokenModules, unparsedModules} {
		for _, src := range list {
			f.Add(src)
		}
	}
	for _, list := range [][]string{literalExpressions, otherExpressions, brokenExpressions} {
		for _, e := range list {
			f.Add("export const main = " + e)
		}
	}
	for i := range uint64(20) {
		g := &generator{rand: rand.New(rand.NewPCG(3, i))}
		f.Add(g.module())
	}
	f.Add("export const handlers = ({ a }) => { const x = { b: { preRequest() {} } }; return { ...a, x, 'y': { async " +
		"*executeRequest() {} } } }")
}

func FuzzRead(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, src string) {
		if !utf8.ValidString(src) {
			return
		}
		m, err := Read(src)
		if err != nil {
			var syntax *words.SyntaxError
			if !errors.As(err, &syntax) {
				t.Fatalf("%T is no *words.SyntaxError", err)
			}
			checkOffset(t, src, syntax.Offset)
			return
		}
		for _, name := range m.Exports {
			v, err := m.Value(name)
			if err != nil {
				var not *NotLiteralError
				if !errors.As(err, &not) {
					t.Fatalf("export %q: %T is no *NotLiteralError", name, err)
				}
				checkOffset(t, src, not.Offset)
				continue
			}
			text := ordjson.Text(v)
			again, err := ordjson.Parse(text)
			if err != nil || !ordjson.Equal(v, again) || ordjson.Text(again) != text {
				t.Fatalf("export %q: %s is read back as %s (%v)", name, text, ordjson.Text(again), err)
			}
			checkPlaces(t, src, v)
		}
	})
}

func checkOffset(t *testing.T, src string, offset int) {
	t.Helper()
	if offset < 0 || offset > len(src) {
		t.Fatalf("offset %d of %d bytes", offset, len(src))
	}
	if line, col := NewLines(src).Position(offset); line < 1 || col < 1 {
		t.Fatalf("offset %d is line %d, column %d", offset, line, col)
	}
}

// checkPlaces checks that every value and key says where it stands.
func checkPlaces(t *testing.T, src string, v ordjson.Value) {
	t.Helper()
	if v.Pos() < 0 || v.Pos() >= len(src) {
		t.Fatalf("%s is at %d of %d bytes", ordjson.Text(v), v.Pos(), len(src))
	}
	for _, e := range v.Elems() {
		if e.Pos() >= 0 || !e.Is(ordjson.Null) { // a hole is nowhere
			checkPlaces(t, src, e)
		}
	}
	for _, m := range v.Members() {
		if m.KeyPos < 0 || int(m.KeyPos) >= len(src) {
			t.Fatalf("key %q is at %d of %d bytes", m.Key, m.KeyPos, len(src))
		}
		checkPlaces(t, src, m.Value)
	}
}

func FuzzLexer(f *testing.F) {
	seeds(f)
	f.Add("a /b/ `c${ /d/ }` #e ?.5 /* f")
	f.Fuzz(func(t *testing.T, src string) {
		tokens := Tokenize(src)
		end, last := int32(0), len(tokens.List)-1
		for i, tok := range tokens.List {
			if tok.Start < end || tok.End < tok.Start || int(tok.End) > len(src) ||
				(tok.Kind == EOF) != (tok.End == tok.Start) || (tok.Kind == EOF) != (i == last) {
				t.Fatalf("token %d, %+v, after one that ends at %d of %d bytes", i, tok, end, len(src))
			}
			if (tok.Kind == Ident) != (tokens.Name(i) != "") {
				t.Fatalf("token %d of kind %d has the name %q", i, tok.Kind, tokens.Name(i))
			}
			if m := int(tok.Match); m > last || tokens.Opens(i) && m < last && !tokens.Closes(m) {
				t.Fatalf("token %d matches %d", i, m)
			}
			end = tok.End
		}
		if tokens.Err != nil {
			var syntax *words.SyntaxError
			if !errors.As(tokens.Err, &syntax) {
				t.Fatalf("%T is no *words.SyntaxError", tokens.Err)
			}
			checkOffset(t, src, syntax.Offset)
		}
	})
}
