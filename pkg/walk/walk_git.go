package walk

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// repository knows what a git repository tracks: that is part of it whatever
// .gitignore says, and a change under test must not hide a file from the scan by
// a line there. It reads the index itself, since git runs what the configuration
// of a repository names. The nil repository tracks nothing.
type repository struct {
	top   string // real path of the work tree
	read  bool
	all   bool     // the index cannot be read: what is tracked is not known, so nothing is ignored
	paths []string // sorted
}

// repositoryAbove finds the repository that the real path dir is in.
func repositoryAbove(dir string) *repository {
	for {
		if isRepository(dir) {
			return &repository{top: dir}
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return nil
		}
		dir = parent
	}
}

func isRepository(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil
}

// tracks reports whether the index has the file at a real path, or one in the
// folder there.
func (r *repository) tracks(real string, isFolder bool) bool {
	if r == nil {
		return false
	}
	if !r.read {
		r.read = true
		var err error
		r.paths, err = readIndex(r.top)
		r.all = err != nil && !errors.Is(err, os.ErrNotExist)
	}
	rel, err := filepath.Rel(r.top, real)
	if err != nil || r.all {
		return r.all
	}
	rel = filepath.ToSlash(rel)
	if _, ok := slices.BinarySearch(r.paths, rel); ok || !isFolder {
		return ok // of a folder: a submodule
	}
	i, _ := slices.BinarySearch(r.paths, rel+"/")
	return i < len(r.paths) && strings.HasPrefix(r.paths[i], rel+"/")
}

// maxIndex is the largest index that is read, in bytes.
const maxIndex = 256 << 20

// readIndex returns the paths in the index of the repository whose work tree is
// top. Where .git is a file, as of a submodule, it names the folder.
func readIndex(top string) ([]string, error) {
	dir := filepath.Join(top, ".git")
	if text, err := ReadFile(dir, 1<<16); err == nil {
		name, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
		if !ok {
			return nil, errIndex
		}
		if dir = name; !filepath.IsAbs(name) {
			dir = filepath.Join(top, name)
		}
	}
	data, err := ReadFile(filepath.Join(dir, "index"), maxIndex)
	if err != nil {
		return nil, err
	}
	for _, hash := range []int{20, 32} { // SHA-1, SHA-256
		if paths, err := parseIndex(data, hash); err == nil {
			return paths, nil
		}
	}
	return nil, errIndex
}

var errIndex = errors.New("is not an index that can be read")

// parseIndex reads the entries of an index of version 2 to 4 whose hashes have a
// number of bytes (gitformat-index(5)). One that refers to a shared index is
// refused.
func parseIndex(data []byte, hash int) ([]string, error) {
	const fixed = 40 // bytes of an entry before its hash
	if len(data) < 12+hash || string(data[:4]) != "DIRC" {
		return nil, errIndex
	}
	version, count := binary.BigEndian.Uint32(data[4:]), binary.BigEndian.Uint32(data[8:])
	end := len(data) - hash
	if version < 2 || version > 4 || int(count) > end/fixed {
		return nil, errIndex
	}
	paths := make([]string, 0, count)
	at, before, total := 12, "", 0 // each path may repeat nearly all of the one before
	for range count {
		name := at + fixed + hash + 2
		if name > end {
			return nil, errIndex
		}
		if data[name-2]&0x40 != 0 { // has more flags
			name += 2
		}
		keep := 0
		if version == 4 { // of the path before, all but some bytes
			strip, n := offset(data[min(name, end):end])
			if n == 0 || strip > len(before) {
				return nil, errIndex
			}
			name, keep = name+n, len(before)-strip
		}
		size := bytes.IndexByte(data[min(name, end):end], 0)
		if size < 0 {
			return nil, errIndex
		}
		path := before[:keep] + string(data[name:name+size])
		if total += len(path); path < before || path == "" || total > maxIndex {
			return nil, errIndex
		}
		if path != before { // a conflict has up to three entries
			paths = append(paths, path)
		}
		before = path
		if at, name = name+size+1, name+size-at; version < 4 {
			at += 7 - name%8 // one to eight zero bytes
		}
	}
	for at+8 <= end { // extensions
		if string(data[at:at+4]) == "link" {
			return nil, errIndex
		}
		at += 8 + int(binary.BigEndian.Uint32(data[at+4:]))
	}
	if at != end {
		return nil, errIndex
	}
	return paths, nil
}

// offset reads a number as git's pack format writes offsets; n is 0 if there is
// none.
func offset(data []byte) (value, n int) {
	for n < len(data) && n < 5 {
		c := int(data[n])
		if n++; n > 1 {
			value++
		}
		if value = value<<7 | c&0x7f; c&0x80 == 0 {
			return value, n
		}
	}
	return 0, 0
}
