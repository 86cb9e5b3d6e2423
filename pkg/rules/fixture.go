package rules

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// Fixture is an example file of a rule and what the rules find in it.
type Fixture struct {
	Name   string // file name: bad….mjs has findings of the rule, good….mjs has none at all
	Source string
	Found  []*record.Diagnostic // of the default profile and version
}

// Fixtures runs the rules over the example files of a code: the .mjs files of
// the folder of its name in fsys, with the shared lists of the folder _lists.
// A code without a folder has none.
func Fixtures(fsys fs.FS, code string) ([]Fixture, error) {
	names, err := fs.Glob(fsys, path.Join(code, "*.mjs"))
	if err != nil || len(names) == 0 {
		return nil, err
	}
	// The plain example comes before its variants: bad.mjs, bad-misspelt.mjs.
	slices.SortFunc(names, func(a, b string) int {
		return strings.Compare(strings.TrimSuffix(a, ".mjs"), strings.TrimSuffix(b, ".mjs"))
	})
	lists, err := fixtureLists(fsys)
	if err != nil {
		return nil, err
	}
	var list []Fixture
	for _, name := range names {
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		f := Fixture{Name: path.Base(name), Source: string(text)}
		if scanned(code) {
			f.scan(code)
		} else if f.Found, err = f.run(&Context{Lists: lists}); err != nil {
			return nil, errors.Join(errors.New(name), err)
		}
		list = append(list, f)
	}
	return list, nil
}

func fixtureLists(fsys fs.FS) (ListSource, error) {
	names, err := fs.Glob(fsys, "_lists/*.mjs")
	if err != nil {
		return nil, err
	}
	lists := &catalog.Lists{}
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
			return nil, errors.Join(errors.New(name), err)
		}
		list, problems := catalog.NewList(&record.Load{Type: record.TypeList, Src: record.Source{Path: name}, Data: v})
		if p := lists.Add(list); p != nil {
			problems = append(problems, *p)
		}
		if len(problems) > 0 {
			return nil, &problems[0]
		}
	}
	return ListsOf(lists), nil
}

func (f *Fixture) run(ctx *Context) ([]*record.Diagnostic, error) {
	mod, err := module.Read(f.Source)
	if err != nil {
		return nil, err
	}
	v, err := mod.Value("main")
	if errors.Is(err, module.ErrNoExport) {
		v, err = ordjson.NewNull(), nil
	}
	if err != nil {
		return nil, err
	}
	load := &record.Load{
		Type: record.TypeSchema, ID: "fixture/" + strings.TrimSuffix(f.Name, ".mjs"), Src: record.Source{Path: f.Name},
		Data: v, Exports: mod.Exports, Handlers: mod.Handlers, Hashes: record.Hashes{Schema: schemaHash(v)},
	}
	lines := module.NewLines(f.Source)
	var list []*record.Diagnostic
	for _, found := range Check(load, ctx) {
		d := found.Diagnostic(load)
		if _, offset := ordjson.Lookup(v, d.Loc.Pointer); offset >= 0 {
			d.Loc.Line, d.Loc.Col = lines.Position(offset)
		}
		list = append(list, d)
	}
	return list, nil
}

// schemaHash is the schemaHash of READINGS 28.
func schemaHash(main ordjson.Value) string {
	if main.Get("schemaHash").Exists() {
		main = main.Without("schemaHash")
	}
	sum := sha256.Sum256(ordjson.AppendCanonical(nil, main))
	return hex.EncodeToString(sum[:4])
}
