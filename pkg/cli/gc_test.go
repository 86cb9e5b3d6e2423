package cli

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"

	"github.com/flowmcp/fmcp/internal/await"
)

func TestPercentOf(t *testing.T) {
	for live, want := range map[uint64]int{
		1 << 20: wholeGC, 80 << 20: wholeGC, 128 << 20: 150, 160 << 20: 100, 300 << 20: leastGC, 400 << 20: leastGC,
		1 << 40: leastGC,
	} {
		if got := percentOf(live, wholeMemory); got != want {
			t.Errorf("%d MB in use: %d, want %d", live>>20, got, want)
		}
	}
}

// What the user has set stays, in commands that stream and in others.
func TestChosen(t *testing.T) {
	const limit = 1 << 40
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(limit))
	app := &App{IO: IO{Getenv: func(key string) string { return map[string]string{"GOMEMLIMIT": "1TiB"}[key] }}}
	for name, collect := range map[string]func(){
		"collectSeldom": func() { collectSeldom(app) },
		"CollectByHeap": func() { CollectByHeap(app, 1<<20) },
	} {
		before := debug.SetGCPercent(123)
		collect()
		if percent := debug.SetGCPercent(before); percent != 123 || debug.SetMemoryLimit(-1) != limit {
			t.Errorf("%s: GOGC is %d, the limit %d", name, percent, debug.SetMemoryLimit(-1))
		}
	}
}

// After a collection it is set by what is in use.
func TestCollectByHeap(t *testing.T) {
	percent := func() int { // without a moment in which it is another one
		gogc := []metrics.Sample{{Name: "/gc/gogc:percent"}}
		metrics.Read(gogc)
		return int(gogc[0].Value.Uint64())
	}
	defer debug.SetGCPercent(percent())
	collectByHeap(7, wholeMemory)
	runtime.GC()
	await.Until(t, "GOGC", func() bool { return percent() == wholeGC })
}
