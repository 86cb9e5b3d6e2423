package trim

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/atomicfile"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/walk"
	"github.com/flowmcp/fmcp/pkg/words"
)

// target is a file of the copy.
type target struct {
	from, to string
	change   *File // nil where it is copied as it is
}

// Write copies the catalog to a folder. Files that do not change are copied byte for
// byte: all but hidden ones, those that git ignores, and modules of which no record came,
// since nobody has judged them. With force it replaces files that differ and removes
// those that are left out; else it makes sure that there are none before it writes
// anything.
func (p *Plan) Write(ctx context.Context, dir string, force bool) error {
	root, err := p.root()
	if err != nil {
		return err
	}
	switch {
	case walk.Inside(root, dir):
		return fmt.Errorf("--out %s is in the catalog %s, which is never written to: give a folder elsewhere", dir,
			root)
	case walk.Inside(dir, root):
		return fmt.Errorf("--out %s holds the catalog %s, which is never written to: give a folder elsewhere", dir,
			root)
	}
	targets, err := p.targets(ctx, root, dir)
	if err != nil {
		return err
	}
	if !force {
		if err := inTheWay(targets); err != nil {
			return err
		}
	}
	for _, t := range targets {
		if err := p.write(t); err != nil {
			return err
		}
	}
	return nil
}

// targets are the files of the copy. A module of which no record came is left out of it.
func (p *Plan) targets(ctx context.Context, root, dir string) (list []target, err error) {
	err = walk.Walk(ctx, []string{root}, walk.Options{All: true}, func(f walk.File) error {
		from := f.Open()
		switch {
		case f.Err != nil:
			return f.Err
		case f.Note != nil, strings.HasPrefix(f.Path, "."), strings.Contains(f.Path, "/."):
			return nil
		case path.Ext(f.Path) == ".mjs" && p.byFile[from] == nil && p.files[from] == nil:
			p.files[from] = &File{Path: from, Left: "the input has no record of it"}
			p.Files = append(p.Files, p.files[from])
		}
		list = append(list, target{from, filepath.Join(dir, filepath.FromSlash(f.Path)), p.files[from]})
		return nil
	})
	slices.SortFunc(p.Files, func(a, b *File) int { return cmp.Compare(a.Path, b.Path) })
	return list, err
}

// root is the folder that was scanned.
func (p *Plan) root() (string, error) {
	var root string
	for _, l := range p.loads {
		if root != "" && l.Src.Root != root {
			return "", fmt.Errorf("the input has files of %s and of %s: give one catalog at a time", root, l.Src.Root)
		}
		root = l.Src.Root
	}
	return root, nil
}

// leaves reports whether there is to be no such file.
func (t *target) leaves() bool { return t.change != nil && t.change.Left != "" }

// open opens what the file of the copy has.
func (t *target) open() (io.ReadCloser, error) {
	if t.change != nil && t.change.Text != nil {
		return io.NopCloser(bytes.NewReader(t.change.Text)), nil
	}
	return os.Open(t.from)
}

// hash is that of what the file of the copy has.
func hash(r io.ReadCloser, err error) (string, error) {
	if err != nil {
		return "", err
	}
	defer func() { _ = r.Close() }()
	sum := sha256.New()
	if _, err := io.Copy(sum, r); err != nil {
		return "", err
	}
	return record.HashText(sum.Sum(nil)), nil
}

// inTheWay is the error that files of the copy are there and have other content.
func inTheWay(targets []target) error {
	var names []string
	for _, t := range targets {
		is, err := hash(os.Open(t.to))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil && !t.leaves() {
			now, err := hash(t.open())
			if err != nil {
				return err
			}
			if now == is {
				continue
			}
		}
		names = append(names, t.to)
	}
	if names == nil {
		return nil
	}
	return fmt.Errorf("nothing was written, since %s in --out would be replaced or removed: %s: give an empty folder, "+
		"or --force", words.Count(len(names), "file"), words.List(names))
}

// write makes a file of the copy.
func (p *Plan) write(t target) error {
	if t.leaves() {
		if err := os.Remove(t.to); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		_ = os.Remove(filepath.Dir(t.to)) // if it is empty now
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(t.to), 0o755); err != nil {
		return err
	}
	in, err := t.open()
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	out, err := atomicfile.Create(t.to, 0o644)
	if err != nil {
		return err
	}
	defer out.Abort()
	sum := sha256.New()
	if _, err := io.Copy(io.MultiWriter(out, sum), in); err != nil {
		return err
	}
	l := p.byFile[t.from]
	if l != nil && t.change == nil && record.HashText(sum.Sum(nil)) != l.Src.FileHash {
		return fmt.Errorf("%s has changed while it was read; run the command again", t.from)
	}
	return out.Commit()
}
