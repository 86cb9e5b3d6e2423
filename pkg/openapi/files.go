package openapi

import (
	"bytes"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/flowmcp/fmcp/pkg/lazy"
)

// reference is a $ref to a file, in YAML or JSON. A text that only looks like one costs
// a file that is read and not used.
var reference = lazy.Regexp(`\$ref["']?\s*:\s*["']?([^#"'\s{}\[\],][^#"'\r\n{}\[\],]*)`)

// references are the files that a file refers to, named from the folder of the document.
func references(from string, source []byte) []string {
	var names []string
	for _, m := range reference().FindAllSubmatch(source, -1) {
		name := path.Join(path.Dir(from), strings.TrimSpace(string(m[1])))
		if fs.ValidPath(name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// memory are files by name, as a file system of one folder: the library reads these and
// no others.
type memory map[string][]byte

// Open implements fs.FS.
func (m memory) Open(name string) (fs.File, error) {
	if name == "." {
		return memoryFile{info: memoryInfo{name: ".", dir: true}}, nil
	}
	text, ok := m[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return memoryFile{Reader: bytes.NewReader(text), info: memoryInfo{name: name, size: int64(len(text))}}, nil
}

// ReadDir implements fs.ReadDirFS: the files of all folders, with their paths as names.
func (m memory) ReadDir(string) ([]fs.DirEntry, error) {
	var list []fs.DirEntry
	for name, text := range m {
		list = append(list, fs.FileInfoToDirEntry(memoryInfo{name: name, size: int64(len(text))}))
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, nil
}

type memoryFile struct {
	*bytes.Reader
	info memoryInfo
}

func (f memoryFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f memoryFile) Close() error               { return nil }

type memoryInfo struct {
	name string
	size int64
	dir  bool
}

func (i memoryInfo) Name() string       { return i.name }
func (i memoryInfo) Size() int64        { return i.size }
func (i memoryInfo) ModTime() time.Time { return time.Time{} }
func (i memoryInfo) IsDir() bool        { return i.dir }
func (i memoryInfo) Sys() any           { return nil }
func (i memoryInfo) Mode() fs.FileMode {
	if i.dir {
		return fs.ModeDir | 0o555
	}
	return 0o444
}
