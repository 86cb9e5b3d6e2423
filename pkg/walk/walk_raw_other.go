//go:build !unix

package walk

import (
	"errors"
	"io"
	"os"
)

// rawFile is a regular file that is read once, whole.
type rawFile struct {
	*os.File
	size int64
}

func openRaw(name string) (*rawFile, error) {
	f, size, err := OpenFile(name)
	if err != nil {
		return nil, err
	}
	return &rawFile{f, size}, nil
}

func (f *rawFile) read(b []byte) (int, error) {
	n, err := f.Read(b)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return n, err
}

func (f *rawFile) close() { _ = f.Close() }
