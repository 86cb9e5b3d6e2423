package stage

import (
	"context"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sync"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// folder is a catalog's folder as rules see it (rules.Files): the records that have
// come by, and else what is on disk. Paths come from
// untrusted schemas: os.Root keeps them inside. What was read is kept for a
// while, since a file that refers to a thousand things of one namespace must
// not read it a thousand times.
type folder struct {
	dir     string
	buffers Buffers
	came    *cameBy // nil while records come

	mu    sync.Mutex
	loads map[string]*record.Load // by path; nil for what cannot be read
	lists map[string][]string     // by folder
}

// maxRemembered is how many files, and how many folders, are kept.
const maxRemembered = 256

// remember returns what is known of a name, or else finds it out.
func remember[T any](f *folder, known *map[string]T, name string, find func(string) T) T {
	f.mu.Lock()
	defer f.mu.Unlock()
	v, ok := (*known)[name]
	if ok {
		return v
	}
	if *known == nil || len(*known) >= maxRemembered {
		*known = map[string]T{}
	}
	v = find(name)
	(*known)[name] = v
	return v
}

// forget makes the folder look again.
func (f *folder) forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.loads, f.lists = nil, nil
}

// Load implements rules.Files.
func (f *folder) Load(name string) *record.Load { return remember(f, &f.loads, name, f.load) }

func (f *folder) load(name string) *record.Load {
	if f.came != nil {
		if l := f.came.load(name); l != nil {
			return l
		}
	}
	if !f.onDisk(name) {
		return nil
	}
	return f.buffers.load(context.Background(), walk.File{Root: f.dir, Path: name, Named: true})
}

// load is the record of a file, nil where it cannot be read.
func (b Buffers) load(ctx context.Context, f walk.File) *record.Load {
	it := &Item{file: &file{File: f}}
	for _, it := range each(ctx, Scan(ScanOptions{Buffers: b}).Do(ctx, it), Load().Do) {
		if load, ok := it.Rec.(*record.Load); ok {
			return load
		}
	}
	return nil
}

// Exists implements rules.Files.
func (f *folder) Exists(name string) bool { return f.came != nil && f.came.has(name) || f.onDisk(name) }

func (f *folder) onDisk(name string) bool {
	if _, ok := f.buffers.of(f.open(name)); ok && fs.ValidPath(name) {
		return true
	}
	info, err := f.stat(name)
	return err == nil && info.Mode().IsRegular()
}

// Read implements rules.Files.
func (f *folder) Read(name string) []byte {
	if !f.onDisk(name) {
		return nil
	}
	if text, ok := f.buffers.of(f.open(name)); ok {
		return []byte(text)
	}
	b, err := walk.ReadFile(f.open(name), MaxFile)
	if err != nil {
		return nil
	}
	return b
}

// open is the path by which a file of the folder can be opened.
func (f *folder) open(name string) string { return filepath.Join(f.dir, filepath.FromSlash(name)) }

// stat looks at what no link leads out of the folder to.
func (f *folder) stat(name string) (fs.FileInfo, error) {
	root, err := os.OpenRoot(f.dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	return root.Stat(name)
}

// List implements rules.Files.
func (f *folder) List(dir string) []string { return remember(f, &f.lists, dir, f.list) }

func (f *folder) list(dir string) []string {
	if !fs.ValidPath(dir) { // as that of a namespace that is not there
		return nil
	}
	names := f.modules(dir)
	if f.came == nil {
		return names
	}
	return f.came.modules(dir, names)
}

// modules are the paths of those on disk below a folder.
func (f *folder) modules(dir string) []string {
	if info, err := f.stat(dir); err != nil || !info.IsDir() {
		return nil
	}
	var names []string
	// Folders that links name are not gone into, so the walk stays inside.
	_ = filepath.WalkDir(f.open(dir),
		func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return fs.SkipDir
			case len(names) == rules.MaxListed:
				return fs.SkipAll
			case d.Type().IsRegular() && path.Ext(name) == ".mjs":
				if rel, err := filepath.Rel(f.dir, name); err == nil {
					names = append(names, filepath.ToSlash(rel))
				}
			}
			return nil
		})
	return names
}
