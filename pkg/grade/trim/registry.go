package trim

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// registries brings the registries of the catalogs up to date (chapter 15): entries of
// files that are left out go, and of the others the lists and the keys that their
// schemas have no more. What was wrong before stays wrong.
func (p *Plan) registries() error {
	for _, l := range p.loads {
		if !walk.IsRegistry(l) || !l.Data.Is(ordjson.Object) {
			continue
		}
		f := &File{Path: l.Src.File(), load: l}
		text, err := p.read(f)
		if err != nil {
			return err
		}
		if now := p.registry(f, text); now != text {
			f.Text = []byte(now)
		}
		if f.Text != nil || f.Note != "" {
			p.files[f.Path] = f
		}
	}
	return nil
}

// declared makes a module of JSON, so that it can be edited as one.
const declared = "export const registry = "

// registry is the text that a registry becomes.
func (p *Plan) registry(f *File, text string) string {
	dir := filepath.Dir(f.Path)
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(path.Clean(name))) }
	now := func(name string) []byte {
		switch c := p.files[at(name)]; {
		case c != nil && c.Left != "":
			return nil
		case c != nil && c.Text != nil:
			return c.Text
		}
		return p.was(at(name))
	}
	var pointers []string
	for _, t := range []record.Type{record.TypeList, record.TypeSchema, record.TypeAgent, record.TypeSelection} {
		section, field := walk.Listed(t)
		for i, e := range f.load.Data.Get(section).Elems() {
			name := e.Get(field).Str()
			if t == record.TypeAgent && path.Base(name) == "manifest.json" { // the field has it
				name = path.Join(path.Dir(name), "agent.mjs")
			}
			pointers = append(pointers, p.entry(at(name), e, ordjson.Pointer(section, i))...)
		}
	}
	source, err := edit.ReadSource(declared+text, "registry")
	if err == nil {
		source, err = source.Remove(pointers, nil)
	}
	if err != nil {
		f.Note = "it stays as it is, since it cannot be edited: " + err.Error()
		return text
	}
	changed, hash := source.Text(), f.load.Data.Get("contentHash")
	switch {
	case !hash.Exists():
	case walk.CheckContentHash(f.load.Data, func(name string) []byte { return p.was(at(name)) }) != nil:
		f.Note = "its contentHash was wrong before, and stays"
	default:
		if renewed, err := source.SetText("contentHash", walk.ContentHash(source.Value(), now)); err == nil {
			changed = renewed
		}
	}
	return strings.TrimPrefix(changed, declared)
}

// was is what a file has before anything is changed, nil where there is none.
func (p *Plan) was(file string) []byte {
	text, _ := p.opts.Read(file)
	return text
}

// entry is what goes of the entry of a file: all of it where the file is not copied, else
// the elements of its lists that its schema has no more.
func (p *Plan) entry(file string, e ordjson.Value, at string) (pointers []string) {
	f := p.files[file]
	unread := p.byFile[file] == nil && p.was(file) != nil
	switch {
	case unread, f != nil && f.Left != "":
		return []string{at}
	case f == nil:
		return nil
	}
	for _, u := range unused {
		for i, name := range e.Get(u.field).Elems() {
			if slices.Contains(f.Dropped, u.field+" "+model.ServerParamName(name.Str())) {
				pointers = append(pointers, at+ordjson.Pointer(u.field, i))
			}
		}
	}
	return pointers
}
