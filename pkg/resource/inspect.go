package resource

import (
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/flowmcp/fmcp/pkg/words"
)

// magic begins every SQLite database (sqlite.org/fileformat.html).
const magic = "SQLite format 3\x00"

// headerSize is that of a database's header, the first 100 bytes.
const headerSize = 100

// inspect looks at a file before SQLite does. It recognizes files that are not
// a database, empty or cut short, and says whether the file can be treated as
// one that no process writes.
func inspect(path string) (immutable bool, err error) {
	name := filepath.Base(path)
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, fail(CodeMissing,
			"%s is not there; put the database into the folder of its origin (chapter 13)", name)
	}
	if err != nil {
		return false, fail(CodeMissing, "%s cannot be opened: %v; check the path and its permissions", name,
			words.Cause(err))
	}
	if !info.Mode().IsRegular() {
		return false, fail(CodeMissing, "%s is not a regular file; put an SQLite database there", name)
	}
	head, err := header(path)
	if err != nil {
		return false, fail(CodeMissing, "%s cannot be read: %v; check its permissions", name, words.Cause(err))
	}
	if err := judge(name, head, info.Size()); err != nil {
		return false, err
	}
	return walMode(head) && !inUse(path), nil
}

// judge refuses what is not a whole database, by its first bytes and its size.
func judge(name string, head []byte, size int64) error {
	switch {
	case size == 0:
		return fail(CodeCorrupt, "%s is empty; put an SQLite database there", name)
	case len(head) < headerSize || string(head[:len(magic)]) != magic:
		return fail(CodeCorrupt, "%s is not an SQLite database; put one there", name)
	}
	if want := wholeSize(head); size < want {
		return fail(CodeCorrupt, "%s is cut short: it has %d bytes of %d; copy or download it again", name, size, want)
	}
	return nil
}

// header reads the first bytes of a file, fewer where it has fewer.
func header(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head := make([]byte, headerSize)
	n, err := io.ReadFull(f, head)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return head[:n], err
}

// wholeSize is how many bytes the header says that the file has, 0 if it does
// not say: the number counts only if the last writer wrote it.
func wholeSize(head []byte) int64 {
	size := int64(binary.BigEndian.Uint16(head[16:]))
	if size == 1 {
		size = 65536
	}
	if binary.BigEndian.Uint32(head[24:]) != binary.BigEndian.Uint32(head[92:]) {
		return 0
	}
	return size * int64(binary.BigEndian.Uint32(head[28:]))
}

// walMode reports whether a database is in WAL mode. To read one, SQLite makes
// files beside it, unless it knows that no process writes it.
func walMode(head []byte) bool { return head[18] == 2 || head[19] == 2 }

// inUse reports whether a database in WAL mode has changes that are not in the
// file yet, or a process that may make some.
func inUse(path string) bool {
	info, err := os.Stat(path + "-wal")
	return err == nil && info.Size() > 0
}
