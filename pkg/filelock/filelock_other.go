//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package filelock

import (
	"errors"
	"os"
)

// try has no lock to take here.
func try(*os.File) error { return errors.ErrUnsupported }
