//go:build unix

package spool

import "os"

// create makes a file that is nowhere to be seen, so that none is left where the
// process is killed.
func create() (*os.File, error) {
	f, err := os.CreateTemp("", "fmcp-*.spool")
	if err == nil {
		err = os.Remove(f.Name())
	}
	return f, err
}

func remove(f *os.File) error { return f.Close() }
