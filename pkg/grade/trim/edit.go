package trim

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/walk"
	"github.com/flowmcp/fmcp/pkg/words"
)

// read is what a file had when it was loaded.
func (p *Plan) read(f *File) (string, error) {
	text, err := p.opts.Read(f.Path)
	if err != nil {
		return "", err
	}
	if record.Hash(text) != f.load.Src.FileHash {
		return "", fmt.Errorf("%s has changed while it was read; run the command again", f.Path)
	}
	return string(text), nil
}

// source is what a file exports, for editing.
func (f *File) source(text string) (*edit.Source, error) {
	export := engine.ExportName(f.load.Type, f.load.Exports)
	if f.load.Static || f.load.Type == record.TypeRegistry {
		return edit.ReadSource(text, export)
	}
	return edit.ReadMade(text, export, f.load.Data)
}

// try leaves out a file that cannot be edited: what fails must not be deployed.
func (p *Plan) try(l *record.Load) error {
	f := p.files[l.Src.File()]
	if f == nil || f.Left != "" {
		return nil
	}
	before, err := p.read(f)
	if err != nil {
		return err
	}
	switch _, err = f.without(before); {
	case errors.Is(err, errNothing):
		p.leave(f, err.Error())
	case err != nil:
		p.leave(f, "it cannot be edited: "+err.Error())
	}
	return nil
}

// without is a file without what is taken out of it.
func (f *File) without(before string) (*edit.Source, error) {
	source, err := f.source(before)
	if err == nil {
		source, err = source.Remove(f.pointers, f.handlers)
	}
	if err != nil || f.load.Type != record.TypeSchema {
		return source, err
	}
	s := model.NewSchema(source.Value())
	if len(s.Tools())+len(s.Resources())+len(s.Prompts()) == 0 {
		return nil, errNothing
	}
	return source, nil
}

var errNothing = errors.New("nothing is left of it")

// edit makes what the files become.
func (p *Plan) edit() error {
	for _, l := range p.loads {
		f := p.files[l.Src.File()]
		if f == nil || f.Left != "" {
			continue
		}
		if f.pointers == nil { // it names something in a place that cannot be taken out
			delete(p.files, f.Path)
			continue
		}
		before, err := p.read(f)
		if err != nil {
			return err
		}
		source, err := f.without(before)
		switch {
		case errors.Is(err, errNothing):
			p.leave(f, err.Error())
			continue
		case err != nil:
			p.stays(f, err)
			continue
		}
		text := source.Text()
		switch l.Type {
		case record.TypeSchema:
			text, f.Dropped = dropUnused(before, source)
			f.Note = hashNote(l)
		case record.TypeAgent:
			text = p.rehash(l, source)
			f.Short = shortAgent(l.Data, source.Value())
		case record.TypeSelection:
			f.Short = shortSelection(source.Value())
		}
		f.Text = []byte(text)
	}
	return p.registries()
}

// shortAgent is what an agent has too little of, and had more of before.
func shortAgent(before, now ordjson.Value) (short []string) {
	if before.Get("tools").Len() > 0 && now.Get("tools").Len() == 0 {
		short = append(short, "it has no tool left, and needs at least one (AGT006)")
	}
	n := now.Get("tests").Len()
	if n < engine.MinTests && n < before.Get("tests").Len() {
		short = append(short, fmt.Sprintf("it has %s left, and needs at least %d (AGT008)",
			words.Count(n, "test"), engine.MinTests))
	}
	return short
}

// shortSelection is that nothing is left of a selection.
func shortSelection(now ordjson.Value) []string {
	for _, part := range model.SelectionFields {
		if now.Get(part.Field).Len() > 0 {
			return nil
		}
	}
	return []string{"it has no member left, and needs at least one (SEL002)"}
}

// stays says that a manifest is left as it is.
func (p *Plan) stays(f *File, why error) {
	f.Note = "it stays as it is, since it cannot be edited: " + why.Error()
	p.Removed = slices.DeleteFunc(p.Removed, func(r Removed) bool { return r.Path == f.Path })
	for i := range p.Named {
		p.Named[i].Taken = p.Named[i].Taken && p.Named[i].Path != f.Path
	}
}

const noHash = "it has no schemaHash"

// hashNote says that a schemaHash is not renewed.
func hashNote(l *record.Load) string {
	switch hash := l.Data.Get("schemaHash"); {
	case !hash.Exists():
		return noHash
	case hash.Str() != record.SchemaHash(l.Data):
		return "its schemaHash was wrong before, and stays"
	}
	return ""
}

// unused are the fields of main whose elements go when the last that used them is
// removed: a list or a key for nobody is a finding (VAL075, CMP032).
var unused = []struct {
	field string
	name  func(ordjson.Value) string
}{
	{"sharedLists", func(e ordjson.Value) string { return cmp.Or(e.Get("ref").Str(), e.Get("name").Str()) }},
	{"requiredServerParams", func(e ordjson.Value) string { return model.ServerParamName(e.Str()) }},
}

// dropUnused takes out the references to lists, and the keys, that something used which
// is gone, and that nothing mentions now.
func dropUnused(before string, source *edit.Source) (text string, dropped []string) {
	for _, u := range unused {
		for i, e := range slices.Backward(source.Value().Get(u.field).Elems()) {
			name := u.name(e)
			if name == "" || mentions(source.Text(), name) == mentions(before, name) {
				continue
			}
			next, err := source.Remove([]string{ordjson.Pointer(u.field, i)}, nil)
			if err == nil && mentions(next.Text(), name) == 0 && !(u.field == "sharedLists" && anyList(next.Text())) {
				source, dropped = next, append(dropped, u.field+" "+name)
			}
		}
	}
	return source.Text(), dropped
}

// mentions is how many tokens of a source have a word in them.
func mentions(text, word string) (n int) {
	for _, t := range module.Tokenize(text).List {
		token := text[t.Start:t.End]
		for at := strings.Index(token, word); at >= 0; {
			end := at + len(word)
			if !inWord(token[:at], true) && !inWord(token[end:], false) {
				n++
				break
			}
			next := strings.Index(token[end:], word)
			if at = end + next; next < 0 {
				break
			}
		}
	}
	return n
}

// inWord reports whether a text ends, or begins, inside a word.
func inWord(text string, ends bool) bool {
	if text == "" {
		return false
	}
	c := text[0]
	if ends {
		c = text[len(text)-1]
	}
	return model.IsIdent(string(rune(c))) || c >= '0' && c <= '9'
}

// anyList reports whether handlers may ask for any list: they do more with sharedLists
// than take it and name a list.
func anyList(text string) bool {
	t := module.Tokenize(text)
	taken := false
	for i := range t.List {
		switch {
		case t.Name(i) != "sharedLists", t.Is(i+1, ":") && t.Is(i+2, "["), t.Dot(i + 1):
		case !taken && (t.Is(i-1, "{") || t.Is(i-1, ",")) && (t.Is(i+1, ",") || t.Is(i+1, "}")):
			taken = true // ({ sharedLists }) => …
		default:
			return true
		}
	}
	return false
}

// rehash renews the hash of an agent's tools if it was right before.
func (p *Plan) rehash(l *record.Load, source *edit.Source) string {
	find := func(id catalog.ID) *record.Load { return p.defined[id.String()] }
	if was, _ := walk.AgentHash(l.Data, find); was == "" || was != l.Data.Get("hash").Str() {
		return source.Text()
	}
	now, _ := walk.AgentHash(source.Value(), find)
	renewed, err := source.SetText("hash", now)
	if err != nil {
		return source.Text()
	}
	return renewed
}
