//go:build !unix

package watch

import "os"

// ReaderGone does not know of pipes here: the next write finds out.
func ReaderGone(*os.File) <-chan struct{} { return make(chan struct{}) }
