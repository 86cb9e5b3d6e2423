//go:build !unix

package worker

import "os"

func input() *os.File { return os.Stdin }
