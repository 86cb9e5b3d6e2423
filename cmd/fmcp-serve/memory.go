package main

import (
	"math"
	"runtime"
	"runtime/debug"

	"github.com/flowmcp/fmcp/pkg/cli"
)

// roomAbove is how much memory, in bytes, calls may take above what the catalog
// does before it is collected more often: large answers leave much behind.
const roomAbove = 24 << 20

// usualGC is GOGC where nobody sets it.
const usualGC = 100

// sparing has memory collected sooner until end is called: most of what a catalog is
// read from is needed once. What is needed may be more than settle has set. Who sets GOGC
// or GOMEMLIMIT knows better.
func sparing(app *cli.App) (end func()) {
	if app.IO.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(math.MaxInt64)
	}
	if app.IO.Getenv("GOGC") != "" {
		return func() {}
	}
	debug.SetGCPercent(50)
	return func() { debug.SetGCPercent(usualGC) }
}

// settle gives back what reading a catalog has left behind, and bounds what calls
// add to the rest. Who sets GOMEMLIMIT knows better.
func settle(app *cli.App) {
	if app.IO.Getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.FreeOSMemory()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	debug.SetMemoryLimit(int64(m.Sys-m.HeapReleased) + roomAbove)
}
