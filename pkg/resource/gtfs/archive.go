package gtfs

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/flowmcp/fmcp/pkg/words"
)

// archive is an open feed.
type archive struct {
	file    *os.File
	size    int64
	hash    string
	members map[string]*zip.File // of the top folder, by name
}

// openArchive opens a feed, hashes it and looks at the names in it. Nothing is
// ever written under such a name. What is odd but can be left out is reported.
func openArchive(name string, maxSize int64, rep *Report) (*archive, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, fail(CodeNotZip, "", "the feed cannot be read: %v", err)
	}
	a := &archive{file: file, members: map[string]*zip.File{}}
	if err := a.read(maxSize, rep); err != nil {
		_ = file.Close()
		return nil, err
	}
	return a, nil
}

func (a *archive) read(maxSize int64, rep *Report) error {
	info, err := a.file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return fail(CodeNotZip, "name the .zip file of the feed", "%s is not a file", a.file.Name())
	}
	a.size = info.Size()
	sum := sha256.New()
	if _, err := io.Copy(sum, a.file); err != nil {
		return fail(CodeNotZip, "", "the feed cannot be read: %v", err)
	}
	a.hash = hex.EncodeToString(sum.Sum(nil))
	z, err := zip.NewReader(a.file, a.size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return fail(CodeNotZip, "a feed is a zip archive of .txt files; download it again where it was cut short",
			"%s is not a zip archive (%v)", a.file.Name(), err)
	}
	var total uint64
	for _, f := range z.File {
		if err := a.add(f, rep); err != nil {
			return err
		}
		if total += f.UncompressedSize64; total > uint64(maxSize) || f.UncompressedSize64 > uint64(maxSize) {
			return fail(CodeTooLarge, "raise --max-unpacked if you trust the feed",
				"%s has more than %d bytes unpacked", a.file.Name(), maxSize)
		}
	}
	return nil
}

// encrypted is the bit of a zip member's flags that says that it is.
const encrypted = 1

func (a *archive) add(f *zip.File, rep *Report) error {
	name := f.Name
	base := path.Base(name)
	switch {
	case strings.HasSuffix(name, "/") && fs.ValidPath(strings.TrimSuffix(name, "/")):
		return nil // a folder; what is in it is looked at
	case !fs.ValidPath(name) || strings.ContainsAny(name, "\\\x00"):
		return fail(CodeMember, "do not use archives with such names",
			"the archive has the name %s, which leads out of a folder", words.Quote(name))
	case name != base && known(base) && !strings.HasPrefix(name, "__MACOSX/"):
		return fail(CodeMember, "put the files at the top of the archive, without a folder",
			"%s is in the folder %s", base, words.Quote(path.Dir(name)))
	case !known(name):
		if name == base {
			rep.add(Finding{Code: CodeLeftOut, File: printable(name),
				Message: "the file is not in the GTFS Schedule Reference and was left out"})
		}
		return nil
	case a.members[name] != nil:
		return fail(CodeMember, "zip the feed again", "%s is in the archive twice", name)
	case f.Flags&encrypted != 0:
		return fail(CodeMember, "zip the feed without a password", "%s is encrypted", name)
	case f.Method != zip.Store && f.Method != zip.Deflate:
		return fail(CodeMember, "zip the feed with deflate", "%s is packed with method %d, expected deflate", name,
			f.Method)
	case !f.Mode().IsRegular():
		return fail(CodeMember, "put the file itself into the archive", "%s is not a regular file (%s)", name, f.Mode())
	}
	a.members[name] = f
	return nil
}

// known reports whether a feed may have a file of that name.
func known(name string) bool {
	for _, t := range tables {
		if t.file() == name {
			return true
		}
	}
	return name == locationsFile
}

// open opens a member that is there.
func (a *archive) open(name string) (io.ReadCloser, error) {
	r, err := a.members[name].Open()
	if err != nil {
		return nil, damaged(name, err)
	}
	return r, nil
}

// damaged words an error of unpacking.
func damaged(name string, err error) *words.Problem {
	return fail(CodeDamaged, "download the feed again", "%s cannot be unpacked (%s)", name, fmt.Sprint(err))
}

func (a *archive) close() { _ = a.file.Close() }
