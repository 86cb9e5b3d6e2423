//go:build !unix

package sandbox

import "os"

func input() *os.File { return os.Stdin }
