package stage

import (
	"context"
	"io/fs"
	"os"
	"path"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
)

// folder is a catalog's folder as rules see it (rules.Files). Paths come from
// schemas of strangers: os.Root keeps them inside.
type folder struct{ dir string }

// Load implements rules.Files.
func (f folder) Load(name string) *record.Load {
	if !f.Exists(name) {
		return nil
	}
	it := &Item{file: &file{catalog.File{Root: f.dir, Path: name, Named: true}}}
	for _, it := range each(context.Background(), Scan(ScanOptions{}).Do(context.Background(), it), Load().Do) {
		if load, ok := it.Rec.(*record.Load); ok {
			return load
		}
	}
	return nil
}

// Exists implements rules.Files.
func (f folder) Exists(name string) bool {
	root, err := os.OpenRoot(f.dir)
	if err != nil {
		return false
	}
	defer func() { _ = root.Close() }()
	info, err := root.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// List implements rules.Files.
func (f folder) List(dir string) []string {
	root, err := os.OpenRoot(f.dir)
	if err != nil {
		return nil
	}
	defer func() { _ = root.Close() }()
	var names []string
	_ = fs.WalkDir(root.FS(), dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fs.SkipDir
		case len(names) == rules.MaxListed:
			return fs.SkipAll
		case d.Type().IsRegular() && path.Ext(name) == ".mjs":
			names = append(names, name)
		}
		return nil
	})
	return names
}
