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
	"github.com/flowmcp/fmcp/pkg/walk"
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

// export is the name of what a file exports.
func export(l *record.Load) string {
	if name := string(l.Type); l.Type != record.TypeSchema && slices.Contains(l.Exports, name) {
		return name
	}
	return "main" // of agents too (decision "Agents that export main")
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

// without is the source of a file without what is taken out of it. It notes that nothing
// is left of a schema.
func (f *File) without(before string) (string, error) {
	source, err := edit.ReadSource(before, export(f.load))
	if err != nil {
		return "", err
	}
	text, err := source.Remove(f.pointers, f.handlers)
	if err != nil {
		return "", err
	}
	if f.load.Type != record.TypeSchema {
		return text, nil
	}
	if source, err = edit.ReadSource(text, "main"); err != nil {
		return "", err
	}
	s := model.NewSchema(source.Value())
	if len(s.Tools())+len(s.Resources())+len(s.Prompts()) == 0 {
		return "", errNothing
	}
	return text, nil
}

var errNothing = errors.New("nothing is left of it")

// edit makes what the files become.
func (p *Plan) edit() error {
	for _, l := range p.loads {
		f := p.files[l.Src.File()]
		if f == nil || f.Left != "" {
			continue
		}
		before, err := p.read(f)
		if err != nil {
			return err
		}
		text, err := f.without(before)
		switch {
		case errors.Is(err, errNothing):
			p.leave(f, err.Error())
			continue
		case err != nil:
			p.stays(f, err)
			continue
		case l.Type == record.TypeSchema:
			text, f.Dropped = dropUnused(before, text)
			f.Note = hashNote(l)
		case l.Type == record.TypeAgent:
			text = p.rehash(l, text)
		}
		f.Text = []byte(text)
	}
	return p.registries()
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
func dropUnused(before, after string) (text string, dropped []string) {
	for _, u := range unused {
		source, err := edit.ReadSource(after, "main")
		if err != nil {
			return after, dropped
		}
		elems := source.Value().Get(u.field).Elems()
		for i, e := range slices.Backward(elems) {
			name := u.name(e)
			if name == "" || mentions(after, name) == mentions(before, name) {
				continue
			}
			now, err := edit.ReadSource(after, "main")
			if err != nil {
				return after, dropped
			}
			next, err := now.Remove([]string{ordjson.Pointer(u.field, i)}, nil)
			if err == nil && mentions(next, name) == 0 && !(u.field == "sharedLists" && anyList(next)) {
				after, dropped = next, append(dropped, u.field+" "+name)
			}
		}
	}
	return after, dropped
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
func (p *Plan) rehash(l *record.Load, text string) string {
	find := func(id catalog.ID) *record.Load {
		for _, s := range p.loads {
			if s.Type == record.TypeSchema && pointerOf(s, id.String()) != "" {
				return s
			}
		}
		return nil
	}
	was, _ := walk.AgentHash(l.Data, find)
	source, err := edit.ReadSource(text, export(l))
	if err != nil || was == "" || was != l.Data.Get("hash").Str() {
		return text
	}
	now, _ := walk.AgentHash(source.Value(), find)
	if renewed, err := source.SetText("hash", now); err == nil {
		return renewed
	}
	return text
}
