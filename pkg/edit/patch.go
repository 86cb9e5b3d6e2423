// Package edit changes sources of modules where they say something else, and leaves
// all other bytes as they are.
package edit

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Edit gives one tool of a schema its output.
type Edit struct {
	Pointer string        // JSON pointer of the tool in main: /tools/getPrice
	Output  ordjson.Value // what Merger.Output returned
}

// Source is a file that is read for editing one of its exports.
type Source struct {
	text   string
	tokens *module.Tokens
	mod    *module.Module
	export string
	value  ordjson.Value
	// places are where the parts of value stand: a literal knows that itself, of what code
	// makes it is the outline.
	places ordjson.Value
	made   bool // by code
}

// ReadSource reads an export of a source: main of a schema, agent of a manifest.
// The error says why it cannot be edited: what code makes has no place in the
// source that could be replaced.
func ReadSource(text, export string) (*Source, error) {
	tokens := module.Tokenize(text)
	mod, err := tokens.Module()
	if err != nil {
		return nil, at(text, export, err)
	}
	value, err := mod.Value(export)
	if errors.Is(err, module.ErrNoExport) {
		return nil, fmt.Errorf("the file does not export %s", export)
	}
	if err != nil {
		return nil, at(text, export, err)
	}
	return &Source{text, tokens, mod, export, value, value, false}, nil
}

// NewSource is ReadSource for what has been read of a module: the value of its
// export, with the places of the tokens.
func NewSource(tokens *module.Tokens, mod *module.Module, export string, value ordjson.Value) *Source {
	return &Source{tokens.Src, tokens, mod, export, value, value, false}
}

// at says where in a source an error is.
func at(text, export string, err error) error {
	var not *module.NotLiteralError
	var syntax *words.SyntaxError
	offset := 0
	switch {
	case errors.As(err, &not):
		offset = not.Offset
		err = fmt.Errorf("%s is made by code: %w; write it out, or make the change by hand", export, err)
	case errors.As(err, &syntax):
		offset = syntax.Offset
	}
	line, col := module.NewLines(text).Position(offset)
	return fmt.Errorf("line %d, column %d: %w", line, col, err)
}

// Value is what the source exports.
func (s *Source) Value() ordjson.Value { return s.value }

// Text is the source.
func (s *Source) Text() string { return s.text }

// Position is the line and the column of what a pointer points to, or of the
// nearest around it; 0 where the source has nothing of it.
func (s *Source) Position(pointer string) (line, col int) {
	if _, offset := ordjson.Lookup(s.value, pointer); offset >= 0 {
		return module.NewLines(s.text).Position(offset)
	}
	return 0, 0
}

// Patch returns the source with the edits made. Nothing else changes, but for
// main.schemaHash where it was right before: it is the hash of main. That the
// result says what it should is made sure of by reading it again.
func (s *Source) Patch(edits []Edit) (string, error) {
	main := s.value
	var splices []splice
	for _, e := range edits {
		if ordjson.Text(lookup(s.value, e.Pointer).Get("output")) == ordjson.Text(e.Output) {
			continue
		}
		made, err := s.edit(e)
		if err != nil {
			return "", fmt.Errorf("%s: %w", Name(e.Pointer), err)
		}
		splices = append(splices, made...)
		main = set(main, slices.Collect(ordjson.PointerKeys(e.Pointer+"/output")), e.Output)
	}
	if splices == nil {
		return s.text, nil
	}
	changed, err := s.renew(s.spliced(splices, main))
	if err != nil {
		return "", err
	}
	return changed.text, nil
}

// errUnsafe says that reading the result again has shown something else.
var errUnsafe = errors.New("the source is written in a way that cannot be edited safely, such as one constant for " +
	"several tools: make the change by hand")

// renew is the changed source, with the schemaHash of its main where the source had that
// of its own.
func (s *Source) renew(changed *Source) (*Source, error) {
	if changed != nil && s.hashed() && changed.value.Get("schemaHash").Exists() {
		changed = changed.rehashed()
	}
	if changed == nil {
		return nil, errUnsafe
	}
	return changed, nil
}

// hashed reports whether main has its own schemaHash.
func (s *Source) hashed() bool {
	hash := s.value.Get("schemaHash")
	return s.export == "main" && hash.Is(ordjson.String) && hash.Str() == record.SchemaHash(s.value)
}

// rehashed is the source with the schemaHash that its main has now, nil where
// that fails.
func (s *Source) rehashed() *Source { return s.with("schemaHash", record.SchemaHash(s.value)) }

// SetText is the source with a text as a field of what it exports: in the place
// of the one that is there, else behind the last. Nothing else changes.
func (s *Source) SetText(field, text string) (string, error) {
	changed := s.with(field, text)
	if changed == nil {
		return "", fmt.Errorf("%s.%s is written in a way that cannot be edited safely: write it by hand, as %s: '%s'",
			s.export, field, field, text)
	}
	return changed.text, nil
}

