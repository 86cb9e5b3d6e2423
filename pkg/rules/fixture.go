package rules

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/forbidden"
	"github.com/flowmcp/fmcp/pkg/migrate"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/sharedlist"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// Fixture is an example of a rule, a file or a small catalog, and what the
// rules find in it.
type Fixture struct {
	Name  string // of the file or folder: bad… has findings of the rule, good… has none at all
	Files []FixtureFile
	Loads []*record.Load       // of the files that are read as data
	Found []*record.Diagnostic // of the default profile and version
}

// FixtureFile is a file of an example. The path of the one file that an
// example is made of is the example's name.
type FixtureFile struct{ Path, Source string }

// Fixtures runs the rules over the examples of a code: the .mjs files and the
// folders in the folder of its name in fsys. Files, and folders without _lists,
// are given the shared lists of the folder _lists. A code without a folder has
// none.
func Fixtures(fsys fs.FS, code string) ([]Fixture, error) {
	entries, err := fs.ReadDir(fsys, code)
	if err != nil {
		return nil, nil // no folder
	}
	// The plain example comes before its variants: bad.mjs, bad-misspelt.mjs.
	slices.SortFunc(entries, func(a, b fs.DirEntry) int {
		return strings.Compare(strings.TrimSuffix(a.Name(), ".mjs"), strings.TrimSuffix(b.Name(), ".mjs"))
	})
	lists, err := fixtureLists(fsys)
	if err != nil {
		return nil, err
	}
	var list []Fixture
	for _, e := range entries {
		name := path.Join(code, e.Name())
		f := Fixture{Name: e.Name()}
		switch {
		case e.IsDir():
			err = f.runFolder(fsys, name, lists)
		case path.Ext(name) == ".mjs":
			err = f.runFile(fsys, name, lists)
		default:
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		list = append(list, f)
	}
	return list, nil
}

func fixtureLists(fsys fs.FS) (*sharedlist.Lists, error) {
	names, err := fs.Glob(fsys, "_lists/*.mjs")
	if err != nil {
		return nil, err
	}
	lists := &sharedlist.Lists{}
	for _, name := range names {
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		mod, err := module.Read(string(text))
		if err != nil {
			return nil, errors.Join(errors.New(name), err)
		}
		v, err := mod.Value("list")
		if err != nil {
			continue // what is wrong with a list is the rules' to say
		}
		list, _ := sharedlist.NewList(&record.Load{Type: record.TypeList, Src: record.Source{Path: name}, Data: v})
		_ = lists.Add(list)
	}
	return lists, nil
}

// runFile runs the rules over an example that is one file. Rules that need a
// whole catalog are silent about it.
func (f *Fixture) runFile(fsys fs.FS, name string, lists *sharedlist.Lists) error {
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		return err
	}
	f.Files = []FixtureFile{{f.Name, string(text)}}
	code := path.Dir(name)
	if scanned(code) {
		f.scan(code)
		return nil
	}
	l, err := loadFixture(f.Name, string(text), "fixture")
	if err != nil {
		return err
	}
	f.Loads = []*record.Load{l}
	ignores := NewIgnores(ReadIgnores(module.Tokenize(string(text))))
	found := Check(l, &engine.Context{Lists: lists})
	f.Found = slices.DeleteFunc(engine.Diagnostics(l, found, f.source(l)), ignores.Cover)
	f.Found = append(f.Found, ignores.Findings(l, engine.ProfileSpec, f.source(l))...)
	f.Found = append(f.Found, Reviews(l, engine.ProfileSpec)...)
	return nil
}

// source reads the file of an example for its edits; nil where it has none.
func (f *Fixture) source(l *record.Load) func() *edit.Source {
	return func() *edit.Source {
		i := slices.IndexFunc(f.Files, func(file FixtureFile) bool { return file.Path == l.Src.Path })
		src, _ := edit.ReadSource(f.Files[i].Source, engine.ExportName(l.Type, l.Exports))
		return src
	}
}

