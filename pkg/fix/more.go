package fix

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/flowmcp/fmcp/pkg/atomicfile"
	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/migrate"
	"github.com/flowmcp/fmcp/pkg/record"
)

// More is a file that a changed one needs beside it.
type More struct {
	Path string // in the folder that was walked
	Text string
}

// lists are the shared lists that a file of version 1 refers to since it imports nothing.
func lists(load *record.Load, after string) []More {
	if load.Lists == nil {
		return nil
	}
	src, err := edit.ReadSource(after, "main")
	if err != nil {
		return nil
	}
	var made []More
	for _, ref := range src.Value().Get("sharedLists").Elems() {
		for from, entries := range load.Lists {
			if name := migrate.ListName(from); name == ref.Get("ref").Str() {
				made = append(made, More{path.Join("_lists", name+".mjs"), migrate.ListFile(name, entries)})
			}
		}
	}
	return made
}

// write writes the file, unless there is one.
func (m *More) write(root string) error {
	err := atomicfile.WriteNew(root, m.Path, []byte(m.Text))
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// diff is the file as a patch, "" if there is one.
func (m *More) diff(root string) (string, error) {
	name := filepath.Join(root, filepath.FromSlash(m.Path))
	if _, err := os.Stat(name); err == nil {
		return "", nil
	}
	if !filepath.IsLocal(name) {
		name = m.Path
	}
	return edit.Diff(filepath.ToSlash(name), "", m.Text)
}
