package main

import (
	"io"
	"os"
)

// copied is a copy of a catalog file, in a file without a name. Records are read
// when they are called, and those of the catalog's own file are gone once somebody
// writes over it. Where there is no room for a copy, the file itself is used: then
// a record that was written over is not called (EXE002).
func copied(catalog io.ReadCloser) io.Reader {
	original, ok := catalog.(*os.File)
	if !ok {
		return catalog
	}
	f, err := os.CreateTemp("", "fmcp-serve-*.ndjson")
	if err != nil {
		return original
	}
	if os.Remove(f.Name()) != nil { // the system keeps names of open files
		_ = f.Close()
		_ = os.Remove(f.Name())
		return original
	}
	if _, err := io.Copy(f, original); err != nil {
		_ = f.Close()
		if _, err := original.Seek(0, io.SeekStart); err != nil {
			return catalog // a pipe: reading it says what is wrong
		}
		return original
	}
	_ = original.Close()
	return f
}