// runFolder runs the rules over an example that is a catalog.
func (f *Fixture) runFolder(fsys fs.FS, dir string, lists *sharedlist.Lists) error {
	sub, err := fs.Sub(fsys, dir)
	if err != nil {
		return err
	}
	files := fixtureFolder{sub}
	ctx := &engine.Context{Lists: lists, Catalog: walk.NewFacts("."), Files: files}
	if _, err := fs.Stat(sub, "_lists"); err == nil {
		if ctx.Lists, err = fixtureLists(sub); err != nil {
			return err
		}
	}
	ignores := map[*record.Load]*Ignores{}
	err = fs.WalkDir(sub, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := fs.ReadFile(sub, name)
		if err != nil {
			return err
		}
		f.Files = append(f.Files, FixtureFile{name, string(text)})
		l, err := loadFixture(name, string(text), "")
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", name, err)
		case l == nil:
			ctx.Catalog.AddFile(record.Source{Path: name})
		default:
			ctx.Catalog.Add(l)
			f.Loads = append(f.Loads, l)
			ignores[l] = NewIgnores(ReadIgnores(module.Tokenize(string(text))))
		}
		return nil
	})
	var asks walk.KeyAsks
	for _, l := range f.Loads {
		if l.Type == record.TypeSchema && l.Data.Is(ordjson.Object) {
			asks.Add(l)
		}
		f.Found = append(f.Found,
			slices.DeleteFunc(engine.Diagnostics(l, Check(l, ctx), f.source(l)), ignores[l].Cover)...)
	}
	f.Found = append(f.Found, SharedKeys(&asks, engine.ProfileSpec)...)
	for _, l := range f.Loads {
		if NeedsCatalog(l) {
			f.Found = append(f.Found, engine.Diagnostics(l, CheckCatalog(l, ctx), f.source(l))...)
		}
	}
	return err
}

// fixtureFolder is the folder of an example as rules see it.
type fixtureFolder struct{ fsys fs.FS }

// Load implements Files.
func (f fixtureFolder) Load(name string) *record.Load {
	text, err := fs.ReadFile(f.fsys, name)
	if err != nil {
		return nil
	}
	l, err := loadFixture(name, string(text), "")
	if err != nil || l == nil {
		return nil
	}
	l.Src.FileHash = record.Hash(text)
	return l
}

// Exists implements Files.
func (f fixtureFolder) Exists(name string) bool {
	info, err := fs.Stat(f.fsys, name)
	return err == nil && !info.IsDir()
}

// Read implements Files.
func (f fixtureFolder) Read(name string) []byte {
	text, err := fs.ReadFile(f.fsys, name)
	if err != nil {
		return nil
	}
	return text
}

// List implements Files.
func (f fixtureFolder) List(dir string) []string {
	var names []string
	_ = fs.WalkDir(f.fsys, dir, func(name string, e fs.DirEntry, err error) error {
		if err == nil && path.Ext(name) == ".mjs" {
			names = append(names, name)
		}
		return nil
	})
	return names
}

// loadFixture loads a file of an example; nil is one that holds no object.
// namespace is used where the path tells none.
func loadFixture(name, text, namespace string) (*record.Load, error) {
	load := &record.Load{Src: record.Source{Path: name}, Static: true, Exports: []string{}}
	var handlers []int // where they stand
	var err error
	if path.Ext(name) == ".mjs" {
		handlers, err = loadModule(load, text)
	} else {
		switch load.Type = walk.Detect(name, nil); load.Type {
		case record.TypeRegistry:
			load.Data, err = ordjson.Parse(text)
		case record.TypeSkillMD:
			load.Data, err = model.SkillMD(text)
		default:
			return nil, nil
		}
	}
	if err != nil {
		return nil, err
	}
	if ns := walk.Namespace(name); ns != "" {
		namespace = ns
	}
	if load.ID = walk.FileID(load, namespace); namespace == "fixture" {
		load.ID = "fixture/" + strings.TrimSuffix(name, ".mjs")
	}
	load.Hashes.Schema = record.SchemaHash(load.Data)
	load.Places = record.NewPlaces(load.Data, handlers, module.NewLines(text))
	return load, nil
}

func loadModule(load *record.Load, text string) (handlers []int, err error) {
	tokens := module.Tokenize(text)
	mod, err := tokens.Module()
	if err != nil {
		return nil, err
	}
	if load.Type = walk.Detect(load.Src.Path, mod.Exports); load.Type == "" {
		load.Type = record.TypeSchema
	}
	load.Reviews = ReadReviews(tokens)
	load.Exports, load.Data = mod.Exports, ordjson.NewNull().At(mod.First)
	if load.Type == record.TypeSchema {
		load.Handlers, handlers = mod.Handlers, mod.HandlersAt
		load.Fetches = forbidden.Fetches(tokens)
	}
	if load.Type == record.TypeSkill {
		load.ContentName = tokens.Variable("skill", "content")
	}
	if load.Type == record.TypeSchema && migrate.Old(mod.Exports) {
		load.Text = text
	}
	v, err := mod.Value(engine.ExportName(load.Type, mod.Exports))
	if errors.Is(err, module.ErrNoExport) {
		return handlers, nil
	}
	load.Data = v
	return handlers, err
}
