package walk

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/record"
)

// layout are the folders that are at the root of a catalog (chapter 15,
// "Directory Conventions").
var layout = []string{"_lists", "_shared", "providers", "selections", "agents"}

// Scopes knows the root folders of the catalogs in a stream: the folders that
// hold a registry.json or a folder of the layout.
type Scopes map[string]bool

// Add learns from one file.
func (s Scopes) Add(l *record.Load) {
	if IsRegistry(l) {
		s[filepath.Dir(l.Src.File())] = true
	}
	if dir, ok := layoutRoot(l.Src); ok {
		s[dir] = true
	}
}

// IsRegistry reports whether the file is the manifest of a catalog, which
// _lists/_registry.json (chapter 03) is not.
func IsRegistry(l *record.Load) bool {
	return l.Type == record.TypeRegistry && filepath.Base(l.Src.File()) == "registry.json"
}

// layoutRoot is the folder above the first layout folder of the path; or, where
// a part of a catalog was scanned, above the last one in the scanned root.
func layoutRoot(src record.Source) (string, bool) {
	parts := strings.Split(src.Path, "/")
	for i, p := range parts[:len(parts)-1] {
		if slices.Contains(layout, p) {
			return filepath.Join(src.Root, filepath.Join(parts[:i]...)), true
		}
	}
	for dir := filepath.Clean(src.Root); ; {
		parent := filepath.Dir(dir)
		if slices.Contains(layout, filepath.Base(dir)) {
			return parent, true
		}
		if parent == dir {
			return "", false
		}
		dir = parent
	}
}

// Root is the root of the catalog that a file belongs to: the nearest folder
// above it that is one, else the scanned root.
func (s Scopes) Root(src record.Source) string {
	for dir := filepath.Dir(src.File()); ; {
		if s[dir] {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return filepath.Clean(src.Root)
		}
		dir = parent
	}
}

// Root is the root folder of the catalog that a file is in, as far as its own
// path tells, made absolute where the path as given is too short; else the
// folder of the file, or of a SKILL.md and its references the folder of all skills.
func Root(src record.Source) string {
	if dir, ok := layoutRoot(src); ok {
		return dir
	}
	dir := filepath.Dir(src.File())
	abs, err := filepath.Abs(dir)
	if err != nil {
		return dir
	}
	if root, ok := layoutRoot(record.Source{Root: abs, Path: filepath.Base(src.Path)}); ok {
		return root
	}
	switch {
	case filepath.Base(src.File()) != skillFile:
		if bundle, ok := bundleOf(src); ok {
			return Root(bundle)
		}
		return dir
	case strings.HasSuffix(dir, "."): // . or ..
		return filepath.Dir(abs)
	}
	return filepath.Dir(dir)
}

// bundleOf is the SKILL.md whose folder of references a document is in.
func bundleOf(src record.Source) (record.Source, bool) {
	before, ok := "", false
	if filepath.Ext(src.Path) == ".md" {
		before, _, ok = strings.Cut("/"+src.Path, "/references/")
	}
	return record.Source{Root: src.Root, Path: strings.TrimPrefix(before+"/"+skillFile, "/")}, ok
}

// Part says which catalog a file or a folder is a part of, by its own path: the
// catalog's root, and below it the path, "" for the whole. What is in no catalog,
// or no module, is a whole of its own.
func Part(name string) (root, below string) {
	src := record.Source{Root: filepath.Dir(name), Path: filepath.Base(name)}
	info, err := os.Stat(name)
	folder := err == nil && info.IsDir()
	if folder {
		src = record.Source{Root: name, Path: "any.mjs"}
	} else if filepath.Ext(name) != ".mjs" {
		return name, ""
	}
	root = Root(src)
	from, err := filepath.Abs(root)
	if err != nil {
		return name, ""
	}
	to, err := filepath.Abs(name)
	if err != nil {
		return name, ""
	}
	below, err = filepath.Rel(from, to)
	if err != nil || below == "." || !folder && !strings.ContainsRune(below, filepath.Separator) {
		return name, "" // a catalog, or a file that is in none
	}
	return root, filepath.ToSlash(below)
}

// Folder is the name of the folder that a file is in.
func Folder(src record.Source) string { return FolderName(filepath.Dir(src.File())) }

// FolderName is the name of a catalog without registry.json.
func FolderName(dir string) string {
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	if name := filepath.Base(dir); name != string(filepath.Separator) {
		return name
	}
	return "catalog"
}
