package cli

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// wholeGC is GOGC of a command that holds what came until the end, as long as that
// is little. Go's default would go through all of it again whenever it has doubled,
// from 4 MB on: a fifth of the time of fmcp-resolve.
const wholeGC = 300

// wholeMemory is what the heap of such a command should not grow beyond as long as
// what it holds leaves room for that: 10,000 schemas are 200 MB.
const wholeMemory = 320 << 20

// leastGC is GOGC of a command that holds more: a fifth of the time of a merge of 100,000
// schemas is collecting by it, and less would soon be most of it.
const leastGC = 30

// streamGC is GOGC of a command that only streams. It holds a few records at a
// time, and Go's default would collect every 4 MB: a tenth of its time, to save
// memory that it does not need.
const streamGC = 400

// streamMemory is from where on, in bytes, it collects as often as it must:
// one huge record, a registry of thousands of schemas, must not be multiplied.
const streamMemory = 32 << 20

// chosen reports whether the user has set how memory is collected, which then stays.
func chosen(app *App) bool {
	return app.IO.Getenv("GOGC") != "" || app.IO.Getenv("GOMEMLIMIT") != ""
}

// collectSeldom is for a command that only streams.
func collectSeldom(app *App) {
	if !chosen(app) {
		debug.SetGCPercent(streamGC)
		debug.SetMemoryLimit(streamMemory)
	}
}

// CollectByHeap is for a command that holds what came until the end: its heap should
// not grow beyond most bytes.
func CollectByHeap(app *App, most uint64) {
	if !chosen(app) {
		collectByHeap(wholeGC, most)
	}
}

// collectByHeap sets GOGC, and again after each collection, by what is in use then and
// by what the heap should not grow beyond. Less than wholeMemory is a limit of all memory
// too, which has freed pages given back, as long as half of it is enough.
func collectByHeap(percent int, most uint64) {
	debug.SetGCPercent(percent)
	runtime.AddCleanup(new([16]byte), func(live []metrics.Sample) {
		metrics.Read(live)
		inUse := live[0].Value.Uint64()
		if most < wholeMemory {
			debug.SetMemoryLimit(int64(max(most, 2*inUse)))
		}
		collectByHeap(percentOf(inUse, most), most)
	}, []metrics.Sample{{Name: "/gc/heap/live:bytes"}})
}

// percentOf is GOGC for a heap of which so many bytes are in use.
func percentOf(live, most uint64) int {
	room := most - min(live, most)
	return int(min(max(room*100/max(live, 1), leastGC), wholeGC))
}
