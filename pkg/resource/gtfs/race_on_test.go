//go:build race

package gtfs

// Tests of much data take a part of it under the race detector: the database engine
// is ten times as slow, and works in one goroutine. .ci/run takes all without it.
const (
	worlds       = 4   // feeds that are made up
	manyFeatures = 150 // of 120 kB
)