// with is the source with a text as a field, nil where that cannot be done.
func (s *Source) with(field, text string) *Source {
	if s.places.Len() == 0 {
		return nil
	}
	member, there := s.places.Member(field)
	if !there {
		member = slices.MaxFunc(s.places.Members(), byPosition)
	}
	p, st := s.place(member), styleOf(s.tokens, member, member)
	if quote := s.text[p.start]; there && (quote == '"' || quote == '\'') {
		st.quote = quote
	}
	made := string(st.string(nil, text))
	splices := []splice{{p.start, p.end, made}}
	if named := string(append(st.key(nil, field), ' ')) + made; !there {
		splices = s.insert(p, named, st.newline+Indent(s.text, int(member.KeyPos)))
	} else if p.shorthand {
		splices[0].text = named
	}
	return s.spliced(splices, s.value.With(field, ordjson.NewString(text)))
}

// Name is how an author calls what a pointer into main points to.
func Name(pointer string) string {
	return "main" + strings.ReplaceAll(pointer, "/", ".")
}

func lookup(v ordjson.Value, pointer string) ordjson.Value {
	v, _ = ordjson.Lookup(v, pointer)
	return v
}

// set returns v with the value at the end of a path of keys of objects.
func set(v ordjson.Value, path []string, to ordjson.Value) ordjson.Value {
	if len(path) > 1 {
		to = set(v.Get(path[0]), path[1:], to)
	}
	return v.With(path[0], to)
}

// splice puts text in the place of a stretch of source.
type splice struct {
	start, end int
	text       string
}

// spliced is the source with all replacements made. It is nil where two
// overlap, or where main does not become what it should.
func (s *Source) spliced(list []splice, main ordjson.Value) *Source {
	text, err := Apply(s.text, edits(list, true))
	if err != nil {
		return nil
	}
	return s.reread(text, main)
}

// edits are splices in order; two insertions in one place are one.
func edits(list []splice, safe bool) []record.Edit {
	slices.SortStableFunc(list, func(a, b splice) int { return a.start - b.start })
	var made []record.Edit
	for i, sp := range list {
		if n := len(made); i > 0 && list[i-1].start == sp.start && list[i-1].end == sp.start {
			made[n-1].Text, made[n-1].End = made[n-1].Text+sp.text, sp.end
			continue
		}
		made = append(made, record.Edit{Start: sp.start, End: sp.end, Text: sp.text, Safe: safe})
	}
	return made
}

// place is where the value of a member stands, and what follows.
type place struct {
	start, end int
	shorthand  bool // { output }: the value stands where the key does
	comma      int  // offset after the comma, 0 if none follows
	next       int  // offset of the token after that
}

// place finds the value of a member in the source: its key has a position, and
// tokens lead to its end.
func (s *Source) place(m ordjson.Member) place {
	key := s.tokens.At(int(m.KeyPos))
	first, next := key, key+1
	if s.tokens.Is(next, ":") {
		first, next = key+2, key+2
		for !s.tokens.Is(next, ",") && !s.tokens.Closes(next) {
			next = s.tokens.After(next)
		}
	}
	p := place{start: s.start(first), end: int(s.tokens.List[next-1].End), shorthand: first == key}
	if s.tokens.Is(next, ",") {
		p.comma = int(s.tokens.List[next].End)
		next++
	}
	p.next = s.start(next)
	return p
}

// start is the offset of token i.
func (s *Source) start(i int) int { return int(s.tokens.List[i].Start) }

// edit makes the splices of one edit: chapters 01 and 10 have the output after
// parameters and tests.
func (s *Source) edit(e Edit) ([]splice, error) {
	change := Add(e.Pointer, "output", e.Output, "tests", "parameters")
	if lookup(s.value, e.Pointer).Get("output").Exists() {
		change = Set(e.Pointer+"/output", e.Output)
	}
	made := change(s)
	if made == nil {
		return nil, errors.New("there is no such tool in the source")
	}
	return made, nil
}

func byPosition(a, b ordjson.Member) int { return int(a.KeyPos) - int(b.KeyPos) }

// insert puts a member after the one at p: on a line of its own where lines
// end there too, else in the same line.
func (s *Source) insert(p place, member, line string) []splice {
	from, comma := p.end, ""
	if p.comma > 0 {
		from, comma = p.comma, ","
	}
	eol := from + strings.IndexAny(s.text[from:]+"\n", "\r\n")
	rest := s.text[from:eol]
	open := strings.LastIndex(rest, "/*") > strings.LastIndex(rest, "*/")
	if p.next < eol || open {
		if comma == "" {
			return []splice{{from, from, ", " + member}}
		}
		if strings.HasPrefix(s.text[p.next:], "}") {
			comma = ""
		}
		return []splice{{from, from, " " + member + comma}}
	}
	if comma == "" {
		return []splice{{from, from, ","}, {eol, eol, line + member}}
	}
	return []splice{{eol, eol, line + member + comma}}
}
