//go:build !unix

package spool

import (
	"errors"
	"os"
)

func create() (*os.File, error) { return os.CreateTemp("", "fmcp-*.spool") }

// remove removes the file after it is closed: an open one cannot be.
func remove(f *os.File) error { return errors.Join(f.Close(), os.Remove(f.Name())) }
