//go:build !linux

package sandbox

// resident is not known on this system: there the worker's own limit on memory
// and the deadline are all there is.
func resident(int) int64 { return 0 }
