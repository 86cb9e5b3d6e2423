//go:build unix

package exec

import (
	"syscall"
	"testing"
)

// A pipe would wait for a reader.
func TestCachePipeInTheWay(t *testing.T) {
	inTheWay(t, func(path string) error { return syscall.Mkfifo(path, 0o600) })
}
